// Finds the cells of a lattice that lie inside a mesh, slice by slice (Fang & Chen 2000, "Hardware accelerated
// voxelization", Computers & Graphics 24). The time is linear in the number of triangles, crossings and cells. The
// plane through the cell centres of a slice cuts the mesh along an outline. Along each row of cells in the slice, each
// entry into the outline counts +1 and each exit -1.
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw {

/// Returns 1 for each cell inside the mesh, else 0, in the order of the lattice. In a closed mesh, a cell is inside if
/// its row enters the surface more often than it leaves the surface before the cell. Overlapping parts therefore count
/// once, and cavities are excluded. An edge counts for both adjacent triangles or for neither, whatever the rounding.
/// In a mesh with holes, the majority of the six axis directions decides. In a tie, the winding number decides. A sheet
/// has no inside.
[[nodiscard]] std::vector<std::uint8_t> scan_mesh(const TriangleMesh& mesh, const CellLattice& lattice);

}  // namespace vw
