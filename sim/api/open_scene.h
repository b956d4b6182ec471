// Opens and checks scenes for runs (sim/api/run.h), and reads checkpoints. This file is part of the library's stable
// interface: a function or member that is declared here keeps its meaning, and later versions only add to it. All
// errors are returned as values.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/error.h"

namespace vw {
struct Checkpoint;
}

namespace vw::api {

struct OpenOptions {
  /// Assignments of the form `path=value`, such as "world.gravity=0,-1.62,0". Assignments to file names (paths that end
  /// in `.source`) are applied first, because they select the files to read. The others are applied in their order.
  /// File names in assignments are relative to the working directory.
  std::vector<std::string> assignments = {};
  bool strict = false;  ///< whether a design with unsupported physics is an error
  /// Path of the .vxa file that a .vxd file modifies. If empty, the file is base.vxa in the folder of the .vxd file.
  std::string base = {};
  /// This function is called for each warning, on the calling thread and before open_scene() returns.
  /// OpenedScene::warnings contains the same warnings. Warnings are also reported if opening fails later. The function
  /// may be empty.
  std::function<void(const std::string& warning)> warn = {};
};

/// A scene that is ready to run. It owns all its data. The tree contains only the names of meshes, height maps and
/// recordings; these files are read when the run is created.
struct OpenedScene {
  std::string name;  ///< file, packaged scene or other name, used in messages and reports; the caller may change it
  Node root;         ///< complete tree with all default values and all assignments
  std::string text;  ///< TOML text of `root`, for the journal and checkpoints
  std::vector<std::string> warnings;
};

/// Opens the scene file at a path or, if there is no such file, the packaged scene of that name (find_scene). All file
/// types in scene_endings() are accepted. An error names file, line and key.
[[nodiscard]] Result<OpenedScene> open_scene(const std::string& path_or_name, const OpenOptions& options = {});

/// Opens a scene from TOML text. File names in the text are relative to `folder`; an empty folder is the working
/// directory. `name` stands for the file in messages and reports.
[[nodiscard]] Result<OpenedScene> open_scene_text(std::string_view toml, const std::string& name,
                                                  const std::string& folder = {}, const OpenOptions& options = {});

/// Returns a scene without systems in which all parameters have their default values. Its schema describes all kinds
/// and parameters that a scene may have.
[[nodiscard]] Node new_scene();
/// Checks that the values of a material are consistent: for example, a bilinear material needs a yield stress. Nodes of
/// other kinds pass. A scene with an inconsistent material cannot be opened.
[[nodiscard]] Result<void> check_material(const Node& node);

/// Applies texts of the form `path=value` to a tree, in order, and returns them as paths and values. An error names the
/// path and the expected value; all texts before the invalid one have then been applied.
[[nodiscard]] Result<std::vector<Assignment>> apply_assignments(Node& root, const std::vector<std::string>& texts);

/// A checkpoint that has been read. Copies share the saved state, which never changes.
struct SavedRun {
  std::string name;   ///< path of the checkpoint, used in messages and reports; the caller may change it
  std::string build;  ///< build and instruction set of the program that wrote the checkpoint
  Node root;          ///< scene at the start of the checkpoint's run, without later edits
  std::shared_ptr<const Checkpoint> state;
};

/// Reads a checkpoint that Run::save() or the program has written. An error names the file.
[[nodiscard]] Result<SavedRun> open_checkpoint(const std::string& path);
/// Reads the content of a checkpoint (Run::checkpoint_bytes()). `name` stands for the file in messages.
[[nodiscard]] Result<SavedRun> open_checkpoint_bytes(std::string_view bytes, const std::string& name);

}  // namespace vw::api
