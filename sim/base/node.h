// A scene as plain data: a tree of nodes, each the values of one schema's parameters. The scene file, the GUI, --set, undo, journal and
// the worlds all speak of the same tree; systems read their typed structs from it (ParamTable::read).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/parameter.h"

namespace vw {

struct Schema;

/// A place for child nodes in a schema: `[world]` (one) or `[[system]]` (many, told apart by their `kind` when several are allowed).
struct Slot {
  std::string name;  ///< table name in the file and first part of the path: "system"
  bool many = true;
  std::vector<const Schema*> kinds;  ///< one entry: no `kind` key needed
  std::string doc;
};

/// The declaration of one kind of node. Schemas live for the whole program (function-local statics).
struct Schema {
  std::string kind;  ///< "voxel_body"; the value of the `kind` key
  std::string doc;   ///< one sentence
  std::vector<ParamSpec> params;
  std::vector<Slot> slots;
};

/// One table of a scene. `values` runs parallel to `schema->params` and always holds checked values.
struct Node {
  const Schema* schema = nullptr;
  std::size_t slot = 0;  ///< index into the parent's schema->slots
  std::string name;      ///< unique within its slot; [A-Za-z0-9_-]+; empty for single slots
  std::vector<Value> values;
  std::vector<Node> children;  ///< in file order
  int line = 0;                ///< where it was read, for messages; not part of equality

  [[nodiscard]] const Value& value(std::string_view param) const;  ///< asserts that the parameter is declared
  void set(std::string_view param, Value value);                   ///< asserts; the value must already be checked
  /// Children in the slot of that name, in order.
  [[nodiscard]] std::vector<const Node*> all(std::string_view slot_name) const;
  [[nodiscard]] const Node* find(std::string_view slot_name, std::string_view child_name) const;
  [[nodiscard]] const Node* only(std::string_view slot_name) const;  ///< of a single slot; null when absent
};

/// A node with every default, and its single slots filled with defaults.
[[nodiscard]] Node make_node(const Schema& schema, std::string name = {}, std::size_t slot = 0);
/// A child with defaults, appended to `parent` in `slot_name` with that kind (asserted to exist); returns it (valid until the next append).
Node& add_child(Node& parent, std::string_view slot_name, std::string_view kind, std::string name = {});
[[nodiscard]] bool same_node(const Node& a, const Node& b);  ///< equal schema, names, values and children

/// One addressable parameter of a tree: `system.creature.emitter.nozzle.rate`.
struct ParamRef {
  std::string path;
  const ParamSpec* spec = nullptr;
  Node* node = nullptr;
  std::size_t index = 0;
  [[nodiscard]] const Value& value() const { return node->values[index]; }
};
/// Finds `slot.name.slot.name.param` (single slots have no name part). The error says which part is unknown and the nearest known one.
[[nodiscard]] Result<ParamRef> find_parameter(Node& root, std::string_view path);
/// Every parameter below `root`, depth first in declaration order.
[[nodiscard]] std::vector<ParamRef> all_parameters(Node& root);
/// find_parameter, check_value, assign; nothing changes on error.
[[nodiscard]] Result<void> set_parameter(Node& root, std::string_view path, const Value& value);
/// `path=value`, as in --set.
struct Assignment {
  std::string path;
  Value value;
};
[[nodiscard]] Result<Assignment> parse_assignment(Node& root, std::string_view text);

}  // namespace vw
