// Traverses, compares and addresses scene trees.
#include "sim/base/data/node.h"

#include <cstdio>
#include <cstdlib>

namespace vw {
namespace {

/// Ends the program, because its code uses a name that the schema does not declare. Without this check, the code would
/// silently change another value.
[[noreturn]] void end_undeclared(const Schema& schema, const char* part, std::string_view name) {
  std::fprintf(stderr, "voxwake: %s declares no %s %s\n", schema.kind.c_str(), part, std::string(name).c_str());
  std::abort();
}

std::size_t param_index(const Schema& schema, std::string_view param) {
  for (std::size_t i = 0; i < schema.params.size(); ++i)
    if (schema.params[i].name == param) return i;
  end_undeclared(schema, "parameter", param);
}

std::size_t slot_index(const Schema& schema, std::string_view name) {
  for (std::size_t i = 0; i < schema.slots.size(); ++i)
    if (schema.slots[i].name == name) return i;
  return schema.slots.size();
}

std::string_view next_part(std::string_view& path) {
  const auto dot = path.find('.');
  const auto part = path.substr(0, dot);
  path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  return part;
}

/// Returns an error for a path whose component `part` does not exist. `kind` is the kind of the missing object
/// ("parameter"), and `of` is a phrase that names its owner. The hint is the valid name in `known` that is most
/// similar.
Unexpected unknown(std::string_view path, std::string_view part, std::string_view kind, std::string_view of,
                   const std::vector<std::string>& known) {
  Error error;
  error.key = std::string(path);
  error.expected = part.empty() ? "must be a complete path; the name of the " + std::string(kind) + " is missing"
                                : "unknown " + std::string(kind) + " \"" + std::string(part) + "\"" + std::string(of);
  error.hint = nearest_word(part, known);
  return fail(std::move(error));
}

Node* child_in(Node& node, std::size_t slot, std::string_view name) {
  for (Node& child : node.children)
    if (child.slot == slot && (!node.schema->slots[slot].many || child.name == name)) return &child;
  return nullptr;
}

std::vector<std::string> names_in(const Node& node, std::size_t slot) {
  std::vector<std::string> names;
  for (const Node& child : node.children)
    if (child.slot == slot) names.push_back(child.name);
  return names;
}

std::vector<std::string> words_of(const Schema& schema) {
  std::vector<std::string> words;
  for (const auto& param : schema.params) words.push_back(param.name);
  for (const auto& slot : schema.slots) words.push_back(slot.name);
  return words;
}

constexpr std::string_view axis_names = "xyz";

std::vector<std::string> components_of(const ParamSpec& spec) {
  return spec.type == ParamType::vec3 ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{};
}

void collect(Node& node, const std::string& prefix, std::vector<ParamRef>& out) {
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    const ParamSpec& spec = node.schema->params[i];
    out.push_back({prefix + spec.name, &spec, &node, i});
  }
  for (Node& child : node.children) {
    const Slot& slot = node.schema->slots[child.slot];
    collect(child, prefix + slot.name + "." + (slot.many ? child.name + "." : ""), out);
  }
}

}  // namespace

std::string label_of(const Schema& schema) { return schema.label.empty() ? spelt_out(schema.kind) : schema.label; }

const Value& Node::value(std::string_view param) const { return values[param_index(*schema, param)]; }

void Node::set(std::string_view param, Value value) { values[param_index(*schema, param)] = std::move(value); }

std::vector<const Node*> Node::all(std::string_view slot_name) const {
  const std::size_t wanted = slot_index(*schema, slot_name);
  std::vector<const Node*> found;
  for (const Node& child : children)
    if (child.slot == wanted) found.push_back(&child);
  return found;
}

const Node* Node::find(std::string_view slot_name, std::string_view child_name) const {
  const std::size_t wanted = slot_index(*schema, slot_name);
  for (const Node& child : children)
    if (child.slot == wanted && child.name == child_name) return &child;
  return nullptr;
}

const Node* Node::only(std::string_view slot_name) const {
  const std::size_t wanted = slot_index(*schema, slot_name);
  for (const Node& child : children)
    if (child.slot == wanted) return &child;
  return nullptr;
}

Node make_node(const Schema& schema, std::string name, std::size_t slot) {
  Node node;
  node.schema = &schema;
  node.slot = slot;
  node.name = std::move(name);
  for (const auto& param : schema.params) node.values.push_back(param.default_value);
  for (std::size_t i = 0; i < schema.slots.size(); ++i)
    if (!schema.slots[i].many) node.children.push_back(make_node(*schema.slots[i].kinds.front(), {}, i));
  return node;
}

Node& add_child(Node& parent, std::string_view slot_name, std::string_view kind, std::string name) {
  const std::size_t slot = slot_index(*parent.schema, slot_name);
  if (slot == parent.schema->slots.size()) end_undeclared(*parent.schema, "slot", slot_name);
  for (const Schema* schema : parent.schema->slots[slot].kinds)
    if (schema->kind == kind) {
      // Children are kept in slot order, and within a slot in insertion order.
      auto at = parent.children.begin();
      while (at != parent.children.end() && at->slot <= slot) ++at;
      return *parent.children.insert(at, make_node(*schema, std::move(name), slot));
    }
  end_undeclared(*parent.schema, "kind", kind);
}

bool same_node(const Node& a, const Node& b) {
  if (a.schema != b.schema || a.slot != b.slot || a.name != b.name || a.values.size() != b.values.size() ||
      a.children.size() != b.children.size())
    return false;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (!same_value(a.values[i], b.values[i])) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i)
    if (!same_node(a.children[i], b.children[i])) return false;
  return true;
}

Result<ParamRef> find_parameter(Node& root, std::string_view path) {
  Node* node = &root;
  std::string_view rest = path;
  constexpr int deepest = 16;
  for (int depth = 0; depth < deepest; ++depth) {
    const std::string_view part = next_part(rest);
    for (std::size_t i = 0; i < node->schema->params.size(); ++i)
      if (rest.empty() && node->schema->params[i].name == part)
        return ParamRef{std::string(path), &node->schema->params[i], node, i};
    const std::size_t slot = slot_index(*node->schema, part);
    if (slot == node->schema->slots.size()) {
      for (const ParamSpec& spec : node->schema->params)
        if (spec.name == part) return unknown(path, rest, "component", " of " + spec.name, components_of(spec));
      return unknown(path, part, "parameter", " of " + node->schema->kind, words_of(*node->schema));
    }
    const bool many = node->schema->slots[slot].many;
    const std::string_view name = many ? next_part(rest) : std::string_view{};
    Node* child = child_in(*node, slot, name);
    if (child == nullptr) return unknown(path, name, part, " in this scene", names_in(*node, slot));
    node = child;
  }
  return unknown(path, path, "parameter path", "", {});
}

Result<ComponentRef> find_component(Node& root, std::string_view path) {
  auto whole = find_parameter(root, path);
  if (whole) return ComponentRef{std::move(*whole), -1};
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot + 2 != path.size()) return Unexpected(whole.error());
  const std::size_t axis = axis_names.find(path.back());
  auto vector = find_parameter(root, path.substr(0, dot));
  if (axis == std::string_view::npos || !vector || vector->spec->type != ParamType::vec3)
    return Unexpected(whole.error());
  return ComponentRef{std::move(*vector), static_cast<int>(axis)};
}

std::vector<ParamRef> all_parameters(Node& root) {
  std::vector<ParamRef> all;
  collect(root, "", all);
  return all;
}

Result<void> set_parameter(Node& root, std::string_view path, const Value& value) {
  auto ref = find_parameter(root, path);
  if (!ref) return Unexpected(ref.error());
  auto checked = check_value(*ref->spec, value);
  if (!checked) {
    Error error = checked.error();
    error.key = std::string(path);
    return fail(std::move(error));
  }
  ref->node->values[ref->index] = std::move(*checked);
  return {};
}

Result<Assignment> parse_assignment(Node& root, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail("\"" + std::string(text) + "\" is not of the form path=value");
  std::string path(text.substr(0, equals));
  while (!path.empty() && path.back() == ' ') path.pop_back();
  auto found = find_component(root, path);
  if (!found) return Unexpected(found.error());
  const ParamRef& ref = found->parameter;
  ParamSpec spec = *ref.spec;
  if (found->axis >= 0) spec.type = ParamType::real;
  auto value = parse_value(spec, text.substr(equals + 1));
  if (!value) {
    Error error = value.error();
    error.key = path;
    return fail(std::move(error));
  }
  if (found->axis < 0) return Assignment{ref.path, std::move(*value)};
  Vec3 vector = std::get<Vec3>(ref.value());
  vector[found->axis] = std::get<double>(*value);
  return Assignment{ref.path, vector};
}

}  // namespace vw
