// Which voxels are held or pushed: boxes in fractions of the lattice, resolved to voxels.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/lattice.h"

namespace vw {

struct ResolvedRegions {
  std::vector<std::uint8_t> fixed;  ///< 1 = holds position and orientation
  std::vector<Vec3> force;          ///< [N] on each voxel; empty when no region pushes
};
/// A box touches a voxel when it overlaps the voxel's cube; a box without thickness touches what it lies in or on.
[[nodiscard]] ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions);
[[nodiscard]] std::vector<VoxelRegion> read_regions(const Node& body);

}  // namespace vw
