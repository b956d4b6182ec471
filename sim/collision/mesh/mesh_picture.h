// Mesh for drawing. Edges between triangles that meet at small angles are drawn smoothly, other edges sharply.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// The normal of a corner is the angle-weighted mean of the normals of adjacent triangles. Only triangles whose normals
/// differ from the normal of the corner's own triangle by less than the crease angle (40 degrees) are included.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
