// Finds the voxels that a region's shape touches. Input: a lattice, and a region whose shape is given in fractions of
// the lattice's extent. Output: rows of the lattice.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/system/voxel/lattice/lattice.h"

namespace vw {

/// Returns the indices of the voxels that the region touches, in ascending order. A box touches a voxel if it overlaps
/// the voxel's cube. A box without thickness touches the voxels that it lies in or on. A cylinder or sphere touches a
/// voxel if the voxel's centre lies inside or on its surface.
[[nodiscard]] std::vector<std::size_t> voxels_in(const VoxelLattice& lattice, const VoxelRegion& region);

}  // namespace vw
