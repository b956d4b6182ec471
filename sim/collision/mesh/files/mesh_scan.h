// Finds the cells of a lattice that lie inside a mesh, slice by slice (Fang & Chen 2000, "Hardware accelerated
// voxelization", Computers & Graphics 24). The plane through the cell centres of a slice cuts the mesh along an
// outline. Along each row of cells in the slice, each entry into the outline counts +1 and each exit -1. The time is
// linear in the number of triangles, crossings and cells.
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw {

/// Returns 1 for each cell inside the mesh and 0 for every other cell, in the order of the lattice. A cell is inside a
/// closed mesh if its row, up to the cell, enters the surface more often than it leaves it. Cavities are thus outside.
/// Both triangles at an edge use the same rounded position of the edge, so rounding neither adds nor removes a
/// crossing. For a mesh with holes or overlapping parts (MeshInside::by_winding), the rows along all three axes are
/// counted in both directions, and the majority of the six results decides. In a tie, the winding number decides. A
/// sheet has no inside.
[[nodiscard]] std::vector<std::uint8_t> scan_mesh(const TriangleMesh& mesh, const CellLattice& lattice);

}  // namespace vw
