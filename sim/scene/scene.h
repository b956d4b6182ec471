// Scene files: TOML to a Node tree and back, VoxCAD files to the same tree. Reading checks everything that the declarations say.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/node.h"

namespace vw {

/// A scene and what a user should be told about it.
struct LoadedScene {
  Node root;
  std::vector<std::string> warnings;  ///< e.g. "creature.vxa: not supported yet and ignored: nu > 0 (Poissons_Ratio), self collision"
};

struct LoadOptions {
  bool strict = false;    ///< unsupported physics is an error
  bool own_floor = true;  ///< false: a design gives its body to a scene that has the floor
  std::string base = {};  ///< the .vxa that a .vxd changes; empty: base.vxa beside it
  /// Called by load_scene with the tree as the file has it, before the files that it names are read: for edits of those names.
  std::function<Result<void>(Node&)> before_sources = {};
};

/// Reads whatever scene_endings() has (file_kind.h); completes it (default interactions) and resolves voxel sources (below).
[[nodiscard]] Result<LoadedScene> load_scene(const std::string& path, const LoadOptions& options = {});
/// As load_scene without touching sources or defaults: exactly what the file says.
[[nodiscard]] Result<LoadedScene> read_scene_toml(std::string_view text, const std::string& file);
/// The tree as TOML with only what differs from the defaults (and names); reads back to an equal tree.
[[nodiscard]] std::string write_scene_toml(const Node& scene);
/// Atomic: temporary file and rename.
[[nodiscard]] Result<void> save_scene(const Node& scene, const std::string& path);

/// VoxCAD/evosoro/voxcraft design as a scene of one voxel body with its materials, ground, gravity and temperature.
[[nodiscard]] Result<LoadedScene> read_vxa(const std::string& bytes, const std::string& file, const LoadOptions& options = {});

/// voxcraft's robot: each child of VXD takes the place of the part of the base that its `replace` names ("VXA.VXC.Structure"). Mistakes name the file
/// that they are in.
struct NamedText {
  std::string file, bytes;
};
[[nodiscard]] Result<LoadedScene> read_vxd(const NamedText& robot, const NamedText& base, const LoadOptions& options = {});

/// Voxelyze's own design (.vxl.json); its last brace may be missing.
[[nodiscard]] Result<LoadedScene> read_vxl(const std::string& bytes, const std::string& file, const LoadOptions& options = {});

/// A voxel body of the scene as a VoxCAD design; an empty name stands for the only one. It reads back to the same body.
struct ExportedDesign {
  std::string text;
  std::string warning;  ///< one sentence on what a .vxa cannot say, or empty
};
[[nodiscard]] Result<ExportedDesign> write_vxa(const Node& scene, const std::string& system);

/// A recording of voxcraft (.history) as a scene of one playback body.
[[nodiscard]] Result<LoadedScene> read_history(const std::string& path);

/// Replaces every voxel body's `source = "file.vxa"` by the file's lattice and materials (paths relative to `base_dir`); reports unsupported physics.
/// Recordings that playback bodies name keep their file, by its whole path from now on.
[[nodiscard]] Result<std::vector<std::string>> resolve_sources(Node& scene, const std::string& base_dir, const LoadOptions& options = {});

/// docs/scene-format.md and docs/parameters.md, generated from the declarations.
[[nodiscard]] std::string scene_format_page();
[[nodiscard]] std::string parameters_page();

/// Folder of `scenes/` and `models/`: $VOXWAKE_ASSETS, else ../share/voxwake/assets beside the program, else the source tree.
[[nodiscard]] std::string assets_folder();

/// Packaged scenes: name (file stem), title, path, group (subject, "water"), description; sorted by name; from assets_folder().
struct PackagedScene {
  std::string name, title, path, group, description;
};
[[nodiscard]] std::vector<PackagedScene> packaged_scenes();
/// A path as it is, or the path of the packaged scene of that name; the error suggests the nearest name.
[[nodiscard]] Result<std::string> find_scene(const std::string& path_or_name);

}  // namespace vw
