#include "app/window/document/scene_loader.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>

#include "app/capture/embedded_moment.h"
#include "app/window/document/picture_file.h"
#include "sim/api/analysis/rule_matrix.h"

namespace vw {
namespace {

Result<api::OpenedScene> read(const OpenRequest& request) {
  if (request.unsaved_text)
    return api::open_scene_text(*request.unsaved_text, request.path.empty() ? "untitled" : request.path,
                                std::filesystem::path(request.path).parent_path().string());
  if (request.tree == nullptr)
    return api::open_scene(request.path, {.assignments = request.sets, .strict = request.strict, .base = request.base});
  api::OpenedScene opened{request.path, *request.tree, {}, {}};
  if (auto good = api::apply_assignments(opened.root, request.sets); !good) return tl::unexpected(good.error());
  return opened;
}

/// If a system was added, adds the default interactions of the scene that are missing.
void add_default_rules(Node& scene, std::vector<NodeChange>& node_changes) {
  const bool new_system = std::ranges::any_of(node_changes, [&](const NodeChange& node_change) {
    return node_change.kind == NodeChange::Kind::add && path_of(scene, node_change).starts_with("system.");
  });
  if (!new_system) return;
  for (Node& rule : api::missing_default_rules(scene)) {
    node_changes.push_back({.node = std::move(rule)});
    (void)apply(scene, node_changes.back());
  }
}

/// Applies the additions to the scene. `node_changes` receives the resulting changes.
Result<void> add(const SceneAddition& addition, api::OpenedScene& scene, std::vector<NodeChange>& node_changes) {
  node_changes = addition.node_changes;
  if (!addition.mesh.empty()) {
    auto imported = import_mesh(scene.root, addition.mesh, addition.how);
    if (!imported) return tl::unexpected(imported.error());
    for (Node& node : imported->nodes) node_changes.push_back({.node = std::move(node)});
    scene.warnings.insert(scene.warnings.end(), imported->notes.begin(), imported->notes.end());
  }
  for (NodeChange& node_change : node_changes)
    if (auto good = apply(scene.root, node_change); !good) return good;
  for (const Assignment& assignment : addition.assignments)
    if (auto good = set_parameter(scene.root, assignment.path, assignment.value); !good) return good;
  if (addition.mesh.empty()) add_default_rules(scene.root, node_changes);
  return {};
}

/// Reads a checkpoint and creates a run that continues from it. The scene includes the edits of the saved run.
Result<LoadedRun> load_state(const std::string& path) {
  auto saved = api::open_checkpoint(path);
  if (!saved) return tl::unexpected(saved.error());
  auto run = api::Run::resume(std::move(*saved));
  if (!run) return tl::unexpected(run.error());
  Node scene = run->scene();
  std::vector<std::string> notes = run->notes();
  return LoadedRun{.path = {},
                   .scene = std::move(scene),
                   .warnings = std::move(notes),
                   .run = std::move(*run),
                   .node_changes = {},
                   .amends = {},
                   .is_resumed = true};
}

/// Returns a run that was opened at a moment of the session in `path`.
LoadedRun opened_moment(const std::string& path, Node scene, const std::vector<std::string>& notes, api::Run run,
                        std::chrono::steady_clock::time_point begun) {
  std::vector<std::string> warnings;
  for (const std::string& note : notes) warnings.push_back(path + ": " + note);
  for (std::string& note : run.notes()) warnings.push_back(std::move(note));
  return LoadedRun{.path = {},
                   .scene = std::move(scene),
                   .warnings = std::move(warnings),
                   .run = std::move(run),
                   .node_changes = {},
                   .amends = {},
                   .wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count()};
}

/// Opens the moment of a picture or video. Assignments become commands after the moment.
Result<LoadedRun> load_picture(const OpenRequest& request, const std::function<bool()>& is_cancelled) {
  const auto begun = std::chrono::steady_clock::now();
  api::MomentOptions options;
  options.at_s = request.at_s;
  options.progress = [&](double) { return !is_cancelled || !is_cancelled(); };
  auto opened = open_picture(request.path, options);
  if (!opened) return tl::unexpected(opened.error());
  const auto assignments = api::apply_assignments(opened->scene, request.sets);
  if (!assignments) return tl::unexpected(assignments.error());
  for (const Assignment& assignment : *assignments)
    if (auto good = opened->run.set(assignment.path, assignment.value); !good) return tl::unexpected(good.error());
  LoadedRun loaded =
      opened_moment(request.path, std::move(opened->scene), opened->notes, std::move(opened->run), begun);
  loaded.picture = request.path;
  loaded.compared = std::move(opened->compared);
  return loaded;
}

/// Opens a session with all its branches.
Result<LoadedRun> load_session(const OpenRequest& request, const std::function<bool()>& is_cancelled) {
  const auto begun = std::chrono::steady_clock::now();
  if (!request.sets.empty())
    return fail("--set " + request.sets.front() +
                ": cannot be used with a session; open the session and edit the value in the window");
  auto opened = api::open_session(request.path, {}, [&](double) { return !is_cancelled || !is_cancelled(); });
  if (!opened) return tl::unexpected(opened.error());
  if (!request.branch.empty())
    if (auto good = api::choose_branch(*opened, request.branch); !good) return tl::unexpected(good.error());
  LoadedRun loaded =
      opened_moment(request.path, std::move(opened->scene), opened->notes, std::move(opened->run), begun);
  loaded.history = std::move(opened->history);
  return loaded;
}

}  // namespace

Result<LoadedRun> load_run(const OpenRequest& request, const std::function<bool()>& is_cancelled) {
  if (request.is_state) return load_state(request.path);
  if (request.tree == nullptr && !request.unsaved_text && is_picture_name(request.path))
    return load_picture(request, is_cancelled);
  if (request.tree == nullptr && !request.unsaved_text && api::is_session_file(request.path))
    return load_session(request, is_cancelled);
  const auto start = std::chrono::steady_clock::now();
  auto loaded = read(request);
  if (!loaded) return tl::unexpected(loaded.error());
  std::vector<NodeChange> node_changes;
  Amendments amends;
  if (auto added = add(request.add, *loaded, node_changes); !added) return tl::unexpected(added.error());
  auto run = run_with(request.path, loaded->root, node_changes, amends);
  if (!run) return tl::unexpected(run.error());
  amends.assignments.insert(amends.assignments.begin(), request.add.assignments.begin(), request.add.assignments.end());
  for (std::string& note : run->notes()) loaded->warnings.push_back(std::move(note));
  return LoadedRun{.path = request.is_template ? std::string() : request.path,
                   .scene = std::move(loaded->root),
                   .warnings = std::move(loaded->warnings),
                   .run = std::move(*run),
                   .node_changes = std::move(node_changes),
                   .amends = std::move(amends),
                   .wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
                   .has_unsaved_edits = request.unsaved_text.has_value()};
}

namespace {

/// Calls load_run(). If the scene needs more memory than there is, the result is an error, so that the open scene and
/// its edits are not lost with the process.
Result<LoadedRun> load_in_memory(const OpenRequest& request, const std::function<bool()>& is_cancelled) {
  try {
    return load_run(request, is_cancelled);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this scene");
  }
}

}  // namespace

void SceneLoader::start(OpenRequest request) {
  path_ = request.path;
  is_for_open_scene_ = request.tree != nullptr;
  cancel();
  newest_ = std::make_shared<Slot>();
  workers_.run([slot = newest_, request = std::move(request)] {
    Result<LoadedRun> outcome = load_in_memory(request, [&] { return slot->is_cancelled.load(); });
    const std::lock_guard lock(slot->mutex);
    slot->outcome.emplace(std::move(outcome));
    slot->done = true;
  });
}

bool SceneLoader::busy() const { return newest_ != nullptr; }

std::optional<Result<LoadedRun>> SceneLoader::poll() {
  if (newest_ == nullptr) return std::nullopt;
  {
    const std::lock_guard lock(newest_->mutex);
    if (!newest_->done) return std::nullopt;
  }
  std::optional<Result<LoadedRun>> outcome = std::move(newest_->outcome);
  newest_.reset();
  return outcome;
}

}  // namespace vw
