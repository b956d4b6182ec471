// Scene files: conversion between TOML and Node trees, and import of VoxCAD and related files into the same tree.
// Reading checks values against all declarations.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// A scene and warnings for the user.
struct LoadedScene {
  Node root;
  /// Sentences such as "creature.vxa: these features are not supported and are ignored: cilia (Cilia)".
  std::vector<std::string> warnings;
};

struct LoadOptions {
  bool strict = false;  ///< whether unsupported physics is an error
  /// Whether a design provides the floor; false if its body is added to a scene that has its own floor.
  bool own_floor = true;
  std::string base = {};  ///< path of the .vxa that a .vxd modifies; empty means base.vxa in the folder of the .vxd
  /// Called by load_scene with the tree as it is in the file, before the files that the tree refers to are read. The
  /// function may edit the names of these files.
  std::function<Result<void>(Node&)> before_sources = {};
};

/// Reads any file whose extension is in scene_endings() (file_kind.h), adds default interactions and resolves sources
/// (resolve_sources).
[[nodiscard]] Result<LoadedScene> load_scene(const std::string& path, const LoadOptions& options = {});
/// Reads TOML text as load_scene() reads a file. `name` stands for the file in messages. File names in the text are
/// relative to `folder`.
[[nodiscard]] Result<LoadedScene> load_scene_text(std::string_view text, const std::string& name,
                                                  const std::string& folder, const LoadOptions& options = {});
/// Parses TOML without resolving sources or adding default interactions: the tree holds exactly the file's content.
[[nodiscard]] Result<LoadedScene> read_scene_toml(std::string_view text, const std::string& file);
/// Writes the tree as TOML. The text contains names, and values that differ from the defaults. It parses back to an
/// equal tree.
[[nodiscard]] std::string write_scene_toml(const Node& scene);
/// Writes a scene file atomically (temporary file and rename).
[[nodiscard]] Result<void> save_scene(const Node& scene, const std::string& path);

/// Reads a VoxCAD, evosoro or voxcraft design as a scene of one voxel body with its materials, ground, gravity and
/// temperature.
[[nodiscard]] Result<LoadedScene> read_vxa(const std::string& bytes, const std::string& file,
                                           const LoadOptions& options = {});

/// Name and content of a file.
struct NamedText {
  std::string file, bytes;
};
/// Reads a voxcraft robot. Each child of VXD replaces the part of the base that its attribute `replace` names
/// ("VXA.VXC.Structure"). Errors name the file that contains the mistake.
[[nodiscard]] Result<LoadedScene> read_vxd(const NamedText& robot, const NamedText& base,
                                           const LoadOptions& options = {});

/// Reads a Voxelyze design (.vxl.json). The last brace of the text may be missing.
[[nodiscard]] Result<LoadedScene> read_vxl(const std::string& bytes, const std::string& file,
                                           const LoadOptions& options = {});

/// Result of write_vxa().
struct ExportedDesign {
  std::string text;
  std::string warning;  ///< one sentence on the features that a .vxa cannot represent, or empty
};
/// Exports a voxel body of the scene as a VoxCAD design. If `system` is empty, the only voxel body is exported. The
/// text reads back to the same body.
[[nodiscard]] Result<ExportedDesign> write_vxa(const Node& scene, const std::string& system);

/// Reads a voxcraft recording (.history) as a scene of one playback body.
[[nodiscard]] Result<LoadedScene> read_history(const std::string& path);

/// Replaces every voxel body's `source = "file.vxa"` by the file's lattice and materials (paths are relative to
/// `base_dir`). Recordings, meshes of colliders and other parts remain files and are referred to by absolute paths
/// afterwards. Returns warnings about unsupported physics.
[[nodiscard]] Result<std::vector<std::string>> resolve_sources(Node& scene, const std::string& base_dir,
                                                               const LoadOptions& options = {});

/// Contents of docs/scene-format.md and docs/parameters.md, generated from the declarations.
[[nodiscard]] std::string scene_format_page();
[[nodiscard]] std::string parameters_page();

/// Folder that contains `scenes/` and `models/`. It is $VOXWAKE_ASSETS if that variable is set, else
/// ../share/voxwake/assets relative to the program's folder if it exists, else the assets folder of the source tree.
[[nodiscard]] std::string assets_folder();

/// Packaged scenes of assets_folder(), sorted by name. `name` is the file stem, `group` the subject ("water").
struct PackagedScene {
  std::string name, title, path, group, description;
};
[[nodiscard]] std::vector<PackagedScene> packaged_scenes();
/// Returns an existing path unchanged, or the path of the packaged scene of that name. An error suggests the nearest
/// name.
[[nodiscard]] Result<std::string> find_scene(const std::string& path_or_name);

}  // namespace vw
