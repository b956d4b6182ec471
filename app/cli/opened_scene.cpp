#include "app/cli/opened_scene.h"

#include "app/cli/commands.h"
#include "sim/scene/scene.h"

namespace vw::cli {

Result<std::vector<Assignment>> apply_sets(Node& root, const std::vector<std::string>& sets) {
  std::vector<Assignment> assignments;
  for (const std::string& text : sets) {
    auto assignment = parse_assignment(root, text);
    if (!assignment) return Unexpected(assignment.error());
    if (auto good = set_parameter(root, assignment->path, assignment->value); !good) return Unexpected(good.error());
    assignments.push_back(std::move(*assignment));
  }
  return assignments;
}

Result<OpenedScene> open_scene(const SceneOptions& options) {
  const auto path = find_scene(options.scene);
  if (!path) return Unexpected(path.error());
  LoadOptions how;
  how.strict = options.strict;
  how.base = options.base;
  auto loaded = load_scene(*path, how);
  if (!loaded) return Unexpected(loaded.error());
  for (const std::string& warning : loaded->warnings) say("warning: " + warning);
  OpenedScene opened{std::move(loaded->root), {}};
  if (const auto set = apply_sets(opened.root, options.sets); !set) return Unexpected(set.error());
  opened.text = write_scene_toml(opened.root);
  return opened;
}

ViewParams view_of(const Node& scene) {
  const Node* view = scene.only("view");
  return view != nullptr ? view_params().read(view->values) : view_params().defaults();
}

}  // namespace vw::cli
