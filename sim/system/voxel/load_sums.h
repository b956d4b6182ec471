// Sums over a voxel's bonds in scalar double-precision code, for solvers, measures and tests. A running body sums in
// its sweep (sweep.h).
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/system.h"
#include "sim/system/voxel/bond_force.h"

namespace vw {

/// s^2 beta_v S_v [N] of the voxels in `range`, with S_v the sum of the strains of voxel v's bonds (Poisson effect).
void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain,
                        std::span<const double> volume_stiffness, std::span<double> out, Range range);

}  // namespace vw
