// The surface of a lattice as a mesh whose corners move with their voxels. Built anew
// when bonds break, shared with the drawing thread by reference.
#pragma once

#include <memory>

#include "sim/snapshot/snapshot.h"
#include "sim/system/voxel/topology.h"

namespace vw {

/// Exposed faces only, counter-clockwise from outside. A corner is shared by the voxels around it that reach each other there through bonds: two
/// voxels that only meet at an edge keep their own corners and may part, and so do the two sides of a crack (a broken bond is -1 in `bond_at`
/// and its two faces are exposed), up to the crack's tip, where both sides hang on to the same corners.
[[nodiscard]] std::shared_ptr<const VoxelSkin> make_skin(const VoxelLattice& lattice, const LatticeTopology& topology);

}  // namespace vw
