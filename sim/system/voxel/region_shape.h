// Which voxels a region's shape touches. In: a lattice and a region, whose shape is in fractions of the lattice's
// extent. Out: rows of the lattice.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/system/voxel/lattice.h"

namespace vw {

/// Ascending. A box touches a voxel when it overlaps the voxel's cube; a box without thickness touches what it lies in
/// or on. A cylinder or sphere touches a voxel whose centre lies inside or on it.
[[nodiscard]] std::vector<std::size_t> voxels_in(const VoxelLattice& lattice, const VoxelRegion& region);

}  // namespace vw
