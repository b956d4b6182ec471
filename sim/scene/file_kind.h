// Which files can be opened, told by how their names end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vw {

enum class FileKind {
  unknown,
  scene,      ///< .toml
  design,     ///< VoxCAD's .vxa and .vxc
  robot,      ///< voxcraft's .vxd, which changes a base.vxa
  voxelyze,   ///< Voxelyze's .vxl.json
  recording,  ///< voxcraft's .history
  mesh,       ///< .obj, .stl, .ply, .gltf, .glb: no scene, but a body may be filled from it
};
/// Upper and lower case are the same.
[[nodiscard]] FileKind file_kind(std::string_view path);
/// A voxel body may take its lattice from it.
[[nodiscard]] bool holds_a_body(FileKind kind);

/// ".toml", ".vxa", ...: every ending that opens as a scene.
[[nodiscard]] const std::vector<std::string>& scene_endings();

/// ".obj", ".stl", ...: every ending of a mesh.
[[nodiscard]] const std::vector<std::string>& mesh_endings();

}  // namespace vw
