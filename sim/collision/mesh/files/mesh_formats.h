// Readers of the mesh file formats, one function each. A reader takes the bytes of a file and returns its triangles.
// OBJ, STL and glTF are read by assimp (mesh_assimp.h), after a guard has checked the bytes. PLY has a reader of its
// own. Files may be malicious: the sizes that a file states are compared with the actual data before use.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

[[nodiscard]] Result<TriangleList> read_obj(std::string_view bytes, const std::string& path);
[[nodiscard]] Result<TriangleList> read_stl(std::string_view bytes, const std::string& path);
[[nodiscard]] Result<TriangleList> read_ply(std::string_view bytes, const std::string& path);
/// Reads text (.gltf) or binary (.glb) glTF. Buffers may be in separate files in the same folder.
[[nodiscard]] Result<TriangleList> read_gltf(std::string_view bytes, const std::string& path);

/// Largest size of a mesh file, and largest total size of all buffers of a glTF file [bytes].
inline constexpr std::uint64_t max_mesh_bytes = 1ULL << 30U;
[[nodiscard]] Unexpected too_many_triangles(const std::string& path, std::uint64_t count);

/// Divides a polygon into triangles by ear clipping, which also handles concave polygons. A polygon with more than 64
/// corners becomes a triangle fan. If no ear is found, the rest of the polygon becomes a triangle fan. All corners must
/// be indices of `list.position`. Returns false if the list would exceed the maximum number of triangles.
[[nodiscard]] bool add_polygon(TriangleList& list, const std::vector<std::uint32_t>& corner);

}  // namespace vw
