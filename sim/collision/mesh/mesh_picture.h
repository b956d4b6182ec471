// Mesh for drawing. Edges between triangles that meet at a small angle are shaded smoothly. All other edges are drawn
// sharp.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// Returns the mesh with a normal at each corner of each triangle: the angle-weighted mean of the normals of the
/// triangles at the vertex. Only triangles whose normals differ by at most the crease angle (40 degrees) from the
/// normal of the corner's own triangle contribute.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
