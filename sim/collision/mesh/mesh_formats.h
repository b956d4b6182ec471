// Readers of the formats of mesh_file.h, one function each: from the bytes of a file to triangles. assimp reads OBJ,
// STL and glTF (mesh_assimp.h), each behind a guard that checks the input first; PLY has its own reader. Files are
// untrusted: sizes that they state are checked against the actual data before use.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

[[nodiscard]] Result<TriangleList> read_obj(std::string_view bytes, const std::string& path);
[[nodiscard]] Result<TriangleList> read_stl(std::string_view bytes, const std::string& path);
[[nodiscard]] Result<TriangleList> read_ply(std::string_view bytes, const std::string& path);
/// Text (.gltf) or binary (.glb). Buffers may be in separate files in the same folder.
[[nodiscard]] Result<TriangleList> read_gltf(std::string_view bytes, const std::string& path);

/// Limit of the size of a file, and of the sum of all buffers of a glTF [bytes].
inline constexpr std::uint64_t max_mesh_bytes = 1ULL << 30U;
[[nodiscard]] Unexpected too_many_triangles(const std::string& path, std::uint64_t count);

/// Cuts a polygon into triangles by ear clipping, which keeps concave outlines. Uses a fan if the polygon is too
/// tangled or has very many corners. All corners must be indices of `list.position`. Returns false if the list would
/// exceed the maximum.
[[nodiscard]] bool add_polygon(TriangleList& list, const std::vector<std::uint32_t>& corner);

}  // namespace vw
