// Weakly compressible SPH: pressure straight from density (Tait's law; Monaghan 1994, Becker & Teschner 2007), one sweep a substep and no iterations,
// but substeps bound by the speed of sound. On the same workspace as dfsph.h.
#pragma once

#include "sim/system/fluid/guest_answer.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

/// p = stiffness (density^exponent - 1), not below 0; density relative to rest.
struct TaitLaw {
  double stiffness_pa = 50'000;
  double exponent = 7;
};
/// c = sqrt(exponent stiffness / rho_0) [m/s].
[[nodiscard]] double sound_speed(const TaitLaw& law, double rest_density);
/// Relative compression at which a free surface's water hits a wall at `speed`: about (speed / c)^2. For warnings.
[[nodiscard]] double expected_compression(const TaitLaw& law, double rest_density, double speed);
/// The longest substep of a fluid whose fastest particle moves at `speed`: 0.4 d / (c + speed).
[[nodiscard]] double stable_step(const SphScale& scale, const TaitLaw& law, double least_rest_density, double speed);

/// Changes velocities (xyz of space.motion) by the pressures of the densities in space.density, over dt. Fills space.kappa. Forces other than
/// pressure go between density_sweep() and this; positions move by the velocities that it leaves (symplectic Euler).
void push_weakly(SphWorkspace& space, double dt, const TaitLaw& law, GuestAnswer* guests = nullptr);

}  // namespace vw
