// Mesh for drawing: smooth where triangles meet at small angles, with sharp edges elsewhere.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// The normal of a corner is the angle-weighted mean over the adjacent triangles whose normals differ from that of the
/// corner's own triangle by less than the crease angle (40 degrees).
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
