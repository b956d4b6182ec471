#include "sim/api/open_scene.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/scene/scene.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"
#include "sim/world/world.h"

namespace vw::api {
namespace {

bool names_a_file(std::string_view assignment) {
  std::string_view path = assignment.substr(0, assignment.find('='));
  while (path.ends_with(' ')) path.remove_suffix(1);  // parse_assignment() removes these blanks, too
  return path.ends_with(".source");
}

/// Applies those assignments that set file names. The file names are relative to the working directory.
Result<void> assign_files(Node& root, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    auto assignment = parse_assignment(root, text);
    if (!assignment) return Unexpected(assignment.error());
    if (auto* path = std::get_if<std::string>(&assignment->value); path != nullptr && !path->empty()) {
      std::error_code ignored;
      *path = std::filesystem::absolute(*path, ignored).lexically_normal().generic_string();
    }
    if (auto good = set_parameter(root, assignment->path, assignment->value); !good) return good;
  }
  return {};
}

/// Loads a scene with the function `load`, which receives the reader's options, and applies the assignments.
Result<OpenedScene> open_with(const std::string& name, const OpenOptions& options,
                              const std::function<Result<LoadedScene>(const LoadOptions&)>& load) {
  LoadOptions how;
  how.strict = options.strict;
  how.base = options.base;
  std::vector<std::string> files, others;
  for (const std::string& text : options.assignments) (names_a_file(text) ? files : others).push_back(text);
  if (!files.empty()) how.before_sources = [&](Node& root) { return assign_files(root, files); };
  auto loaded = load(how);
  if (!loaded) return Unexpected(loaded.error());
  if (options.warn)
    for (const std::string& warning : loaded->warnings) options.warn(warning);
  OpenedScene opened{name, std::move(loaded->root), {}, std::move(loaded->warnings)};
  if (const auto applied = apply_assignments(opened.root, others); !applied) return Unexpected(applied.error());
  opened.text = write_scene_toml(opened.root);
  return opened;
}

/// Converts a checkpoint that was read. `name` is the path of the checkpoint, or a text that replaces it in messages.
Result<SavedRun> saved_run(Result<Checkpoint> checkpoint, const std::string& name) {
  if (!checkpoint) return Unexpected(checkpoint.error());
  auto scene = read_scene_toml(checkpoint->scene_text, name);
  if (!scene) return Unexpected(scene.error());
  std::string build = checkpoint->build;
  return SavedRun{name, std::move(build), std::move(scene->root),
                  std::make_shared<const Checkpoint>(std::move(*checkpoint))};
}

}  // namespace

Result<std::vector<Assignment>> apply_assignments(Node& root, const std::vector<std::string>& texts) {
  std::vector<Assignment> assignments;
  for (const std::string& text : texts) {
    auto assignment = parse_assignment(root, text);
    if (!assignment) return Unexpected(assignment.error());
    if (auto good = set_parameter(root, assignment->path, assignment->value); !good) return Unexpected(good.error());
    assignments.push_back(std::move(*assignment));
  }
  return assignments;
}

Node new_scene() { return make_node(scene_schema()); }

Result<void> check_material(const Node& node) {
  return node.schema == &voxel_material_schema() ? vw::check_material(node) : Result<void>{};
}

Result<OpenedScene> open_scene(const std::string& path_or_name, const OpenOptions& options) {
  const auto path = find_scene(path_or_name);
  if (!path) return Unexpected(path.error());
  return open_with(path_or_name, options, [&](const LoadOptions& how) { return load_scene(*path, how); });
}

Result<OpenedScene> open_scene_text(std::string_view toml, const std::string& name, const std::string& folder,
                                    const OpenOptions& options) {
  return open_with(name, options, [&](const LoadOptions& how) { return load_scene_text(toml, name, folder, how); });
}

Result<SavedRun> open_checkpoint(const std::string& path) { return saved_run(load_checkpoint(path), path); }

Result<SavedRun> open_checkpoint_bytes(std::string_view bytes, const std::string& name) {
  return saved_run(checkpoint_from_bytes(bytes, name), name);
}

}  // namespace vw::api
