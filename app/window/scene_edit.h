// What may be added to the nodes of a scene, doubled or taken out: from the schemas alone. Plain data, no GUI.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/node.h"
#include "sim/world/world.h"

namespace vw {

/// A node that comes into a scene's tree, or goes from it.
struct Graft {
  std::string parent;  ///< path; empty: the root
  Node node;
  bool comes = true;
  std::optional<std::size_t> at = {};  ///< among the parent's children; none: the last of its slot
};

/// "system.creature" for a child of the scene's root, and so on down.
[[nodiscard]] std::string child_path(const Node& parent, const std::string& parent_path, const Node& child);
/// The node at a path, empty: `root` itself; null where there is none.
[[nodiscard]] const Node* find_node(const Node& root, std::string_view path);
/// Whether a node stands in a slot that may hold many.
[[nodiscard]] bool is_one_of_many(const Node& root, std::string_view path);

/// A node of a kind at its defaults, under a name that is free in that slot of the parent.
[[nodiscard]] Node fresh_node(const Node& parent, std::string_view slot, const Schema& kind);
/// The same as what brings it there.
[[nodiscard]] Graft fresh_child(const Node& root, const std::string& parent, std::string_view slot, const Schema& kind);
/// A copy under a free name, beside the node by its own size where it says a position. The path must be of one of many.
[[nodiscard]] Graft copy_of(const Node& root, const std::string& path);
[[nodiscard]] Graft removal_of(const Node& root, const std::string& path);

/// Where the node stands while it is there.
[[nodiscard]] std::string path_of(const Node& root, const Graft& graft);
/// Does it, or takes it back; `at` is filled in. Error: a name is taken, or a node is not there.
[[nodiscard]] Result<void> apply(Node& root, Graft& graft);
void take_back(Node& root, const Graft& graft);

/// The names that a text, or a list of them, may hold: of species, phases, bodies, systems, by what the parameter is called. Of a text the empty one
/// comes first. Empty: it is no name of a node.
[[nodiscard]] std::vector<std::string> names_for(const Node& root, std::string_view path);

/// What was done to a scene besides what was asked for, so that its world can be made.
struct Amends {
  std::vector<Graft> grafts;
  std::vector<Assignment> assignments;
};
/// Makes the world of `scene`, to which `grafts` were just applied. New nodes that the world does not take at their defaults get what it asks for:
/// a name that fits, a first node of that kind, a place, a length of one. What speaks of a node that went goes with it where it is about it alone
/// (rules, curves), and the view forgets it. Error: what the world says of the scene as it was asked for.
[[nodiscard]] Result<std::unique_ptr<World>> world_with(Node& scene, std::vector<Graft>& grafts, Amends& amends);

}  // namespace vw
