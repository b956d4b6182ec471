// Left sidebar: a search box, the scene tree (scene_tree.cpp), and the parameter rows of the selected node.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/document/body_names.h"
#include "app/window/document/scene_groups.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/modes_panel.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/panels/scene_tree.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/api/open_scene.h"

namespace vw::ui {
namespace {

/// If the values of a material are inconsistent, says why the running world does not use them (material_edit_buffer.h).
void draw_contradiction(const Node& node) {
  const auto good = api::check_material(node);
  if (good) return;
  ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
  ImGui::TextWrapped("The world keeps the old values: %s", good.error().message().c_str());
  ImGui::PopStyleColor();
}

/// Returns the reason why a parameter of a fluid has no effect at present, or an empty string.
std::string idle_fluid_reason(const Node& fluid, const std::string& path) {
  const std::string name = path.substr(path.rfind('.') + 1);
  const auto& method = std::get<std::string>(fluid.value("method"));
  const bool of_dfsph = name == "density_error" || name == "divergence_error" || name == "max_iterations";
  const bool of_wcsph = name == "stiffness" || name == "stiffness_exponent";
  if (of_dfsph && method == "wcsph") return "No effect: only dfsph uses this parameter.";
  if (of_wcsph && method == "dfsph") return "No effect: only wcsph uses this parameter.";
  if (name == "spin_inertia" && std::get<double>(fluid.value("spin_viscosity")) == 0)
    return "No effect: the spin viscosity is 0.";
  return {};
}

/// Returns the mass of a rigid body in the displayed snapshot, for a body whose mass follows from its density. Returns
/// an empty string if `path` is not the mass of a body.
std::string derived_mass(const App& app, const std::string& path) {
  const Snapshot* now = app.session.snapshot();
  const std::size_t system_end = path.find(".body.");
  if (now == nullptr || system_end == std::string::npos || !path.ends_with(".mass")) return {};
  constexpr std::size_t before = std::string_view("system.").size(), between = std::string_view(".body.").size();
  const std::string name = path.substr(before, system_end - before),
                    body = path.substr(system_end + between, path.rfind('.') - system_end - between);
  for (const SystemSnapshot& system : now->systems)
    for (const Channel& channel : system.channels)
      for (std::size_t row = 0; system.name == name && channel.name == "mass" && row < channel.values.size(); ++row)
        if (body_node(system, row) == body) return fmt::format("{:.4g} kg", static_cast<double>(channel.values[row]));
  return {};
}

/// Shows the complete description of the scene. The rows below the description have only one line for each text.
void draw_introduction(const Node& root) {
  const std::string text = scene_introduction(root);
  if (text.empty()) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, em(0.4F)});
}

void draw_inspector(App& app, ParamRows& rows, const Node& root, std::optional<NodeChange>& wish) {
  const Node* node = find_node(root, app.ui.layout.selected_path);
  if (node == nullptr) return;
  const std::string title = node == &root                      ? "About"
                            : node->name.empty()               ? spelt_out(app.ui.layout.selected_path)
                            : node->name == node->schema->kind ? label_of(*node->schema)
                                                               : node->name;
  heading(title.c_str(), app.ui.fonts.strong);
  if (node != &root) draw_node_buttons(root, *node, app.ui.layout.selected_path, wish);
  if (!node->schema->doc.empty()) dim_text(node->schema->doc);
  ImGui::Dummy({0, em(0.1F)});
  if (node == &root) draw_introduction(root);
  draw_contradiction(*node);
  rows.hidden = {"format"};
  if (node->schema->kind == "fluid")
    rows.idle = [node](const std::string& path) { return idle_fluid_reason(*node, path); };
  if (node->schema->kind == "voxel_body") {
    draw_studies(app, node->name);
    rows.noted = app.ui.layout.selected_path + ".integrator";
    rows.note = [&app, name = node->name] { draw_damping_note(app, name); };
  }
  rows.derived = [&app](const std::string& path) { return derived_mass(app, path); };
  draw_rows(rows, *node, app.ui.layout.selected_path);
}

/// Draws the search results: the matching rows of all nodes, grouped under the nodes' paths.
void draw_matches(ParamRows& rows, const Node& node, const std::string& path) {
  if (!any_row(node, path, rows.filter)) return;
  ImGui::PushID(path.c_str());
  const auto& params = node.schema->params;
  const bool own = std::any_of(params.begin(), params.end(), [&](const ParamSpec& spec) {
    return matches_filter(path + "." + spec.name + " " + spec.doc + " " + spec.label, rows.filter);
  });
  if (own && !path.empty()) {
    ImGui::TextColored(palette::accent, "%s", path.c_str());
    draw_rows(rows, node, path);
  }
  for (const Node& child : node.children) draw_matches(rows, child, child_path(node, path, child));
  ImGui::PopID();
}

void draw_parameter_search(App& app, const Node& root, std::optional<NodeChange>& wish) {
  const bool filled = !app.ui.layout.filter.empty();
  ImGui::SetNextItemWidth(-em(filled ? 4.8F : 2.4F));
  ImGui::InputTextWithHint("##search", "Search parameters", &app.ui.layout.filter);
  // On Escape, Dear ImGui restores the text from before the edit. In this search box, Escape clears the filter instead.
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    app.ui.layout.filter.clear();
  if (filled) {
    ImGui::SameLine();
    if (ImGui::Button("\xC3\x97##clear search", {em(1.9F), 0})) app.ui.layout.filter.clear();
    tooltip("Clears the search (Esc)");
  }
  ImGui::SameLine();
  draw_add_button(root, root, {}, "Adds a node to the scene", wish);
}

void draw_reset_hint(App& app) {
  if (!app.session.reset_needed) return;
  ImGui::TextColored(palette::warning, "Some changes take effect at a reset");
  ImGui::SameLine();
  if (ImGui::SmallButton("Reset now")) reset(app);
}

}  // namespace

void draw_scene_panel(App& app) {
  if (app.session.document == nullptr)
    return dim_text(app.session.loader.busy() ? "Opening\xE2\x80\xA6" : "No scene is open.");
  // Edits are applied after the rows are drawn, because the edits change the data of the rows.
  const Node& root = app.session.document->root();
  std::optional<NodeChange> wish;
  draw_parameter_search(app, root, wish);
  ParamRows rows;
  rows.document = app.session.document.get();
  rows.filter = app.ui.layout.filter;
  rows.text_buffers = &app.ui.text_buffers;
  rows.typed_values = &app.ui.typed_values;
  rows.choices = [&root](const std::string& path) { return names_for(root, path); };
  if (!app.ui.layout.filter.empty()) {
    ImGui::BeginChild("matches");
    draw_matches(rows, root, {});
    if (!any_row(root, {}, rows.filter)) dim_text("No parameter matches.");
    ImGui::EndChild();
  } else {
    ImGui::BeginChild("tree",
                      {0, std::min(app.ui.layout.tree_height + em(0.6F), ImGui::GetContentRegionAvail().y * 0.45F)});
    draw_scene_tree(app.ui.layout, root, wish);
    app.ui.layout.tree_height = ImGui::GetCursorPosY();
    ImGui::EndChild();
    ImGui::BeginChild("inspector");
    draw_reset_hint(app);
    draw_inspector(app, rows, root, wish);
    ImGui::EndChild();
  }
  edit(app, rows.edits);
  if (wish) change_scene(app, {.node_changes = {std::move(*wish)}});
}

}  // namespace vw::ui
