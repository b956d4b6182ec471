// Converts changes of nodes to commands and applies them to trees.
#include "sim/world/state/command.h"

#include <algorithm>

namespace vw {
namespace {

/// Returns the child of `parent` with the slot and name of `child`, or null.
const Node* counterpart(const Node& parent, const Node& child) {
  const auto found = std::ranges::find_if(
      parent.children, [&](const Node& one) { return one.slot == child.slot && one.name == child.name; });
  return found == parent.children.end() ? nullptr : &*found;
}

bool is_replaced(const Node* before, const Node* after) {
  return before == nullptr || after == nullptr || before->schema != after->schema;
}

/// Appends the changes that turn the node `from` at `path` into `to`. Both nodes have the same schema.
void add_differences(const Node& from, const Node& to, const std::string& path, ChangeNodes& out) {
  for (std::size_t i = 0; i < from.values.size(); ++i)
    if (!same_value(from.values[i], to.values[i]))
      out.values.push_back({(path.empty() ? "" : path + ".") + from.schema->params[i].name, to.values[i]});
  for (const Node& child : from.children)
    if (is_replaced(&child, counterpart(to, child)))
      out.changes.push_back(
          {NodeChange::Kind::remove, path, {to.schema->slots[child.slot].name, {}, child.name, {}, {}}});
  for (std::size_t i = 0; i < to.children.size(); ++i) {
    const Node& child = to.children[i];
    const Node* before = counterpart(from, child);
    if (is_replaced(before, &child))
      out.changes.push_back({NodeChange::Kind::add, path, data_of(*to.schema, child), i});
    else
      add_differences(*before, child, child_path(to, path, child), out);
  }
}

}  // namespace

ChangeNodes difference_between(const Node& from, const Node& to) {
  ChangeNodes command;
  add_differences(from, to, {}, command);
  return command;
}

bool keeps_state(const Node& system, const ChangeNodes::Change& change) {
  const auto slot = std::ranges::find(system.schema->slots, change.node.slot, &Slot::name);
  return slot != system.schema->slots.end() && slot->is_live;
}

std::vector<std::string> restarted_systems(const Node& before, const ChangeNodes& command) {
  std::vector<std::string> names;
  for (const Node* system : before.all("system")) {
    const std::string path = "system." + system->name;
    const auto restarts = [&](const ChangeNodes::Change& change) {
      return is_at_or_below(change.parent, path) && !(change.parent == path && keeps_state(*system, change));
    };
    if (std::ranges::any_of(command.changes, restarts)) names.push_back(system->name);
  }
  return names;
}

ChangeNodes change_command(Node root, std::span<const NodeChange> changes) {
  ChangeNodes command;
  for (NodeChange change : changes) {
    const Node* parent = find_node(std::as_const(root), change.parent);
    if (parent == nullptr) continue;
    NodeData data{parent->schema->slots[change.node.slot].name, {}, change.node.name, {}, {}};
    if (change.kind == NodeChange::Kind::add) data = data_of(*parent->schema, change.node);
    command.changes.push_back({change.kind, change.parent, std::move(data), {}, change.new_name});
    if (change.kind == NodeChange::Kind::add && change.at) command.changes.back().at = *change.at;
    (void)apply(root, change);
  }
  return command;
}

Result<void> apply_changes(Node& root, const ChangeNodes& command) {
  for (const ChangeNodes::Change& plain : command.changes) {
    const Node* parent = find_node(std::as_const(root), plain.parent);
    if (parent == nullptr) return fail(plain.parent + ": no such node");
    NodeChange change{.kind = plain.kind, .parent = plain.parent, .node = {}, .at = {}, .new_name = plain.new_name};
    if (plain.kind == NodeChange::Kind::add) {
      auto node = node_from(*parent->schema, plain.node);
      if (!node) return Unexpected(node.error());
      change.node = std::move(*node);
      if (plain.at) change.at = static_cast<std::size_t>(*plain.at);
    } else {
      const auto& slots = parent->schema->slots;
      while (change.node.slot < slots.size() && slots[change.node.slot].name != plain.node.slot) ++change.node.slot;
      if (change.node.slot == slots.size()) return fail(plain.parent + "." + plain.node.slot + ": no such slot");
      change.node.name = plain.node.name;
    }
    if (auto good = apply(root, change); !good) return good;
  }
  return {};
}

}  // namespace vw
