// Right sidebar, first tab: how the world is looked at; the same generated rows as everything else.
#include "app/window/ui/app.h"
#include "app/window/ui/panels.h"
#include "app/window/ui/param_rows.h"
#include "app/window/ui/widgets.h"

namespace vw::ui {

void draw_view_panel(App& app) {
  if (app.document == nullptr) return;
  const Node* view = app.document->root().only("view");
  if (view == nullptr) return;
  ParamRows rows;
  rows.document = app.document.get();
  rows.text_buffers = &app.text_buffers;
  rows.choices = [&app](const std::string& path) { return path == "view.color_by" ? color_by_choices(app) : std::vector<std::string>(); };
  draw_rows(rows, *view, "view");
  edit(app, rows.edits);
  ImGui::Dummy({0, em(0.3F)});
  if (ImGui::Button("Frame everything")) app.viewport.frame_all(app);
  ImGui::SameLine();
  if (ImGui::Button("Focus selection")) app.viewport.focus_selection(app);
  if (app.renderer != nullptr) dim_text("Quality in force: " + app.renderer->quality_in_force());
  if (!app.viewport.selection.system.empty())
    dim_text("Selected: " + app.viewport.selection.system + ", element " + std::to_string(app.viewport.selection.element));
}

}  // namespace vw::ui
