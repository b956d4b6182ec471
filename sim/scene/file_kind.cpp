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
                                                                               {".vox", FileKind::magicavoxel},
                                                                               {".binvox", FileKind::binvox},
                                                                               {".npz", FileKind::evogym},
                                                                               {".json", FileKind::evogym},
                                                                               {".history", FileKind::recording},
                                                                               {".obj", FileKind::mesh},
                                                                               {".stl", FileKind::mesh},
                                                                               {".ply", FileKind::mesh},
                                                                               {".gltf", FileKind::mesh},
                                                                               {".glb", FileKind::mesh}});

bool is_mesh(FileKind kind) { return kind == FileKind::mesh; }
bool is_scene(FileKind kind) { return !is_mesh(kind); }
bool is_design(FileKind kind) { return holds_a_body(kind) && !is_mesh(kind); }

std::vector<std::string> endings_where(bool (*belongs)(FileKind)) {
  std::vector<std::string> list;
  for (const auto& [ending, kind] : endings)
    if (belongs(kind)) list.emplace_back(ending);
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
  return kind != FileKind::unknown && kind != FileKind::scene && kind != FileKind::recording;
}

const std::vector<std::string>& scene_endings() {
  static const std::vector<std::string> all = endings_where(is_scene);
  return all;
}

const std::vector<std::string>& design_endings() {
  static const std::vector<std::string> all = endings_where(is_design);
  return all;
}

const std::vector<std::string>& mesh_endings() {
  static const std::vector<std::string> all = endings_where(is_mesh);
  return all;
}

}  // namespace vw
