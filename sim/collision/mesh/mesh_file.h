// Meshes from files: OBJ, STL, PLY, glTF.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// All triangles of a file, moved as its nodes say, times `scale`; polygons are cut into triangles. Nothing is cleaned here (TriangleMesh::make).
[[nodiscard]] Result<TriangleList> read_mesh_file(const std::string& path, double scale = 1);

}  // namespace vw
