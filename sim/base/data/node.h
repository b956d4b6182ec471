// A scene is plain data: a tree of nodes. Each node contains the values of the parameters that its schema declares. The
// scene file, the GUI, --set, undo, the journal and the worlds all use this tree. Systems convert their nodes to typed
// structs with ParamTable::read().
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/data/parameter.h"

namespace vw {

struct Schema;

/// Slot for child nodes in a schema: `[world]` (one node) or `[[system]]` (many nodes; their key `kind` distinguishes
/// them if several kinds are allowed).
struct Slot {
  std::string name;                  ///< table name in the file and first component of the path: "system"
  bool many = true;                  ///< if false, the slot contains only one node (a single slot)
  std::vector<const Schema*> kinds;  ///< allowed kinds; if there is only one, the key `kind` is not needed
  std::string doc;
  /// Whether nodes of this slot may be added, removed and renamed while their system keeps its state.
  bool is_live = false;
};

/// Declaration of one kind of node. Schemas must exist until the end of the program (function-local statics).
struct Schema {
  std::string kind;  ///< value of the key `kind`: "voxel_body"
  std::string doc;   ///< description in one sentence
  std::vector<ParamSpec> params;
  std::vector<Slot> slots;
  std::string label = {};  ///< name in the window; if empty, the name is derived from `kind`
};
/// Returns the name of a kind in the window: the schema's label or, if the label is empty, a name derived from `kind`.
[[nodiscard]] std::string label_of(const Schema& schema);

/// One table of a scene. `values` is parallel to `schema->params`; all values have been checked.
struct Node {
  const Schema* schema = nullptr;
  std::size_t slot = 0;  ///< index of the node's slot in the parent's schema->slots
  std::string name;      ///< unique within the slot, of the form [A-Za-z0-9_-]+; empty in a single slot
  std::vector<Value> values;
  std::vector<Node> children;  ///< ordered by slot; within a slot in file order
  int line = 0;                ///< line of the source file, for messages; ignored by same_node()

  [[nodiscard]] const Value& value(std::string_view param) const;  ///< asserts that the parameter is declared
  /// Asserts that the parameter is declared. The value must already have been checked.
  void set(std::string_view param, Value value);
  /// Returns the children in the slot `slot_name`, in file order.
  [[nodiscard]] std::vector<const Node*> all(std::string_view slot_name) const;
  [[nodiscard]] const Node* find(std::string_view slot_name, std::string_view child_name) const;
  /// Returns the only child in a single slot, or null if the slot is empty.
  [[nodiscard]] const Node* only(std::string_view slot_name) const;
  [[nodiscard]] Node* only(std::string_view slot_name) {
    return const_cast<Node*>(std::as_const(*this).only(slot_name));
  }
};

/// Returns a node with default values. Each single slot of the node contains a default node of the slot's first kind.
[[nodiscard]] Node make_node(const Schema& schema, std::string name = {}, std::size_t slot = 0);
/// Adds a child with default values to `parent`, in the slot `slot_name` and of the given kind. Asserts that both
/// exist. Returns the child; the reference is valid until the next insertion.
Node& add_child(Node& parent, std::string_view slot_name, std::string_view kind, std::string name = {});
[[nodiscard]] bool same_node(const Node& a, const Node& b);  ///< equal schema, names, values and children

/// A parameter of a tree, with a path such as `system.creature.emitter.nozzle.rate`.
struct ParamRef {
  std::string path;
  const ParamSpec* spec = nullptr;
  Node* node = nullptr;
  std::size_t index = 0;
  [[nodiscard]] const Value& value() const { return node->values[index]; }
};
/// Finds the parameter `slot.name.slot.name.param` (for a single slot, `name` is omitted). An error names the unknown
/// component of the path and the nearest known word.
[[nodiscard]] Result<ParamRef> find_parameter(Node& root, std::string_view path);
/// A parameter, or one component of a vector parameter.
struct ComponentRef {
  ParamRef parameter;
  int axis = -1;  ///< 0, 1 or 2 for the component x, y or z of a vector, -1 for the complete parameter
};
/// Finds a parameter, as find_parameter() does, or a component of a vector: `world.gravity.y`.
[[nodiscard]] Result<ComponentRef> find_component(Node& root, std::string_view path);
/// Returns every parameter of `root` and its descendants, depth first in declaration order.
[[nodiscard]] std::vector<ParamRef> all_parameters(Node& root);
/// Finds the parameter, checks the value and assigns it. After an error, the tree is unchanged.
[[nodiscard]] Result<void> set_parameter(Node& root, std::string_view path, const Value& value);
/// An assignment, parsed from the text `path=value` of the option --set. If the text sets a component of a vector,
/// `path` and `value` are those of the vector, whose other components have their values in `root`.
struct Assignment {
  std::string path;
  Value value;
};
[[nodiscard]] Result<Assignment> parse_assignment(Node& root, std::string_view text);

}  // namespace vw
