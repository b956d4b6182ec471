// Volume, centre and inertia of shapes of even density: exact, for closed meshes too.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Of a body of density 1 kg/m^3, in the shape's own frame.
struct MassProperties {
  double volume_m3 = 0;
  Vec3 center = Vec3::Zero();   ///< of mass [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre [m^5]
};

/// Of a plane, or of geometry other than triangles: volume 0. Of a mesh with holes: as if each were closed from the middle of its bounds.
[[nodiscard]] MassProperties mass_properties(const Shape& shape);

}  // namespace vw
