// Changes of the nodes of the open scene: a trial run on a worker thread finds errors, then the running world receives
// the difference as one command.
#include "app/window/ui/scene_changes.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/window/document/file_listing.h"
#include "app/window/document/world_display.h"
#include "app/window/gizmo/running_body.h"
#include "app/window/ui/node_selection.h"
#include "render/vectors/vectors.h"
#include "sim/scene/node_names.h"

namespace vw::ui {

void forget_modes(App& app) {
  app.session.modes.finder.stop();
  app.session.modes.found.reset();
  app.session.modes.shown = -1;
  app.session.modes.system.clear();
}

void show_plots(App& app) {
  if (app.session.plots.empty()) return;
  app.ui.layout.open_tab = Layout::Tab::plots;
  app.ui.layout.right_em =
      std::max(app.ui.layout.right_em, 28.0F);  // wide enough for the names of the plots and for the additional tab
}

void plots_changed(App& app, std::span<const RenamedPart> renamed) {
  const bool was_empty = app.session.plots.empty();
  auto observer = app.session.plots.scene_changed(app.session.document->root(), renamed);
  subscribe(app);  // before set_watcher(), so that the observer's first snapshot contains the values
  if (observer != nullptr && app.session.run != nullptr) app.session.run->set_watcher(std::move(observer));
  app.session.comparison.watch_plots(app.session.document->root(), app.session.plots);
  if (was_empty) show_plots(app);
}

Node fitted_to_world(const App& app, Node scene) {
  scene = without_lost_references(std::move(scene));
  if (!app.session.have_snapshot) return scene;
  const Snapshot& newest = app.session.run->newest();
  if (newest.place.is_seeking || newest.systems.empty()) return scene;
  std::vector<std::string> vectors{"velocity"};
  for (const SystemSnapshot& system : newest.systems)
    for (const ChannelInfo& vector : system.available_vectors) vectors.push_back(vector.name);
  const auto fit = [&scene](const char* path, const std::vector<std::string>& known) {
    const auto param = find_parameter(scene, path);
    if (!param) return;
    const auto& name = std::get<std::string>(param->value());
    if (!name.empty() && !contains(known, name)) (void)set_parameter(scene, path, param->spec->default_value);
  };
  fit("view.color_by", color_choices(newest));
  fit("view.vector_of", vectors);
  return scene;
}

Node fitted_for_file(const App& app, Node scene) {
  // The quantities of a system that has just been added are not known yet.
  const auto is_known = [&](const Node* system) {
    const auto& systems = app.session.run->newest().systems;
    return std::ranges::find(systems, system->name, &SystemSnapshot::name) != systems.end();
  };
  if (!app.session.have_snapshot || !std::ranges::all_of(scene.all("system"), is_known))
    return without_lost_references(std::move(scene));
  return fitted_to_world(app, std::move(scene));
}

namespace {

enum class TrialPurpose {
  check,    ///< the running world continues and receives the changes as a command
  restart,  ///< the new run replaces the running world
};

/// Starts to create a run of the document with `addition`, on a worker thread. take_trial() receives the run.
void start_trial(App& app, SceneAddition addition, TrialPurpose purpose) {
  // A restart in progress must not be lost.
  const bool restarts =
      purpose == TrialPurpose::restart || (app.session.loader.is_for_open_scene() && app.session.trial.restarts);
  app.session.trial = {app.session.document->revision(), addition, restarts};
  const Node& root = app.session.document->root();
  // fitted_to_world() may remove plots. If the addition changes a plot, the tree must contain that plot.
  const bool changes_plot = std::ranges::any_of(addition.node_changes, [&](const NodeChange& change) {
    const bool is_new = change.kind == NodeChange::Kind::add && change.parent.empty();
    return !is_new && path_of(root, change).starts_with("plot.");
  });
  app.session.loader.start({.path = app.session.document->path(),
                            .sets = {},
                            .tree = std::make_shared<const Node>(changes_plot ? root : fitted_to_world(app, root)),
                            .add = std::move(addition)});
}

/// If the error says that a single new node has no source file, asks the user for the file and returns true.
bool ask_for_source(App& app, const Error& error) {
  const std::vector<NodeChange>& node_changes = app.session.trial.addition.node_changes;
  if (node_changes.size() != 1 || node_changes[0].kind != NodeChange::Kind::add ||
      error.key != path_of(app.session.document->root(), node_changes[0]) + ".source")
    return false;
  if (!std::get<std::string>(node_changes[0].node.value("source")).empty()) return false;
  app.session.wants_source = node_changes[0];
  const std::vector<std::string> endings = extensions_in(error.message());
  app.ui.browser.open_for_choosing(std::filesystem::path(app.session.document->path()).parent_path().string(),
                                   endings.empty() ? mesh_extensions() : endings);
  return true;
}

/// If a node could not be removed because the scene needs it, returns a sentence that says so. Otherwise returns an
/// empty string.
std::string removal_error(const App& app) {
  const std::vector<NodeChange>& node_changes = app.session.trial.addition.node_changes;
  return node_changes.empty() || node_changes[0].kind != NodeChange::Kind::remove
             ? std::string()
             : path_of(app.session.document->root(), node_changes[0]) +
                   " cannot be removed, because other parts of the scene need it. ";
}

/// Selects the node that the inspector shows after an addition, removal or renaming: the new node, or the parent of the
/// removed node.
void select_change(App& app, const std::vector<NodeChange>& node_changes) {
  if (node_changes.empty()) return;
  const NodeChange& first = node_changes.front();
  const Node& root = app.session.document->root();
  const std::string selected = app.ui.layout.selected_path;
  // A body whose voxels were edited is removed and added again in one step, and stays selected.
  const bool is_replaced = std::ranges::any_of(node_changes, [&](const NodeChange& change) {
    return change.kind == NodeChange::Kind::add && path_of(root, change) == selected;
  });
  if (is_replaced) return;
  const bool is_gone = find_node(root, selected) == nullptr;
  const bool is_new = first.kind == NodeChange::Kind::add;
  if (first.kind == NodeChange::Kind::rename) {
    NodeChange renamed = first;
    renamed.node.name = first.new_name;
    select_nodes(app.ui.layout, {path_of(root, renamed)});
  } else if (is_new) {
    const SceneAddition& addition = app.session.trial.addition;
    // The last change adds the object. An earlier change may add the system of the object.
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < addition.node_changes.size(); ++i)
      if (addition.selects_all || i + 1 == addition.node_changes.size())
        paths.push_back(path_of(root, node_changes[i]));
    select_nodes(app.ui.layout, std::move(paths));
  } else if (is_gone) {
    select_nodes(app.ui.layout, {first.parent.empty() ? "world" : first.parent});
  }
  app.ui.layout.reveal_selected = is_new;
}

/// Adapts the selection to renamed nodes. Clears the selection if its system or obstacle is gone, or if its system
/// restarts.
void update_selection(App& app, const std::vector<std::string>& restarted) {
  const Node& root = app.session.document->root();
  Selection& selection = app.view.viewport.selection;
  for (const NodeChange& renaming : app.session.document->renamings()) {
    const std::string old = path_of(root, renaming);  // a system and an obstacle may have the same name
    auto& compared = app.ui.layout.compared;
    if (old == "system." + selection.system) selection.system = renaming.new_name;
    if (old == "collider." + selection.obstacle) selection.obstacle = renaming.new_name;
    if (compared && old == "system." + compared->system) compared->system = renaming.new_name;
    if (app.view.voxel_editor != nullptr && old == app.view.voxel_editor->path())
      app.view.voxel_editor->follow_renaming(renaming.new_name);
    else if (app.view.voxel_editor != nullptr && renaming.parent == app.view.voxel_editor->path())
      app.view.voxel_editor->follow_renaming_of_part(renaming.node.slot, renaming.node.name, renaming.new_name);
  }
  const bool is_lost =
      !selection.obstacle.empty()
          ? root.find("collider", selection.obstacle) == nullptr
          : !selection.system.empty() && (root.find("system", selection.system) == nullptr ||
                                          std::ranges::find(restarted, selection.system) != restarted.end());
  if (is_lost) app.view.viewport.clear_selection(app);  // a drag of another body goes on
  if (find_node(root, app.ui.layout.selected_path) == nullptr) app.ui.layout.selected_path = "world";
}

/// Sends a change of nodes to the running world. poll_change() receives an error or the reason for a restart.
void submit(App& app, ChangeNodes command) {
  const auto take = [outcome = app.session.change_outcome](Result<api::ChangeOutcome> taken) {
    const std::lock_guard lock(outcome->mutex);
    if (!taken)
      outcome->error = taken.error();
    else if (taken->restarted)
      outcome->restart_reason = taken->reason;
  };
  app.session.run->change_or_restart(std::move(command), take);
}

std::string path_of(const ChangeNodes::Change& change) {
  return (change.parent.empty() ? "" : change.parent + ".") + change.node.slot + "." + change.node.name;
}

enum class ChangeReason { edit, undo, redo };

/// Key of the poses of a removed node: the path of the node, and the index of the undo step that added or removed it.
/// The path alone is not unique, because several steps may add and remove nodes with the same path.
std::string removal_key(const App& app, const ChangeNodes::Change& change, ChangeReason reason) {
  const std::size_t depth = app.session.document->undo_depth();
  const std::size_t step = reason == ChangeReason::undo || depth == 0 ? depth : depth - 1;
  return path_of(change) + " " + std::to_string(step);
}

/// Remembers the poses of the bodies that the command removes. `before` is the scene before the command.
void remember_removed(App& app, const Node& before, const ChangeNodes& command, ChangeReason reason) {
  if (!app.session.have_snapshot) return;
  const Snapshot& snapshot = app.session.run->newest();
  for (const ChangeNodes::Change& change : command.changes)
    if (change.kind == NodeChange::Kind::remove)
      app.session.removed_bodies[removal_key(app, change, reason)] = {present_poses(before, snapshot, path_of(change)),
                                                                      snapshot.epoch};
}

/// The command of an undo or redo step may bring back removed bodies. Moves these bodies to the poses that they had
/// when they were removed.
void put_back_removed(App& app, const ChangeNodes& command, ChangeReason reason) {
  if (!app.session.have_snapshot) return;
  for (const ChangeNodes::Change& change : command.changes) {
    if (change.kind != NodeChange::Kind::add) continue;
    const auto removed = app.session.removed_bodies.extract(removal_key(app, change, reason));
    if (removed.empty() || removed.mapped().epoch != app.session.run->newest().epoch) continue;
    for (const SetPose& pose : removed.mapped().poses) app.session.run->submit(pose);
  }
}

/// Adapts the paths of waiting edits to renamed nodes, and removes those of parameters that no longer exist. Otherwise
/// the window would offer to restart systems that no longer exist.
void update_waiting(App& app) {
  const Document& document = *app.session.document;
  std::set<std::string> waiting;
  for (std::string path : app.session.waiting) {
    for (const NodeChange& renaming : document.renamings()) {
      const std::string old = path_of(document.root(), renaming);
      NodeChange renamed = renaming;
      renamed.node.name = renaming.new_name;
      if (!old.empty() && is_at_or_below(path, old)) path = path_of(document.root(), renamed) + path.substr(old.size());
    }
    if (document.value(path) != nullptr) waiting.insert(std::move(path));
  }
  app.session.waiting = std::move(waiting);
}

constexpr const char* restart_text = "The world restarts, because the change cannot be applied to its present state: ";

/// Sends the differences between the document and the running world as one command. The world continues. A system
/// restarts only if a child changed in a way that Slot::is_live does not allow, or if the document replaced the system.
void send_changes(App& app, ChangeReason reason = ChangeReason::edit) {
  const Node& root = app.session.document->root();
  const Node wanted = fitted_to_world(app, root);
  // A renamed node continues. Without the renaming, the difference would be a removal and an addition. The world of a
  // past moment may lack a renamed plot.
  std::vector<NodeChange> renamings = app.session.document->renamings();
  std::erase_if(renamings, [&](const NodeChange& renaming) {
    return find_node(app.session.world_scene, path_of(app.session.world_scene, renaming)) == nullptr;
  });
  ChangeNodes command = change_command(app.session.world_scene, renamings);
  Node renamed = app.session.world_scene;
  (void)apply_changes(renamed, command);
  ChangeNodes rest = difference_between(renamed, wanted);
  command.changes.insert(command.changes.end(), rest.changes.begin(), rest.changes.end());
  command.values = std::move(rest.values);
  std::vector<std::string> restarted = restarted_systems(app.session.world_scene, command);
  for (const std::string& path : app.session.document->replacements()) {
    const auto node =
        std::ranges::find_if(root.children, [&](const Node& child) { return child_path(root, {}, child) == path; });
    if (node == root.children.end() || find_node(renamed, path) == nullptr) continue;
    const std::vector<NodeChange> replacement{
        {.kind = NodeChange::Kind::remove, .node = *node},
        {.node = *node, .at = static_cast<std::size_t>(node - root.children.begin())}};
    const ChangeNodes both = change_command(renamed, replacement);
    command.changes.insert(command.changes.end(), both.changes.begin(), both.changes.end());
    std::erase_if(command.values, [&](const SetParameter& value) { return value.path.starts_with(path + "."); });
    restarted.push_back(node->name);
  }
  update_waiting(app);
  for (const std::string& name : restarted)
    app.log.info(name + " restarts with the change; everything else continues", Toast::yes);
  for (const SetParameter& value : command.values) {
    const auto ref = find_parameter(const_cast<Node&>(root), value.path);  // NOLINT: read only
    if (!ref || ref->spec->live != Live::no || value.path.starts_with("view.") || value.path.starts_with("plot."))
      continue;
    // References to a renamed node take effect with the renaming.
    const bool is_reference = !ref->spec->refers_to.empty() && !app.session.document->renamings().empty();
    if (!is_reference) app.session.waiting.insert(value.path);
  }
  remember_removed(app, app.session.world_scene, command, reason);
  app.session.world_scene = wanted;
  // The order of nodes has no effect on the world.
  if (command.changes.empty() && command.values.empty()) return plots_changed(app);
  submit(app, command);
  if (reason != ChangeReason::edit) put_back_removed(app, command, reason);
  app.session.materials.begin(root);
  forget_modes(app);
  app.session.equilibrium = {};
  app.session.spectrum.stop();
  update_selection(app, restarted);
  std::vector<RenamedPart> renamed_parts;
  for (const NodeChange& renaming : app.session.document->renamings()) {
    const Node* parent = renaming.parent.empty() ? &root : find_node(root, renaming.parent);
    if (parent == nullptr) continue;
    const std::string& slot = parent->schema->slots[renaming.node.slot].name;
    if (!renaming.parent.empty() && slot != "joint" && slot != "curve") continue;
    const std::string owner = renaming.parent.empty() ? std::string() : parent->name + ".";
    renamed_parts.push_back({owner + renaming.node.name, owner + renaming.new_name, slot});
  }
  plots_changed(app, renamed_parts);
}

}  // namespace

std::vector<std::string> systems_to_restart(const App& app) {
  std::set<std::string> names;
  for (const std::string& path : app.session.waiting) {
    const auto [slot, name] = slot_and_name(path);
    if (slot != "system") return {};
    names.insert(name);
  }
  return {names.begin(), names.end()};
}

void restart_systems(App& app, const std::vector<std::string>& names) {
  const Node& root = app.session.document->root();
  std::vector<NodeChange> replacements;
  for (const std::string& name : names) {
    const Node* node = root.find("system", name);
    if (node == nullptr || app.session.world_scene.find("system", name) == nullptr) continue;
    replacements.push_back({.kind = NodeChange::Kind::remove, .node = *node});
    replacements.push_back({.node = *node, .at = static_cast<std::size_t>(node - root.children.data())});
    std::erase_if(app.session.waiting, [&](const std::string& path) { return slot_and_name(path).second == name; });
  }
  if (replacements.empty()) return;
  submit(app, change_command(app.session.world_scene, replacements));
  forget_modes(app);
  app.session.equilibrium = {};
  update_selection(app, names);
  subscribe(app);
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void poll_change(App& app) {
  std::optional<Error> error;
  std::string restart_reason;
  {
    const std::lock_guard lock(app.session.change_outcome->mutex);
    error = std::exchange(app.session.change_outcome->error, std::nullopt);
    restart_reason = std::exchange(app.session.change_outcome->restart_reason, {});
  }
  if (!restart_reason.empty()) {
    app.log.warning(restart_text + restart_reason);
    app.session.waiting.clear();
    app.view.viewport.forget_scene();
    subscribe(app);
  }
  if (!error) return;
  app.log.warning(restart_text + error->message());
  // If a trial run is still checking an addition, the new world is built with this addition.
  start_trial(app, app.session.loader.is_for_open_scene() ? app.session.trial.addition : SceneAddition{},
              TrialPurpose::restart);
}

namespace {

void rename_if_taken(const Node& root, SceneAddition& addition);
bool is_done_already(const Node& root, const SceneAddition& addition);

void use_trial(App& app, Result<LoadedRun> outcome) {
  if (app.session.document == nullptr) return;
  if (!outcome && ask_for_source(app, outcome.error())) return;
  if (!outcome) return app.log.error(removal_error(app) + outcome.error().message());
  const bool restarts = app.session.trial.restarts || app.session.run == nullptr;
  // If the document was edited while the run was being created, the run is outdated and is created again.
  if (app.session.document->revision() != app.session.trial.revision) {
    SceneAddition addition = std::move(app.session.trial.addition);
    if (!restarts && is_done_already(app.session.document->root(), addition)) return;
    rename_if_taken(app.session.document->root(), addition);
    return start_trial(app, std::move(addition), restarts ? TrialPurpose::restart : TrialPurpose::check);
  }
  std::vector<NodeChange> node_changes = std::move(outcome->node_changes);
  for (const NodeChange& node_change : outcome->amends.node_changes)
    app.log.info((node_change.kind == NodeChange::Kind::add ? "Also added: " : "Also removed: ") +
                     path_of(app.session.document->root(), node_change),
                 Toast::yes);
  node_changes.insert(node_changes.end(), outcome->amends.node_changes.begin(), outcome->amends.node_changes.end());
  if (auto changed = app.session.document->change(node_changes, outcome->amends.assignments); !changed)
    return app.log.error(changed.error().message());
  // The trial run repeats the warnings about parts that existed before. Only new warnings are logged.
  for (const std::string& warning : outcome->warnings)
    if (std::ranges::none_of(app.log.messages(), [&](const auto& message) { return message.text == warning; }))
      app.log.warning(warning);
  select_change(app, node_changes);
  if (restarts) return put_world(app, std::move(outcome->run), WorldOrigin::rebuilt);
  send_changes(app);
  // The destruction of a large world takes a while, so it runs in the background.
  auto old = std::make_shared<std::optional<api::Run>>(std::move(outcome->run));
  app.background.run([old] { old->reset(); });
}

/// Node that is added under a new name, because the name in the change is taken.
struct RenamedAddition {
  std::string path, new_path, slot, name, new_name;
};

/// Adapts the path of a renamed node, or of a node or parameter below it.
void follow_new_path(const std::vector<RenamedAddition>& renamed, std::string& path) {
  const auto found = std::ranges::find_if(
      renamed, [&](const RenamedAddition& addition) { return is_at_or_below(path, addition.path); });
  if (found != renamed.end()) path.replace(0, found->path.size(), found->new_path);
}

/// Adapts a value of the parameter `spec` that refers to renamed nodes.
void follow_new_names(const std::vector<RenamedAddition>& renamed, const ParamSpec& spec, Value& value) {
  if (spec.refers_to.empty()) return;
  const auto follow = [&](std::string& text) {
    if (spec.refers_to == "parameter") return follow_new_path(renamed, text);
    const auto found = std::ranges::find_if(renamed, [&](const RenamedAddition& addition) {
      return addition.slot == spec.refers_to && addition.name == text;
    });
    if (found != renamed.end()) text = found->new_name;
  };
  if (auto* text = std::get_if<std::string>(&value)) follow(*text);
  if (auto* texts = std::get_if<TextList>(&value))
    for (std::string& text : *texts) follow(text);
}

/// Renames the added nodes whose names are taken, because earlier changes have added nodes with these names. Parents,
/// references and assignments of the addition get the new names. If the addition also removes nodes, as edits of voxels
/// do, a node that the scene already contains with the same values is not added again.
void rename_if_taken(const Node& root, SceneAddition& addition) {
  const auto is_removal = [](const NodeChange& change) { return change.kind == NodeChange::Kind::remove; };
  const bool is_edit = std::ranges::any_of(addition.node_changes, is_removal);
  Node scene = root;  // contains the changes so far
  std::vector<RenamedAddition> renamed;
  std::vector<NodeChange> node_changes;
  for (NodeChange change : addition.node_changes) {
    follow_new_path(renamed, change.parent);
    const Node* parent = find_node(scene, change.parent);
    if (parent == nullptr) return;  // the trial reports the error
    const Slot& slot = parent->schema->slots[change.node.slot];
    if (change.kind == NodeChange::Kind::add && slot.many) {
      const Node* present = parent->find(slot.name, change.node.name);
      if (is_edit && present != nullptr && same_node(*present, change.node)) continue;
      for (const ParamRef& param : all_parameters(change.node))
        follow_new_names(renamed, *param.spec, param.node->values[param.index]);
      if (present != nullptr) {
        RenamedAddition one{.path = child_path(*parent, change.parent, change.node),
                            .new_path = {},
                            .slot = slot.name,
                            .name = change.node.name,
                            .new_name = free_name(change.node.name, names_of(*parent, slot.name))};
        change.node.name = one.new_name;
        one.new_path = child_path(*parent, change.parent, change.node);
        renamed.push_back(std::move(one));
      }
    }
    node_changes.push_back(change);
    if (!apply(scene, change)) return;
  }
  for (Assignment& assignment : addition.assignments) {
    follow_new_path(renamed, assignment.path);
    if (const auto param = find_parameter(scene, assignment.path); param)
      follow_new_names(renamed, *param->spec, assignment.value);
  }
  addition.node_changes = std::move(node_changes);
}

/// Whether the addition only removes nodes that a change before it has removed. The user may press Delete again before
/// the first removal has been checked.
bool is_done_already(const Node& root, const SceneAddition& addition) {
  const auto is_gone = [&](const NodeChange& change) {
    const std::string path = path_of(root, change);
    return change.kind == NodeChange::Kind::remove && (path.empty() || find_node(root, path) == nullptr);
  };
  return !addition.node_changes.empty() && std::ranges::all_of(addition.node_changes, is_gone);
}

}  // namespace

void take_trial(App& app, Result<LoadedRun> outcome) {
  use_trial(app, std::move(outcome));
  start_next_change(app);
}

void start_next_change(App& app) {
  if (app.session.document == nullptr || app.session.loader.busy()) return;
  while (!app.session.next_changes.empty()) {
    SceneAddition next = std::move(app.session.next_changes.front());
    app.session.next_changes.pop_front();
    if (is_done_already(app.session.document->root(), next)) continue;
    rename_if_taken(app.session.document->root(), next);
    return start_trial(app, std::move(next), TrialPurpose::check);
  }
}

void show_scene_of_moment(App& app, const api::SceneOfMoment& moment) {
  if (app.session.document == nullptr) return;
  // The document keeps its own view and plots, so they may differ from those of the moment.
  app.session.world_scene = moment.scene;
  const bool is_changed = app.session.document->adopt(moment.scene);
  app.session.waiting = {moment.waiting.begin(), moment.waiting.end()};
  if (!is_changed) return;
  if (app.session.have_snapshot && app.session.run->newest().place.is_past) {
    const std::string text =
        "The scene is shown as it was at this moment. Later edits return at the end of the timeline";
    if (app.log.messages().empty() || app.log.messages().back().text != text) app.log.info(text, Toast::yes);
  }
  app.session.materials.begin(app.session.document->root());
  forget_modes(app);
  app.session.equilibrium = {};
  app.session.spectrum.stop();
  update_selection(app, {});
  plots_changed(app);
}

void change_scene(App& app, SceneAddition addition) {
  if (app.session.document == nullptr) return;
  // The loader has one request at a time. A change waits until the changes before it have been checked.
  if (app.session.loader.is_for_open_scene()) return app.session.next_changes.push_back(std::move(addition));
  if (app.session.loader.busy())
    app.log.warning("Opening " + app.session.loader.path() + " was cancelled, because the open scene was changed");
  start_trial(app, std::move(addition), TrialPurpose::check);
}

void take_source(App& app, const std::string& file) {
  NodeChange node_change = std::exchange(app.session.wants_source, {});
  // The node belonged to a scene that is no longer open.
  if (node_change.node.schema == nullptr)
    return app.log.warning("Nothing was added, because another scene was opened while the file was being chosen");
  std::error_code ignored;
  node_change.node.set("source", Value(std::filesystem::absolute(file, ignored).lexically_normal().generic_string()));
  change_scene(app, {.node_changes = {std::move(node_change)}});
}

namespace {

/// Shows the target of the camera in the picture after an undo or redo of a drag that moved the target alone.
void show_target(App& app, const std::vector<Assignment>& assignments) {
  if (assignments.size() != 1 || assignments.front().path != "view.target") return;
  app.view.viewport.camera.target = to_glm(std::get<Vec3>(assignments.front().value).cast<float>());
}

/// Performs an undo or redo step.
void take_step(App& app, std::vector<Assignment> (Document::*step)()) {
  if (app.session.document == nullptr) return;
  const std::uint64_t structure = app.session.document->structure();
  const auto assignments = ((*app.session.document).*step)();
  if (app.session.document->structure() != structure && app.session.run != nullptr)
    return send_changes(app, step == &Document::undo ? ChangeReason::undo : ChangeReason::redo);
  forward(app, assignments);
  show_target(app, assignments);
  if (assignments.empty()) plots_changed(app);  // a plot was added or removed
}

const BodyMoves::Move* move_to_undo(const App& app) {
  if (app.session.document == nullptr || app.session.run == nullptr || !app.session.have_snapshot) return nullptr;
  return app.session.body_moves.to_undo(app.session.document->undo_depth(), app.session.run->newest());
}

const BodyMoves::Move* move_to_redo(const App& app) {
  if (app.session.document == nullptr || app.session.run == nullptr || !app.session.have_snapshot) return nullptr;
  return app.session.body_moves.to_redo(app.session.document->undo_depth(), app.session.run->newest());
}

std::string move_label(const App& app, const BodyMoves::Move& move) {
  return "move " + path_label(app.session.document->root(), move.path);
}

}  // namespace

bool can_undo(const App& app) { return !undo_label(app).empty(); }
bool can_redo(const App& app) { return !redo_label(app).empty(); }

std::string undo_label(const App& app) {
  if (const auto* move = move_to_undo(app)) return move_label(app, *move);
  if (app.session.document == nullptr || !app.session.document->can_undo()) return {};
  const Document& document = *app.session.document;
  return std::string(document.undo_verb()) + path_label(document.root(), document.undo_name());
}

std::string redo_label(const App& app) {
  if (const auto* move = move_to_redo(app)) return move_label(app, *move);
  if (app.session.document == nullptr || !app.session.document->can_redo()) return {};
  const Document& document = *app.session.document;
  return std::string(document.redo_verb()) + path_label(document.root(), document.redo_name());
}

void undo(App& app) {
  const auto* move = move_to_undo(app);
  if (move == nullptr) return take_step(app, &Document::undo);
  for (const SetPose& pose : move->before) app.session.run->submit(pose);
  app.session.body_moves.undo(app.session.run->newest());
}

void redo(App& app) {
  const auto* move = move_to_redo(app);
  if (move == nullptr) return take_step(app, &Document::redo);
  for (const SetPose& pose : move->after) app.session.run->submit(pose);
  app.session.body_moves.redo(app.session.run->newest());
}

}  // namespace vw::ui
