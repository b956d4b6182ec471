// The load of a wind on a small flat face: what voxels, rigid bodies and water surfaces share.
#pragma once

#include "sim/base/math.h"

namespace vw {

struct FaceDrag {
  double pressure = 1;       ///< drag coefficient of a face across the wind
  double friction = 0.01;    ///< skin friction coefficient of a face along the wind
  double air_density = 1.2;  ///< [kg/m^3]
};

/// Force [N] of air that blows with `u` [m/s] relative to a face of `area` [m^2] with outward unit `normal`: 1/2 rho c_d A u_n^2 against the face
/// where it is turned to the wind (share `exposed`, 1: nothing stands before it), 1/2 rho c_f A |u_t| u_t along it.
[[nodiscard]] inline Vec3 face_force(const FaceDrag& drag, const Vec3& u, const Vec3& normal, double area, double exposed = 1) {
  const double across = u.dot(normal);
  const Vec3 along = u - across * normal;
  const double q = 0.5 * drag.air_density * area * exposed;
  Vec3 force = q * drag.friction * along.norm() * along;
  if (across < 0) force -= q * drag.pressure * across * across * normal;
  return force;
}

}  // namespace vw
