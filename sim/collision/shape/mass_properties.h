// Volume, centre of mass and inertia of shapes of uniform density. The results are exact for primitives and closed
// meshes. For other geometry, they are summed over cells (cells_inside.h).
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Mass properties of a shape for a density of 1 kg/m^3, in the shape's frame.
struct MassProperties {
  double volume_m3 = 0;
  Vec3 center = Vec3::Zero();   ///< Centre of mass [m].
  Mat3 inertia = Mat3::Zero();  ///< Moment of inertia about the centre of mass [m^5].
  bool exact = true;            ///< False if the values were summed over cells.
};

/// Returns the mass properties of a shape. The volume is 0 for shapes without a bounded inside (is_solid()). For open
/// meshes, meshes with overlapping parts, height fields and distance grids, the properties are summed over cells, a
/// hundred along each axis of the bounds.
[[nodiscard]] MassProperties mass_properties(const Shape& shape);

}  // namespace vw
