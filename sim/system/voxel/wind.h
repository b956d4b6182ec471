// Wind on a body's surface: pressure on windward faces, suction on leeward faces, friction along all faces that the
// wind reaches (face_drag.h). Shelter of faces by other parts of the body is computed once per world step, along the
// mean relative wind. Wind forces use the voxels' current velocities.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/field/drag/shade.h"
#include "sim/field/field.h"
#include "sim/system/system.h"
#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// A surface voxel in the wind.
struct WindRow {
  std::uint32_t voxel = 0;
  std::uint32_t first = 0;  ///< index of the voxel's first exposed face in WindView::shares and WindView::wet
  std::uint8_t faces = 0;   ///< exposed faces (bits), as in LatticeTopology::exposed
};

/// Wind of one world step, input of wind_force(). If `rows` is empty, there is no wind.
struct WindView {
  FaceDrag drag;
  std::span<const WindRow> rows;      ///< surface voxels, ascending by voxel
  std::span<const Vec3> air;          ///< air velocity at each row's voxel at the start of the world step [m/s]
  std::span<const FaceShade> shares;  ///< unsheltered fractions of each exposed face; empty if shelter is off
  std::span<const float> wet;         ///< wetted fraction of each exposed face; empty if all faces are dry
};
/// Returns the range of WindView::rows that belongs to the voxels [voxels.begin, voxels.end).
[[nodiscard]] Range wind_rows(const WindView& wind, Range voxels);

/// Returns the wind force [N] on the voxel of row `row` at the voxel's current `velocity` and `orientation`. The force
/// is limited so that its impulse in a substep is at most `mass` times the component of the relative wind velocity
/// along the force. The wind can therefore not reverse this component within a substep.
[[nodiscard]] Vec3 wind_force(const WindView& wind, std::size_t row, const Vec3& velocity, const Quat& orientation,
                              double half_edge, double mass, double dt);

class BodyWind {
 public:
  /// Samples the air velocity at the body's present position. `shielding` scales the shelter of faces by other parts of
  /// the body: 0 means no shelter, 1 full shelter.
  void look(const FieldSet& fields, double time, std::span<const std::uint8_t> open_faces, const Elements& elements,
            double shielding);
  void forget() { rows_.clear(), wet_.clear(); }
  /// Sets the wetted fraction (0 to 1) of each face of a voxel for this world step. No wind acts on the wetted
  /// fraction.
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
