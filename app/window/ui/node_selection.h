// Selection of several nodes of the scene. The node at Layout::selected_path is the active node: the inspector shows
// its parameters. Further nodes can be selected with it. Use only on the drawing thread.
#pragma once

#include <string>
#include <vector>

#include "app/window/document/scene_edit.h"

namespace vw::ui {

struct App;
struct Layout;

/// Paths of the selected nodes that exist. The first one is the active node, if it exists.
[[nodiscard]] std::vector<std::string> selected_nodes(const Layout& layout, const Node& root);
/// Like selected_nodes(), but without the descendants of selected nodes, because an action on a node includes its
/// descendants.
[[nodiscard]] std::vector<std::string> topmost_selected_nodes(const Layout& layout, const Node& root);
[[nodiscard]] bool is_node_selected(const Layout& layout, const std::string& path);
/// Selects these nodes alone. The first one becomes the active node. If there is none, selects the node `world`.
void select_nodes(Layout& layout, std::vector<std::string> paths);
/// Adds the node at `path` to the selection as the active node, or removes it from the selection. Only nodes of slots
/// that may hold several nodes can be selected together.
void toggle_node(Layout& layout, const Node& root, const std::string& path);
/// Adds nodes to the selection. The active node does not change if it can be selected together with others.
void add_nodes(Layout& layout, const Node& root, const std::vector<std::string>& paths);

/// Edits of the active node, extended to all selected nodes of the same kind. Of a vector, only the components that
/// change are assigned to the other nodes.
[[nodiscard]] std::vector<Assignment> edits_of_selected(const Layout& layout, const Node& root,
                                                        const std::vector<Assignment>& edits);
/// Draws a line with the number of selected nodes and the parameters whose values differ. Draws nothing if only one
/// node is selected.
void draw_selected_nodes(const Layout& layout, const Node& root);

// Actions on the selected nodes.
/// Whether a node that can be copied and removed is selected.
[[nodiscard]] bool has_removable_nodes(const App& app);
/// Adds a copy of each selected node, as one undo step, and selects the copies. Copies of several nodes are moved
/// together along x by their total width.
void duplicate_nodes(App& app);
/// Removes the selected nodes as one undo step.
void remove_nodes(App& app);
/// Hides the systems and obstacles to which the selected nodes belong. If all are hidden, shows them.
void toggle_hidden_nodes(App& app);

}  // namespace vw::ui
