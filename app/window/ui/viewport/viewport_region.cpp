// Selection of several nodes in the picture: a click with Ctrl or Shift, a box and a lasso.
#include <algorithm>

#include "app/window/document/body_names.h"
#include "app/window/region_pick.h"
#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/widgets/theme.h"

namespace vw::ui {

void Viewport::toggle(App& app, const Pick& pick) {
  const std::string path = node_of(app, pick);
  Layout& layout = app.ui.layout;
  const auto is_plane = [&](const ColliderSnapshot& collider) {
    return collider.name == pick.obstacle && collider.kind == ColliderSnapshot::Kind::plane;
  };
  if (path.empty() || std::ranges::any_of(app.session.snapshot()->colliders, is_plane)) return;
  toggle_node(layout, app.session.document->root(), path);
  const std::vector<std::string> selected = selected_nodes(layout, app.session.document->root());
  if (is_node_selected(layout, path))
    select(app, pick);
  else
    clear_selection(app);
  select_nodes(layout, selected);  // select() selects one node alone
}

void Viewport::select_nothing(App& app) {
  clear_selection(app);
  if (app.session.document != nullptr && selected_nodes(app.ui.layout, app.session.document->root()).size() > 1)
    select_nodes(app.ui.layout, {});
}

/// Adds the nodes in the region to the selection.
void Viewport::select_region(App& app) {
  std::vector<glm::vec2> polygon = region_;
  if (drag_ == Drag::box) {
    const glm::vec2 a = region_.front(), b = region_.back();
    polygon = {a, {b.x, a.y}, b, {a.x, b.y}};
  }
  const std::vector<Pick> picks = pick_in_region(*app.session.snapshot(), {camera, {size_.x, size_.y}}, polygon,
                                                 cut_of(app.session.view()), app.session.unpickable_names());
  std::vector<std::string> paths;
  for (const Pick& pick : picks)
    if (std::string path = node_of(app, pick); !path.empty()) paths.push_back(std::move(path));
  const Node& root = app.session.document->root();
  add_nodes(app.ui.layout, root, paths);
  if (!paths.empty() && selected_nodes(app.ui.layout, root).size() == 1) select(app, picks.front());
}

void Viewport::draw_region() const {
  if (region_.size() < 2 || (drag_ != Drag::box && drag_ != Drag::lasso)) return;
  const auto on_screen = [&](glm::vec2 pixel) { return ImVec2{corner_.x + pixel.x, corner_.y + pixel.y}; };
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 line = color(palette::accent, 0.9F);
  if (drag_ == Drag::box) {
    list->AddRectFilled(on_screen(region_.front()), on_screen(region_.back()), color(palette::accent, 0.15F));
    list->AddRect(on_screen(region_.front()), on_screen(region_.back()), line);
    return;
  }
  std::vector<ImVec2> points;
  for (const glm::vec2& pixel : region_) points.push_back(on_screen(pixel));
  list->AddPolyline(points.data(), static_cast<int>(points.size()), line, ImDrawFlags_Closed, 1.4F);
}

/// Selects the elements and obstacles of the selected nodes for the outlines of the renderer, if several nodes are
/// selected.
void Viewport::mark_selected_nodes(const App& app) {
  selection.others.clear();
  const std::vector<std::string> paths = selected_nodes(app.ui.layout, app.session.document->root());
  if (paths.size() < 2) return;
  const auto add = [&](Selection other) {
    const bool is_shown =
        other.system == selection.system && other.element == selection.element && other.obstacle == selection.obstacle;
    if (!is_shown) selection.others.push_back(std::move(other));
  };
  for (const std::string& path : paths) {
    const auto [slot, name] = slot_and_name(path);
    if (slot == "collider") add({.system = {}, .obstacle = name});
    const auto system = std::ranges::find(app.session.snapshot()->systems, name, &SystemSnapshot::name);
    if (slot != "system" || system == app.session.snapshot()->systems.end()) continue;
    const std::string start = "system." + name + ".body.";
    if (system->look_kind() == LookKind::voxels) add({.system = name, .element = 0});
    if (system->look_kind() != LookKind::rigid) continue;
    for (std::size_t row = 0; row < system->position.size(); ++row)
      if (is_at_or_below(start + body_node(*system, row), path))
        add({.system = name, .element = static_cast<std::int64_t>(row)});
  }
}

}  // namespace vw::ui
