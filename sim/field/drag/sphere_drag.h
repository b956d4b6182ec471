// Drag of a sphere in air or another fluid, from creeping flow to the quadratic law.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Fluid around small spheres, such as air.
struct DragMedium {
  double density = 1.2;       ///< Density [kg/m^3].
  double viscosity = 1.8e-5;  ///< Dynamic viscosity [Pa s].
};

/// Drag coefficient of a smooth sphere at a Reynolds number Re based on the diameter: 24 / Re (1 + 0.15 Re^0.687) +
/// 0.42 / (1 + 42500 Re^-1.16) (Clift & Gauvin 1971). The error relative to measurements is at most 6 % up to Re = 3e5.
/// At larger Re, the boundary layer becomes turbulent, and the value at 3e5 is used.
[[nodiscard]] double sphere_drag(double reynolds);

/// Factor C_d Re / 24 by which the drag exceeds the drag of creeping flow. It is finite at Re = 0. The drag force [N]
/// is 6 pi mu r |u| times this factor, where mu is the viscosity, r the radius and |u| the relative speed.
[[nodiscard]] double drag_over_stokes(double reynolds);

/// Drag force divided by speed [kg/s], for a sphere of `radius` [m] at the relative `speed` [m/s].
[[nodiscard]] double ball_drag(const DragMedium& medium, double radius, double speed);

/// Rate [1/s] at which a sphere of `radius` [m] and `mass` [kg] approaches the velocity of the medium at the relative
/// `speed` [m/s]. It is ball_drag() divided by the mass.
[[nodiscard]] double sphere_drag_rate(const DragMedium& medium, double radius, double mass, double speed);

/// Mean of sphere_drag_rate() over a time `dt` [s], in which a sphere with the initial velocity `u` [m/s] relative to
/// the medium is slowed by drag and accelerated by `gravity` [m/s^2]. If `dt` does not resolve the change of the rate,
/// it is divided into shorter steps. Even a very light sphere thus reaches the velocity of the medium or its terminal
/// speed.
[[nodiscard]] double mean_drag_rate(const DragMedium& medium, double radius, double mass, const Vec3& u,
                                    const Vec3& gravity, double dt);

/// Speed [m/s] at which the drag balances `force` [N], the weight minus the buoyancy.
[[nodiscard]] double terminal_speed(const DragMedium& medium, double radius, double force);

}  // namespace vw
