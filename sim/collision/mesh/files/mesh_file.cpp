#include "sim/collision/mesh/files/mesh_file.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/base/text.h"
#include "sim/collision/mesh/files/mesh_formats.h"

namespace vw {
namespace {

std::string ending_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] != '.') return {};
  return lowercase(path.substr(dot + 1));
}

}  // namespace

Unexpected too_many_triangles(const std::string& path, std::uint64_t count) {
  return wrong_file(path, fmt::format("has at least {} triangles; the limit is {}", count, max_triangles));
}

Result<TriangleList> read_mesh_file(const std::string& path, double scale) {
  using Reader = Result<TriangleList> (*)(std::string_view, const std::string&);
  Reader reader = nullptr;
  const std::string ending = ending_of(path);
  if (ending == "obj") reader = read_obj;
  if (ending == "stl") reader = read_stl;
  if (ending == "ply") reader = read_ply;
  if (ending == "gltf" || ending == "glb") reader = read_gltf;
  if (reader == nullptr)
    return wrong_file(path, fmt::format("ends in \"{}\": must end in .obj, .stl, .ply, .gltf or .glb", ending));
  const auto bytes = read_file(path, max_mesh_bytes);
  if (!bytes) return Unexpected(bytes.error());
  auto list = reader(*bytes, path);
  if (!list) return list;
  if (list->triangle.empty()) return wrong_file(path, "has no triangles");
  for (Vec3& p : list->position) p *= scale;
  return list;
}

}  // namespace vw
