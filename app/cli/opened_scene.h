// Opens the scene given on the command line.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "sim/base/data/node.h"
#include "sim/base/error.h"
#include "sim/snapshot/view.h"

namespace vw::cli {

struct OpenedScene {
  Node root;         ///< complete scene with all default values and every --set
  std::string text;  ///< TOML text of `root`, for journals and checkpoints
};

/// Finds and loads the scene, and applies --set. Warnings are written to stderr.
[[nodiscard]] Result<OpenedScene> open_scene(const SceneOptions& options);

/// Returns an error if --base has no effect, that is, if it is given although the scene file `path` is not a .vxd file
/// and reads none.
[[nodiscard]] Result<void> check_base(const SceneOptions& options, const std::string& path);

/// View parameters of the scene.
[[nodiscard]] ViewParams view_of(const Node& scene);

/// Applies texts of the form `path=value` to a tree.
[[nodiscard]] Result<std::vector<Assignment>> apply_sets(Node& root, const std::vector<std::string>& sets);

}  // namespace vw::cli
