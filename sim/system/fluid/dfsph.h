// Divergence-free SPH (Bender & Koschier 2015): pressures that keep the density (position level) and its rate (velocity level), by relaxed Jacobi
// steps from the last substep's pressures, on relative densities.
#pragma once

#include "sim/system/fluid/guest_answer.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

struct SolveLimits {
  double error = 5e-4;  ///< mean relative density above rest that may be left
  int least = 1, most = 100;
};
struct SolveResult {
  int iterations = 0;
  double error = 0;  ///< mean relative excess that is left
};

/// Changes velocities (xyz of space.motion) by pressures so that the density after dt is nowhere above rest. Fills space.kappa. `guests`, built for
/// this substep, answer inside the iterations: afterwards their samples move as the pressures have it and their impulses have grown.
SolveResult keep_density(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests = nullptr);
/// The same so that the density does not rise now.
SolveResult keep_divergence(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests = nullptr);

}  // namespace vw
