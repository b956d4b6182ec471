// Volume, centre and inertia of shapes of even density: exact, for closed meshes too; of what has holes or overlaps, from cells (cells_inside.h).
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Of a body of density 1 kg/m^3, in the shape's own frame.
struct MassProperties {
  double volume_m3 = 0;
  Vec3 center = Vec3::Zero();   ///< of mass [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre [m^5]
  bool exact = true;            ///< not summed over cells
};

/// Of what has no inside that ends (is_solid()): volume 0. Meshes that are not closed, or whose parts overlap, and other data: from a hundred cells
/// along each axis of their bounds.
[[nodiscard]] MassProperties mass_properties(const Shape& shape);

}  // namespace vw
