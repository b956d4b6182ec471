// Relaxation of the initial state. Where fills meet walls or each other and no lattice fits, particles are moved apart
// before the simulation starts. Input: particles as placed. Output: the same particles, evenly distributed. The result
// is deterministic. If the lattices fit, nothing moves and the cost is one density sweep.
#pragma once

#include "sim/system/fluid/fluid_solver.h"

namespace vw {

/// Result of relax_fills().
struct Relaxation {
  bool listed = true;  ///< False if so many particles coincide that the neighbour lists could not be built.
  int rounds = 0;
  double mean_excess = 0;  ///< Mean of max(0, density / rest density - 1) at the end of the relaxation.
};

/// If the particles have different masses, displaces each particle by a pseudo-random fraction of the spacing. Returns
/// whether particles were displaced. The result is reproducible. The displacement is needed because a lattice behaves
/// like a crystal: a heavy liquid would rest on a light liquid forever. A disordered arrangement flows.
bool stir_liquids(FluidRows& rows, double spacing_m, std::span<const Collider> colliders);

/// Moves particles by pressures and particle shifting alone, without time, gravity or other forces, until the fluid is
/// hardly compressed any more (see Relaxation::mean_excess) or the round limit is reached. Velocities are unchanged.
/// Afterwards rows.density holds the final densities.
Relaxation relax_fills(FluidSolver& solver, FluidRows& rows, const FluidStep& step);

/// Moves particles until pressures carry their weight, so that a liquid too viscous to settle by itself in reasonable
/// time starts at rest. Particles move without viscosity and lose a fraction of their speed in each round. Guests
/// (coupled bodies, guest.h) and colliders do not move. If too many particles move farther than a spacing, the liquid
/// falls or flows, and the original state is restored. Returns false in that case, and if there are no particles or no
/// gravity. Otherwise returns true, restores the velocities of the particles, and leaves the pressures of the liquid at
/// rest.
bool settle_fills(FluidSolver& solver, FluidRows& rows, const FluidStep& step);

}  // namespace vw
