// Surface of a lattice as a mesh whose vertices move with the voxels. The mesh is rebuilt when bonds break. The
// simulation and the drawing thread share one mesh without copying it.
#pragma once

#include <memory>

#include "sim/snapshot/snapshot.h"
#include "sim/system/voxel/lattice/topology.h"

namespace vw {

/// Makes the mesh of the exposed faces, with vertices counter-clockwise seen from outside. Voxels around a lattice
/// corner share a vertex if bonds connect them around this corner. Two voxels that touch only along an edge therefore
/// have separate vertices and can move apart. The two sides of a crack have separate vertices, too. At the tip of the
/// crack both sides share vertices, because bonds around the tip are intact.
[[nodiscard]] std::shared_ptr<const VoxelSkin> make_skin(const VoxelLattice& lattice, const LatticeTopology& topology);

}  // namespace vw
