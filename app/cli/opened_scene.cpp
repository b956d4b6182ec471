#include "app/cli/opened_scene.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_files.h"

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

namespace {

bool names_a_source(const std::string& set) { return set.substr(0, set.find('=')).ends_with(".source"); }

/// Applies --set. File names in values are relative to the working directory, like other files on the command line.
Result<void> set_sources(Node& root, const std::vector<std::string>& sets) {
  for (const std::string& text : sets) {
    auto assignment = parse_assignment(root, text);
    if (!assignment) return Unexpected(assignment.error());
    if (auto* path = std::get_if<std::string>(&assignment->value); path != nullptr && !path->empty()) {
      std::error_code ignored;
      *path = std::filesystem::absolute(*path, ignored).lexically_normal().string();
    }
    if (auto good = set_parameter(root, assignment->path, assignment->value); !good) return good;
  }
  return {};
}

}  // namespace

Result<void> check_base(const SceneOptions& options, const std::string& path) {
  if (options.base.empty()) return {};
  std::vector<std::string> files = files_of_scene(path);
  files.push_back(path);
  for (const std::string& set : options.sets)
    if (names_a_source(set)) files.push_back(set);
  for (const std::string& file : files)
    if (file_kind(file) == FileKind::robot) return {};
  return fail(fmt::format("--base {}: applies only to a .vxd, but {} is not a .vxd and does not use one", options.base,
                          options.scene));
}

Result<OpenedScene> open_scene(const SceneOptions& options) {
  const auto path = find_scene(options.scene);
  if (!path) return Unexpected(path.error());
  if (auto good = check_base(options, *path); !good) return Unexpected(good.error());
  LoadOptions how;
  how.strict = options.strict;
  how.base = options.base;
  std::vector<std::string> sources, others;
  for (const std::string& set : options.sets) (names_a_source(set) ? sources : others).push_back(set);
  if (!sources.empty()) how.before_sources = [&](Node& root) { return set_sources(root, sources); };
  auto loaded = load_scene(*path, how);
  if (!loaded) return Unexpected(loaded.error());
  for (const std::string& warning : loaded->warnings) say("warning: " + warning);
  OpenedScene opened{std::move(loaded->root), {}};
  if (const auto set = apply_sets(opened.root, others); !set) return Unexpected(set.error());
  opened.text = write_scene_toml(opened.root);
  return opened;
}

ViewParams view_of(const Node& scene) {
  const Node* view = scene.only("view");
  return view != nullptr ? view_params().read(view->values) : view_params().defaults();
}

}  // namespace vw::cli
