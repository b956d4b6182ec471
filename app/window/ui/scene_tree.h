// The scene as a tree, and what can be done to its nodes. A wish is carried out after everything has been drawn.
#pragma once

#include <optional>
#include <string>

#include "app/window/scene_edit.h"

namespace vw::ui {

struct App;

/// Rows that select a node; a right click offers what can be added to it, its copy, and that it goes.
void draw_scene_tree(App& app, const Node& root, std::optional<Graft>& wish);
/// Offers what can be added to a node.
void draw_add_button(const Node& root, const Node& node, const std::string& path, const char* hint, std::optional<Graft>& wish);
/// The same of a node that is shown in the inspector, and its copy, and that it goes.
void draw_node_buttons(const Node& root, const Node& node, const std::string& path, std::optional<Graft>& wish);

}  // namespace vw::ui
