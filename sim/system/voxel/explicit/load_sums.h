// Sums over a voxel's bonds in scalar double-precision code, for solvers, measures and tests. Explicit substeps compute
// these sums in sweep.h.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/system.h"
#include "sim/system/voxel/explicit/bond_force.h"

namespace vw {

/// Writes the volumetric tension s^2 beta_v S_v [N] (VoxelView::volume_tension) of the voxels in `range` to `out`.
/// `strain` is the strain of each bond and `volume_stiffness` the value s^2 beta_v of each voxel.
void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain,
                        std::span<const double> volume_stiffness, std::span<double> out, Range range);

}  // namespace vw
