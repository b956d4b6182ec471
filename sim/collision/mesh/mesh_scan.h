// The inside of a mesh on a lattice, slice by slice (Fang & Chen 2000, "Hardware accelerated voxelization", Computers & Graphics 24), in time linear
// in triangles, crossings and cells: a plane through the middles of a slice cuts triangles into an outline, and along each row of the slice the
// outline is counted as it goes in (+1) and out (-1).
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw {

/// As cells_inside(). Of a closed mesh: where the count is positive, so that parts that overlap count once and cavities are left out; an edge counts
/// for both its triangles or for neither, whatever is rounded. Of a mesh with holes: what most of the six looks along the axes say, and where they
/// are three against three its winding number. A sheet has no inside.
[[nodiscard]] std::vector<std::uint8_t> scan_mesh(const TriangleMesh& mesh, const CellLattice& lattice);

}  // namespace vw
