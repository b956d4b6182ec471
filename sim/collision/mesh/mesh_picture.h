// Mesh for drawing. Edges between triangles that meet at small angles are drawn smoothly, other edges sharply.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// Returns the mesh with a normal at each corner of a triangle. The normal is the angle-weighted mean of the normals of
/// those triangles at the vertex that deviate from the corner's own triangle by at most the crease angle (40 degrees).
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
