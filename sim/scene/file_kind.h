// Kinds of files that can be opened, recognised by their extension.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vw {

enum class FileKind {
  unknown,
  scene,      ///< .toml
  design,     ///< VoxCAD's .vxa and .vxc
  robot,      ///< voxcraft's .vxd, which modifies a base.vxa
  voxelyze,   ///< Voxelyze's .vxl.json
  recording,  ///< voxcraft's .history
  mesh,       ///< .obj, .stl, .ply, .gltf, .glb: not a scene, but a body can be made from the mesh
};
/// Determines the kind of a file from its extension, ignoring case.
[[nodiscard]] FileKind file_kind(std::string_view path);
/// Whether a voxel body can take its lattice from files of this kind.
[[nodiscard]] bool holds_a_body(FileKind kind);

/// All extensions that open as a scene: ".toml", ".vxa", ...
[[nodiscard]] const std::vector<std::string>& scene_endings();

/// All extensions of meshes: ".obj", ".stl", ...
[[nodiscard]] const std::vector<std::string>& mesh_endings();

}  // namespace vw
