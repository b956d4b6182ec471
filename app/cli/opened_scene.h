// From what a user typed to a scene that a world can be made from.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "sim/base/error.h"
#include "sim/base/node.h"
#include "sim/snapshot/view.h"

namespace vw::cli {

struct OpenedScene {
  Node root;         ///< complete, resolved, with every --set in it
  std::string text;  ///< the same as TOML, for journals and checkpoints
};

/// Finds, loads, applies --set. Warnings go to stderr.
[[nodiscard]] Result<OpenedScene> open_scene(const SceneOptions& options);

/// An error when --base is given and the scene file `path` is no .vxd and reads none: the base would have no effect.
[[nodiscard]] Result<void> check_base(const SceneOptions& options, const std::string& path);

/// How the scene wants to be looked at.
[[nodiscard]] ViewParams view_of(const Node& scene);

/// Applies `path=value` texts to a tree.
[[nodiscard]] Result<std::vector<Assignment>> apply_sets(Node& root, const std::vector<std::string>& sets);

}  // namespace vw::cli
