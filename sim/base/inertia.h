// Moments of inertia of simple bodies.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Returns the inertia tensor about the origin of a point at `arm`, per unit of its mass [m^2].
[[nodiscard]] inline Mat3 point_inertia(const Vec3& arm) {
  return arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose();
}

/// Returns the moment of inertia of a solid cube about its centre [kg m^2]: m (2 r)^2 / 6 with half its edge r.
[[nodiscard]] inline double cube_inertia(double mass_kg, double half_edge_m) {
  return 2.0 / 3.0 * mass_kg * half_edge_m * half_edge_m;
}

}  // namespace vw
