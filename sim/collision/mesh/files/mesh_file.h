// Meshes from files: OBJ, STL, PLY, glTF.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// All triangles of a file, transformed by the file's nodes and multiplied by `scale`. Polygons are divided into
/// triangles. The triangles are not cleaned. TriangleMesh::make() cleans them.
[[nodiscard]] Result<TriangleList> read_mesh_file(const std::string& path, double scale = 1);

}  // namespace vw
