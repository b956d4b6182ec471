// Kinds of files that can be opened, recognised by their extension.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vw {

enum class FileKind {
  unknown,
  scene,        ///< .toml
  design,       ///< VoxCAD's .vxa and .vxc
  robot,        ///< voxcraft's .vxd, which modifies a base.vxa
  voxelyze,     ///< Voxelyze's .vxl.json
  magicavoxel,  ///< MagicaVoxel's .vox
  binvox,       ///< .binvox
  evogym,       ///< .npz and .json: layout of an EvoGym robot
  recording,    ///< voxcraft's .history
  mesh,         ///< .obj, .stl, .ply, .gltf, .glb: not a scene, but a body can be created from the mesh
};
/// Determines the kind of a file from its extension, ignoring case.
[[nodiscard]] FileKind file_kind(std::string_view path);
/// Returns whether a voxel body can take its lattice from files of this kind.
[[nodiscard]] bool holds_a_body(FileKind kind);

/// Returns the extensions of all files that open as a scene, such as ".toml" and ".vxa".
[[nodiscard]] const std::vector<std::string>& scene_endings();

/// Returns all extensions of designs, from which a voxel body can take its lattice, such as ".vxa" and ".vox".
[[nodiscard]] const std::vector<std::string>& design_endings();

/// Returns all extensions of meshes, such as ".obj" and ".stl".
[[nodiscard]] const std::vector<std::string>& mesh_endings();

}  // namespace vw
