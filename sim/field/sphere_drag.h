// Drag of a ball in air or another fluid that moves past it, from creeping flow to the square law.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Air or another fluid about small balls.
struct DragMedium {
  double density = 1.2;       ///< [kg/m^3]
  double viscosity = 1.8e-5;  ///< [Pa s]
};

/// Drag coefficient of a smooth ball at a Reynolds number by its diameter: 24 / Re (1 + 0.15 Re^0.687) + 0.42 / (1 + 42500 Re^-1.16) (Clift & Gauvin
/// 1971), within 6 % of measurements up to 3e5; beyond (where the boundary layer turns turbulent) it stays as there.
[[nodiscard]] double sphere_drag(double reynolds);

/// The same as the factor C_d Re / 24 by which drag exceeds that of creeping flow, finite at 0: the force [N] is 6 pi mu r |u| times this.
[[nodiscard]] double drag_over_stokes(double reynolds);

/// Drag force over speed [kg/s] on a ball of `radius` [m] that the medium moves past with `speed` [m/s].
[[nodiscard]] double ball_drag(const DragMedium& medium, double radius, double speed);

/// Rate [1/s] at which a ball of `radius` [m] and `mass` [kg] takes on the velocity of the medium where that moves past it with `speed` [m/s]: the
/// above over its mass.
[[nodiscard]] double sphere_drag_rate(const DragMedium& medium, double radius, double mass, double speed);

/// The mean of that rate [1/s] over a time `dt` in which a ball that moves at `u` [m/s] against the medium is slowed, and pulled by `gravity`
/// [m/s^2]. What dt does not resolve is gone through in steps that do: a ball comes to the medium, or to its terminal speed, as it should, however
/// light.
[[nodiscard]] double mean_drag_rate(const DragMedium& medium, double radius, double mass, const Vec3& u, const Vec3& gravity, double dt);

/// Speed [m/s] at which drag balances `force` [N] (weight less lift).
[[nodiscard]] double terminal_speed(const DragMedium& medium, double radius, double force);

}  // namespace vw
