// Drag of a sphere in air or another fluid, from creeping flow to the quadratic law.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Air or another fluid around small spheres.
struct DragMedium {
  double density = 1.2;       ///< [kg/m^3]
  double viscosity = 1.8e-5;  ///< [Pa s]
};

/// Drag coefficient of a smooth sphere at a Reynolds number based on its diameter: 24 / Re (1 + 0.15 Re^0.687) + 0.42 /
/// (1 + 42500 Re^-1.16) (Clift & Gauvin 1971). Within 6 % of measurements up to 3e5. Beyond, where the boundary layer
/// becomes turbulent, it keeps its value at 3e5.
[[nodiscard]] double sphere_drag(double reynolds);

/// Factor C_d Re / 24 by which the drag exceeds that of creeping flow; finite at 0. The force [N] is 6 pi mu r |u|
/// times this factor.
[[nodiscard]] double drag_over_stokes(double reynolds);

/// Drag force divided by speed [kg/s], for a sphere of `radius` [m] with the relative `speed` [m/s].
[[nodiscard]] double ball_drag(const DragMedium& medium, double radius, double speed);

/// Rate [1/s] at which a sphere of `radius` [m] and `mass` [kg] takes on the velocity of the medium at the relative
/// `speed` [m/s]: ball_drag() divided by the mass.
[[nodiscard]] double sphere_drag_rate(const DragMedium& medium, double radius, double mass, double speed);

/// Mean of that rate [1/s] over a time `dt` [s] in which a sphere that moves at `u` [m/s] relative to the medium is
/// slowed, and accelerated by `gravity` [m/s^2]. If `dt` does not resolve the change, it is divided into steps that do.
/// Even a very light sphere thus reaches the velocity of the medium, or its terminal speed.
[[nodiscard]] double mean_drag_rate(const DragMedium& medium, double radius, double mass, const Vec3& u,
                                    const Vec3& gravity, double dt);

/// Speed [m/s] at which drag balances `force` [N] (weight minus buoyancy).
[[nodiscard]] double terminal_speed(const DragMedium& medium, double radius, double force);

}  // namespace vw
