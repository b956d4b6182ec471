// The surface of a lattice as a mesh whose corners move with their voxels. Built once, shared with the drawing thread by reference.
#pragma once

#include <memory>

#include "sim/snapshot/snapshot.h"
#include "sim/system/voxel/topology.h"

namespace vw {

/// Outer faces only, counter-clockwise from outside. A corner is shared by the voxels around it that reach each other through filled
/// neighbours there: two voxels that only meet at an edge keep their own corners and may part.
[[nodiscard]] std::shared_ptr<const VoxelSkin> make_skin(const VoxelLattice& lattice, const LatticeTopology& topology);

}  // namespace vw
