// Divergence-free SPH (Bender & Koschier 2015) on relative densities. Two pressure solves run in each substep. The
// first keeps the velocity field from compressing the fluid; it is a projection and adds no energy to the motion. The
// second corrects the positions of particles that are compressed all the same. It changes positions only (Cornelis et
// al. 2019, "An optimized source term formulation for incompressible SPH"), so it adds no energy either.
#pragma once

#include "sim/system/fluid/body_coupling.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

/// Stopping criteria and source terms of one pressure solve.
struct SolveLimits {
  /// Tolerance: relative density above rest that may remain, as a mean (positions) or a root mean square (velocities).
  double error = 5e-4;
  int least = 1, most = 100;
  double spare = 0;  ///< Relative density above rest that the velocity solve ignores and leaves to the position solve.
  /// Length of this substep over the usual substep. Scales how much density error the velocity solve corrects.
  double part = 1;
};
struct SolveResult {
  int iterations = 0;
  double error = 0;  ///< Mean relative density error that remains (root mean square for velocities).
};

/// Velocity solve, called after all other forces. Changes the velocities (xyz of space.motion) by pressures such that
/// no density above rest grows and such that part of the existing excess decays. Writes space.kappa. `guests` must have
/// been built for this substep. Their rigid motion is part of the solve: afterwards the velocities of their samples
/// include the effect of the pressures, and their impulses have grown.
SolveResult solve_velocities(SphWorkspace& space, double dt, const SolveLimits& limits, BodyCoupling* guests = nullptr);
/// Position solve, called directly after solve_velocities(). Writes space.path: the velocities by which positions move
/// in dt such that no density exceeds rest density afterwards.
SolveResult solve_positions(SphWorkspace& space, double dt, const SolveLimits& limits);

}  // namespace vw
