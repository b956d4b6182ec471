// Divergence-free SPH (Bender & Koschier 2015) on relative densities. Two pressure solves run in each substep. The
// first solve keeps the velocity field from compressing the fluid. It is a projection and adds no energy to the motion.
// The second solve corrects the positions of particles that are still compressed. It changes positions only (Cornelis
// et al. 2019, "An optimized source term formulation for incompressible SPH"), so it adds no energy either.
#pragma once

#include "sim/system/fluid/bodies/body_coupling.h"
#include "sim/system/fluid/rows/sph_workspace.h"

namespace vw {

/// Stopping criteria and source terms of one pressure solve.
struct SolveLimits {
  /// Tolerance: largest remaining relative density error. It is a mean in the position solve and a root mean square in
  /// the velocity solve.
  double error = 5e-4;
  int least = 1, most = 100;  ///< Smallest and largest number of iterations.
  double spare = 0;  ///< Density error (relative density - 1) up to which the velocity solve ignores a particle.
  /// Length of this substep divided by the length of the usual substep. It scales the density error that the velocity
  /// solve corrects.
  double part = 1;
  /// Whether the velocity solve ends by scaling all pressures by the optimal common factor. In deep fluids, pressures
  /// that are a little too low or too high everywhere change the density of the lowest layer only. The error then stays
  /// below the tolerance, and the fluid would rise and fall slowly without end. In turbulent fluids the factor is
  /// useless, because errors of short wavelength dominate it.
  bool scales_at_end = false;
  bool walls_move = false;  ///< Whether a collider moves.
};
struct SolveResult {
  int iterations = 0;
  double error = 0;  ///< Remaining relative density error: a mean for positions, a root mean square for velocities.
};

/// Solves for the pressures that keep the velocities from compressing the fluid. Call after all other forces. The
/// pressures change the velocities (xyz of space.motion) so that no density above rest density grows and part of the
/// existing density error decays. Writes space.kappa (p / density^2). `guests` couples the guests (bodies in the fluid,
/// guest.h) and must have been built for this substep. The guests' rigid motion is part of the solve: afterwards the
/// velocities of the guests' samples include the effect of the pressures, and the pressures' impulses have been added
/// to the guests.
SolveResult solve_velocities(SphWorkspace& space, double dt, const SolveLimits& limits, BodyCoupling* guests = nullptr);
/// Solves for the velocities by which positions move in dt such that no density exceeds rest density afterwards, and
/// writes them to space.path. Call directly after solve_velocities().
SolveResult solve_positions(SphWorkspace& space, double dt, const SolveLimits& limits);

}  // namespace vw
