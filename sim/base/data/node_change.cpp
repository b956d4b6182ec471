// Applies and reverts changes of a scene tree, and converts nodes to and from plain data.
#include "sim/base/data/node_change.h"

#include <algorithm>

namespace vw {
namespace {

/// Returns an error "KEY: unknown KIND "WORD"" with the nearest word among `known` as a hint.
Unexpected no_such_word(std::string key, const std::string& kind, const std::string& word,
                        const std::vector<std::string>& known) {
  Error error;
  error.key = std::move(key);
  error.expected = "unknown " + kind + " \"" + word + "\"";
  error.hint = nearest_word(word, known);
  return fail(std::move(error));
}

template <class Rows, class Name>
std::vector<std::string> words_in(const Rows& rows, Name name) {
  std::vector<std::string> words;
  for (const auto& row : rows) words.push_back(name(row));
  return words;
}

std::vector<Node>::iterator child_of_change(Node& parent, const NodeChange& change) {
  return std::ranges::find_if(parent.children, [&](const Node& child) {
    return child.slot == change.node.slot && child.name == change.node.name;
  });
}

/// Returns whether a child of slot `slot` may be inserted before the child with index `at`. Children are ordered by
/// slot.
bool keeps_order(const Node& parent, std::size_t at, std::size_t slot) {
  return at <= parent.children.size() && (at == 0 || parent.children[at - 1].slot <= slot) &&
         (at == parent.children.size() || parent.children[at].slot >= slot);
}

Result<void> add(Node& parent, NodeChange& change) {
  const std::size_t slot = change.node.slot;
  const bool many = parent.schema->slots[slot].many;
  for (const Node& child : parent.children)
    if (child.slot == slot && (!many || child.name == change.node.name))
      return fail(child_path(parent, change.parent, change.node) + ": a node with this name exists already");
  if (!change.at || !keeps_order(parent, *change.at, slot)) {
    change.at = 0;
    while (*change.at < parent.children.size() && parent.children[*change.at].slot <= slot) ++*change.at;
  }
  parent.children.insert(parent.children.begin() + static_cast<std::ptrdiff_t>(*change.at), change.node);
  return {};
}

}  // namespace

std::string child_path(const Node& parent, const std::string& parent_path, const Node& child) {
  std::string path = parent_path.empty() ? "" : parent_path + ".";
  path += parent.schema->slots[child.slot].name;
  if (!child.name.empty()) path += "." + child.name;
  return path;
}

std::pair<std::string, std::string> slot_and_name(std::string_view path) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) return {std::string(path), {}};
  return {std::string(path.substr(0, dot)), std::string(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1))};
}

bool is_at_or_below(std::string_view path, std::string_view of) {
  return path.starts_with(of) && (path.size() == of.size() || path[of.size()] == '.');
}

std::vector<const Node*> nodes_down_to(const Node& root, std::string_view path) {
  std::vector<const Node*> line{&root};
  std::string at;
  while (at != path) {
    const Node& parent = *line.back();
    const auto next = std::ranges::find_if(
        parent.children, [&](const Node& child) { return is_at_or_below(path, child_path(parent, at, child)); });
    if (next == parent.children.end()) return {};
    at = child_path(parent, at, *next);
    line.push_back(&*next);
  }
  return line;
}

const Node* find_node(const Node& root, std::string_view path) {
  const auto line = nodes_down_to(root, path);
  return line.empty() ? nullptr : line.back();
}

Node* find_node(Node& root, std::string_view path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): `root` is not const
  return const_cast<Node*>(find_node(std::as_const(root), path));
}

Result<void> apply(Node& root, NodeChange& change) {
  Node* parent = find_node(root, change.parent);
  if (parent == nullptr) return fail(change.parent + ": no such node");
  if (change.kind == NodeChange::Kind::add) return add(*parent, change);
  const auto found = child_of_change(*parent, change);
  if (found == parent->children.end()) return fail(child_path(*parent, change.parent, change.node) + ": no such node");
  const bool is_rename = change.kind == NodeChange::Kind::rename;
  if (!parent->schema->slots[change.node.slot].many)
    return fail(child_path(*parent, change.parent, change.node) + ": this node cannot be " +
                (is_rename ? "renamed" : "removed"));
  if (is_rename) {
    NodeChange renamed = change;
    renamed.node.name = change.new_name;
    if (child_of_change(*parent, renamed) != parent->children.end())
      return fail(child_path(*parent, change.parent, renamed.node) + ": a node with this name exists already");
    found->name = change.new_name;
    return {};
  }
  change.at = static_cast<std::size_t>(found - parent->children.begin());
  change.node = std::move(*found);
  parent->children.erase(found);
  return {};
}

NodeChange reverse_of(const NodeChange& change) {
  NodeChange back = change;
  switch (change.kind) {
    case NodeChange::Kind::add: back.kind = NodeChange::Kind::remove; break;
    case NodeChange::Kind::remove: back.kind = NodeChange::Kind::add; break;
    case NodeChange::Kind::rename: std::swap(back.node.name, back.new_name); break;
  }
  return back;
}

std::string path_of(const Node& root, const NodeChange& change) {
  const Node* parent = find_node(root, change.parent);
  return parent == nullptr ? std::string() : child_path(*parent, change.parent, change.node);
}

NodeData data_of(const Schema& parent, const Node& node) {
  NodeData data{parent.slots[node.slot].name, node.schema->kind, node.name, {}, {}};
  for (std::size_t i = 0; i < node.values.size(); ++i)
    if (const ParamSpec& spec = node.schema->params[i]; !same_value(node.values[i], spec.default_value))
      data.values.emplace_back(spec.name, node.values[i]);
  for (const Node& child : node.children) data.children.push_back(data_of(*node.schema, child));
  return data;
}

Result<Node> node_from(const Schema& parent, const NodeData& data) {
  const auto slot = std::ranges::find(parent.slots, data.slot, &Slot::name);
  if (slot == parent.slots.end())
    return no_such_word(data.slot, "slot", data.slot, words_in(parent.slots, [](const Slot& s) { return s.name; }));
  const std::string key = data.name.empty() ? data.slot : data.slot + "." + data.name;
  const auto kind = std::ranges::find_if(slot->kinds, [&](const Schema* one) { return one->kind == data.kind; });
  if (kind == slot->kinds.end())
    return no_such_word(key, "kind", data.kind, words_in(slot->kinds, [](const Schema* s) { return s->kind; }));
  Node node =
      make_node(**kind, slot->many ? data.name : std::string(), static_cast<std::size_t>(slot - parent.slots.begin()));
  for (const auto& [name, value] : data.values) {
    const auto spec = std::ranges::find(node.schema->params, name, &ParamSpec::name);
    if (spec == node.schema->params.end())
      return no_such_word(key, "parameter", name,
                          words_in(node.schema->params, [](const ParamSpec& s) { return s.name; }));
    auto checked = check_value(*spec, value);
    if (!checked) {
      Error error = checked.error();
      error.key = key + "." + name;
      return fail(std::move(error));
    }
    node.values[static_cast<std::size_t>(spec - node.schema->params.begin())] = std::move(*checked);
  }
  for (const NodeData& child_data : data.children) {
    auto child = node_from(*node.schema, child_data);
    if (!child) {
      Error error = child.error();
      error.key = key + "." + error.key;
      return fail(std::move(error));
    }
    // A node in a single slot replaces the default node of that slot.
    const auto taken = std::ranges::find_if(node.children, [&](const Node& other) {
      return other.slot == child->slot && !node.schema->slots[child->slot].many;
    });
    if (taken != node.children.end()) {
      *taken = std::move(*child);
      continue;
    }
    NodeChange placed{.parent = {}, .node = std::move(*child)};
    if (auto good = apply(node, placed); !good) return fail(key + "." + good.error().message());
  }
  return node;
}

}  // namespace vw
