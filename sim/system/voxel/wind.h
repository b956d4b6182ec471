// Wind on a body's surface: pressure on faces that it blows against, suction behind, friction along all that it reaches (face_drag.h). What parts of
// the body stand in the lee of others is found once per world step, along the mean relative wind; the velocities of the voxels count as they are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/field/field.h"
#include "sim/field/shade.h"
#include "sim/system/system.h"
#include "sim/system/voxel/constants.h"

namespace vw {

/// A voxel of the surface in the wind.
struct WindRow {
  std::uint32_t voxel = 0;
  std::uint32_t first = 0;  ///< of its faces' shares
  std::uint8_t faces = 0;   ///< open ones, as topology counts them
};

/// The wind of one world step; what a run of substeps reads. Empty: no wind is felt.
struct WindView {
  FaceDrag drag;
  std::span<const WindRow> rows;      ///< by voxel
  std::span<const Vec3> air;          ///< the air's velocity at each row, of the world step's start [m/s]
  std::span<const FaceShade> shares;  ///< of each open face; empty: all are reached
  std::span<const float> wet;         ///< share of each open face that is in a liquid; empty: all are dry
};
/// The rows of voxels [range.begin, range.end).
[[nodiscard]] Range wind_rows(const WindView& wind, Range voxels);

/// The wind's force [N] on the voxel of a row that moves with `velocity`. Its impulse never exceeds m times the part of the relative velocity u along
/// it, so air cannot reverse that within a substep.
[[nodiscard]] Vec3 wind_force(const WindView& wind, std::size_t row, const Vec3& velocity, const Quat& orientation, double half_edge, double mass,
                              double dt);

class BodyWind {
 public:
  /// Looks at the air about the body as it is now. `shielding`: the share of shelter that counts, 0 to 1.
  void look(const FieldSet& fields, double time, std::span<const std::uint8_t> open_faces, const Elements& elements, double shielding);
  void forget() { rows_.clear(), wet_.clear(); }
  /// Faces of a voxel that are in a liquid in this world step, 0 to 1: so much of them no wind reaches.
  void keep_off(std::size_t voxel, const std::array<float, face_count>& wet);
  [[nodiscard]] WindView view(const FaceDrag& drag) const { return {drag, rows_, air_, shares_, wet_}; }

 private:
  void shade(const Elements& elements, double shielding);

  std::vector<WindRow> rows_;
  std::vector<Vec3> place_, air_;
  std::vector<ShadeFace> faces_;
  std::vector<FaceShade> shares_;
  std::vector<float> wet_;
  Shade shade_;
};

}  // namespace vw
