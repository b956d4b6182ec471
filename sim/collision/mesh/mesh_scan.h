// Inside of a mesh on a lattice, slice by slice (Fang & Chen 2000, "Hardware accelerated voxelization", Computers &
// Graphics 24). The time is linear in the number of triangles, crossings and cells. The plane through the cell centres
// of a slice cuts the triangles in an outline, and along each row of the slice the crossings of the outline are
// counted: entering +1, leaving -1.
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw {

/// Same result format as cells_inside(). Closed mesh: inside where the count is positive, so that overlapping parts
/// count once and cavities are excluded. An edge counts for both its triangles or for neither, whatever the rounding.
/// Mesh with holes: majority of the six directions along the axes; at three to three, the winding number decides. A
/// sheet has no inside.
[[nodiscard]] std::vector<std::uint8_t> scan_mesh(const TriangleMesh& mesh, const CellLattice& lattice);

}  // namespace vw
