#include "app/window/scene_loader.h"

#include <algorithm>
#include <chrono>

#include "sim/scene/scene.h"

namespace vw {
namespace {

Result<LoadedScene> read(const OpenRequest& request) {
  if (request.tree != nullptr) return LoadedScene{*request.tree, {}};
  return load_scene(request.path, {.strict = request.strict, .base = request.base});
}

/// The nodes that are to be added, into the scene and into the outcome.
Result<void> add(const SceneAddition& addition, LoadedScene& scene, LoadedWorld& opened) {
  opened.added = addition.nodes;
  if (!addition.mesh.empty()) {
    auto imported = import_mesh(scene.root, addition.mesh, addition.how);
    if (!imported) return tl::unexpected(imported.error());
    opened.added.insert(opened.added.end(), imported->nodes.begin(), imported->nodes.end());
    scene.warnings.insert(scene.warnings.end(), imported->notes.begin(), imported->notes.end());
  }
  add_nodes(scene.root, opened.added);
  return {};
}

}  // namespace

Node fresh_node(const Node& scene, std::string_view slot, const Schema& kind) {
  std::string name = kind.kind;
  for (int k = 2; scene.find(slot, name) != nullptr; ++k) name = kind.kind + "-" + std::to_string(k);
  const auto& slots = scene.schema->slots;
  const auto place = std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == slot; });
  return make_node(kind, name, static_cast<std::size_t>(place - slots.begin()));
}

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
  auto world = World::create(loaded->root);
  if (!world) {
    Error error = world.error();
    if (error.file.empty() && error.line > 0) error.file = request.path;
    return tl::unexpected(std::move(error));
  }
  opened.path = request.path;
  opened.is_anew = request.tree != nullptr;
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
