// The load of a wind on a small flat face: what voxels, rigid bodies and water surfaces share.
#pragma once

#include "sim/base/math.h"

namespace vw {

struct FaceDrag {
  double pressure = 1;       ///< drag coefficient of a face across the wind
  double friction = 0.01;    ///< skin friction coefficient of a face along the wind
  double air_density = 1.2;  ///< [kg/m^3]
  double suction = 0;        ///< coefficient of the pressure that is missing behind a body: on faces turned away from the wind or hidden from it
};

/// What of a wind reaches a face past the rest of its body (shade.h): the shares of it that pressure and friction act on.
struct FaceShade {
  double struck = 1, rubbed = 1;
};

/// Force [N] of air that blows with `u` [m/s] relative to a face of `area` [m^2] with outward unit `normal`: 1/2 rho c_d A u_n^2 against the face as
/// far as it is turned to the wind and open, 1/2 rho c_s A u_n^2 outwards where it is turned away or hidden, 1/2 rho c_f A |u_t| u_t along it.
[[nodiscard]] inline Vec3 face_force(const FaceDrag& drag, const Vec3& u, const Vec3& normal, double area, const FaceShade& shade = {}) {
  const double across = u.dot(normal);
  const Vec3 along = u - across * normal;
  const double q = 0.5 * drag.air_density * area;
  const double pressure = across < 0 ? drag.pressure * shade.struck - drag.suction * (1 - shade.struck) : -drag.suction;
  return q * (drag.friction * shade.rubbed * along.norm() * along - pressure * across * across * normal);
}

}  // namespace vw
