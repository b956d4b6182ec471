// Mesh for drawing. Edges between triangles that meet at a small
// angle are shaded smoothly. All other edges are drawn sharp.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// Returns the mesh with a normal at each corner of each triangle. It is the angle-weighted
/// mean of the normals of those triangles at the vertex whose normals differ by at most the
/// crease angle (40 degrees) from the normal of the corner's own triangle.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
