// A mesh as it is drawn: smooth where triangles meet gently, edged where they do not.
#pragma once

#include <memory>

#include "sim/collision/mesh/mesh_topology.h"

namespace vw {

/// Normals are means over a corner's triangles, weighted by their angles, of those that lean from the corner's own by less than the crease's angle
/// (40 degrees).
[[nodiscard]] std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh);

}  // namespace vw
