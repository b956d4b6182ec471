#include "app/window/ui/library/library_panel.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/window/labels/param_style.h"
#include "app/window/library/material_assignment.h"
#include "app/window/ui/app.h"
#include "app/window/ui/library/material_drag.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/base/system/folders.h"

namespace vw::ui {
namespace {

constexpr float material_row_em = 2.7F;

std::string text_of_figure(const MaterialFigure& figure) {
  const std::string unit = pretty_unit(figure.kind->unit);
  return fmt::format("{:.6g}{}{}", figure.value, unit.empty() ? "" : " ", unit);
}

/// Text of the figures (numeric properties) in the list: density, and modulus or viscosity.
std::string main_figures(const LibraryMaterial& material) {
  std::string text;
  for (const char* key : {"density", "youngs_modulus", "dynamic_viscosity"})
    if (const MaterialFigure* figure = material.find(key)) text += (text.empty() ? "" : ", ") + text_of_figure(*figure);
  return text;
}

bool passes_search(const LibraryMaterial& material, const std::string& filter) {
  return matches_filter(fmt::format("{} {} {} {} {}", material.title, material.name, material.group,
                                    name_of(material.state), material.note),
                        filter);
}

ImU32 swatch_color(const Vec3& linear) {
  const auto part = [&](Eigen::Index i) { return static_cast<float>(srgb_from_linear(linear[i])); };
  return ImGui::ColorConvertFloat4ToU32({part(0), part(1), part(2), 1});
}

void draw_material_row(MaterialWindow& window, const LibraryMaterial& material) {
  ImGui::PushID(material.name.c_str());
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = em(material_row_em);
  if (ImGui::Selectable("##material", window.selected == material.name, 0, {0, height}))
    window.selected = material.name;
  drag_material(material, window.drop_hint);
  if (ImGui::IsItemVisible()) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float side = em(1.5F), left = corner.x + em(2.3F), top = corner.y + (height - side) / 2;
    const float room = width - em(2.4F);
    list->AddRectFilled({corner.x + em(0.3F), top}, {corner.x + em(0.3F) + side, top + side},
                        swatch_color(material.color), em(0.25F));
    list->AddText({left, corner.y + em(0.2F)}, color(palette::text), shortened(material.title, room).c_str());
    list->AddText({left, corner.y + em(1.35F)}, color(palette::dim), shortened(main_figures(material), room).c_str());
  }
  if (dragged_material() == nullptr) tooltip("Drag this material to a node of the tree or to an object in the picture");
  ImGui::PopID();
}

void draw_material_list(App& app) {
  MaterialWindow& window = app.ui.library.materials;
  const MaterialLibrary& library = library_of(window);
  std::string group;
  bool any = false;
  for (const LibraryMaterial& material : library.materials) {
    if (!passes_search(material, window.filter)) continue;
    if (!any || material.group != group) heading(spelt_out(material.group).c_str(), app.ui.fonts.strong);
    group = material.group;
    any = true;
    draw_material_row(window, material);
  }
  if (!any) dim_text("No material contains these words.");
}

/// Draws the errors of files that could not be read.
void draw_library_errors(const MaterialLibrary& library, ImFont* strong) {
  if (library.errors.empty()) return;
  heading("Files with errors", strong);
  ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
  for (const Error& error : library.errors) ImGui::TextWrapped("%s", error.message().c_str());
  ImGui::PopStyleColor();
}

void draw_library_foot(MaterialWindow& window) {
  if (ImGui::SmallButton("Read again")) window.library.reset();
  tooltip("Reads all materials again after you have changed a file");
  const std::string folder = user_materials_folder();
  if (folder.empty()) return;
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy path of my materials")) ImGui::SetClipboardText(folder.c_str());
  tooltip("Copies the path of the folder for your own materials: " + folder);
}

void draw_figure(const MaterialFigure& figure, ImFont* strong) {
  ImGui::Dummy({0, em(0.2F)});
  if (strong != nullptr) ImGui::PushFont(strong);
  ImGui::TextUnformatted(figure.kind->label.c_str());
  if (strong != nullptr) ImGui::PopFont();
  ImGui::TextUnformatted(text_of_figure(figure).c_str());
  if (!figure.at.empty()) dim_text("Conditions: " + figure.at);
  dim_text((figure.read ? "Source (read): " : "Source (cited): ") + figure.source);
}

/// Name of the selected node in the label of a button.
std::string name_of_selected(const App& app) {
  const std::string& path = app.ui.layout.selected_path;
  const Node* node = app.session.document == nullptr ? nullptr : find_node(app.session.document->root(), path);
  if (node == nullptr || path.empty()) return "selected node";
  return node->name.empty() ? spelt_out(path) : node->name;
}

/// Sentence that explains why the selected node does not accept the material. Empty if the node accepts it.
std::string refusal_of_selected(const App& app, const LibraryMaterial& material) {
  if (app.session.document == nullptr) return "No scene is open.";
  const std::string& path = app.ui.layout.selected_path;
  if (path.empty()) return "Select a node in the tree that accepts a material.";
  const auto assigned = assign_material(app.session.document->root(), path, material);
  return assigned ? std::string() : assigned.error().message();
}

/// Draws a button. If `reason` is not empty, the button is disabled, and its tooltip shows the reason.
bool reasoned_button(const std::string& label, const std::string& reason, const char* hint) {
  ImGui::BeginDisabled(!reason.empty());
  const bool pressed = ImGui::Button(label.c_str());
  ImGui::EndDisabled();
  if (reason.empty()) {
    tooltip(hint);
  } else if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(em(26));
    ImGui::TextUnformatted(reason.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return pressed;
}

void draw_material_buttons(App& app, const LibraryMaterial& material) {
  if (reasoned_button("Assign to " + name_of_selected(app) + "###assign", refusal_of_selected(app, material),
                      "Sets the parameters of the node that is selected in the tree"))
    assign_library_material(app, material.name, app.ui.layout.selected_path);
  if (material.state != MatterState::solid) return;
  ImGui::SameLine();
  const bool has_scene = app.session.document != nullptr;
  if (reasoned_button("Add to scene", has_scene ? std::string() : "No scene is open.",
                      "Adds a material node with these values to the scene"))
    change_scene(app, {.node_changes = material_nodes(app.session.document->root(), material)});
}

void draw_material(App& app, const LibraryMaterial& material) {
  heading(material.title.c_str(), app.ui.fonts.strong);
  const std::string_view state = name_of(material.state);
  dim_text(material.group == state ? spelt_out(material.group)
                                   : fmt::format("{}, {}", spelt_out(material.group), state));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(material.note.c_str());
  ImGui::PopTextWrapPos();
  draw_material_buttons(app, material);
  for (const MaterialFigure& figure : material.figures) draw_figure(figure, app.ui.fonts.strong);
}

/// Path of the node to which a material would be assigned if the user dropped it at the pointer. A gas is always
/// assigned to the world. Empty if there is no node.
std::string picture_target(const App& app, MatterState state) {
  return state == MatterState::gas ? "world" : app.view.viewport.node_under_pointer(app);
}

}  // namespace

std::string user_materials_folder() {
  const std::string folder = config_folder();
  return folder.empty() ? folder : (std::filesystem::path(folder) / "materials").string();
}

const MaterialLibrary& library_of(MaterialWindow& window) {
  if (!window.library) {
    const std::vector<std::string> folders{packaged_materials_folder(), user_materials_folder()};
    window.library = read_material_library(folders);
  }
  return *window.library;
}

void draw_library_window(App& app) {
  MaterialWindow& window = app.ui.library.materials;
  if (!window.open) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImVec2 size{std::min(em(46), 0.9F * display.x), std::min(em(34), 0.8F * display.y)};
  // At this position, the window hides neither the tree nor the middle of the picture, which are targets of drags.
  ImGui::SetNextWindowPos({display.x - size.x - em(1), em(4)}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSize(size, ImGuiCond_FirstUseEver);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, palette::panel);
  if (ImGui::Begin("Material library", &window.open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::BeginChild("list", {0.48F * ImGui::GetContentRegionAvail().x, 0});
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##search", "Search materials", &window.filter);
    ImGui::BeginChild("materials", {0, -em(1.8F)});
    draw_material_list(app);
    draw_library_errors(library_of(window), app.ui.fonts.strong);
    ImGui::EndChild();
    draw_library_foot(window);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("material");
    if (const LibraryMaterial* selected = library_of(window).find(window.selected))
      draw_material(app, *selected);
    else
      dim_text("Select a material to see its properties and their sources.");
    ImGui::EndChild();
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

void draw_picture_drop(App& app, ImVec2 corner, ImVec2 size) {
  app.ui.library.materials.drop_hint.clear();
  const MaterialPayload* dragged = dragged_material();
  if (dragged == nullptr || app.session.document == nullptr || !app.session.have_snapshot) return;
  const ImRect picture(corner, {corner.x + size.x, corner.y + size.y});
  if (!ImGui::BeginDragDropTargetCustom(picture, ImGui::GetID("material drop"))) return;
  const Node& root = app.session.document->root();
  const std::string path = picture_target(app, dragged->state);
  const LibraryMaterial* material = library_of(app.ui.library.materials).find(dragged->name);
  const bool is_accepted = material != nullptr && assign_material(root, path, *material);
  app.ui.library.materials.drop_hint = is_accepted    ? "Assign to " + path
                                       : path.empty() ? "There is no object here"
                                                      : path + " does not accept this material";
  const ImGuiPayload* dropped =
      ImGui::AcceptDragDropPayload(material_payload, ImGuiDragDropFlags_AcceptNoDrawDefaultRect);
  ImGui::EndDragDropTarget();
  if (dropped == nullptr || material == nullptr) return;
  if (path.empty()) return app.log.info("There is no object at this point of the picture", Toast::yes);
  assign_library_material(app, material->name, path);
}

void assign_library_material(App& app, const std::string& material, const std::string& path) {
  const LibraryMaterial* found = library_of(app.ui.library.materials).find(material);
  if (found == nullptr || app.session.document == nullptr) return;
  auto assigned = assign_material(app.session.document->root(), path, *found);
  if (!assigned) return app.log.error(assigned.error().message());
  const std::string notes = notes_of(*assigned);
  app.session.document->end_gesture();  // the assignment is an undo step of its own
  if (assigned->node_changes.empty())
    edit(app, assigned->assignments);
  else
    change_scene(app,
                 {.node_changes = std::move(assigned->node_changes), .assignments = std::move(assigned->assignments)});
  app.session.document->end_gesture();
  app.log.info(fmt::format("Assigned {} to {}.{}{}", found->title, path, notes.empty() ? "" : " ", notes), Toast::yes);
}

void draw_matching_material(App& app, const Node& node) {
  const LibraryMaterial* material = matching_material(library_of(app.ui.library.materials), node);
  if (material == nullptr) return;
  dim_text("Values of " + material->title + " (material library)");
  tooltip(material->note);
}

}  // namespace vw::ui
