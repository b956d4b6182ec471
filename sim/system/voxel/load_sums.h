// Sums of bond loads on voxels, in plain double code: for solvers, measures and tests. A running body sums in its sweep (sweep.h).
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/system.h"
#include "sim/system/voxel/bond_force.h"

namespace vw {

/// Sums of loads on voxels.
struct VoxelLoads {
  std::span<Vec3> force;   ///< [N]
  std::span<Vec3> moment;  ///< [N m]
};

/// Each voxel of [begin, end) reads the rows of its bonds in the order of its faces: the same bits whoever wrote them.
void gather_bond_loads(const LatticeTopology& topology, std::span<const BondLoad> bonds, const VoxelLoads& out, Range range);

/// s^2 beta_v times the sum of a voxel's bond strains (SPEC 1, Poisson effect).
void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain, std::span<const double> volume_stiffness,
                        std::span<double> out, Range range);

}  // namespace vw
