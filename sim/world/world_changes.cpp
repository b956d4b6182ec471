// Changes the nodes of a running world: determines which parts are added, rebuilt or restarted, and applies the change.
#include <algorithm>
#include <set>

#include "sim/world/world_impl.h"

namespace vw {
namespace {

/// Effect of a command on the parts of a world.
class NodeEffects {
 public:
  /// `before` is the scene before the changes.
  NodeEffects(const Node& before, const ChangeNodes& command) {
    for (const char* slot : {"system", "interaction", "field", "collider", "actuator"})
      for (const Node* node : before.all(slot)) kept_[slot].emplace(node->name, node->name);
    for (const ChangeNodes::Change& change : command.changes) note(change, before);
    for (const SetParameter& value : command.values) note_value(value.path);
    const auto is_collider = [](const ChangeNodes::Change& change) {
      return change.node.slot == "collider" || change.parent.starts_with("collider.");
    };
    if (std::ranges::any_of(command.changes, is_collider)) remake_attached(before);
    // Voxel bodies are built differently if the scene has no colliders. The systems are therefore rebuilt if the first
    // collider is added or the last collider is removed.
    std::ptrdiff_t colliders = std::ssize(before.all("collider"));
    const bool had_colliders = colliders > 0;
    for (const ChangeNodes::Change& change : command.changes)
      if (change.parent.empty() && change.node.slot == "collider")
        colliders += change.kind == NodeChange::Kind::add ? 1 : (change.kind == NodeChange::Kind::remove ? -1 : 0);
    if (had_colliders != (colliders > 0)) remake_all();
  }
  /// Returns whether the parameter belongs to a part that is new or restarts. Its value then takes effect at once.
  [[nodiscard]] bool restarts(const std::string& path) const {
    return std::ranges::any_of(new_parts_, [&](const std::string& node) { return is_at_or_below(path, node); });
  }
  /// Returns the former names of the actuators that existed before, by present name.
  [[nodiscard]] const std::map<std::string, std::string>& actuators() { return kept_["actuator"]; }
  [[nodiscard]] KeptParts parts() {
    return {kept_["system"], kept_["interaction"], kept_["field"], kept_["collider"], remade_, adapted_};
  }
  /// Returns the names of the systems that existed before the change and restart.
  [[nodiscard]] const std::set<std::string>& restarted() const { return restarted_; }

 private:
  void remake_all() {
    for (const auto& [name, former] : kept_["system"]) remade_.insert("system." + name);
  }
  void note_value(const std::string& path) {
    if (path.starts_with("material.")) remake_all();
    const auto [slot, name] = slot_and_name(path);
    remade_.insert(slot + "." + name);
  }
  /// Marks the systems whose children are attached to colliders, such as the gauges of a fluid, to be rebuilt. If the
  /// collider's name is empty, the child is attached to the nearest collider, which may have changed. The attachment
  /// may then fail.
  void remake_attached(const Node& before) {
    for (const auto& [name, former] : kept_["system"])
      for (const Node& child : before.find("system", former)->children)
        if (std::ranges::find(child.schema->params, "collider", &ParamSpec::refers_to) != child.schema->params.end())
          remade_.insert("system." + name);
  }
  void note(const ChangeNodes::Change& change, const Node& before) {
    if (change.parent.empty()) return note_part(change);
    // The changed node is below a part of the world. A part is a named child of the root.
    const auto [slot, name] = slot_and_name(change.parent);
    if (name.empty()) return;
    const auto kept = kept_[slot].find(name);
    if (slot == "system" && kept != kept_[slot].end() && change.parent == slot + "." + name &&
        keeps_state(*before.find(slot, kept->second), change)) {
      remade_.insert(change.parent);
      return note_child(change, adapted_[name]);
    }
    if (kept != kept_[slot].end()) {
      kept_[slot].erase(kept);
      adapted_.erase(name);
      if (slot == "system") restarted_.insert(name);
    }
    new_parts_.push_back(slot + "." + name);
  }
  /// Updates the former names of the children of a system that continues. The former name of a new child is empty, so
  /// that the child does not take over the state of a former child of the same name.
  static void note_child(const ChangeNodes::Change& change, std::map<std::string, std::string>& former_names) {
    const std::string key = change.node.slot + "." + change.node.name;
    const auto earlier = former_names.find(key);
    const std::string first = earlier == former_names.end() ? change.node.name : earlier->second;
    if (change.kind == NodeChange::Kind::rename) {
      former_names.erase(key);
      former_names[change.node.slot + "." + change.new_name] = first;
    } else if (change.kind == NodeChange::Kind::remove) {
      former_names.erase(key);
    } else {
      former_names[key] = {};
    }
  }
  void note_part(const ChangeNodes::Change& change) {
    const std::string& slot = change.node.slot;
    const std::string& name = change.node.name;
    auto& kept = kept_[slot];
    switch (change.kind) {
      case NodeChange::Kind::add:
        kept.erase(name);
        forget(slot, name);
        new_parts_.push_back(slot + "." + name);
        if (slot == "material") remake_all();  // a part may have used a removed material of this name
        break;
      case NodeChange::Kind::remove:
        kept.erase(name);
        forget(slot, name);
        break;
      case NodeChange::Kind::rename:
        if (const auto old = kept.find(name); old != kept.end()) {
          kept[change.new_name] = old->second;
          kept.erase(name);
        }
        if (slot == "system" && restarted_.erase(name) > 0) restarted_.insert(change.new_name);
        if (auto children = adapted_.extract(name); slot == "system" && !children.empty()) {
          children.key() = change.new_name;
          adapted_.insert(std::move(children));
          remade_.insert("system." + change.new_name);
        }
        if (restarts(slot + "." + name)) new_parts_.push_back(slot + "." + change.new_name);
        break;
    }
  }

  void forget(const std::string& slot, const std::string& name) {
    if (slot != "system") return;
    restarted_.erase(name);
    adapted_.erase(name);
  }

  std::map<std::string, std::map<std::string, std::string>> kept_, adapted_;
  std::vector<std::string> new_parts_;
  std::set<std::string> restarted_, remade_;
};

/// Returns the identity of an element after a change of nodes. `element` is the identity before the change. Returns -1
/// if the element no longer exists.
std::int64_t identity_now(const std::map<std::string, std::vector<std::int64_t>>& identities, const std::string& system,
                          std::int64_t element) {
  const auto now = identities.find(system);
  if (now == identities.end() || now->second.empty()) return element;
  // A state from a file may contain any number.
  const bool existed = element >= 0 && element < std::ssize(now->second);
  return existed ? now->second[static_cast<std::size_t>(element)] : -1;
}

/// Returns the present name of a part by its former name. A part that is not kept has an empty name if a kept part has
/// its name now.
std::string present_name(const KeptParts& kept, std::string_view slot, const std::string& former) {
  const auto& names = slot == "system"        ? kept.systems
                      : slot == "collider"    ? kept.colliders
                      : slot == "interaction" ? kept.rules
                                              : kept.fields;
  const auto found = std::ranges::find_if(names, [&](const auto& entry) { return entry.second == former; });
  if (found != names.end()) return found->first;
  return names.contains(former) ? std::string() : former;
}

/// Returns the present name of a joint by its former name, "SYSTEM.JOINT". The result, too, begins with the former name
/// of the system. The name of a joint that is not kept is empty if another joint has its name now.
std::string present_joint(const KeptParts& kept, const std::string& former) {
  const std::string system = former.substr(0, former.find('.')), name = former.substr(system.size() + 1);
  const auto children = kept.adapted.find(present_name(kept, "system", system));
  if (children == kept.adapted.end()) return former;
  const std::string slot = "joint.";
  for (const auto& [now, before] : children->second)
    if (before == name && now.starts_with(slot)) return system + "." + now.substr(slot.size());
  return children->second.contains(slot + name) ? system + "." : former;
}

Result<void> change_tree(Node& tree, const ChangeNodes& command) {
  if (auto good = apply_changes(tree, command); !good) return good;
  for (const SetParameter& value : command.values)
    if (auto good = set_parameter(tree, value.path, value.value); !good) return good;
  return {};
}

/// Applies the command to the tree of values in use. A system that restarts gets the values of `scene`. For other
/// parts, values that take effect only at a reset are skipped, except names of other nodes if the command renames a
/// node.
Result<void> change_tree_in_force(Node& tree, const ChangeNodes& command, const Node& scene,
                                  const NodeEffects& effects) {
  if (auto good = apply_changes(tree, command); !good) return good;
  const bool renames = std::ranges::any_of(
      command.changes, [](const ChangeNodes::Change& change) { return change.kind == NodeChange::Kind::rename; });
  for (const std::string& name : effects.restarted())
    if (Node* node = find_node(tree, "system." + name)) *node = *find_node(scene, "system." + name);
  for (const SetParameter& value : command.values) {
    auto found = find_parameter(tree, value.path);
    if (!found) return Unexpected(found.error());
    if (found->spec->live == Live::no && !effects.restarts(value.path) && !(renames && !found->spec->refers_to.empty()))
      continue;
    if (auto good = set_parameter(tree, value.path, value.value); !good) return good;
  }
  return {};
}

/// Returns the version of the scene after a change of nodes.
Result<SceneVersion> changed_version(const SceneVersion& before, const ChangeNodes& command,
                                     const NodeEffects& effects) {
  SceneVersion after = before;
  if (auto good = change_tree(after.original, command); !good) return Unexpected(good.error());
  if (auto good = change_tree(after.scene, command); !good) return Unexpected(good.error());
  if (command.resets)
    after.in_force = after.scene;
  else if (auto good = change_tree_in_force(after.in_force, command, after.scene, effects); !good)
    return Unexpected(good.error());
  after.changes.push_back(command);
  return after;
}

/// Sets the numbers that actuators drive to the values of the scene. A version that was copied from a world has the
/// driven values, which would otherwise remain in force after the actuator was removed.
void forget_driven(SceneVersion& version) {
  for (const Node* actuator : version.scene.all("actuator"))
    for (const std::string& target : std::get<TextList>(actuator->value("targets"))) {
      const auto number = driven_number(version.scene, target);
      if (!number) continue;
      const auto own = find_parameter(version.scene, number->parameter);
      const auto present = find_parameter(version.in_force, number->parameter);
      if (own && present) present->node->values[present->index] = own->value();
    }
}

Result<void> advance(SceneVersion& version, const SetParameter& command) {
  auto edited = find_parameter(version.scene, command.path);
  if (!edited) return Unexpected(edited.error());
  if (auto good = set_parameter(version.scene, command.path, command.value); !good) return good;
  return edited->spec->live == Live::no ? Result<void>{} : set_parameter(version.in_force, command.path, command.value);
}
Result<void> advance(SceneVersion& version, const Reset&) {
  version.in_force = version.scene;
  return {};
}
Result<void> advance(SceneVersion& version, const ChangeNodes& command) {
  auto after = changed_version(version, command, NodeEffects(version.scene, command));
  if (!after) return Unexpected(after.error());
  version = std::move(*after);
  return {};
}
template <class Other>
Result<void> advance(SceneVersion&, const Other&) {
  return {};
}

}  // namespace

bool changes_scene(const Command& command) {
  return std::holds_alternative<SetParameter>(command) || std::holds_alternative<Reset>(command) ||
         std::holds_alternative<ChangeNodes>(command);
}

Result<void> advance_scene(SceneVersion& version, const Command& command) {
  const auto* set = std::get_if<SetParameter>(&command);
  if (std::holds_alternative<ChangeNodes>(command) || (set != nullptr && set->path.starts_with("actuator.")))
    forget_driven(version);
  return std::visit([&](const auto& what) { return advance(version, what); }, command);
}

Result<void> World::Impl::do_command(const ChangeNodes& command) {
  NodeEffects effects(scene, command);
  auto after = changed_version(*this, command, effects);
  if (!after) return Unexpected(after.error());
  // A reset builds all parts from this tree, so its references must be valid even if their edits have not yet taken
  // effect.
  if (auto good = check_references(after->scene, registry); !good) return good;
  if (command.resets) return restart_from(std::move(*after));

  const KeptParts kept = effects.parts();
  const std::vector<std::string> former_order = system_names();
  auto made = rebuild_parts(after->in_force, registry, parts, kept, time());
  if (!made) return Unexpected(made.error());
  const double now = time();
  const double old_dt = parts.params.dt_s;
  ControlLoop former_control = std::move(parts.control);
  replace_parts(std::move(*made));
  parts.control.continue_from(former_control, effects.actuators(), now,
                              [&kept](std::string_view slot, const std::string& former) {
                                if (slot == "plot" || slot == "curve")
                                  return former;  // sensors are no plots of the scene
                                return slot == "joint" ? present_joint(kept, former) : present_name(kept, slot, former);
                              });
  if (parts.params.dt_s != old_dt) base_time = now, base_step = step;
  static_cast<SceneVersion&>(*this) = std::move(*after);

  std::vector<std::size_t> now_at;  // new index of each former system, or the number of systems if it was removed
  for (const std::string& former : former_order) {
    const auto name = std::ranges::find_if(kept.systems, [&](const auto& entry) { return entry.second == former; });
    now_at.push_back(name == kept.systems.end() ? parts.systems.size() : find(name->first));
  }
  if (grab.active != 0 && now_at[grab.system] == parts.systems.size()) grab = {};
  if (grab.active != 0) {
    grab.system = now_at[grab.system];
    grab.element = identity_now(parts.identities, parts.systems[grab.system]->name(), grab.element);
    if (grab.element < 0) grab = {};
  }
  pushes.renumber(now_at, parts.systems.size());
  for (std::size_t i = pushes.system.size(); i-- > 0;) {
    pushes.element[i] = identity_now(parts.identities, parts.systems[pushes.system[i]]->name(), pushes.element[i]);
    if (pushes.element[i] < 0) pushes.remove(i);
  }

  health = {};
  air.forget();
  fluids.restart();
  vectors.forget();
  prepare();
  release(former_control.targets());
  measure_sensors();
  return {};
}

std::vector<std::string> World::Impl::system_names() const {
  std::vector<std::string> names;
  for (const auto& system : parts.systems) names.push_back(system->name());
  return names;
}

const std::vector<ChangeNodes>& World::node_changes() const { return impl_->changes; }

}  // namespace vw
