// Drag of a sphere in air or another fluid, from creeping flow to quadratic drag.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Fluid around small spheres, such as air.
struct DragMedium {
  double density = 1.2;       ///< Density [kg/m^3].
  double viscosity = 1.8e-5;  ///< Dynamic viscosity [Pa s].
};

/// Returns the drag coefficient of a smooth sphere at the Reynolds number Re based on the diameter: 24 / Re (1 + 0.15
/// Re^0.687) + 0.42 / (1 + 42500 Re^-1.16) (Clift & Gauvin 1971). Up to Re = 3e5, it deviates from measurements by at
/// most 6 %. Beyond, where the boundary layer becomes turbulent, the value at 3e5 is used.
[[nodiscard]] double sphere_drag(double reynolds);

/// Returns the factor C_d Re / 24: the drag divided by the drag of creeping flow. It is finite at Re = 0. The drag
/// force is 6 pi mu r |u| times this factor [N] (mu: viscosity, r: radius, |u|: relative speed).
[[nodiscard]] double drag_over_stokes(double reynolds);

/// Returns the drag force divided by speed [kg/s], for a sphere of `radius` [m] at the relative `speed` [m/s].
[[nodiscard]] double ball_drag(const DragMedium& medium, double radius, double speed);

/// Returns the rate at which the relative velocity of a sphere decays [1/s]: ball_drag() divided by the mass. `speed`
/// is the relative speed [m/s], `radius` is in [m] and `mass` in [kg].
[[nodiscard]] double sphere_drag_rate(const DragMedium& medium, double radius, double mass, double speed);

/// Returns the mean of sphere_drag_rate() over a time `dt` [s], in which drag slows a sphere and `gravity` [m/s^2]
/// accelerates it. `u` is the initial velocity relative to the medium [m/s]. If the rate changes too much within `dt`,
/// it is integrated in shorter steps. Even a very light sphere thus reaches the velocity of the medium or its terminal
/// speed.
[[nodiscard]] double mean_drag_rate(const DragMedium& medium, double radius, double mass, const Vec3& u,
                                    const Vec3& gravity, double dt);

/// Returns the speed [m/s] at which the drag balances `force` [N], the weight minus the buoyancy.
[[nodiscard]] double terminal_speed(const DragMedium& medium, double radius, double force);

}  // namespace vw
