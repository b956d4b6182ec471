// Wind on a body's surface: pressure on windward faces, suction on leeward faces, friction along all faces that the
// wind reaches (face_drag.h). The shelter that parts of the body give to others is found once per world step along the
// mean relative wind. Forces use the voxels' current velocities.
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

/// A surface voxel in the wind.
struct WindRow {
  std::uint32_t voxel = 0;
  std::uint32_t first = 0;  ///< index of its first face in `shares` and `wet`
  std::uint8_t faces = 0;   ///< exposed faces, bits as in LatticeTopology
};

/// The wind of one world step, as a run of substeps reads it. Empty: no wind.
struct WindView {
  FaceDrag drag;
  std::span<const WindRow> rows;      ///< ascending by voxel
  std::span<const Vec3> air;          ///< velocity of the air at each row at the start of the world step [m/s]
  std::span<const FaceShade> shares;  ///< shares of each exposed face; empty: no face is sheltered
  std::span<const float> wet;         ///< wetted fraction of each exposed face; empty: all are dry
};
/// Rows of the voxels [voxels.begin, voxels.end).
[[nodiscard]] Range wind_rows(const WindView& wind, Range voxels);

/// Wind force [N] on the voxel of a row that moves with `velocity`. Its impulse never exceeds the mass times the
/// component of the relative velocity u along it, so that the air cannot reverse that component within a substep.
[[nodiscard]] Vec3 wind_force(const WindView& wind, std::size_t row, const Vec3& velocity, const Quat& orientation,
                              double half_edge, double mass, double dt);

class BodyWind {
 public:
  /// Samples the air around the body at its present position. `shielding`: weight of the shelter, 0 to 1.
  void look(const FieldSet& fields, double time, std::span<const std::uint8_t> open_faces, const Elements& elements,
            double shielding);
  void forget() { rows_.clear(), wet_.clear(); }
  /// Sets the wetted fraction, 0 to 1, of a voxel's faces in this world step. No wind acts on that part.
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
