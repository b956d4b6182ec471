// Scene files: conversion between TOML and Node trees, and import of VoxCAD and related files into such trees. All
// values are checked against their declarations.
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
  /// Sentences such as "creature.vxa: these features are not supported and are ignored or replaced: cilia (Cilia)".
  std::vector<std::string> warnings;
};

struct LoadOptions {
  bool strict = false;  ///< whether unsupported physics is an error
  /// Whether a design provides the floor. It is false if its body is added to a scene that has its own floor.
  bool own_floor = true;
  std::string base = {};  ///< path of the .vxa that a .vxd modifies; empty means base.vxa in the folder of the .vxd
  /// load_scene() calls this function with the tree of the scene file, before the files to which the tree refers are
  /// read. The function may change the names of these files.
  std::function<Result<void>(Node&)> before_sources = {};
};

/// Reads any file whose extension is in scene_endings() (file_kind.h), adds default interactions and resolves sources
/// (resolve_sources).
[[nodiscard]] Result<LoadedScene> load_scene(const std::string& path, const LoadOptions& options = {});
/// Reads TOML text in the same way as load_scene() reads a file. `name` stands for the file in messages. File names in
/// the text are relative to `folder`.
[[nodiscard]] Result<LoadedScene> load_scene_text(std::string_view text, const std::string& name,
                                                  const std::string& folder, const LoadOptions& options = {});
/// Parses TOML without resolving sources or adding default interactions. The tree then contains exactly the file's
/// content.
[[nodiscard]] Result<LoadedScene> read_scene_toml(std::string_view text, const std::string& file);
/// Parses TOML as one node of the given schema, with its children, and checks all values. If the text has no table for
/// a single slot, a node with default values is added; its `line` is 0.
[[nodiscard]] Result<Node> read_toml_node(std::string_view text, const std::string& file, const Schema& schema);
/// Writes a node of any schema as TOML, with its children, but without the name and the kind of the node itself.
/// read_toml_node() can read the text with the same schema.
[[nodiscard]] std::string write_toml_node(const Node& node);
/// Writes the tree as TOML: the names and kinds of the nodes, and all values that differ from the defaults. The text
/// parses back to an equal tree.
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
/// Reads a voxcraft robot, which modifies a base design. Each child of VXD replaces an element of the base. Its
/// attribute `replace` is the path of this element ("VXA.VXC.Structure"). An error names the file that contains the
/// mistake.
[[nodiscard]] Result<LoadedScene> read_vxd(const NamedText& robot, const NamedText& base,
                                           const LoadOptions& options = {});

/// Reads a Voxelyze design (.vxl.json). The last brace of the text may be missing.
[[nodiscard]] Result<LoadedScene> read_vxl(const std::string& bytes, const std::string& file,
                                           const LoadOptions& options = {});

/// Reads a MagicaVoxel file (.vox) as a scene of one voxel body. Each colour in use becomes a material.
[[nodiscard]] Result<LoadedScene> read_vox(const std::string& bytes, const std::string& file,
                                           const LoadOptions& options = {});

/// Reads a .binvox file as a scene of one voxel body.
[[nodiscard]] Result<LoadedScene> read_binvox(const std::string& bytes, const std::string& file,
                                              const LoadOptions& options = {});

/// Reads a robot of EvoGym (.npz or .json): a layout of voxels in the plane, extruded to a voxel body.
[[nodiscard]] Result<LoadedScene> read_evogym(const std::string& bytes, const std::string& file,
                                              const LoadOptions& options = {});

/// Result of write_design().
struct ExportedDesign {
  std::string text;     ///< content of the file, which may be binary
  std::string warning;  ///< one sentence on the features that the format cannot represent, or empty
};
/// Returns the extensions of the files that a voxel body can be exported to: .vxa, .vxd, .vox and .binvox.
[[nodiscard]] const std::vector<std::string>& export_endings();
/// Converts a voxel body of the scene to a design, in the format that the extension of `path` selects. The file `path`
/// is not written. If `system` is empty, the only voxel body is exported.
[[nodiscard]] Result<ExportedDesign> write_design(const Node& scene, const std::string& system,
                                                  const std::string& path);
/// Converts a voxel body of the scene to a VoxCAD design. If `system` is empty, the only voxel body is exported.
/// Reading the text gives the same body, except for the features that `warning` lists.
[[nodiscard]] Result<ExportedDesign> write_vxa(const Node& scene, const std::string& system);

/// Reads a voxcraft recording (.history) as a scene of one playback body.
[[nodiscard]] Result<LoadedScene> read_history(const std::string& path);

/// Resolves the files to which the nodes of a scene refer. Paths are relative to `base_dir`. The lattice and the
/// materials of a voxel body's file, and the rows of a table actuator's file, are copied into the tree. Recordings and
/// the files of shapes are not copied; their paths are made absolute. Returns warnings about unsupported physics and
/// about meshes.
[[nodiscard]] Result<std::vector<std::string>> resolve_sources(Node& scene, const std::string& base_dir,
                                                               const LoadOptions& options = {});

/// Return the contents of docs/scene-format.md and docs/parameters.md, generated from the declarations.
[[nodiscard]] std::string scene_format_page();
[[nodiscard]] std::string parameters_page();

/// Returns the folder that contains `scenes/` and `models/`: $VOXWAKE_ASSETS if that variable is set, else the folder
/// `assets` in shared_folder(). If that folder has no scenes and the program runs in its build folder, returns the
/// assets folder of the source tree.
[[nodiscard]] std::string assets_folder();

/// A packaged scene of assets_folder(). `name` is the file stem, `group` the subject ("water").
struct PackagedScene {
  std::string name, title, path, group, description;
  /// Words for searches: the suggestion for a first experiment, and the kinds of all systems, fields, obstacles and
  /// rules in the scene and of their child nodes.
  std::string shows = {};
};
/// Reads the texts of a scene file. If the file is not a readable scene in TOML, only `name` and `path` are set.
[[nodiscard]] PackagedScene describe_scene(const std::string& path);
[[nodiscard]] std::vector<PackagedScene> packaged_scenes();
/// Returns the templates for new scenes, which are in `templates/` of assets_folder(), sorted by name.
[[nodiscard]] std::vector<PackagedScene> scene_templates();
/// Returns the path itself if it exists, or the path of the packaged scene with this name. An error suggests the
/// nearest name.
[[nodiscard]] Result<std::string> find_scene(const std::string& path_or_name);

}  // namespace vw
