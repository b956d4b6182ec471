// Reads meshes from OBJ, STL, PLY and glTF files.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// Returns all triangles of a file, with the transformations of the file's nodes applied, and multiplied by `scale`.
/// Polygons are divided into triangles. Defects, such as triangles without area, remain until TriangleMesh::make()
/// removes them.
[[nodiscard]] Result<TriangleList> read_mesh_file(const std::string& path, double scale = 1);

}  // namespace vw
