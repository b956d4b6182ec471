// Substep limit at high pressure. Input: particles after the last substep. Output: a time step [s].
#pragma once

#include "sim/system/fluid/rows/fluid_rows.h"

namespace vw {

/// Returns the longest substep [s] at the current pressures. The pressure force that holds two particles apart rotates
/// with the line between them while they slide past each other. Sliding particles therefore oscillate with the angular
/// frequency w = sqrt(lambda p / rho) / d, even if no density changes. Here p is the pressure, rho the density and d
/// the spacing. An explicit step must resolve the oscillation (w dt < 2). The constant lambda is 9.15 in a cubic
/// lattice with Wendland's kernel and 8.5 with the cubic spline, which gives dt < 0.66 d / sqrt(p / rho). A column of L
/// layers is unstable with steps above 0.66 sqrt(d / (g L)). The returned limit contains a safety margin: its factor is
/// 0.57 instead of 0.66. The limit is infinite if rows.peak is zero.
[[nodiscard]] double pressure_step_limit(const FluidRows& rows, double spacing_m);

/// Updates rows.peak after a substep of dt. `highest`: largest ratio of pressure to density in the substep [m^2/s^2].
/// rows.peak becomes the larger of `highest` and its previous value, which decays to 1/e in 0.03 s. The peak is held
/// because the pressure in an unstable column alternates above and below the weight of the column. A substep chosen
/// from the mean pressure would not restore stability.
void hold_peak(FluidRows& rows, double highest, double dt);

/// Returns the depth of fluid at rest, in spacings, that would cause the highest pressure under `gravity` [m/s^2]. The
/// result is zero without pressure or gravity.
[[nodiscard]] double pressed_layers(const FluidRows& rows, const Vec3& gravity, double spacing_m);

/// Sets the pressures of new particles to the hydrostatic pressure of the layers above them, for a fluid at rest under
/// `gravity` [m/s^2] with its surface at the highest particle. pressure_step_limit() uses these pressures until the
/// first substeps have been solved. The pressure in a light liquid below a heavy liquid includes the weight of the
/// heavy liquid.
void set_hydrostatic_pressures(FluidRows& rows, const Vec3& gravity, double spacing_m);

}  // namespace vw
