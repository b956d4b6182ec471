// Adding, copying and removing nodes of a scene. The functions depend on the kinds of nodes through schemas only. This
// file does not use the GUI.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/api/run.h"
#include "sim/base/data/node_change.h"

namespace vw {

/// Path of the parent of a node that has a name: "system.water" for "system.water.fill.pool", and empty for
/// "system.water".
[[nodiscard]] std::string path_of_parent(std::string_view path);
/// Width of the object that a node describes [m], or 0 if the width is unknown.
[[nodiscard]] double width_of(const Node& node);
/// Whether the node is a voxel body that names no material. Such a body has the first material of the scene.
[[nodiscard]] bool has_first_material(const Node& node);
/// Whether a node belongs to a slot that may hold several nodes.
[[nodiscard]] bool is_one_of_many(const Node& root, std::string_view path);

/// Colour (linear RGB) of a new material. `number` is the number of materials before it. The first material has the
/// default grey, and later materials have seven other colours in turn.
[[nodiscard]] Vec3 material_color(std::size_t number);

/// New node of the given kind with default values and a name that is unused in the slot of the parent. Materials get
/// different colours.
[[nodiscard]] Node fresh_node(const Node& parent, std::string_view slot, const Schema& kind);
/// Change that adds a node made by fresh_node().
[[nodiscard]] NodeChange fresh_child(const Node& root, const std::string& parent, std::string_view slot,
                                     const Schema& kind);
/// Change that adds a copy of the node at `path` under an unused name. If the node has a position, the copy is moved
/// along x by the width of the node. The slot of the node must be one that may hold several nodes.
[[nodiscard]] NodeChange copy_of(const Node& root, const std::string& path);
/// Additions of copies of the nodes at `paths`, in the same order. `values` are assignments written for the originals;
/// the copies receive them instead. Without `values`, the copies are placed as by copy_of().
[[nodiscard]] std::vector<NodeChange> copies_of(const Node& root, const std::vector<std::string>& paths,
                                                const std::vector<Assignment>& values = {});
/// Changes that move the node at `path` directly before or behind the node at `other` in the order of their slot. The
/// order has no effect on the simulation. Empty if the node is there already, or if the paths are not those of two
/// nodes of one slot of the scene or of a plot.
[[nodiscard]] std::vector<NodeChange> reordering_of(const Node& root, const std::string& path, const std::string& other,
                                                    bool behind);
/// Change that removes the node at `path`.
[[nodiscard]] NodeChange removal_of(const Node& root, const std::string& path);

using ViewSlot = std::pair<std::string_view, std::string_view>;
/// Parameters of the view that name nodes, each with a slot of these nodes. Unlike other parameters, they do not
/// declare the slots that they refer to.
inline constexpr std::array<ViewSlot, 9> view_slots{ViewSlot{"view.follow", "system"},
                                                    ViewSlot{"view.hidden", "system"},
                                                    ViewSlot{"view.hidden", "collider"},
                                                    ViewSlot{"view.locked", "system"},
                                                    ViewSlot{"view.locked", "collider"},
                                                    ViewSlot{"view.trail_systems", "system"},
                                                    ViewSlot{"view.vector_systems", "system"},
                                                    ViewSlot{"view.forces", "interaction"},
                                                    ViewSlot{"view.air", "field"}};

/// Renaming of a node, and the new values of the parameters that refer to the node.
struct Renaming {
  NodeChange change;
  std::vector<Assignment> references;
};
/// Renaming of the node at `path`. The references are the parameters that may name nodes of its slot
/// (ParamSpec::refers_to, and the view) and whose value contains the present name or an element of the node. The
/// targets of actuators, and formulas and plots that name sensors or actuators, are references too.
[[nodiscard]] Renaming renaming_of(const Node& root, const std::string& path, const std::string& new_name);

/// Sentence that explains why the node at `path` cannot have this name. Empty if the name is allowed. A name consists
/// of letters, digits, _ and -, and is unique within the slot.
[[nodiscard]] std::string name_error(const Node& root, const std::string& path, const std::string& name);

/// Names of the nodes to which the parameter at `path` (a text or a list of texts) may refer, such as systems, bodies,
/// phases or species. For a text, the first name is empty. A body with copies is represented by the names of its first
/// 1000 copies. The result is empty if the parameter is not a reference.
[[nodiscard]] std::vector<std::string> names_for(const Node& root, std::string_view path);
/// Name of a node in the window: the label of its kind if the node is named after its kind, otherwise the name of the
/// node, converted by spelt_out() (sim/base/data/parameter.h).
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
/// parameter of a new node, the parameter is set to the name of another node, to the formula "0", to a position or
/// to 1. If a new node lacks a required child, a child is added. Rules, curves, sensors and actuators that refer to a
/// removed node are removed too. References of the view and single targets of actuators are cleared instead. If no run
/// can be created, the function returns the error of the scene without amendments. Messages use `name` as the name of
/// the scene.
[[nodiscard]] Result<api::Run> run_with(const std::string& name, Node& scene, std::vector<NodeChange>& node_changes,
                                        Amendments& amends);

}  // namespace vw
