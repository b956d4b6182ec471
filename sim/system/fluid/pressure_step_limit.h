// Substep limit at high pressure. Input: particles after the last substep. Output: a time step [s].
#pragma once

#include "sim/system/fluid/fluid_rows.h"

namespace vw {

/// Longest substep [s] at the current pressures. The pressure force that holds two particles apart rotates with the
/// line between them while they slide past each other. Sliding particles therefore oscillate with the angular frequency
/// w = sqrt(lambda p / rho) / d even if no density changes, and an explicit step must resolve that (w dt < 2). lambda
/// is 9.15 in a cubic lattice with Wendland's kernel and 8.5 with the cubic spline, which gives dt < 0.66 d / sqrt(p /
/// rho). A column of L layers is unstable above 0.66 sqrt(d / (g L)). Infinite if there is no pressure now or recently.
[[nodiscard]] double pressure_step_limit(const FluidRows& rows, double spacing_m);

/// Updates rows.peak after a substep of dt. `highest`: the largest pressure over density in it [m^2/s^2]. rows.peak is
/// that value, or an earlier one that decays to 1/e in 0.03 s if that is larger. The peak is held because the pressure
/// in an unstable column alternates above and below its weight: a substep chosen from the mean would not restore
/// stability.
void hold_peak(FluidRows& rows, double highest, double dt);

/// Depth of fluid at rest, in spacings, that would cause the highest pressure under `gravity` [m/s^2]. Zero without
/// pressure or gravity.
[[nodiscard]] double pressed_layers(const FluidRows& rows, const Vec3& gravity, double spacing_m);

/// Sets the pressures of new particles to the hydrostatic pressure of the layers above them, for a fluid at rest under
/// `gravity` [m/s^2] with its surface at the highest particle. pressure_step_limit() uses them until the first substeps
/// have been solved. A light liquid below a heavy one bears the heavy one's weight.
void set_hydrostatic_pressures(FluidRows& rows, const Vec3& gravity, double spacing_m);

}  // namespace vw
