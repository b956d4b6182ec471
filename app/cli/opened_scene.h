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

/// Returns an error if --base is given but has no effect. The option has an effect if the scene file `path` is a .vxd
/// file or names a .vxd file.
[[nodiscard]] Result<void> check_base(const SceneOptions& options, const std::string& path);

/// Returns the view parameters of the scene, or the default view parameters if the scene has no view.
[[nodiscard]] ViewParams view_of(const Node& scene);

}  // namespace vw::cli
