// Left sidebar: a search box, the scene tree (scene_tree.cpp), and the parameter rows of the selected node.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/document/body_names.h"
#include "app/window/document/node_hints.h"
#include "app/window/document/scene_groups.h"
#include "app/window/labels/param_style.h"
#include "app/window/labels/step_cost_text.h"
#include "app/window/ui/app.h"
#include "app/window/ui/library/library_panel.h"
#include "app/window/ui/library/presets_popup.h"
#include "app/window/ui/library/randomise_popup.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/panels/modes_panel.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/panels/scene_tree.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/api/open_scene.h"

namespace vw::ui {
namespace {

/// If the values of a material are inconsistent, shows why the running world does not use them
/// (material_edit_buffer.h).
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

/// Returns the reason why a parameter of the node has no effect at present, or an empty string.
std::string idle_reason(const Node& root, const Node& node, const std::string& path) {
  for (const Driver& driver : drivers_of(root, path))
    if (driver.is_enabled) return "No effect while " + driver.actuator + " sets this value.";
  return node.schema->kind == "fluid" ? idle_fluid_reason(node, path) : std::string();
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

/// Shows the computing time of a system in the running world.
void draw_system_cost(const App& app, const Node& node, const std::string& path) {
  const Snapshot* now = app.session.snapshot();
  if (path != "system." + node.name) return;
  // The line is always drawn, so that the rows below do not move when the first step has been measured.
  std::string cost = "measured after the next step";
  if (now != nullptr) {
    const auto found = std::ranges::find(now->systems, node.name, &SystemSnapshot::name);
    if (found != now->systems.end() && found->substeps > 0) cost = system_cost_text(*now, *found);
  }
  dim_text("Cost: " + cost);
  tooltip(
      "Wall time of this system in the last step, simulated time of a step, and number of substeps that stability "
      "requires");
}

void draw_inspector(App& app, ParamRows& rows, const Node& root, TreeWish& wish) {
  const std::string path = app.ui.layout.selected_path;  // a copy, because a button below may select another node
  const Node* node = find_node(root, path);
  if (node == nullptr) return dim_text("Select a node in the tree to edit its parameters.");
  const std::string title = node == &root                      ? "About"
                            : node->name.empty()               ? spelt_out(path)
                            : node->name == node->schema->kind ? label_of(*node->schema)
                                                               : node->name;
  heading(title.c_str(), app.ui.fonts.strong);
  if (node != &root) {
    if (draw_node_buttons(root, *node, path, wish)) ImGui::SameLine();
    draw_presets_button(app, rows, path, wish.change);
    draw_randomise_button(app, rows, path);
  }
  draw_selected_nodes(app.ui.layout, root);
  if (!node->schema->doc.empty()) dim_text(node->schema->doc);
  draw_empty_hint(root, *node, path, wish.change);
  draw_drivers(app.ui.layout, root, *node, path, wish.change);
  draw_matching_material(app, *node);
  draw_system_cost(app, *node, path);
  ImGui::Dummy({0, em(0.1F)});
  if (node == &root) draw_introduction(root);
  draw_contradiction(*node);
  rows.hidden = {"format"};
  rows.idle = [node, &root](const std::string& row) { return idle_reason(root, *node, row); };
  if (node->schema->kind == "voxel_body") {
    if (primary_button("Edit voxels")) edit_voxels(app, path);
    tooltip("Opens the voxel editor for this body; the world pauses");
    draw_studies(app, node->name);
    rows.noted = path + ".integrator";
    rows.note = [&app, name = node->name] { draw_damping_note(app, name); };
  }
  rows.derived = [&app](const std::string& row) { return derived_mass(app, row); };
  draw_rows(rows, *node, path);
}

/// Draws the matching rows of one node under its path. Rows outside the visible part of the window are not drawn. Their
/// height is the height with which they were drawn last or, before that, an estimate from their number.
void draw_matches_of(ParamRows& rows, const Node& node, const std::string& path, std::ptrdiff_t number) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float row_height = ImGui::GetFrameHeight() + 2 * style.CellPadding.y;
  const float estimate =
      ImGui::GetTextLineHeightWithSpacing() + static_cast<float>(number) * row_height + style.ItemSpacing.y;
  ImGuiStorage& heights = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID(rows.filter.c_str());
  const float height = heights.GetFloat(id, estimate);
  if (!ImGui::IsRectVisible({1, height})) return ImGui::Dummy({0, height - style.ItemSpacing.y});
  const float top = ImGui::GetCursorPosY();
  ImGui::TextColored(palette::accent, "%s", path.c_str());
  draw_rows(rows, node, path);
  heights.SetFloat(id, ImGui::GetCursorPosY() - top);
}

/// Draws the search results: the matching rows of all nodes, grouped under the nodes' paths.
void draw_matches(ParamRows& rows, const Node& node, const std::string& path) {
  ImGui::PushID(path.c_str());
  const auto number = std::ranges::count_if(node.schema->params, [&](const ParamSpec& spec) {
    return matches_filter(path + "." + spec.name + " " + spec.doc + " " + spec.label, rows.filter);
  });
  if (number > 0 && !path.empty()) draw_matches_of(rows, node, path, number);
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
  // The line is reserved also if nothing waits, so that the parameters above do not move.
  if (!app.session.reset_needed()) return ImGui::Dummy({0, ImGui::GetTextLineHeight()});
  ImGui::TextColored(palette::warning, "Edits pending");
  tooltip("Some edits take effect only when their system, or the whole world, starts again");
  ImGui::SameLine();
  if (ImGui::SmallButton("Reset now")) return reset(app);
  tooltip("Returns the whole world to its start");
  const std::vector<std::string> systems = systems_to_restart(app);
  if (systems.empty()) return;
  const std::string label = systems.size() == 1 ? "Restart " + systems.front() : "Restart these systems";
  ImGui::SameLine();
  if (ImGui::SmallButton((label + "###restart").c_str())) restart_systems(app, systems);
  tooltip(fmt::format("Restarts {} with the new parameters; everything else continues", fmt::join(systems, ", ")));
}

/// Height [m], at least 0, above which no element is near the vertical line through (x, z).
double free_height(const Snapshot& now, double x, double z) {
  constexpr double near_m = 0.5;
  double top = 0;
  for (const SystemSnapshot& one : now.systems)
    for (const Vec3f& place : one.position)
      if (std::abs(static_cast<double>(place.x()) - x) < near_m &&
          std::abs(static_cast<double>(place.z()) - z) < near_m)
        top = std::max(top, static_cast<double>(place.y()));
  return top;
}

bool has_default(const Node& node, std::string_view key) {
  const auto spec = std::ranges::find(node.schema->params, key, &ParamSpec::name);
  return spec != node.schema->params.end() && same_value(node.value(key), spec->default_value);
}

/// Places a new rigid body or voxel body with default values above everything near the point at which the camera looks,
/// so that it neither overlaps nor falls far.
void place_new_body(const App& app, const Snapshot& now, NodeChange& addition) {
  Node& node = addition.node;
  if (!has_default(node, "position")) return;
  const bool is_voxels = addition.parent.empty() && node.schema->kind == "voxel_body";
  const Node* system = find_node(app.session.document->root(), addition.parent);
  const bool is_rigid =
      addition.parent.starts_with("system.") && system != nullptr && system->schema->slots[node.slot].name == "body";
  if (!is_voxels && !is_rigid) return;
  constexpr double gap_m = 0.1;
  const glm::vec3 target = app.view.viewport.camera.target;
  const double x = std::round(100 * static_cast<double>(target.x)) / 100;
  const double z = std::round(100 * static_cast<double>(target.z)) / 100;
  const double top = free_height(now, x, z);
  if (is_rigid) return node.set("position", Vec3(x, std::ceil(100 * (top + gap_m + width_of(node))) / 100, z));
  // The position of a voxel body is the lower corner of its lattice.
  const Vec3 edges = std::get<double>(node.value("voxel_size")) * std::get<Vec3>(node.value("size"));
  node.set("position", Vec3(x - 0.5 * edges.x(), std::ceil(100 * (top + gap_m)) / 100, z - 0.5 * edges.z()));
}

/// Attaches a new joint with default values to the first body of its system, at the present place of that body.
void place_new_joint(const App& app, const Snapshot& now, NodeChange& addition) {
  const Node* system = find_node(app.session.document->root(), addition.parent);
  if (system == nullptr || system->schema->slots[addition.node.slot].name != "joint") return;
  const auto shown = std::ranges::find(now.systems, system->name, &SystemSnapshot::name);
  if (shown == now.systems.end() || shown->position.empty() || !has_default(addition.node, "anchor")) return;
  const std::string body = body_name(*shown, 0);
  if (body.empty() || !has_default(addition.node, "a")) return;
  addition.node.set("a", Value(body));
  const Vec3 place = shown->position.front().cast<double>();
  addition.node.set("anchor", Value(Vec3((1000 * place).array().round().matrix() / 1000)));
}

/// Adapts the default values of a new node to the running world. A body gets a free place. A joint attaches the first
/// body at its present place. A gust begins about 1 s after the present time. Particles drift with the wind if the
/// scene has fields.
void suit_addition(const App& app, NodeChange& addition) {
  const Snapshot* now = app.session.snapshot();
  if (addition.kind != NodeChange::Kind::add || now == nullptr) return;
  place_new_body(app, *now, addition);
  place_new_joint(app, *now, addition);
  if (!addition.parent.empty()) return;
  Node& node = addition.node;
  if (node.schema->kind == "gust" && has_default(node, "start")) node.set("start", Value(std::round(now->time_s) + 1));
  constexpr double leaf_drag_s = 0.1;
  const bool has_wind = !app.session.document->root().all("field").empty();
  if (node.schema->kind == "particles" && has_wind && has_default(node, "drag_time"))
    node.set("drag_time", Value(leaf_drag_s));
}

/// Performs the action that the user has requested in the tree or in the inspector.
void do_wish(App& app, const Node& root, TreeWish wish) {
  using Show = TreeWish::Show;
  if (wish.show == Show::toggle_hidden) toggle_hidden(app, wish.name);
  if (wish.of_selected == TreeWish::OfSelected::toggle_hidden) toggle_hidden_nodes(app);
  if (wish.of_selected == TreeWish::OfSelected::duplicate) duplicate_nodes(app);
  if (wish.of_selected == TreeWish::OfSelected::remove) remove_nodes(app);
  if (wish.show == Show::isolate) isolate(app, wish.name);
  if (wish.show == Show::toggle_locked) toggle_locked(app, wish.name);
  if (!wish.reordering.empty()) change_scene(app, {.node_changes = std::move(wish.reordering)});
  if (wish.drop) assign_library_material(app, wish.drop->material, wish.drop->path);
  if (wish.change && wish.change->kind == NodeChange::Kind::rename) {
    Renaming renaming = renaming_of(root, path_of(root, *wish.change), wish.change->new_name);
    change_scene(app, {.node_changes = {std::move(renaming.change)}, .assignments = std::move(renaming.references)});
  } else if (wish.change) {
    suit_addition(app, *wish.change);
    change_scene(app, {.node_changes = {std::move(*wish.change)}});
  }
}

/// Draws the draggable edge below the tree. `height` is the height of the tree, and `available` is the height that the
/// tree and the inspector share [window units].
void draw_tree_edge(Layout& layout, float height, float available) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.y;
  ImGui::SetCursorScreenPos({corner.x, corner.y - gap});
  ImGui::InvisibleButton("tree edge", {width, gap});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddLine({corner.x, corner.y - gap / 2}, {corner.x + width, corner.y - gap / 2},
                                        color(palette::accent_dim), em(0.12F));
  }
  if (ImGui::IsItemActive() && ImGui::GetIO().MouseDelta.y != 0)
    layout.tree_share = std::clamp((height + ImGui::GetIO().MouseDelta.y) / available, 0.1F, 0.85F);
  ImGui::SetCursorScreenPos(corner);
}

void draw_no_scene(App& app) {
  if (app.session.loader.busy()) return dim_text("Opening\xE2\x80\xA6");
  dim_text("No scene is open. Choose one on the start page, or drop a file onto the window.");
  if (primary_button("Start page")) show_start_page(app);
}

}  // namespace

void draw_scene_panel(App& app) {
  if (app.session.document == nullptr) return draw_no_scene(app);
  // Edits are applied after the rows are drawn, because the edits change the data of the rows.
  const Node& root = app.session.document->root();
  TreeWish wish;
  draw_parameter_search(app, root, wish.change);
  ParamRows rows;
  rows.document = app.session.document.get();
  rows.filter = app.ui.layout.filter;
  rows.text_buffers = &app.ui.text_buffers;
  rows.typed_values = &app.ui.typed_values;
  rows.variants = &app.ui.library.variants;
  rows.can_compare = app.session.have_snapshot;
  rows.choices = [&root](const std::string& path) { return names_for(root, path); };
  if (!app.ui.layout.filter.empty()) {
    ImGui::BeginChild("matches");
    draw_matches(rows, root, {});
    if (!any_row(root, {}, rows.filter))
      dim_text("No parameter matches. Delete a word, or press Esc to clear the search.");
    ImGui::EndChild();
  } else {
    const float available = ImGui::GetContentRegionAvail().y;
    const float height = std::min(app.ui.layout.tree_height + em(0.6F), available * app.ui.layout.tree_share);
    ImGui::BeginChild("tree", {0, height});
    draw_scene_tree(app.ui.layout, root, wish);
    if (root.all("system").empty()) dim_text("This scene has no systems. Add one with the + above this tree.");
    app.ui.layout.tree_height = ImGui::GetCursorPosY();
    ImGui::EndChild();
    draw_tree_edge(app.ui.layout, height, available);
    // Notes are drawn below the parameters, so that the rows do not move under the pointer when a note appears.
    ImGui::BeginChild("inspector", {0, -app.ui.layout.notes_height});
    if (app.ui.layout.inspected_path != app.ui.layout.selected_path) ImGui::SetScrollY(0);
    app.ui.layout.inspected_path = app.ui.layout.selected_path;
    draw_inspector(app, rows, root, wish);
    ImGui::EndChild();
    const float above_notes = ImGui::GetCursorPosY();
    draw_reset_hint(app);
    draw_checks(app);
    app.ui.layout.notes_height = ImGui::GetCursorPosY() - above_notes;
    rows.edits = edits_of_selected(app.ui.layout, root, rows.edits);
  }
  for (const Error& error : rows.errors) app.log.error(error.message());
  edit(app, rows.edits);
  if (rows.comparison)
    compare_with_value(app, {rows.comparison->first.path, rows.comparison->first.value, rows.comparison->second});
  do_wish(app, root, std::move(wish));
}

}  // namespace vw::ui
