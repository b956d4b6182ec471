// How long a substep may be where pressures are high. In: rows as the last substep left them. Out: seconds.
#pragma once

#include "sim/system/fluid/fluid_rows.h"

namespace vw {

/// Longest substep [s] that steps along pressures as they stand. A pressure p that holds a pair apart turns with it while the pair slides: rows that
/// pass one another swing with the angular frequency w = sqrt(lambda p / rho) / d, which an explicit step must resolve (w dt < 2), though no row's
/// density changes. lambda is 9.15 in a cubic lattice of Wendland's kernel, 8.5 of the cubic spline: dt < 0.66 d / sqrt(p / rho); a column of L
/// layers boils at more than 0.66 sqrt(d / (g L)). Infinite where nothing presses or has pressed lately.
[[nodiscard]] double deep_step(const FluidRows& rows, double spacing_m);

/// To be called after a substep of dt with the highest pressure over density in it [m^2/s^2]: rows.peak is that, or what is left of an earlier one,
/// of which 0.03 s leave 1/e. A column that boils presses now more, now less than its weight: by substeps for a mean it would boil on.
void hold_peak(FluidRows& rows, double highest, double dt);

/// How many spacings of fluid at rest weigh as much as the highest pressure, by `gravity` [m/s^2]. Zero where nothing presses or weighs.
[[nodiscard]] double pressed_layers(const FluidRows& rows, const Vec3& gravity, double spacing_m);

/// Tells rows that have no past the weight of the layers above them, as if all stood still under `gravity` [m/s^2] from the highest one down: what
/// deep_step() reckons with until the first substeps have been solved. A light liquid below a heavy one bears the heavy one's.
void expect_pressures(FluidRows& rows, const Vec3& gravity, double spacing_m);

}  // namespace vw
