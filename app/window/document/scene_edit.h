// Adding, copying and removing nodes of a scene. The functions depend on the kinds of nodes through schemas only. No
// GUI.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/run.h"
#include "sim/base/data/node.h"

namespace vw {

/// Addition of a node to the tree of a scene, or removal of a node from it.
struct NodeChange {
  std::string parent;  ///< path of the parent; empty for the root
  Node node;
  bool comes = true;  ///< true for an addition, false for a removal
  /// Index of the node among the children of the parent. If there is no value, the node is added at the end of its
  /// slot.
  std::optional<std::size_t> at = {};
};

/// Path of a child node. It consists of the path of the parent, the slot and the name of the child, as in
/// "system.creature" for a child of the root. The path of a child without a name ends with the slot.
[[nodiscard]] std::string child_path(const Node& parent, const std::string& parent_path, const Node& child);
/// Node at a path. The empty path gives `root`. Null if there is no such node.
[[nodiscard]] const Node* find_node(const Node& root, std::string_view path);
/// Whether a node belongs to a slot that may hold several nodes.
[[nodiscard]] bool is_one_of_many(const Node& root, std::string_view path);

/// New node of the given kind with default values and a name that is unused in the slot of the parent.
[[nodiscard]] Node fresh_node(const Node& parent, std::string_view slot, const Schema& kind);
/// Change that adds a node made by fresh_node().
[[nodiscard]] NodeChange fresh_child(const Node& root, const std::string& parent, std::string_view slot,
                                     const Schema& kind);
/// Change that adds a copy of the node at `path` under an unused name. If the node has a position, the copy is moved
/// along x by the width of the node. The slot of the node must be one that may hold several nodes.
[[nodiscard]] NodeChange copy_of(const Node& root, const std::string& path);
/// Change that removes the node at `path`.
[[nodiscard]] NodeChange removal_of(const Node& root, const std::string& path);

/// Path that the added or removed node has in the tree. Empty if the parent does not exist.
[[nodiscard]] std::string path_of(const Node& root, const NodeChange& node_change);
/// Applies the change and sets `at`. Returns an error if the name is taken or the node does not exist.
[[nodiscard]] Result<void> apply(Node& root, NodeChange& node_change);
/// Reverts a change that was applied.
void take_back(Node& root, const NodeChange& node_change);

/// Names of the nodes to which the parameter at `path` (a text or a list of texts) may refer, such as systems, bodies,
/// phases or species. For a text, the first name is empty. The result is empty if the parameter is not a reference.
[[nodiscard]] std::vector<std::string> names_for(const Node& root, std::string_view path);
/// Name of a node in the window. If the node is named after its kind, this is the label of the kind. Otherwise it is
/// the name of the node, converted by spelt_out() (sim/base/data/parameter.h).
[[nodiscard]] std::string node_label(const Node& node);
/// Label for the parameter at a path. "material.skin.youngs_modulus" gives "Young's modulus (skin)", and "world.dt"
/// gives "Time step". If there is no such parameter, spelt_out() derives the label from the last part of the path.
[[nodiscard]] std::string path_label(const Node& root, const std::string& path);

/// Value of the parameter `enabled` of a rule's node. True if the rule has no such parameter.
[[nodiscard]] bool is_switched_on(const Node& rule);
/// New rule of the given kind between the systems named `a` and `b`. The rule has a name that is unused in the scene.
[[nodiscard]] Node rule_between(const Node& scene, const Schema& kind, const std::string& a, const std::string& b);

/// Additional changes that were necessary to build the world of a scene.
struct Amendments {
  std::vector<NodeChange> node_changes;
  std::vector<Assignment> assignments;
};
/// Creates a run of `scene`, to which `node_changes` were just applied. If the world rejects the default of a
/// parameter of a new node, the parameter is set to the name of another node, to a position or to 1. If a new node
/// lacks a required child, a child is added. Rules and curves that refer to a removed node are removed too. References
/// of the view to a removed node are cleared. If no run can be created, the error is that for the scene without
/// amendments. `name` stands for the scene in messages.
[[nodiscard]] Result<api::Run> run_with(const std::string& name, Node& scene, std::vector<NodeChange>& node_changes,
                                        Amendments& amends);

}  // namespace vw
