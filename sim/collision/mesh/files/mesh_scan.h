// Inside cells of a mesh on a lattice, slice by slice (Fang & Chen 2000, "Hardware accelerated voxelization", Computers
// & Graphics 24). The time is linear in the number of triangles, crossings and cells. The plane through the cell
// centres of a slice cuts the triangles in an outline. Along each row of the slice, each entry into the outline counts
// +1 and each exit -1.
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw {

/// Returns the format of cells_inside(). In a closed mesh, a cell is inside if its count is positive, so that
/// overlapping parts count once and cavities are excluded. An edge counts for both adjacent triangles or for neither,
/// whatever the rounding. In a mesh with holes, the majority of the six axis directions decides. In a tie, the winding
/// number decides. A sheet has no inside.
[[nodiscard]] std::vector<std::uint8_t> scan_mesh(const TriangleMesh& mesh, const CellLattice& lattice);

}  // namespace vw
