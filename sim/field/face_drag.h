// The load of a wind on a small flat face: what voxels, rigid bodies and water surfaces share.
#pragma once

#include <cmath>

#include "sim/base/math.h"

namespace vw {

struct FaceDrag {
  double pressure = 1;       ///< drag coefficient of a face across the wind
  double friction = 0.01;    ///< skin friction coefficient of a face along the wind
  double air_density = 1.2;  ///< [kg/m^3]
  double suction = 0;        ///< coefficient of the pressure that is missing behind a body: on faces turned away from the wind or hidden from it
  double lift = 0;           ///< 0: pressure as the square of the sine of the angle at which the wind meets the face; 1: as on a thin plate
};

/// What of a wind reaches a face past the rest of its body (shade.h): the shares of it that pressure and friction act on.
struct FaceShade {
  double struck = 1, rubbed = 1;
};

/// The speed [m/s] by which `across`, what of a wind `u` goes straight against a face (without its sign), is to be multiplied for the
/// pressure: itself, or with lift that of a plate at an angle a in a stream that parts behind it, u^2 sin a (4 + pi) / (4 + pi sin a) (Rayleigh 1876,
/// over its value at a right angle). So a plate at a small angle is pushed along its normal by 1.79 sin a.
[[nodiscard]] inline double pressing_speed(const FaceDrag& drag, double across, const Vec3& u) {
  if (!(drag.lift > 0 && across > 0)) return across;
  const double speed = u.norm();
  return (1 - drag.lift) * across + drag.lift * (4 + pi) * speed * speed / (4 * speed + pi * across);
}

/// Force [N] of air that blows with `u` [m/s] relative to a face of `area` [m^2] with outward unit `normal`: 1/2 rho c_d A u_n^2 against the face as
/// far as it is turned to the wind and open, 1/2 rho c_s A u_n^2 outwards where it is turned away or hidden (with lift more than u_n^2, see above),
/// 1/2 rho c_f A |u_t| u_t along it. It never gives a face more speed against the wind, other than by suction where it is hidden.
[[nodiscard]] inline Vec3 face_force(const FaceDrag& drag, const Vec3& u, const Vec3& normal, double area, const FaceShade& shade = {}) {
  const double across = u.dot(normal);
  const Vec3 along = u - across * normal;
  const double q = 0.5 * drag.air_density * area;
  const double pressure = across < 0 ? drag.pressure * shade.struck - drag.suction * (1 - shade.struck) : -drag.suction;
  return q * (drag.friction * shade.rubbed * along.norm() * along - pressure * pressing_speed(drag, std::abs(across), u) * std::abs(across) * normal);
}

}  // namespace vw
