// Surface of a lattice as a mesh whose corners move with their voxels. Built again when bonds break; shared with the
// drawing thread by reference.
#pragma once

#include <memory>

#include "sim/snapshot/snapshot.h"
#include "sim/system/voxel/topology.h"

namespace vw {

/// Mesh of the exposed faces, counter-clockwise seen from outside. Voxels around a lattice corner share a vertex if
/// bonds connect them there. Two voxels that meet only at an edge therefore keep separate vertices and may part, and so
/// do the two sides of a crack (a broken bond is -1 in `bond_at` and its two faces are exposed). At the crack's tip
/// both sides share vertices.
[[nodiscard]] std::shared_ptr<const VoxelSkin> make_skin(const VoxelLattice& lattice, const LatticeTopology& topology);

}  // namespace vw
