// Mesh for drawing. Edges between triangles that meet at small angles are drawn smoothly. All other edges are drawn
// sharply.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// Returns the mesh with a normal at each corner of each triangle. The normal at a corner is the angle-weighted mean
/// over the triangles at the vertex whose normals deviate by at most the crease angle (40 degrees) from the normal of
/// the triangle to which the corner belongs.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
