// Opens the scene given on the command line.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "sim/api/open_scene.h"
#include "sim/base/data/node.h"
#include "sim/base/error.h"
#include "sim/snapshot/view.h"

namespace vw::cli {

/// Finds and loads the scene, and applies --set. Warnings are written to stderr.
[[nodiscard]] Result<api::OpenedScene> open_scene(const SceneOptions& options);

/// Returns an error if --base has no effect, that is, if it is given although the scene file `path` is not a .vxd file
/// and reads none.
[[nodiscard]] Result<void> check_base(const SceneOptions& options, const std::string& path);

/// View parameters of the scene.
[[nodiscard]] ViewParams view_of(const Node& scene);

}  // namespace vw::cli
