// Wind force on a small flat face, for voxels, rigid bodies and water surfaces.
#pragma once

#include <cmath>

#include "sim/base/math.h"

namespace vw {

struct FaceDrag {
  double pressure = 1;       ///< Drag coefficient of a face perpendicular to the wind.
  double friction = 0.01;    ///< Skin friction coefficient of a face parallel to the wind.
  double air_density = 1.2;  ///< Density of the air [kg/m^3].
  /// Suction coefficient for the lee side of a body: faces turned away from the wind or sheltered from it.
  double suction = 0;
  /// Weight in [0, 1] of the pressure law of a thin plate (pressing_speed()). At 0, the pressure is proportional to the
  /// square of the sine of the angle of incidence.
  double lift = 0;
};

/// Exposed fractions of a face, the rest of which is sheltered by other faces of the body (shade.h). `struck`
/// multiplies the pressure, `rubbed` the skin friction.
struct FaceShade {
  double struck = 1, rubbed = 1;
};

/// Returns the speed s [m/s] for which the pressure is proportional to s times `across`. `u` is the wind [m/s], and
/// `across` is the absolute value of its normal component [m/s]. Without lift, s equals `across`. With lift 1, s times
/// `across` is |u|^2 sin a (4 + pi) / (4 + pi sin a), where a is the angle of incidence. This is the law of a plate in
/// separated flow (Rayleigh 1876), divided by its value at a right angle. At a small angle, the normal force on a plate
/// is then 1.79 sin a times that at a right angle.
[[nodiscard]] inline double pressing_speed(const FaceDrag& drag, double across, const Vec3& u) {
  if (!(drag.lift > 0 && across > 0)) return across;
  const double speed = u.norm();
  return (1 - drag.lift) * across + drag.lift * (4 + pi) * speed * speed / (4 * speed + pi * across);
}

/// Returns the force [N] of air that moves with `u` [m/s] relative to a face of area `area` (A, [m^2]) with the outward
/// unit normal `normal`. u_n and u_t are the normal and tangential components of u. rho is the air density, and c_d,
/// c_s, c_f are the coefficients of pressure, suction and friction. The force is the sum of three terms:
/// - 1/2 rho c_d A u_n^2 against the face, on its exposed fraction, if the face is turned to the wind
/// - 1/2 rho c_s A u_n^2 outwards, on the sheltered fraction, or on the complete face if the face is turned away
/// - 1/2 rho c_f A |u_t| u_t along the face, on its exposed fraction
/// With lift, u_n^2 is replaced by |u_n| pressing_speed(). Only suction on a sheltered face can accelerate a face
/// against the wind.
[[nodiscard]] inline Vec3 face_force(const FaceDrag& drag, const Vec3& u, const Vec3& normal, double area,
                                     const FaceShade& shade = {}) {
  const double across = u.dot(normal);
  const Vec3 along = u - across * normal;
  const double q = 0.5 * drag.air_density * area;
  const double pressure = across < 0 ? drag.pressure * shade.struck - drag.suction * (1 - shade.struck) : -drag.suction;
  return q * (drag.friction * shade.rubbed * along.norm() * along -
              pressure * pressing_speed(drag, std::abs(across), u) * std::abs(across) * normal);
}

}  // namespace vw
