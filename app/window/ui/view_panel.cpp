// Right sidebar, first tab: how the world is looked at; the same generated rows as everything else.
#include "app/window/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels.h"
#include "app/window/ui/param_rows.h"
#include "app/window/ui/widgets.h"
#include "render/vectors.h"

namespace vw::ui {
namespace {

/// What the scene opens with, from what is seen now.
void keep_camera(App& app) {
  edit(app, {{"view.eye", Value(to_eigen(app.viewport.camera.eye))},
             {"view.target", Value(to_eigen(app.viewport.camera.target))},
             {"view.auto_frame", Value(false)}});
}

/// Why a row has no effect on the picture now; empty where it has.
std::string idle_reason(const App& app, const std::string& path) {
  const ViewParams view = app.view();
  const std::string name = path.substr(path.rfind('.') + 1);
  if (view.range_auto && (name == "range_min" || name == "range_max")) return "The range is automatic now.";
  const bool forces = !view.forces.empty() || view.contacts, of_all_arrows = name == "vector_length" || name == "vector_limit";
  if (!view.vectors && name.starts_with("vector_") && !(forces && of_all_arrows)) return "No velocity arrows are drawn now.";
  if (view.vector_scale == VectorScale::automatic && name == "vector_seconds") return "Arrows are scaled automatically now.";
  if (!forces && name == "force_scale") return "No forces are drawn now.";
  if (view.cut == Cut::none && (name == "cut_at" || name == "cut_flip")) return "The picture is not cut now.";
  const bool surfaces = view.fluid_style == FluidStyle::surface ||
                        (view.fluid_style == FluidStyle::automatic && (app.renderer == nullptr || app.renderer->shows_surfaces()));
  if (!surfaces && (name == "fluid_clarity" || name == "foam")) return "Fluids are drawn as particles now.";
  return {};
}

/// One a rule: whether its forces are drawn.
void draw_force_switches(App& app) {
  const auto rules = app.document->root().all("interaction");
  if (rules.empty()) return;
  ImGui::Dummy({0, em(0.3F)});
  heading("Force arrows", app.fonts.strong);
  std::string toggled;
  for (const Node* rule : rules) {
    bool on = shows_forces(app, rule->name);
    if (ImGui::Checkbox((pretty_name(rule->name) + "##" + rule->name).c_str(), &on)) toggled = rule->name;
    tooltip("What " + rule->name + " gives the elements of its systems, mean over a step of the world");
  }
  if (!toggled.empty()) toggle_forces(app, toggled);
}

}  // namespace

void draw_view_panel(App& app) {
  if (app.document == nullptr) return;
  const Node* view = app.document->root().only("view");
  if (view == nullptr) return;
  ParamRows rows;
  rows.document = app.document.get();
  rows.text_buffers = &app.text_buffers;
  rows.typed_values = &app.typed_values;
  rows.choices = [&app](const std::string& path) { return path == "view.color_by" ? color_by_choices(app) : std::vector<std::string>(); };
  rows.idle = [&app](const std::string& path) { return idle_reason(app, path); };
  rows.hidden = {"view.eye", "view.target", "view.auto_frame",  // the mouse sets them
                 "view.forces"};
  for (const ParamSpec& spec : view->schema->params)
    if (spec.name.starts_with("air")) rows.hidden.push_back("view." + spec.name);  // they have a panel of their own
  draw_rows(rows, *view, "view");
  edit(app, rows.edits);
  draw_force_switches(app);
  ImGui::Dummy({0, em(0.3F)});
  heading("Camera", app.fonts.strong);
  if (ImGui::Button("Frame everything")) app.viewport.frame_all(app);
  ImGui::SameLine();
  if (ImGui::Button("Focus selection")) app.viewport.focus_selection(app);
  if (ImGui::Button("Open with this camera")) keep_camera(app);
  tooltip("The scene, once saved, opens with the camera where it is now");
  if (app.renderer != nullptr) dim_text("Quality in force: " + app.renderer->quality_in_force());
}

}  // namespace vw::ui
