#include "app/window/document/scene_edit.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/scene/scene.h"

namespace vw {
namespace {

/// Nodes from the root down to the node at a path. Empty if there is no node at the path.
std::vector<const Node*> line_to(const Node& root, std::string_view path) {
  std::vector<const Node*> line{&root};
  std::string at;
  while (at != path) {
    const Node& parent = *line.back();
    const auto leads = [&](const Node& child) {
      const std::string here = child_path(parent, at, child);
      return path.starts_with(here) && (path.size() == here.size() || path[here.size()] == '.');
    };
    const auto next = std::ranges::find_if(parent.children, leads);
    if (next == parent.children.end()) return {};
    at = child_path(parent, at, *next);
    line.push_back(&*next);
  }
  return line;
}

Node* find_to_change(Node& root, std::string_view path) {
  // NOLINT(cppcoreguidelines-pro-type-const-cast): `root` is not const
  return const_cast<Node*>(find_node(root, path));
}

std::string_view parent_of(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

const Slot* slot_named(const Schema& schema, std::string_view name) {
  const auto found = std::ranges::find(schema.slots, name, &Slot::name);
  return found == schema.slots.end() ? nullptr : &*found;
}

const ParamSpec* param_named(const Schema& schema, std::string_view name) {
  const auto found = std::ranges::find(schema.params, name, &ParamSpec::name);
  return found == schema.params.end() ? nullptr : &*found;
}

/// Name without the number at the end. "box-2" gives "box".
std::string stem_of(const std::string& name) {
  const auto dash = name.rfind('-');
  const bool numbered = dash != std::string::npos && dash > 0 && dash + 1 < name.size() &&
                        std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dash) + 1, name.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  return numbered ? name.substr(0, dash) : name;
}

std::string name_beside(const Node& parent, std::string_view slot, const std::string& stem) {
  std::string name = stem;
  for (int k = 2; parent.find(slot, name) != nullptr; ++k) name = stem + "-" + std::to_string(k);
  return name;
}

/// Width of the object that a node describes [m], by which copy_of() moves a copy along x. 0 if it is unknown.
double width_of(const Node& node) {
  if (const ParamSpec* size = param_named(*node.schema, "size");
      size != nullptr && size->type == ParamType::vec3 && size->unit == Unit::meter)
    return std::get<Vec3>(node.value("size")).x();
  if (const ParamSpec* radius = param_named(*node.schema, "radius");
      radius != nullptr && radius->type == ParamType::real)
    return 2 * std::get<double>(node.value("radius"));
  return 0;
}

bool is_within(std::string_view path, std::string_view of) {
  return path.starts_with(of) && (path.size() == of.size() || path[of.size()] == '.');
}

}  // namespace

std::string child_path(const Node& parent, const std::string& parent_path, const Node& child) {
  std::string path = parent_path.empty() ? "" : parent_path + ".";
  path += parent.schema->slots[child.slot].name;
  if (!child.name.empty()) path += "." + child.name;
  return path;
}

const Node* find_node(const Node& root, std::string_view path) {
  const auto line = line_to(root, path);
  return line.empty() ? nullptr : line.back();
}

bool is_one_of_many(const Node& root, std::string_view path) {
  const auto line = line_to(root, path);
  return line.size() > 1 && line[line.size() - 2]->schema->slots[line.back()->slot].many;
}

Node fresh_node(const Node& parent, std::string_view slot, const Schema& kind) {
  const auto place = static_cast<std::size_t>(slot_named(*parent.schema, slot) - parent.schema->slots.data());
  return make_node(kind, name_beside(parent, slot, kind.kind), place);
}

NodeChange fresh_child(const Node& root, const std::string& parent, std::string_view slot, const Schema& kind) {
  return {parent, fresh_node(*find_node(root, parent), slot, kind)};
}

NodeChange copy_of(const Node& root, const std::string& path) {
  const auto line = line_to(root, path);
  const Node& parent = *line[line.size() - 2];
  NodeChange node_change{std::string(parent_of(parent_of(path))), *line.back()};
  node_change.node.name =
      name_beside(parent, parent.schema->slots[node_change.node.slot].name, stem_of(node_change.node.name));
  if (const ParamSpec* position = param_named(*node_change.node.schema, "position");
      position != nullptr && position->type == ParamType::vec3)
    node_change.node.set(
        "position", Vec3(std::get<Vec3>(node_change.node.value("position")) + Vec3(width_of(node_change.node), 0, 0)));
  return node_change;
}

NodeChange removal_of(const Node& root, const std::string& path) {
  return {std::string(parent_of(parent_of(path))), *find_node(root, path), false};
}

std::string path_of(const Node& root, const NodeChange& node_change) {
  const Node* parent = find_node(root, node_change.parent);
  return parent == nullptr ? std::string() : child_path(*parent, node_change.parent, node_change.node);
}

namespace {

Result<void> put(Node& root, NodeChange& node_change) {
  Node* parent = find_to_change(root, node_change.parent);
  if (parent == nullptr) return fail(node_change.parent + ": no such node");
  const std::string& slot = parent->schema->slots[node_change.node.slot].name;
  if (parent->find(slot, node_change.node.name) != nullptr)
    return fail(path_of(root, node_change) + ": a node with this name exists already");
  if (node_change.at) {
    parent->children.insert(parent->children.begin() + static_cast<std::ptrdiff_t>(*node_change.at), node_change.node);
    return {};
  }
  Node& child = add_child(*parent, slot, node_change.node.schema->kind, node_change.node.name);
  child = node_change.node;
  node_change.at = static_cast<std::size_t>(&child - parent->children.data());
  return {};
}

Result<void> take(Node& root, NodeChange& node_change) {
  Node* parent = find_to_change(root, node_change.parent);
  const auto is_it = [&](const Node& child) {
    return child.slot == node_change.node.slot && child.name == node_change.node.name;
  };
  const auto found = parent == nullptr ? std::vector<Node>::iterator() : std::ranges::find_if(parent->children, is_it);
  if (parent == nullptr || found == parent->children.end())
    return fail(node_change.parent + "." + node_change.node.name + ": no such node");
  node_change.at = static_cast<std::size_t>(found - parent->children.begin());
  node_change.node = std::move(*found);
  parent->children.erase(found);
  return {};
}

}  // namespace

Result<void> apply(Node& root, NodeChange& node_change) {
  return node_change.comes ? put(root, node_change) : take(root, node_change);
}

void take_back(Node& root, const NodeChange& node_change) {
  NodeChange back = node_change;
  back.comes = !node_change.comes;
  (void)apply(root, back);
}

namespace {

/// Target of a parameter that refers to nodes. `slot` contains the nodes to which the parameter may refer. `owner` is
/// the path of the node that has this slot. If `slot` is null, the parameter is not a reference.
struct Named {
  const ParamSpec* spec = nullptr;
  const Slot* slot = nullptr;
  std::string owner;
};

Named named_by(const Node& root, std::string_view path) {
  const auto line = line_to(root, parent_of(path));
  if (line.empty()) return {};
  const std::string_view param = last_part(path);
  const ParamSpec* spec = param_named(*line.back()->schema, param);
  if (spec == nullptr || spec->refers_to.empty()) return {};
  // Use the nearest ancestor with the slot that the parameter refers to. A joint refers to bodies of the system that
  // contains the joint, and a rule refers to systems of the scene.
  for (std::size_t up = line.size() - 1; up-- > 0;) {
    const Slot* place = slot_named(*line[up]->schema, spec->refers_to);
    if (place == nullptr || !place->many) continue;
    std::string owner;
    for (std::size_t i = 0; i < up; ++i) owner = child_path(*line[i], owner, *line[i + 1]);
    return {spec, place, owner};
  }
  return {};
}

}  // namespace

std::string node_label(const Node& node) {
  return node.name == node.schema->kind ? label_of(*node.schema) : spelt_out(node.name);
}

std::string path_label(const Node& root, const std::string& path) {
  const std::size_t last = path.rfind('.'), first = path.find('.');
  if (last == std::string::npos) return spelt_out(path);
  const Node* node = find_node(root, parent_of(path));
  const ParamSpec* spec = node == nullptr ? nullptr : param_named(*node->schema, last_part(path));
  const std::string label = spec == nullptr ? spelt_out(path.substr(last + 1)) : spec->label;
  return first == last ? label : label + " (" + path.substr(first + 1, last - first - 1) + ")";
}

std::vector<std::string> names_for(const Node& root, std::string_view path) {
  const Named named = named_by(root, path);
  if (named.slot == nullptr) return {};
  std::vector<std::string> names;
  if (named.spec->type == ParamType::text) names.emplace_back();
  for (const Node* node : find_node(root, named.owner)->all(named.slot->name)) names.push_back(node->name);
  return names;
}

bool is_switched_on(const Node& rule) {
  const ParamSpec* spec = param_named(*rule.schema, "enabled");
  return spec == nullptr || spec->type != ParamType::boolean || std::get<bool>(rule.value("enabled"));
}

Node rule_between(const Node& scene, const Schema& kind, const std::string& a, const std::string& b) {
  Node rule = fresh_node(scene, "interaction", kind);
  for (const auto& [param, name] : {std::pair{"a", a}, std::pair{"b", b}})
    if (const ParamSpec* spec = param_named(kind, param); spec != nullptr && spec->type == ParamType::text)
      rule.set(param, Value(name));
  return rule;
}

namespace {

/// Completes a scene step by step until a run of the scene can be created.
class SceneCompletion {
 public:
  SceneCompletion(const std::string& name, Node& scene, std::vector<NodeChange>& node_changes, Amendments& amends)
      : name_(name), scene_(scene), node_changes_(node_changes), amends_(amends) {}

  Result<api::Run> run() {
    auto run = create();
    if (run || node_changes_.empty()) return run;
    const Error first = run.error();
    constexpr int tries = 24;
    for (int i = 0; i < tries && !run; ++i) {
      const std::string key = run.error().key;
      if (!mend(key)) break;
      run = create();
    }
    if (!run) return Unexpected(first);
    // Store the completed nodes in the changes.
    for (NodeChange& node_change : node_changes_)
      if (const Node* node = find_node(scene_, path_of(scene_, node_change)); node_change.comes && node != nullptr)
        node_change.node = *node;
    return run;
  }

 private:
  [[nodiscard]] Result<api::Run> create() const {
    return api::Run::create({name_, scene_, write_scene_toml(scene_), {}});
  }

  bool mend(const std::string& key) {
    for (const NodeChange& node_change : node_changes_)
      if (node_change.comes && is_within(key, path_of(scene_, node_change))) return complete(key);
    return std::ranges::any_of(node_changes_, [](const NodeChange& node_change) { return !node_change.comes; }) &&
           forget(key);
  }

  /// Completes the new node to which the key of the error belongs. Returns false if this is not possible.
  bool complete(const std::string& key) {
    Node* node = find_to_change(scene_, parent_of(key));
    if (node == nullptr) return false;
    const std::string_view last = last_part(key);
    if (const Slot* slot = slot_named(*node->schema, last)) {
      if (!slot->many || !node->all(slot->name).empty()) return false;
      add_child(*node, slot->name, slot->kinds.front()->kind, slot->kinds.front()->kind);
      return true;
    }
    const ParamSpec* spec = param_named(*node->schema, last);
    if (spec == nullptr || !same_value(node->value(last), spec->default_value)) return false;
    if (spec->type == ParamType::text) return name_one(*node, key);
    // A list of numbers is assumed to be a position.
    if (spec->type == ParamType::number_list) return set_parameter(*node, last, Value(NumberList{0, 1, 0})).has_value();
    if (spec->type != ParamType::real || std::get<double>(spec->default_value) != 0) return false;
    return set_parameter(*node, last, Value(1.0)).has_value();
  }

  /// Sets a text parameter of a new node. If the parameter refers to nodes, it is set to the first name that the world
  /// accepts. If there are no such nodes, a node is added. A parameter that is not a reference is set to the formula
  /// "0".
  bool name_one(Node& node, const std::string& key) {
    const Named named = named_by(scene_, key);
    std::vector<std::string> names = named.slot == nullptr ? std::vector<std::string>{"0"} : names_for(scene_, key);
    if (names.size() == 1 && names.front().empty()) return bring_one(named);
    for (const std::string& name : names) {
      if (name.empty()) continue;
      node.set(last_part(key), Value(name));
      const auto run = create();
      if (run || run.error().key != key) return true;
    }
    return false;
  }

  bool bring_one(const Named& named) {
    NodeChange comes = fresh_child(scene_, named.owner, named.slot->name, *named.slot->kinds.front());
    if (!apply(scene_, comes)) return false;
    amends_.node_changes.push_back(std::move(comes));
    return true;
  }

  /// Clears the reference to a removed node if `key` is a parameter of the view. If `key` belongs to a rule or a plot,
  /// removes the node that has the reference.
  bool forget(const std::string& key) {
    if (key.starts_with("view.")) {
      const ParamSpec* spec = param_named(*scene_.only("view")->schema, last_part(key));
      if (spec == nullptr || !set_parameter(scene_, key, spec->default_value)) return false;
      amends_.assignments.push_back({key, spec->default_value});
      return true;
    }
    if (!key.starts_with("interaction.") && !key.starts_with("plot.")) return false;
    NodeChange goes = removal_of(scene_, std::string(parent_of(key)));
    if (!is_one_of_many(scene_, parent_of(key)) || !apply(scene_, goes)) return false;
    amends_.node_changes.push_back(std::move(goes));
    return true;
  }

  const std::string& name_;
  Node& scene_;
  std::vector<NodeChange>& node_changes_;
  Amendments& amends_;
};

}  // namespace

Result<api::Run> run_with(const std::string& name, Node& scene, std::vector<NodeChange>& node_changes,
                          Amendments& amends) {
  return SceneCompletion(name, scene, node_changes, amends).run();
}

}  // namespace vw
