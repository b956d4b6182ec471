// Divergence-free SPH (Bender & Koschier 2015) on relative densities: pressures that keep the velocities from compressing the fluid, and a correction
// of places where it is compressed all the same. The correction moves places only, as Cornelis et al. 2019 ("An optimized source term formulation for
// incompressible SPH") have it, so that it gives no energy to the motion: what the pressures do to velocities is a projection, which never adds any.
#pragma once

#include "sim/system/fluid/guest_answer.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

struct SolveLimits {
  double error = 5e-4;  ///< relative density above rest that may be left: its mean, or its root mean square
  int least = 1, most = 100;
  double spare = 0;  ///< relative density above rest that velocities leave to places
  double part = 1;   ///< of a usual substep: velocities put densities right by so much less
};
struct SolveResult {
  int iterations = 0;
  double error = 0;  ///< mean relative excess that is left
};

/// After all other forces: changes velocities (xyz of space.motion) by pressures so that no density rises above rest, nor rises at all where it is
/// there. Fills space.kappa. `guests`, built for this substep, answer inside the iterations: afterwards their samples move as the pressures have it
/// and their impulses have grown.
SolveResult keep_divergence(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests = nullptr);
/// Straight after it: space.path, the velocities that places move by in dt, so that density after it is nowhere above rest.
SolveResult keep_density(SphWorkspace& space, double dt, const SolveLimits& limits);

}  // namespace vw
