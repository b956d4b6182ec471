// Context menu of the picture. A right click on an element or obstacle opens a menu with actions on this object. A
// right click elsewhere opens a menu with actions on the view.
#include <optional>
#include <utility>

#include "app/window/gizmo/placement.h"
#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/panels/element_values.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/panels/scene_tree.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr const char* popup_name = "element menu";

/// Draws one item for each quantity of the element that can be plotted over time.
void draw_plot_items(App& app, const Snapshot& now, const SystemSnapshot& system, std::size_t row) {
  std::optional<PickedValue> wanted;
  for (const ElementValue& value : element_values(now, system, row, app.session.document->root()))
    if (value.curve && ImGui::MenuItem(value.label.c_str(), nullptr, app.session.plots.picked().holds(*value.curve)))
      wanted = value.curve;
  if (wanted) pick_value(app, *wanted);
}

/// Draws the actions on the node of the selected object.
void draw_node_items(App& app) {
  Layout& layout = app.ui.layout;
  if (!has_removable_nodes(app) || can_remove_selected(app)) return;
  ImGui::Separator();
  if (ImGui::MenuItem("Duplicate", "Ctrl + D")) duplicate_nodes(app);
  if (ImGui::MenuItem("Rename", "F2")) start_renaming(layout, app.session.document->root(), layout.selected_path);
  if (ImGui::MenuItem("Remove", "Delete")) remove_nodes(app);
}

void draw_element_items(App& app, const Snapshot& now, const SystemSnapshot& system, std::size_t row) {
  const std::string name = selected_name(app);
  ImGui::TextColored(palette::dim, "%s", element_title(system, row).c_str());
  ImGui::Separator();
  if (ImGui::MenuItem("Frame", "F")) app.view.viewport.focus_selection(app);
  const bool followed = app.session.view().follow == name, trailed = app.session.has_trail(name);
  if (ImGui::MenuItem("Follow", "Shift+F", followed)) follow(app, followed ? std::string() : name);
  if (ImGui::MenuItem("Show trail", nullptr, trailed)) toggle_trail(app, name);
  if (ImGui::BeginMenu("Plot over time")) {
    draw_plot_items(app, now, system, row);
    ImGui::EndMenu();
  }
  tooltip("Plots a value over time; values of the same unit share a plot");
  const bool compared = is_compared(app, system, row);
  if (ImGui::MenuItem("Compare with others", nullptr, compared))
    compared ? stop_comparing(app) : compare(app, system, row);
  tooltip("Shows the values of this element on the card, beside the values of the element that you select next");
  if (system.look_kind() == LookKind::voxels && ImGui::MenuItem("Edit voxels"))
    edit_voxels(app, "system." + system.name);
  if (ImGui::MenuItem(("Hide " + system.name).c_str())) hide(app, std::string(system.name));
  if (ImGui::MenuItem(("Lock " + system.name).c_str())) toggle_locked(app, std::string(system.name));
  tooltip("Keeps the mouse from selecting and dragging this object; the lock icon in the tree unlocks it");
  if (can_spawn_beside_selected(app) && ImGui::MenuItem("Add ten of this species")) spawn_beside_selected(app);
  if (can_remove_selected(app) && ImGui::MenuItem("Remove from the world", "Delete")) remove_selected(app);
  draw_node_items(app);
  ImGui::Separator();
  if (ImGui::MenuItem("Clear selection", "Esc")) app.view.viewport.clear_selection(app);
}

void draw_obstacle_items(App& app) {
  const std::string name = app.view.viewport.selection.obstacle;
  ImGui::TextColored(palette::dim, "%s, obstacle", name.c_str());
  ImGui::Separator();
  if (ImGui::MenuItem("Frame", "F")) app.view.viewport.focus_selection(app);
  if (ImGui::MenuItem("Hide")) hide(app, name);
  if (ImGui::MenuItem("Lock")) toggle_locked(app, name);
  tooltip("Keeps the mouse from selecting this object; the lock icon in the tree unlocks it");
  draw_node_items(app);
  ImGui::Separator();
  if (ImGui::MenuItem("Clear selection", "Esc")) app.view.viewport.clear_selection(app);
}

/// Draws a submenu of the objects that can be added at the point that was clicked.
void draw_add_here(App& app) {
  const Viewport& viewport = app.view.viewport;
  if (app.session.document == nullptr || !viewport.clicked_place() || !ImGui::BeginMenu("Add here")) return;
  const Node& root = app.session.document->root();
  const std::vector<Placeable> objects = placeable_objects(root);
  const double width = round_length(0.15 * viewport.picture_height_at(*viewport.clicked_place()));
  for (std::size_t i = 0; i < objects.size();) {
    const std::string& group = objects[i].group;
    std::size_t end = i;
    while (end < objects.size() && objects[end].group == group) ++end;
    const bool is_single = end == i + 1;
    if (is_single || ImGui::BeginMenu(group.c_str())) {
      for (std::size_t k = i; k < end; ++k) {
        if (ImGui::MenuItem(objects[k].label.c_str()))
          change_scene(app, {.node_changes = placed_at(root, objects[k], *viewport.clicked_place(), width)});
        tooltip(objects[k].doc);
      }
      if (!is_single) ImGui::EndMenu();
    }
    i = end;
  }
  ImGui::EndMenu();
}

void draw_view_items(App& app) {
  if (ImGui::MenuItem("Frame subject", "Home")) app.view.viewport.frame_subject(app);
  if (ImGui::MenuItem("Frame all", "Shift+Home")) app.view.viewport.frame_all(app);
  if (!app.session.view().follow.empty() && ImGui::MenuItem("Stop following", "Esc")) follow(app, {});
  if (!app.session.view().hidden.empty() && ImGui::MenuItem("Show hidden")) show_all_hidden(app);
}

}  // namespace

void open_element_menu(App& app) { app.ui.layout.wants_element_menu = true; }

void draw_element_menu(App& app) {
  if (std::exchange(app.ui.layout.wants_element_menu, false)) ImGui::OpenPopup(popup_name);
  if (!ImGui::BeginPopup(popup_name)) return;
  if (const SystemSnapshot* system = selected_system(app))
    draw_element_items(app, *app.session.snapshot(), *system,
                       static_cast<std::size_t>(app.view.viewport.selection.element));
  else if (!app.view.viewport.selection.obstacle.empty())
    draw_obstacle_items(app);
  else
    draw_view_items(app);
  draw_add_here(app);
  ImGui::EndPopup();
}

}  // namespace vw::ui
