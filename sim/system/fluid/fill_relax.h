// A quiet start: what fills have placed beside walls, or beside each other, that no lattice fits is moved apart before time begins. In: rows as they
// were placed. Out: the same rows, evenly spread. Deterministic; where the fills' lattices fit it moves nothing and costs one sum of densities.
#pragma once

#include "sim/system/fluid/fluid_solver.h"

namespace vw {

/// What it took.
struct Relaxation {
  bool listed = true;  ///< false: too many particles are on one place
  int rounds = 0;
  double mean_excess = 0;  ///< relative density above rest that is left
};

/// Where rows weigh differently: moves each by a fraction of the spacing, at random but always alike, and returns true. A lattice is a crystal, which
/// holds what is heavy above what is light for ever; out of order it flows.
bool stir_liquids(FluidRows& rows, double spacing_m, std::span<const Collider> colliders);

/// Moves rows by pressures alone, without time, gravity or forces, until their mean density above rest is small; velocities stay as they are.
/// Densities in rows.density are those at the end.
Relaxation relax_fills(FluidSolver& solver, FluidRows& rows, const FluidStep& step);

/// Moves rows until pressures carry their weight: a liquid so viscous that it would take long to settle by itself starts at rest. Rows move without
/// viscosity and lose most of their speed in each round; guests and colliders stand still. What falls or flows instead, by more than a spacing, is
/// put back as it was. Returns whether it settled; velocities stay as they were, pressures are those of rest.
bool settle_fills(FluidSolver& solver, FluidRows& rows, const FluidStep& step);

}  // namespace vw
