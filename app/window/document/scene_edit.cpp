#include "app/window/document/scene_edit.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/scene/scene.h"

namespace vw {
namespace {

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

/// Returns the name without the number at the end. "box-2" gives "box".
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

}  // namespace

double width_of(const Node& node) {
  if (node.schema->kind == "voxel_body")  // its size is a number of cells
    return std::get<Vec3>(node.value("size")).x() * std::get<double>(node.value("voxel_size"));
  if (const ParamSpec* size = param_named(*node.schema, "size");
      size != nullptr && size->type == ParamType::vec3 && size->unit == Unit::meter)
    return std::get<Vec3>(node.value("size")).x();
  if (const ParamSpec* radius = param_named(*node.schema, "radius");
      radius != nullptr && radius->type == ParamType::real)
    return 2 * std::get<double>(node.value("radius"));
  return 0;
}

std::string path_of_parent(std::string_view path) { return std::string(parent_of(parent_of(path))); }

bool has_first_material(const Node& node) {
  return node.schema->kind == "voxel_body" && std::get<std::string>(node.value("shape")) != "layers" &&
         std::get<std::string>(node.value("material")).empty();
}

bool is_one_of_many(const Node& root, std::string_view path) {
  const auto line = nodes_down_to(root, path);
  return line.size() > 1 && line[line.size() - 2]->schema->slots[line.back()->slot].many;
}

Vec3 material_color(std::size_t number) {
  static const std::array<Vec3, 7> hues{Vec3(0.75, 0.20, 0.12), Vec3(0.10, 0.30, 0.75), Vec3(0.15, 0.55, 0.20),
                                        Vec3(0.85, 0.55, 0.08), Vec3(0.45, 0.15, 0.60), Vec3(0.05, 0.50, 0.55),
                                        Vec3(0.80, 0.30, 0.50)};
  return number == 0 ? Vec3(0.8, 0.8, 0.8) : hues.at((number - 1) % hues.size());
}

Node fresh_node(const Node& parent, std::string_view slot, const Schema& kind) {
  const auto place = static_cast<std::size_t>(slot_named(*parent.schema, slot) - parent.schema->slots.data());
  Node node = make_node(kind, name_beside(parent, slot, kind.kind), place);
  const std::size_t number = parent.all(slot).size();
  if (slot == "material" && number > 0) node.set("color", Value(material_color(number)));
  return node;
}

NodeChange fresh_child(const Node& root, const std::string& parent, std::string_view slot, const Schema& kind) {
  return {.parent = parent, .node = fresh_node(*find_node(root, parent), slot, kind)};
}

NodeChange copy_of(const Node& root, const std::string& path) {
  const auto line = nodes_down_to(root, path);
  const Node& parent = *line[line.size() - 2];
  NodeChange node_change{.parent = path_of_parent(path), .node = *line.back()};
  node_change.node.name =
      name_beside(parent, parent.schema->slots[node_change.node.slot].name, stem_of(node_change.node.name));
  if (const ParamSpec* position = param_named(*node_change.node.schema, "position");
      position != nullptr && position->type == ParamType::vec3)
    node_change.node.set(
        "position", Vec3(std::get<Vec3>(node_change.node.value("position")) + Vec3(width_of(node_change.node), 0, 0)));
  return node_change;
}

std::vector<NodeChange> copies_of(const Node& root, const std::vector<std::string>& paths,
                                  const std::vector<Assignment>& values) {
  std::vector<NodeChange> changes;
  Node scene = root;  // contains the copies so far, so that each copy gets a name of its own
  for (const std::string& path : paths) {
    NodeChange copy = copy_of(scene, path);
    if (!values.empty()) copy.node.values = find_node(root, path)->values;
    for (const Assignment& value : values)
      if (value.path.starts_with(path + "."))
        (void)set_parameter(copy.node, value.path.substr(path.size() + 1), value.value);
    NodeChange applied = copy;
    (void)apply(scene, applied);
    changes.push_back(std::move(copy));
  }
  return changes;
}

std::vector<NodeChange> reordering_of(const Node& root, const std::string& path, const std::string& other,
                                      bool behind) {
  const std::string parent_path = path_of_parent(path);
  const bool has_free_order = parent_path.empty() || parent_path.starts_with("plot.");
  if (path == other || !has_free_order || path_of_parent(other) != parent_path) return {};
  const Node *node = find_node(root, path), *beside = find_node(root, other), *parent = find_node(root, parent_path);
  if (node == nullptr || beside == nullptr || parent == nullptr || node->slot != beside->slot ||
      !parent->schema->slots[node->slot].many)
    return {};
  const std::ptrdiff_t from = node - parent->children.data();
  std::ptrdiff_t to = beside - parent->children.data() + (behind ? 1 : 0);
  if (to == from || to == from + 1) return {};
  if (to > from) --to;  // the removal decreases the indices of the nodes behind it
  const Node* first = parent->all(parent->schema->slots[node->slot].name).front();
  const std::ptrdiff_t front = first - parent->children.data();
  if (parent->schema->slots[node->slot].name == "material" && (from == front || to == front) &&
      std::ranges::any_of(root.children, has_first_material))
    return {};
  return {removal_of(root, path), {.parent = parent_path, .node = *node, .at = static_cast<std::size_t>(to)}};
}

NodeChange removal_of(const Node& root, const std::string& path) {
  return {.kind = NodeChange::Kind::remove, .parent = path_of_parent(path), .node = *find_node(root, path)};
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
  const auto line = nodes_down_to(root, parent_of(path));
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

namespace {

/// Adds the names by which other nodes refer to a node. Copies of a body are named NAME-1, NAME-2, ...
void add_names_of(const Node& node, std::vector<std::string>& names) {
  constexpr double most = 1000;  // a list of more names is too long to choose from
  const ParamSpec* repeat = param_named(*node.schema, "repeat");
  const bool has_copies = repeat != nullptr && repeat->type == ParamType::vec3;
  const double copies = has_copies ? std::get<Vec3>(node.value("repeat")).prod() : 1;
  if (copies == 1) return names.push_back(node.name);
  for (int k = 1; k <= std::min(copies, most); ++k) names.push_back(node.name + "-" + std::to_string(k));
}

}  // namespace

std::vector<std::string> names_for(const Node& root, std::string_view path) {
  const Named named = named_by(root, path);
  if (named.slot == nullptr) return {};
  std::vector<std::string> names;
  if (named.spec->type == ParamType::text) names.emplace_back();
  for (const Node* node : find_node(root, named.owner)->all(named.slot->name)) add_names_of(*node, names);
  // The goal of a flock may be an obstacle, too.
  if (named.spec->refers_to == "system" && path.starts_with("system."))
    for (const Node* collider : root.all("collider")) names.push_back(collider->name);
  return names;
}

namespace {

/// Whether the parameter at `path` may name nodes of the slot `slot` of the node at `owner`.
bool may_name(const Node& root, const ParamRef& param, const std::string& owner, const std::string& slot) {
  if (owner.empty() && std::ranges::find(view_slots, ViewSlot(param.path, slot)) != view_slots.end()) return true;
  // The goal of a flock may be a collider, too.
  if (owner.empty() && slot == "collider" && param.spec->refers_to == "system") return true;
  const Named named = named_by(root, param.path);
  return named.slot != nullptr && named.owner == owner && named.slot->name == slot;
}

/// Replaces a name in a text. "school.17" is an element of the system "school".
void replace_name(std::string& text, const std::string& name, const std::string& new_name) {
  if (text == name || text.starts_with(name + ".")) text.replace(0, name.size(), new_name);
}

/// Replaces every occurrence of a word in a formula.
void replace_word(std::string& formula, const std::string& word, const std::string& new_word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = formula.find(word); at != std::string::npos; at = formula.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool is_whole = (at == 0 || !is_part(formula[at - 1])) && (end == formula.size() || !is_part(formula[end]));
    if (is_whole) formula.replace(at, word.size(), new_word);
    at += is_whole ? new_word.size() : word.size();
  }
}

/// Identifier of a sensor in a formula, where `-` is written as `_`.
std::string word_of(std::string sensor) {
  std::ranges::replace(sensor, '-', '_');
  return sensor;
}

/// Replaces the paths of a renamed node in a parameter that contains paths: the targets of actuators, and the signals
/// and formulas that name sensors and actuators. `old_path` and `new_path` are the paths of the node.
void replace_path(const ParamRef& param, const std::string& old_path, const std::string& new_path, Value& value) {
  const auto follow = [&](std::string& text) { replace_name(text, old_path, new_path); };
  if (param.spec->refers_to == "parameter")
    for (std::string& target : std::get<TextList>(value)) follow(target);
  const bool is_signal = old_path.starts_with("sensor.") || old_path.starts_with("actuator.");
  if (is_signal && param.spec->name == "channel" && param.spec->type == ParamType::text)
    follow(std::get<std::string>(value));
  if (old_path.starts_with("sensor.") && param.path.starts_with("actuator.") && param.spec->name == "formula")
    replace_word(std::get<std::string>(value), word_of(old_path.substr(old_path.find('.') + 1)),
                 word_of(new_path.substr(new_path.find('.') + 1)));
}

/// Whether `text` names a copy of a body or joint that is made several times. The copies are named NAME-1, NAME-2, ...
bool names_copy(const std::string& text, const std::string& name) {
  return text.size() > name.size() + 1 && text.starts_with(name + "-") &&
         text.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
}

/// New text for a text that names the renamed body or joint or one of its copies. Other texts do not change.
std::string renamed_part(const std::string& text, const NodeChange& renaming) {
  const Node& node = renaming.node;
  const ParamSpec* repeat = param_named(*node.schema, "repeat");
  const bool is_repeated = repeat != nullptr && !same_value(node.value("repeat"), repeat->default_value);
  const bool is_meant = text == node.name || (is_repeated && names_copy(text, node.name));
  return is_meant ? renaming.new_name + text.substr(node.name.size()) : text;
}

/// Replaces the name of a renamed rule, joint or rigid body in the texts that contain it without being references: the
/// measured vector or joint of curves and sensors, the body of a weld or of a goal, and copies of bodies. `slot` is the
/// slot of the renamed node, and `value` is the value of the parameter `param`.
void replace_part(const ParamRef& param, const NodeChange& renaming, const std::string& slot, Value& value) {
  auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return;
  const std::string& key = param.spec->name;
  const bool is_measured = param.path.starts_with("sensor.") || param.path.starts_with("plot.");
  if (slot == "interaction" && is_measured && key == "vector" && *text == renaming.node.name) *text = renaming.new_name;
  constexpr std::string_view systems = "system.";
  if (!renaming.parent.starts_with(systems)) return;
  const std::string system = renaming.parent.substr(systems.size());
  const auto is_of_system = [&](const char* sibling) {
    return param_named(*param.node->schema, sibling) != nullptr &&
           same_value(param.node->value(sibling), Value(system));
  };
  if (slot == "joint" && is_measured && key == "joint" && is_of_system("system")) *text = renamed_part(*text, renaming);
  if (slot != "body") return;
  if (param.spec->refers_to == "body" && param.path.starts_with(renaming.parent + "."))
    *text = renamed_part(std::get<std::string>(param.value()), renaming);
  if (param.spec->refers_to == "system" && text->starts_with(system + "."))
    *text = system + "." + renamed_part(text->substr(system.size() + 1), renaming);
  if (param.path.starts_with("interaction.") && key == "body" && (is_of_system("a") || is_of_system("b")))
    *text = renamed_part(*text, renaming);
}

}  // namespace

Renaming renaming_of(const Node& root, const std::string& path, const std::string& new_name) {
  Renaming renaming{{.kind = NodeChange::Kind::rename,
                     .parent = path_of_parent(path),
                     .node = *find_node(root, path),
                     .new_name = new_name},
                    {}};
  const std::string &name = renaming.change.node.name, &owner = renaming.change.parent;
  const std::string& slot = find_node(root, owner)->schema->slots[renaming.change.node.slot].name;
  Node before = root, after = root;
  NodeChange change = renaming.change;
  if (!apply(after, change)) return renaming;
  const auto old_parameters = all_parameters(before), new_parameters = all_parameters(after);
  for (std::size_t i = 0; i < old_parameters.size(); ++i) {
    Value value = old_parameters[i].value();
    if (may_name(root, old_parameters[i], owner, slot)) {
      if (auto* text = std::get_if<std::string>(&value)) replace_name(*text, name, new_name);
      if (auto* texts = std::get_if<TextList>(&value))
        for (std::string& text : *texts) replace_name(text, name, new_name);
    }
    const std::string parent = owner.empty() ? slot : owner + "." + slot;
    replace_path(old_parameters[i], parent + "." + name, parent + "." + new_name, value);
    replace_part(old_parameters[i], renaming.change, slot, value);
    if (!same_value(value, old_parameters[i].value()))
      renaming.references.push_back({new_parameters[i].path, std::move(value)});
  }
  return renaming;
}

std::string name_error(const Node& root, const std::string& path, const std::string& name) {
  const auto line = nodes_down_to(root, path);
  if (line.size() < 2) return "This node has no name.";
  const auto is_allowed = [](unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (name.empty() || !std::ranges::all_of(name, is_allowed)) return "A name consists of letters, digits, _ and -.";
  const Node& parent = *line[line.size() - 2];
  const std::string& slot = parent.schema->slots[line.back()->slot].name;
  const Node* taken = parent.find(slot, name);
  return taken == nullptr || taken == line.back() ? std::string() : "Another " + slot + " is named " + name + ".";
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
      if (const Node* node = find_node(scene_, path_of(scene_, node_change));
          node_change.kind == NodeChange::Kind::add && node != nullptr)
        node_change.node = *node;
    return run;
  }

 private:
  [[nodiscard]] Result<api::Run> create() const {
    return api::Run::create({name_, scene_, write_scene_toml(scene_), {}});
  }

  bool mend(const std::string& key) {
    for (const NodeChange& node_change : node_changes_)
      if (node_change.kind == NodeChange::Kind::add && is_at_or_below(key, path_of(scene_, node_change)))
        return complete(key);
    return std::ranges::any_of(
               node_changes_,
               [](const NodeChange& node_change) { return node_change.kind == NodeChange::Kind::remove; }) &&
           forget(key);
  }

  /// Completes the new node to which the key of the error belongs. Returns false if this is not possible.
  bool complete(const std::string& key) {
    Node* node = find_node(scene_, parent_of(key));
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

  /// Sets a text parameter of a new node. A parameter that refers to nodes is set to the first name that the world
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

  /// Removes the reference to a removed node if `key` is a parameter of the view or a list of targets. If `key` belongs
  /// to a rule, a plot, a sensor or an actuator, removes the node that has the reference.
  bool forget(const std::string& key) {
    if (key.starts_with("view.")) {
      const auto ref = find_parameter(scene_, key);
      if (!ref) return false;
      const Value left = without_removed(ref->value(), ref->spec->default_value);
      if (!set_parameter(scene_, key, left)) return false;
      amends_.assignments.push_back({key, left});
      return true;
    }
    if (key.starts_with("actuator.") && last_part(key) == "targets" && forget_targets(key)) return true;
    const bool may_go = std::ranges::any_of(std::array{"interaction.", "plot.", "actuator.", "sensor."},
                                            [&](const char* slot) { return key.starts_with(slot); });
    if (!may_go) return false;
    NodeChange goes = removal_of(scene_, std::string(parent_of(key)));
    if (!is_one_of_many(scene_, parent_of(key)) || !apply(scene_, goes)) return false;
    // Assignments to the removed node are dropped, for example the shortened list of targets of an actuator.
    std::erase_if(amends_.assignments, [&](const Assignment& one) { return is_at_or_below(one.path, parent_of(key)); });
    amends_.node_changes.push_back(std::move(goes));
    return true;
  }

  /// Value of a parameter of the view without the names of removed nodes. If it is no list, or if no name is left out,
  /// the value is the default.
  [[nodiscard]] Value without_removed(const Value& value, const Value& default_value) const {
    const auto* names = std::get_if<TextList>(&value);
    if (names == nullptr) return default_value;
    TextList left = *names;
    const auto is_of = [](const NodeChange& change, const std::string& name) {
      return change.kind == NodeChange::Kind::remove && change.parent.empty() &&
             (name == change.node.name || name.starts_with(change.node.name + "."));
    };
    std::erase_if(left, [&](const std::string& name) {
      const auto removes = [&](const NodeChange& change) { return is_of(change, name); };
      return std::ranges::any_of(node_changes_, removes) || std::ranges::any_of(amends_.node_changes, removes);
    });
    return left.size() == names->size() ? default_value : Value(std::move(left));
  }

  /// Removes the targets of an actuator that no longer exist. Returns false if none would be left.
  bool forget_targets(const std::string& key) {
    const auto targets = find_parameter(scene_, key);
    if (!targets) return false;
    TextList left = std::get<TextList>(targets->value());
    std::erase_if(left, [&](const std::string& target) {
      return !find_parameter(scene_, target) && !find_parameter(scene_, parent_of(target));
    });
    if (left.empty() || left.size() == std::get<TextList>(targets->value()).size()) return false;
    if (!set_parameter(scene_, key, Value(left))) return false;
    amends_.assignments.push_back({key, Value(left)});
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
