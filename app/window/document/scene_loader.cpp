#include "app/window/document/scene_loader.h"

#include <algorithm>
#include <chrono>

#include "sim/scene/scene.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

Result<LoadedScene> read(const OpenRequest& request) {
  if (request.tree != nullptr) return LoadedScene{*request.tree, {}};
  return load_scene(request.path, {.strict = request.strict, .base = request.base});
}

/// If a system was added, adds the default interactions of the scene that are missing.
void add_default_rules(Node& scene, std::vector<NodeChange>& node_changes) {
  const bool new_system = std::ranges::any_of(node_changes, [&](const NodeChange& node_change) {
    return node_change.comes && path_of(scene, node_change).starts_with("system.");
  });
  if (!new_system) return;
  Node with = scene;
  add_default_interactions(with);
  for (const Node* rule : with.all("interaction")) {
    if (scene.find("interaction", rule->name) != nullptr) continue;
    node_changes.push_back({{}, *rule});
    (void)apply(scene, node_changes.back());
  }
}

/// Applies the additions to the scene and records the resulting changes in `opened`.
Result<void> add(const SceneAddition& addition, LoadedScene& scene, LoadedWorld& opened) {
  opened.node_changes = addition.node_changes;
  if (!addition.mesh.empty()) {
    auto imported = import_mesh(scene.root, addition.mesh, addition.how);
    if (!imported) return tl::unexpected(imported.error());
    for (Node& node : imported->nodes) opened.node_changes.push_back({{}, std::move(node)});
    scene.warnings.insert(scene.warnings.end(), imported->notes.begin(), imported->notes.end());
  }
  for (NodeChange& node_change : opened.node_changes)
    if (auto good = apply(scene.root, node_change); !good) return good;
  if (addition.mesh.empty()) add_default_rules(scene.root, opened.node_changes);
  return {};
}

}  // namespace

Result<LoadedWorld> load_world(const OpenRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  auto loaded = read(request);
  if (!loaded) return tl::unexpected(loaded.error());
  for (const std::string& text : request.sets) {
    auto assignment = parse_assignment(loaded->root, text);
    if (!assignment) return tl::unexpected(assignment.error());
    auto set = set_parameter(loaded->root, assignment->path, assignment->value);
    if (!set) return tl::unexpected(set.error());
  }
  LoadedWorld opened;
  if (auto added = add(request.add, *loaded, opened); !added) return tl::unexpected(added.error());
  auto world = world_with(loaded->root, opened.node_changes, opened.amends);
  if (!world) {
    Error error = world.error();
    if (error.file.empty() && error.line > 0) error.file = request.path;
    return tl::unexpected(std::move(error));
  }
  opened.path = request.path;
  opened.is_rebuild = request.tree != nullptr;
  opened.scene_text = write_scene_toml(loaded->root);
  opened.scene = std::move(loaded->root);
  opened.warnings = std::move(loaded->warnings);
  opened.world = std::move(*world);
  for (std::string& note : opened.world->notes()) opened.warnings.push_back(std::move(note));
  opened.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return opened;
}

void SceneLoader::start(OpenRequest request) {
  path_ = request.path;
  is_anew_ = request.tree != nullptr;
  newest_ = std::make_shared<Slot>();
  workers_.run([slot = newest_, request = std::move(request)] {
    Result<LoadedWorld> outcome = load_world(request);
    const std::lock_guard lock(slot->mutex);
    slot->outcome.emplace(std::move(outcome));
    slot->done = true;
  });
}

bool SceneLoader::busy() const { return newest_ != nullptr; }

std::optional<Result<LoadedWorld>> SceneLoader::poll() {
  if (newest_ == nullptr) return std::nullopt;
  {
    const std::lock_guard lock(newest_->mutex);
    if (!newest_->done) return std::nullopt;
  }
  std::optional<Result<LoadedWorld>> outcome = std::move(newest_->outcome);
  newest_.reset();
  return outcome;
}

}  // namespace vw
