// Changes of the tree of a scene: adding, removing and renaming nodes. A change can be reverted. As plain data, a
// change can be written to a file and read again without schemas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// Returns the path of a child node, such as "system.creature" for a child of the root. It consists of the parent's
/// path, the slot and the child's name. In a single slot, the name is omitted.
[[nodiscard]] std::string child_path(const Node& parent, const std::string& parent_path, const Node& child);
/// Returns the nodes from the root down to the node at a path. The list is empty if there is no such node.
[[nodiscard]] std::vector<const Node*> nodes_down_to(const Node& root, std::string_view path);
/// Returns the node at a path, or null if there is no such node. The empty path stands for `root`.
[[nodiscard]] const Node* find_node(const Node& root, std::string_view path);
[[nodiscard]] Node* find_node(Node& root, std::string_view path);
/// Returns the first two components of a path, slot and name. The name is empty if the path has one component.
[[nodiscard]] std::pair<std::string, std::string> slot_and_name(std::string_view path);
/// Returns whether `path` equals `of` or is the path of a node or parameter below `of`.
[[nodiscard]] bool is_at_or_below(std::string_view path, std::string_view of);

/// Addition, removal or renaming of one node of a tree.
struct NodeChange {
  enum class Kind { add, remove, rename };
  Kind kind = Kind::add;
  std::string parent = {};  ///< path of the parent; empty for the root
  Node node = {};           ///< the added node; for the other kinds, only its slot and name matter
  /// Index of the node among the children of the parent. If it has no value, an added node becomes the last node of its
  /// slot.
  std::optional<std::size_t> at = {};
  std::string new_name = {};  ///< for Kind::rename
};
/// Applies the change and stores the data that reverse_of() needs in it: `at` and, for a removal, `node`. After an
/// error, the tree is unchanged. The error names the node that is missing, that cannot be removed, or whose name is
/// already used.
[[nodiscard]] Result<void> apply(Node& root, NodeChange& change);
/// Returns the change that undoes `change`, which must have been applied.
[[nodiscard]] NodeChange reverse_of(const NodeChange& change);
/// Returns the path of the node to remove or rename, or of the added node. `root` must be the tree before a removal or
/// renaming, or after an addition. The path is empty if the parent does not exist.
[[nodiscard]] std::string path_of(const Node& root, const NodeChange& change);

/// A node without pointers to schemas. It contains the names of slot and kind, and values that have not been checked.
struct NodeData {
  std::string slot, kind, name;
  std::vector<std::pair<std::string, Value>> values;  ///< keys and values that differ from the defaults
  std::vector<NodeData> children;
};
/// Returns a child of a node with the schema `parent` as plain data.
[[nodiscard]] NodeData data_of(const Schema& parent, const Node& node);
/// Creates a child for a node with the schema `parent`. An error names the unknown slot, kind or key, or the invalid
/// value.
[[nodiscard]] Result<Node> node_from(const Schema& parent, const NodeData& data);

}  // namespace vw
