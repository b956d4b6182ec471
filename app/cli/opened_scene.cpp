#include "app/cli/opened_scene.h"

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_files.h"

namespace vw::cli {

namespace {

bool names_a_source(const std::string& set) { return set.substr(0, set.find('=')).ends_with(".source"); }

}  // namespace

Result<void> check_base(const SceneOptions& options, const std::string& path) {
  if (options.base.empty()) return {};
  std::vector<std::string> files = files_of_scene(path);
  files.push_back(path);
  for (const std::string& set : options.sets)
    if (names_a_source(set)) files.push_back(set);
  for (const std::string& file : files)
    if (file_kind(file) == FileKind::robot) return {};
  return fail(fmt::format("--base {}: applies only to a .vxd, but {} is not a .vxd and does not use a .vxd",
                          options.base, options.scene));
}

Result<api::OpenedScene> open_scene(const SceneOptions& options) {
  const auto path = find_scene(options.scene);
  if (!path) return Unexpected(path.error());
  if (auto good = check_base(options, *path); !good) return Unexpected(good.error());
  return api::open_scene(options.scene, {.assignments = options.sets,
                                         .strict = options.strict,
                                         .base = options.base,
                                         .warn = [](const std::string& warning) { say("warning: " + warning); }});
}

ViewParams view_of(const Node& scene) {
  const Node* view = scene.only("view");
  return view != nullptr ? view_params().read(view->values) : view_params().defaults();
}

}  // namespace vw::cli
