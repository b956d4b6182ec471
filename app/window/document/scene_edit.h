// Adding, copying and removing nodes of a scene, based on the schemas alone. Plain data, no GUI.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/world/world.h"

namespace vw {

/// Addition of a node to a scene's tree, or its removal.
struct NodeChange {
  std::string parent;  ///< path of the parent; empty: the root
  Node node;
  bool comes = true;
  std::optional<std::size_t> at = {};  ///< index among the parent's children; none: the end of its slot
};

/// Path of a child node: "system.creature" for a child of the root, and so on for deeper levels.
[[nodiscard]] std::string child_path(const Node& parent, const std::string& parent_path, const Node& child);
/// Node at a path; the empty path is `root` itself. Null if it does not exist.
[[nodiscard]] const Node* find_node(const Node& root, std::string_view path);
/// Whether a node belongs to a slot that may hold several nodes.
[[nodiscard]] bool is_one_of_many(const Node& root, std::string_view path);

/// A node of a kind with default values and a name that is unused in that slot of the parent.
[[nodiscard]] Node fresh_node(const Node& parent, std::string_view slot, const Schema& kind);
/// The same as a change that adds the node.
[[nodiscard]] NodeChange fresh_child(const Node& root, const std::string& parent, std::string_view slot,
                                     const Schema& kind);
/// NodeChange that adds a copy under an unused name. If the node has a position, the copy is moved along x by the
/// node's width. The path must be in a slot of several nodes.
[[nodiscard]] NodeChange copy_of(const Node& root, const std::string& path);
[[nodiscard]] NodeChange removal_of(const Node& root, const std::string& path);

/// Path of the node in the tree while it exists.
[[nodiscard]] std::string path_of(const Node& root, const NodeChange& node_change);
/// Applies or reverts the change; apply() sets `at`. It is an error if the name is taken or the node does not exist.
[[nodiscard]] Result<void> apply(Node& root, NodeChange& node_change);
void take_back(Node& root, const NodeChange& node_change);

/// Node names that a text parameter, or a list of texts, may hold: of species, phases, bodies or systems, according to
/// the parameter's name. For a single text, the empty name comes first. Empty if the parameter is not a reference to a
/// node.
[[nodiscard]] std::vector<std::string> names_for(const Node& root, std::string_view path);
/// Name of a node in the window: that of its kind if it has no other, otherwise its name spelt out.
[[nodiscard]] std::string node_label(const Node& node);
/// "material.skin.youngs_modulus" gives "Young's modulus (skin)", "world.dt" gives "Time step". The last part of a path
/// that does not exist (any more) is spelt out.
[[nodiscard]] std::string path_label(const Node& root, const std::string& path);

/// Additional changes that were necessary to build the scene's world.
struct Amendments {
  std::vector<NodeChange> node_changes;
  std::vector<Assignment> assignments;
};
/// Builds the world of `scene`, to which `node_changes` were just applied. If the world rejects the defaults of new
/// nodes, they are completed: a matching name, a first child node, a position, a length of 1. Nodes that refer only to
/// a removed node (rules, curves) are removed too, and the view's references to it are cleared. The error is that of
/// the world for the scene without these amendments.
[[nodiscard]] Result<std::unique_ptr<World>> world_with(Node& scene, std::vector<NodeChange>& node_changes,
                                                        Amendments& amends);

}  // namespace vw
