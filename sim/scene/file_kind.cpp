#include "sim/scene/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "sim/base/text.h"

namespace vw {
namespace {

constexpr auto endings = std::to_array<std::pair<std::string_view, FileKind>>({{".toml", FileKind::scene},
                                                                               {".vxa", FileKind::design},
                                                                               {".vxc", FileKind::design},
                                                                               {".vxd", FileKind::robot},
                                                                               {".vxl.json", FileKind::voxelyze},
                                                                               {".history", FileKind::recording},
                                                                               {".obj", FileKind::mesh},
                                                                               {".stl", FileKind::mesh},
                                                                               {".ply", FileKind::mesh},
                                                                               {".gltf", FileKind::mesh},
                                                                               {".glb", FileKind::mesh}});

std::vector<std::string> endings_where(bool is_mesh) {
  std::vector<std::string> list;
  for (const auto& [ending, kind] : endings)
    if ((kind == FileKind::mesh) == is_mesh) list.emplace_back(ending);
  return list;
}

}  // namespace

FileKind file_kind(std::string_view path) {
  const std::string name = lowercase(std::string(path));
  for (const auto& [ending, kind] : endings)
    if (name.ends_with(ending)) return kind;
  return FileKind::unknown;
}

bool holds_a_body(FileKind kind) {
  return kind == FileKind::design || kind == FileKind::robot || kind == FileKind::voxelyze || kind == FileKind::mesh;
}

const std::vector<std::string>& scene_endings() {
  static const std::vector<std::string> all = endings_where(false);
  return all;
}

const std::vector<std::string>& mesh_endings() {
  static const std::vector<std::string> all = endings_where(true);
  return all;
}

}  // namespace vw
