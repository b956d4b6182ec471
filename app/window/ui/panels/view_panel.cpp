// View tab of the right sidebar: the view's parameters in groups. Each group shows only the rows that have an effect at
// present.
#include <algorithm>
#include <functional>

#include "app/window/document/scene_edit.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/vectors/vectors.h"

namespace vw::ui {
namespace {

/// Stores the present camera in the document as the scene's initial camera.
void keep_camera(App& app) {
  edit(app, {{"view.eye", Value(to_eigen(app.view.viewport.camera.eye))},
             {"view.target", Value(to_eigen(app.view.viewport.camera.target))},
             {"view.auto_frame", Value(false)}});
}

bool has_system(const App& app, std::initializer_list<std::string_view> kinds) {
  return std::ranges::any_of(app.session.document->root().all("system"), [&](const Node* node) {
    return std::ranges::find(kinds, node->schema->kind) != kinds.end();
  });
}

/// Determines which view parameters have an effect on the present picture.
struct Matters {
  ViewParams view;
  bool fluids = false, surfaces = false, rigid = false, voxels = false, balls = false, several = false,
       actuators = false;

  explicit Matters(const App& app) : view(app.session.view()) {
    fluids = has_system(app, {"fluid"});
    surfaces = fluids && (view.fluid_style == FluidStyle::surface ||
                          (view.fluid_style == FluidStyle::automatic &&
                           (app.view.renderer == nullptr || app.view.renderer->shows_surfaces())));
    rigid = has_system(app, {"rigid"});
    voxels = has_system(app, {"voxel_body", "playback"});
    balls = has_system(app, {"particles", "fluid"});
    several = app.session.document->root().all("system").size() > 1;
    actuators = !app.session.document->root().all("actuator").empty();
  }

  [[nodiscard]] bool forces() const { return !view.forces.empty() || view.contacts; }
  [[nodiscard]] bool of_vectors(std::string_view name) const {
    if (name == "vectors") return true;
    if (!view.vectors) return false;
    const bool scaled = view.vector_length != VectorLength::constant;
    if (name == "vector_systems") return several || !view.vector_systems.empty();
    if (name == "vector_seconds") return view.vector_scale == VectorScale::manual;
    if (name == "vector_decades") return view.vector_length == VectorLength::logarithmic;
    if (name == "vector_clamp") return scaled;
    const bool ranged = scaled || view.vector_color == VectorColor::magnitude;
    if (name == "vector_range_auto") return ranged;
    if (name == "vector_range") return ranged && !view.vector_range_auto;
    return true;
  }
  [[nodiscard]] bool of_trails(std::string_view name) const {
    if (name == "trail_systems") return view.trails && (several || !view.trail_systems.empty());
    return name == "trails" || name == "trace" || view.trails;
  }
  [[nodiscard]] bool of_forces(std::string_view name) const {
    // While vector arrows are shown, the group "Vectors" already contains the other rows of this group.
    return forces() && (name == "force_scale" || !view.vectors);
  }
  /// Whether slice planes, lines of the wind or iso-surfaces are shown, whose colours follow from the colour map.
  [[nodiscard]] bool maps_flow() const {
    const bool planes = view.plane_x || view.plane_y || view.plane_z,
               lines = view.streamlines > 0 || view.pathlines > 0 || view.streaklines > 0;
    return planes || lines || !view.surface_of.empty() || !view.fluid_surface_of.empty();
  }
  [[nodiscard]] bool of_colours(std::string_view name) const {
    if (maps_flow() && (name == "color_map" || name == "color_levels")) return true;
    const bool is_end = name == "range_min" || name == "range_max";
    return name == "color_by" || (view.color_by != "material" && (!is_end || !view.range_auto));
  }
  [[nodiscard]] bool of_fluids(std::string_view name) const {
    if (name == "fluid_ribbons") return fluids && view.fluid_streamlines > 0;
    if (name == "fluid_streakline_time") return fluids && view.fluid_streaklines > 0;
    if (name.starts_with("fluid_rake_")) return fluids && (view.fluid_streamlines > 0 || view.fluid_streaklines > 0);
    if (name == "fluid_surface_at" || name == "fluid_surface_color" || name == "fluid_surface_opacity")
      return fluids && !view.fluid_surface_of.empty();
    if (name == "fluid_streamlines" || name == "fluid_streaklines" || name == "fluid_surface_of") return fluids;
    return fluids && (name == "fluid_style" || surfaces);
  }
  [[nodiscard]] bool of_rigid(std::string_view name) const {
    if (name == "actuators") return actuators;
    return rigid || (voxels && name == "mass_centers");
  }
  [[nodiscard]] bool of_cut(std::string_view name) const {
    if (name == "cut") return true;
    if (name == "cut_caps") return view.cut != Cut::none || view.cut_2 != Cut::none || view.cut_3 != Cut::none;
    if (name.starts_with("cut_2_")) return view.cut_2 != Cut::none;
    if (name.starts_with("cut_3_")) return view.cut_3 != Cut::none;
    // A further cut is offered when the cut before it is in use.
    if (name == "cut_3") return view.cut_2 != Cut::none || view.cut_3 != Cut::none;
    return view.cut != Cut::none || (name == "cut_2" && view.cut_2 != Cut::none);
  }
  [[nodiscard]] bool of_rest(std::string_view name) const {
    return name == "wireframe" ? voxels : name != "particle_style" || balls;
  }
  [[nodiscard]] bool of_camera(std::string_view) const { return true; }
};

struct Group {
  const char* title;
  /// Names of the group's parameters. Empty in the last group, which contains the parameters of no other group.
  std::vector<std::string> names;
  bool (Matters::*matters)(std::string_view) const;
  void (*extra)(App&) = nullptr;  ///< draws widgets above the rows
};

/// Draws a switch for each rule. The switch shows or hides the forces of the rule.
void draw_force_switches(App& app) {
  std::string toggled;
  for (const Node* rule : app.session.document->root().all("interaction")) {
    bool on = app.session.shows_forces(rule->name);
    if (ImGui::Checkbox((node_label(*rule) + "##" + rule->name).c_str(), &on)) toggled = rule->name;
    tooltip("Draws the forces of " + rule->name + " on the elements, averaged over a world step");
  }
  if (!toggled.empty()) toggle_forces(app, toggled);
}

void draw_camera_buttons(App& app) {
  if (ImGui::Button("Frame all")) app.view.viewport.frame_all(app);
  ImGui::SameLine();
  if (ImGui::Button("Frame selection")) app.view.viewport.focus_selection(app);
  if (ImGui::Button("Set start camera")) keep_camera(app);
  tooltip("Stores the present camera in the scene. If the scene is saved, it opens with this camera the next time");
  ImGui::SameLine();
  if (ImGui::Button("Move target")) {
    app.session.document->set_silently("view.eye", Value(to_eigen(app.view.viewport.camera.eye)));
    app.session.document->set_silently("view.target", Value(to_eigen(app.view.viewport.camera.target)));
    app.view.viewport.gizmo.select_part(app, "view.target");
  }
  tooltip("Shows handles at the point at which the camera looks. Drag them to turn the camera to another point");
}

/// Draws a button that shows the handles of the first cut plane in the picture.
void draw_cut_button(App& app) {
  if (app.session.view().cut == Cut::none) return;
  if (ImGui::Button("Move by hand")) app.view.viewport.gizmo.select_part(app, "view.cut_at");
  tooltip("Shows handles in the picture that move the first cut plane");
}

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"Colours",
       {"color_by", "range_auto", "range_min", "range_max", "range_symmetric", "color_map", "color_levels",
        "color_scale"},
       &Matters::of_colours},
      {"Vectors",
       {"vectors", "vector_of", "vector_systems", "vector_length", "vector_decades", "vector_scale", "vector_seconds",
        "vector_range_auto", "vector_range", "vector_clamp", "vector_color", "vector_limit"},
       &Matters::of_vectors},
      {"Force arrows", {"force_scale", "vector_length", "vector_limit"}, &Matters::of_forces, draw_force_switches},
      {"Trails", {"trails", "trail_time", "trail_systems", "trail_color", "trail_limit", "trace"}, &Matters::of_trails},
      {"Camera", {"follow", "auto_follow", "fov_deg", "orthographic"}, &Matters::of_camera, draw_camera_buttons},
      {"Fluids",
       {"fluid_style", "fluid_clarity", "foam", "fluid_streamlines", "fluid_ribbons", "fluid_streaklines",
        "fluid_streakline_time", "fluid_rake_from", "fluid_rake_to", "fluid_surface_of", "fluid_surface_at",
        "fluid_surface_color", "fluid_surface_opacity"},
       &Matters::of_fluids},
      {"Bodies",
       {"rigid_style", "joints", "body_frames", "mass_centers", "sleepers", "contacts", "actuators"},
       &Matters::of_rigid},
      {"Cut",
       {"cut", "cut_at", "cut_flip", "cut_thickness", "cut_2", "cut_2_at", "cut_2_flip", "cut_2_thickness", "cut_3",
        "cut_3_at", "cut_3_flip", "cut_3_thickness", "cut_caps"},
       &Matters::of_cut,
       draw_cut_button},
      {"Picture", {}, &Matters::of_rest},
  };
  return all;
}

bool has_own_place(const std::string& name) {
  if (name.starts_with("air") || name == "eye" || name == "target" || name == "auto_frame" || name == "forces" ||
      name.starts_with("camera_"))
    return true;
  return std::ranges::any_of(
      groups(), [&](const Group& group) { return std::ranges::find(group.names, name) != group.names.end(); });
}

/// Returns the names of the parameters to show, in the order of `group.names` or, in the last group, in the order of
/// declaration.
std::vector<std::string> rows_of(const Group& group, const Node& view, const Matters& matters) {
  std::vector<std::string> names = group.names;
  if (names.empty())
    for (const ParamSpec& spec : view.schema->params)
      if (!has_own_place(spec.name)) names.push_back(spec.name);
  std::erase_if(names, [&](const std::string& name) { return !(matters.*group.matters)(name); });
  return names;
}

std::vector<std::string> choices_of(const App& app, const std::string& path) {
  if (path == "view.color_by") return app.session.color_by_choices();
  if (path == "view.vector_of") return app.session.vector_choices();
  if (path == "view.fluid_surface_of" || path == "view.fluid_surface_color") {
    std::vector<std::string> names{"", "speed", "vorticity", "q_criterion"};
    for (const std::string& name : app.session.color_by_choices())
      if (name != "material" && std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
  }
  if (path == "view.hidden" || path == "view.locked") return app.session.hideable_names();
  if (path == "view.vector_systems" || path == "view.trail_systems") return app.session.system_names();
  if (path != "view.follow") return {};
  std::vector<std::string> names{""};
  for (const std::string& name : app.session.system_names()) names.push_back(name);
  for (const std::string& name : {selected_name(app), app.session.view().follow})
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

/// If `edits` switch the automatic range of vectors off, adds an edit that sets the fixed range to the present
/// automatic range.
void lock_range(const App& app, std::vector<Assignment>& edits) {
  const auto unlocked = [](const Assignment& edit) {
    return edit.path == "view.vector_range_auto" && !std::get<bool>(edit.value);
  };
  if (app.view.renderer == nullptr || !std::ranges::any_of(edits, unlocked)) return;
  const auto range = static_cast<double>(app.view.renderer->vector_legend().range);
  if (range > 0) edits.push_back({"view.vector_range", Value(range)});
}

void draw_group(App& app, const Group& group, const Node& view, const Matters& matters,
                std::vector<Assignment>& edits) {
  const auto names = rows_of(group, view, matters);
  const bool has_extra = group.extra == draw_force_switches ? !app.session.document->root().all("interaction").empty()
                                                            : group.extra != nullptr;
  if (names.empty() && !has_extra) return;
  ImGui::Dummy({0, em(0.15F)});
  heading(group.title, app.ui.fonts.strong);
  if (has_extra) group.extra(app);
  ParamRows rows;
  rows.document = app.session.document.get();
  rows.text_buffers = &app.ui.text_buffers;
  rows.typed_values = &app.ui.typed_values;
  rows.choices = [&app](const std::string& path) { return choices_of(app, path); };
  for (const std::string& name : names) rows.only.push_back("view." + name);
  ImGui::PushID(group.title);
  if (!names.empty()) draw_rows(rows, view, "view");
  ImGui::PopID();
  edits.insert(edits.end(), rows.edits.begin(), rows.edits.end());
}

}  // namespace

void draw_view_panel(App& app) {
  if (app.session.document == nullptr) return dim_text("No scene is open. Open one with Ctrl+O to set its view.");
  const Node* view = app.session.document->root().only("view");
  if (view == nullptr) return;
  const Matters matters(app);
  std::vector<Assignment> edits;  // applied after the rows are drawn, because edits change the rows' data
  for (const Group& group : groups()) draw_group(app, group, *view, matters, edits);
  if (app.view.renderer != nullptr) dim_text("Quality: " + app.view.renderer->quality_in_force());
  lock_range(app, edits);
  edit(app, edits);
}

}  // namespace vw::ui
