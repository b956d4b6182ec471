// Surface of a lattice as a mesh whose vertices move with the voxels. The mesh is rebuilt when bonds break. The drawing
// thread shares ownership and does not copy the mesh.
#pragma once

#include <memory>

#include "sim/snapshot/snapshot.h"
#include "sim/system/voxel/lattice/topology.h"

namespace vw {

/// Makes the mesh of the exposed faces, with vertices counter-clockwise seen from outside. Voxels around a lattice
/// corner share a vertex if bonds connect them around this corner. Two voxels that touch only along an edge therefore
/// have separate vertices and can move apart. The two sides of a crack have separate vertices, too. At the tip of the
/// crack both sides share vertices.
[[nodiscard]] std::shared_ptr<const VoxelSkin> make_skin(const VoxelLattice& lattice, const LatticeTopology& topology);

}  // namespace vw
