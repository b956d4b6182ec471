// Weakly compressible SPH: pressure from density by Tait's law (Monaghan 1994, Becker & Teschner 2007). A substep takes
// one sweep and no iterations, but the speed of sound limits its length. The workspace is the same as in dfsph.h.
#pragma once

#include "sim/system/fluid/bodies/body_coupling.h"
#include "sim/system/fluid/rows/sph_workspace.h"

namespace vw {

/// Tait's law: p = stiffness (density^exponent - 1), where the density is relative to rest density. p is at least 0.
/// Above a relative density of 1.1, solve_wcsph() continues the law linearly.
struct TaitLaw {
  double stiffness_pa = 50'000;
  double exponent = 7;
};
/// Returns the speed of sound c = sqrt(exponent stiffness / rho_0) [m/s], with the rest density rho_0.
[[nodiscard]] double sound_speed(const TaitLaw& law, double rest_density);
/// Returns the longest stable substep if the fastest particle moves at `speed`: 0.4 d / (c + speed) [s], with the
/// spacing d and the speed of sound c.
[[nodiscard]] double stable_step(const SphScale& scale, const TaitLaw& law, double least_rest_density, double speed);

/// Changes velocities (xyz of space.motion) by the pressures of the densities in space.density over dt. Writes
/// space.kappa (p / density^2). Apply other forces between density_sweep() and this call. Afterwards positions must
/// move with the resulting velocities (symplectic Euler).
void solve_wcsph(SphWorkspace& space, double dt, const TaitLaw& law, BodyCoupling* guests = nullptr);

}  // namespace vw
