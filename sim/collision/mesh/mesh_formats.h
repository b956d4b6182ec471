// The formats behind mesh_file.h, one function each: from the bytes of a file to triangles. OBJ, STL and glTF are read by assimp (mesh_assimp.h),
// each behind a guard, PLY by ourselves: files come from anywhere, and no size that they tell is believed before it is checked against what is there.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

[[nodiscard]] Result<TriangleList> read_obj(std::string_view bytes, const std::string& path);
[[nodiscard]] Result<TriangleList> read_stl(std::string_view bytes, const std::string& path);
[[nodiscard]] Result<TriangleList> read_ply(std::string_view bytes, const std::string& path);
/// Text (.gltf) or binary (.glb). Buffers may lie in files beside it.
[[nodiscard]] Result<TriangleList> read_gltf(std::string_view bytes, const std::string& path);

/// More bytes are refused, of a file and of all the buffers of a glTF together.
inline constexpr std::uint64_t max_mesh_bytes = 1ULL << 30U;
[[nodiscard]] Unexpected too_many_triangles(const std::string& path, std::uint64_t count);

/// Cuts a polygon into triangles by its ears, so that hollows stay hollow; as a fan where it is too tangled or has very many corners. All corners
/// must be indices of `list.position`. Returns false when the list is full.
[[nodiscard]] bool add_polygon(TriangleList& list, const std::vector<std::uint32_t>& corner);

}  // namespace vw
