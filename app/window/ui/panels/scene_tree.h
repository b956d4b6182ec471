// The scene as a tree, with actions on its nodes. The functions store the action that the user requests in `wish`. The
// caller performs it after everything has been drawn.
#pragma once

#include <optional>
#include <string>

#include "app/window/document/scene_edit.h"

namespace vw::ui {

struct Layout;

/// Draws one row per node. A click selects the node; a right click offers to add children, and to copy or
/// remove the node.
void draw_scene_tree(Layout& layout, const Node& root, std::optional<NodeChange>& wish);
/// Draws a button that offers the nodes that can be added to `node`.
void draw_add_button(const Node& root, const Node& node, const std::string& path, const char* hint,
                     std::optional<NodeChange>& wish);
/// Draws buttons for the node shown in the inspector: add a child, copy, remove.
void draw_node_buttons(const Node& root, const Node& node, const std::string& path, std::optional<NodeChange>& wish);

}  // namespace vw::ui
