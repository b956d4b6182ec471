// The scene as a tree, with actions on its nodes. The functions store the action that the user requests. The caller
// performs this action after everything has been drawn.
#pragma once

#include <optional>
#include <string>

#include "app/window/document/scene_edit.h"

namespace vw::ui {

struct Layout;

/// Action that the user requests in the tree.
struct TreeWish {
  std::optional<NodeChange> change;
  enum class Show { nothing, toggle_hidden, isolate, toggle_locked } show = Show::nothing;
  std::string name;  ///< system or obstacle that `show` concerns
  /// Action on all selected nodes.
  enum class OfSelected { nothing, duplicate, remove, toggle_hidden } of_selected = OfSelected::nothing;
  struct Drop {
    std::string material;  ///< name of a material of the library
    std::string path;      ///< path of the node on which the user has dropped the material
  };
  std::optional<Drop> drop;
  std::vector<NodeChange> reordering;  ///< changes that move a node in the order of its slot
};

/// Draws one row per node. A click selects the node, Ctrl + click adds it to the selected nodes or removes it, and
/// Shift + click selects all rows from the active node to this row. A double click turns the row into a field for the
/// name. A right click opens a menu to add children, and to rename, copy, hide or remove the node. Rows of systems and
/// obstacles have an eye and a lock. Rows of nodes that accept a material are targets for a drag from the material
/// library. A row can be dragged to another place in its slot, if the order has no effect on the simulation.
void draw_scene_tree(Layout& layout, const Node& root, TreeWish& wish);
/// Turns the row of the node at `path` into a field for its name, if the node may be renamed.
void start_renaming(Layout& layout, const Node& root, const std::string& path);
/// Draws a button that offers the nodes that can be added to `node`.
void draw_add_button(const Node& root, const Node& node, const std::string& path, const char* hint,
                     std::optional<NodeChange>& wish);
/// Draws buttons for the node shown in the inspector: add a child; copy and remove all selected nodes. Returns false if
/// the node has none of these buttons.
bool draw_node_buttons(const Node& root, const Node& node, const std::string& path, TreeWish& wish);
/// For a node without content, such as a system without bodies, says what to add and offers it as buttons.
void draw_empty_hint(const Node& root, const Node& node, const std::string& path, std::optional<NodeChange>& wish);
/// Lists the actuators that set parameters of the node or of nodes below it, with a button that selects the actuator.
/// If no actuator sets the strain of a muscle, offers to add one.
void draw_drivers(Layout& layout, const Node& root, const Node& node, const std::string& path,
                  std::optional<NodeChange>& wish);

}  // namespace vw::ui
