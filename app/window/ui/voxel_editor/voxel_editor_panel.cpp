// Tools of the voxel editor in the left sidebar.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/ui/app.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"
#include "app/window/voxel_edit/material_formula.h"

namespace vw::ui {
namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

/// Draws a button that is highlighted if `is_on` is true. Returns true if the button was clicked.
bool choice_button(const char* label, bool is_on, const char* hint) {
  if (is_on) ImGui::PushStyleColor(ImGuiCol_Button, palette::accent_dim);
  const bool is_clicked = ImGui::Button(label);
  if (is_on) ImGui::PopStyleColor();
  tooltip(hint);
  return is_clicked;
}

ImVec4 color_of(std::uint32_t rgba) { return ImGui::ColorConvertU32ToFloat4(rgba | 0xff000000U); }

std::string with_unit(double value, const char* unit) {
  constexpr std::array<std::pair<double, const char*>, 4> prefixes{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  for (const auto& [size, prefix] : prefixes)
    if (std::abs(value) >= size) return fmt::format("{:.3g} {}{}", value / size, prefix, unit);
  return fmt::format("{:.3g} {}", value, unit);
}

constexpr std::array<const char*, 8> shape_names{"box",   "ellipsoid", "cylinder", "cone",
                                                 "torus", "tube",      "formula",  "formula of materials"};
constexpr int formula_shape = 6, material_formula_shape = 7;

/// Cells of the chosen shape with the size of `box`.
Result<CellSet> shape_in(const VoxelBox& box, const VoxelToolSettings& settings, double voxel_size) {
  const Vec3 size = box.size.cast<double>(), center = box.lower.cast<double>() + 0.5 * size;
  RoundSolid solid{.center = center, .axis = 1, .radius = 0.5 * std::min(size.x(), size.z()), .length = size.y()};
  switch (settings.shape) {
    case 0: return CellSet::of_box(box);
    case 1: return ellipsoid_cells(center, 0.5 * size);
    case 2: return cylinder_cells(solid);
    case 3: return cone_cells(solid);
    case 4:
      solid.inner_radius = std::min(0.5 * size.y(), 0.35 * solid.radius);
      solid.radius -= solid.inner_radius;
      return torus_cells(solid);
    case 5: solid.inner_radius = std::max(0.0, solid.radius - settings.thickness); return tube_cells(solid);
    default: return formula_cells(box, settings.formula, FormulaUnits::fractions, voxel_size);
  }
}

/// The selected cells or, without a selection, all voxels. The search takes long in a large lattice.
CellSet cells_to_paint(const VoxelEdits& edits) {
  return edits.selection().is_empty() ? cells_with_code(edits.grid(), any_material) : edits.selection();
}

/// Asks whether to discard the edits of the cells. Returns true if the user agrees.
bool ask_to_discard() {
  if (!ImGui::BeginPopup("discard cells")) return false;
  ImGui::TextUnformatted("Close the editor without the changes of the cells?");
  const bool agrees = primary_button("Discard changes");
  ImGui::SameLine();
  if (agrees || ImGui::Button("Continue editing")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return agrees;
}

}  // namespace

void VoxelEditor::draw_tools(App& app) {
  if (primary_button("Done") && apply_voxels(app)) app.view.closes_voxel_editor = true;
  tooltip("Applies the cells to the scene and closes the editor");
  ImGui::SameLine();
  if (ImGui::Button("Try it")) return try_voxels(app);
  tooltip("Applies the cells and runs the world; a button over the picture returns to the editor");
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) {
    if (is_changed())
      ImGui::OpenPopup("discard cells");
    else
      app.view.closes_voxel_editor = true;  // closes once the scene contains the applied cells
  }
  tooltip("Closes the editor without applying the cells");
  if (ask_to_discard()) return close_voxel_editor(app);
  ImGui::SameLine();
  ImGui::BeginDisabled(!edits_.can_undo());
  if (icon_button("undo", Icon::undo, ("Undo (Ctrl + Z): " + edits_.undo_name()).c_str())) edits_.undo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!edits_.can_redo());
  if (icon_button("redo", Icon::redo, ("Redo (Ctrl + Y): " + edits_.redo_name()).c_str())) edits_.redo();
  ImGui::EndDisabled();

  struct Tool {
    VoxelTool tool;
    const char *label, *hint;
  };
  constexpr std::array<Tool, 8> tools{{{VoxelTool::brush, "Brush", "Draws cells under the pointer (B)"},
                                       {VoxelTool::line, "Line", "Draws a line of connected voxels (L)"},
                                       {VoxelTool::box, "Box", "Draws a box between two cells (X)"},
                                       {VoxelTool::ball, "Ball", "Draws a ball; drag from its centre (O)"},
                                       {VoxelTool::fill, "Fill", "Fills connected cells of the same material (F)"},
                                       {VoxelTool::extrude, "Extrude", "Pulls a flat face out, or pushes it in (E)"},
                                       {VoxelTool::select, "Select", "Selects a box; Shift adds, Ctrl removes (M)"},
                                       {VoxelTool::eyedropper, "Pick", "Chooses the material of a voxel (I, Alt)"}}};
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (i % 4 != 0) ImGui::SameLine();
    if (choice_button(tools[i].label, settings_.tool == tools[i].tool, tools[i].hint)) settings_.tool = tools[i].tool;
  }
  if (choice_button("Add", settings_.mode == BrushMode::add, "Strokes add voxels (A)")) settings_.mode = BrushMode::add;
  ImGui::SameLine();
  if (choice_button("Remove", settings_.mode == BrushMode::remove, "Strokes remove voxels (D, or hold Ctrl)"))
    settings_.mode = BrushMode::remove;
  ImGui::SameLine();
  if (choice_button("Paint", settings_.mode == BrushMode::paint, "Strokes change the material of voxels (P)"))
    settings_.mode = BrushMode::paint;
  ImGui::SetNextItemWidth(em(8));
  constexpr int largest_radius = 12;
  if (ImGui::SliderInt("Brush radius", &settings_.radius, 0, largest_radius,
                       settings_.radius == 0 ? "one cell" : "%d cells"))
    settings_.radius = std::clamp(settings_.radius, 0, largest_radius);
}

void VoxelEditor::draw_palette(App& app) {
  heading("Materials", app.ui.fonts.strong);
  const Node& scene = app.session.document->root();
  const std::vector<std::uint32_t> colors = colors_of(scene);
  const TextList& palette_names = edits_.grid().palette();
  for (std::size_t i = 0; i < palette_names.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const Node* material = find_material(opened_, scene, palette_names[i]);
    ImGui::ColorButton("color", color_of(colors[i + 1]), ImGuiColorEditFlags_NoTooltip, {em(1.2F), em(1.2F)});
    ImGui::SameLine();
    const std::string text = material == nullptr
                                 ? palette_names[i] + " (new)"
                                 : fmt::format("{}   {}, {:.4g} kg/m\xC2\xB3", palette_names[i],
                                               with_unit(std::get<double>(material->value("youngs_modulus")), "Pa"),
                                               std::get<double>(material->value("density")));
    if (ImGui::Selectable(text.c_str(), settings_.code == i + 1)) settings_.code = static_cast<std::uint16_t>(i + 1);
    ImGui::PopID();
  }
  const auto add = [&](const std::string& name) {
    TextList longer = palette_names;
    longer.push_back(name);
    if (const auto good = edits_.set_palette(longer); !good) return app.log.error(good.error().message());
    settings_.code = static_cast<std::uint16_t>(longer.size());
  };
  if (icon_button("add material", Icon::plus, "Adds a material to the palette", {.size_em = 1.5F}))
    ImGui::OpenPopup("materials");
  if (!ImGui::BeginPopup("materials")) return;
  for (const Node* material : scene.all("material"))
    if (std::ranges::find(palette_names, material->name) == palette_names.end() &&
        ImGui::MenuItem(material->name.c_str()))
      add(material->name);
  if (ImGui::MenuItem("New material")) {
    std::string name = "material";
    for (int k = 2; find_material(opened_, scene, name) != nullptr ||
                    std::ranges::find(palette_names, name) != palette_names.end();
         ++k)
      name = fmt::format("material-{}", k);
    add(name);
  }
  ImGui::EndPopup();
}

void VoxelEditor::draw_symmetry() {
  ImGui::TextUnformatted("Mirror");
  for (std::size_t i = 0; i < 3; ++i) {
    ImGui::SameLine();
    if (ImGui::Checkbox(axis_names[i], &settings_.mirror[i]) && settings_.mirror[i])
      settings_.mirror_on_cells[i] = edits_.grid().box().size[static_cast<int>(i)] % 2 != 0;  // the middle of the body
    tooltip("Every stroke is repeated on the other side of the plane through the middle");
    if (!settings_.mirror[i]) continue;
    ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton(settings_.mirror_on_cells[i] ? "odd" : "even"))
      settings_.mirror_on_cells[i] = !settings_.mirror_on_cells[i];
    tooltip("even: the plane lies between cells. odd: the plane passes through the centres of cells.");
    ImGui::PopID();
  }
}

void VoxelEditor::draw_visibility() {
  if (!ImGui::CollapsingHeader("Section and layers")) return;
  const VoxelBox& box = edits_.grid().box();
  for (int axis = 0; axis < 3; ++axis) {
    const auto side = static_cast<std::size_t>(2 * axis);
    ImGui::PushID(axis);
    ImGui::SetNextItemWidth(em(10));
    int range[2] = {section_[side], section_[side + 1]};
    const int most = std::max(0, box.size[axis] - 1);
    if (ImGui::SliderInt2("##section", range, 0, most)) {  // Ctrl + click allows any number
      section_[side] = std::clamp(range[0], 0, most);
      section_[side + 1] = std::clamp(range[1], 0, most - section_[side]);
    }
    tooltip("Number of cells that are hidden at the lower and at the upper end of this axis");
    ImGui::SameLine();
    ImGui::Text("hidden along %s", axis_names[static_cast<std::size_t>(axis)]);
    ImGui::PopID();
  }
  int axis = layer_axis_ + 1;
  ImGui::SetNextItemWidth(em(10));
  if (ImGui::Combo("Layer view", &axis, "all layers\0across x\0across y\0across z\0")) {
    layer_axis_ = axis - 1;
    if (layer_axis_ >= 0) layer_ = std::clamp(layer_, box.lower[layer_axis_], box.upper()[layer_axis_] - 1);
  }
  tooltip("Shows one layer of cells, with its neighbours faintly. Strokes draw on this layer.");
  if (layer_axis_ < 0) return;
  int number = layer_ - box.lower[layer_axis_] + 1;
  ImGui::SetNextItemWidth(em(10));
  if (ImGui::SliderInt("Layer", &number, 1, box.size[layer_axis_]))
    layer_ = std::clamp(number, 1, box.size[layer_axis_]) - 1 + box.lower[layer_axis_];
}

void VoxelEditor::draw_selection(App& app) {
  if (!ImGui::CollapsingHeader("Selection")) return;
  ImGui::Text("%zu cells selected", edits_.selection().count());
  if (ImGui::SmallButton("all")) edits_.select_all();
  ImGui::SameLine();
  if (ImGui::SmallButton("none")) edits_.select_none();
  ImGui::SameLine();
  if (ImGui::SmallButton("invert")) edits_.invert_selection();
  ImGui::SameLine();
  if (ImGui::SmallButton("material")) edits_.select_material(settings_.code);
  tooltip("Selects all voxels of the chosen material");
  ImGui::SameLine();
  if (ImGui::SmallButton("grow")) edits_.grow_selection(1);
  ImGui::SameLine();
  if (ImGui::SmallButton("shrink")) edits_.shrink_selection(1);
  ImGui::BeginDisabled(edits_.selection().is_empty());
  if (ImGui::SmallButton("copy")) copy(app, false);
  ImGui::SameLine();
  if (ImGui::SmallButton("cut")) copy(app, true);
  ImGui::SameLine();
  if (ImGui::SmallButton("delete")) report(app, edits_.delete_selection());
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!clipboard_);
  if (ImGui::SmallButton("paste")) paste(app);
  ImGui::EndDisabled();
  tooltip("Pastes at the place of the original. Ctrl + V pastes at the cell under the pointer");
  ImGui::BeginDisabled(edits_.selection().is_empty());
  for (int axis = 0; axis < 3; ++axis) {
    const char* name = axis_names[static_cast<std::size_t>(axis)];
    ImGui::PushID(axis);
    VoxelCell step = VoxelCell::Zero();
    step[axis] = 1;
    ImGui::Text("%s", name);
    ImGui::SameLine();
    if (ImGui::SmallButton("-1")) report(app, edits_.move_selection(-step));
    ImGui::SameLine();
    if (ImGui::SmallButton("+1")) report(app, edits_.move_selection(step));
    ImGui::SameLine();
    if (ImGui::SmallButton("rotate by 90\xC2\xB0")) report(app, edits_.rotate_selection(axis, 1));
    ImGui::SameLine();
    if (ImGui::SmallButton("flip")) report(app, edits_.flip_selection(axis));
    ImGui::PopID();
  }
  ImGui::EndDisabled();
  bool is_limited = settings_.limits_to_selection;
  if (ImGui::Checkbox("Strokes change selected cells only", &is_limited)) {
    settings_.limits_to_selection = is_limited;
    edits_.set_is_limited_to_selection(is_limited);
  }
}

void VoxelEditor::draw_shapes(App& app) {
  if (!ImGui::CollapsingHeader("Shapes and shells")) return;
  const auto voxel_size = std::get<double>(opened_.body.value("voxel_size"));
  const VoxelBox box = fill_box();
  ImGui::SetNextItemWidth(em(8));
  ImGui::Combo("Shape", &settings_.shape, shape_names.data(), static_cast<int>(shape_names.size()));
  if (settings_.shape == formula_shape) {
    ImGui::SetNextItemWidth(-em(0.5F));
    ImGui::InputText("##formula", &settings_.formula);
    tooltip(
        "The shape consists of the cells in which this formula is above 0. x, y and z go from 0 to 1 through the "
        "lattice.");
  }
  if (settings_.shape == material_formula_shape) {
    ImGui::SetNextItemWidth(-em(0.5F));
    ImGui::InputText("##material formula", &settings_.material_formula);
    tooltip(
        "Number of the material of the palette in each cell, as a formula of x, y and z, which go from 0 to 1 through "
        "the lattice. 0 empties a cell.");
  }
  if (ImGui::Button("Fill shape")) {  // tools are named Fill and Select, and ImGui identifies buttons by their labels
    if (settings_.shape == material_formula_shape)
      report(app, fill_by_formula(edits_, box, settings_.material_formula, FormulaUnits::fractions, voxel_size,
                                  settings_.mode == BrushMode::paint ? BrushMode::paint : BrushMode::set));
    else
      fill(app, shape_in(box, settings_, voxel_size));
  }
  tooltip("Fills the box of the selection, or of the lattice, with the shape");
  ImGui::SameLine();
  ImGui::BeginDisabled(settings_.shape == material_formula_shape);
  if (ImGui::Button("Select shape")) {
    const auto cells = shape_in(box, settings_, voxel_size);
    cells ? edits_.select(*cells) : app.log.error(cells.error().message());
  }
  ImGui::EndDisabled();
  draw_mesh_fill(app);
  ImGui::SetNextItemWidth(em(6));
  ImGui::SliderInt("Thickness", &settings_.thickness, 1, 8);
  ImGui::SameLine();
  if (ImGui::Button("Hollow")) report(app, edits_.hollow(settings_.thickness));
  tooltip("Removes all voxels deeper than the thickness");
  ImGui::SameLine();
  if (ImGui::Button("Shell")) report(app, edits_.add_shell(settings_.thickness, settings_.code));
  tooltip("Adds layers of the chosen material around the body");
  std::array<int, 3> size{edits_.grid().box().size.x(), edits_.grid().box().size.y(), edits_.grid().box().size.z()};
  ImGui::SetNextItemWidth(em(10));
  if (typed_size_) size = *typed_size_;
  ImGui::InputInt3("Cells", size.data());
  if (ImGui::IsItemActive()) typed_size_ = size;
  if (ImGui::IsItemDeactivatedAfterEdit())
    report(app, edits_.set_box({edits_.grid().box().lower, {size[0], size[1], size[2]}}));
  if (!ImGui::IsItemActive()) typed_size_.reset();
  tooltip("Size of the lattice along x, y and z. Enter or Tab applies it. Voxels outside are removed.");
  ImGui::SameLine();
  if (ImGui::Button("Crop")) report(app, edits_.crop());
  tooltip("Makes the lattice as small as its voxels allow");
}

void VoxelEditor::draw_paint(App& app) {
  if (!ImGui::CollapsingHeader("Muscles and painted values")) return;
  int layer = static_cast<int>(settings_.layer);
  ImGui::SetNextItemWidth(em(12));
  if (ImGui::Combo("Value", &layer, "phase [cycles]\0temperature factor\0Young's modulus [Pa]\0muscle\0")) {
    settings_.layer = static_cast<PaintLayer>(layer);
    settings_.colors = static_cast<VoxelColors>(layer + 1);
  }
  if (ImGui::Checkbox("Strokes paint this value", &settings_.paints_values))
    settings_.colors = settings_.paints_values ? static_cast<VoxelColors>(layer + 1) : VoxelColors::material;
  tooltip(
      "If on, strokes paint this value instead of changing cells. The phases of voxels in antiphase differ by 0.5 "
      "cycles");
  if (settings_.layer == PaintLayer::muscle) return draw_muscles(app);
  ImGui::SetNextItemWidth(em(6));
  ImGui::InputDouble("##from", &settings_.value, 0, 0, "%.6g");
  ImGui::SameLine();
  if (ImGui::Button("Paint selection"))
    report(app, edits_.paint_value(cells_to_paint(edits_), settings_.layer, settings_.value));
  tooltip("Gives the value to the selected voxels, or to all voxels if none is selected");
  ImGui::SetNextItemWidth(em(6));
  ImGui::InputDouble("at the far end along", &settings_.value_at_end, 0, 0, "%.6g");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(em(3));
  ImGui::Combo("##axis", &settings_.gradient_axis, "x\0y\0z\0");
  ImGui::SameLine();
  if (ImGui::Button("Gradient"))
    report(app, edits_.paint_gradient(cells_to_paint(edits_), settings_.layer, settings_.gradient_axis, settings_.value,
                                      settings_.value_at_end));
  if (ImGui::SmallButton("Clear this layer")) report(app, edits_.clear_paint(settings_.layer));
  int colors = static_cast<int>(settings_.colors);
  ImGui::SetNextItemWidth(em(12));
  if (ImGui::Combo("Colours", &colors, "materials\0phase\0temperature factor\0Young's modulus\0muscles\0"))
    settings_.colors = static_cast<VoxelColors>(colors);
}

/// Draws the list of muscles. The selected muscle is the painted value.
void VoxelEditor::draw_muscles(App& app) {
  const int last = std::max(last_muscle(edits_.grid(), opened_), settings_.muscles);
  const auto entry = [&](int number, const std::string& label) {
    ImGui::PushID(number);
    ImGui::ColorButton("color", color_of(muscle_color(number)), ImGuiColorEditFlags_NoTooltip, {em(1.2F), em(1.2F)});
    ImGui::SameLine();
    if (ImGui::Selectable(label.c_str(), settings_.value == number)) settings_.value = number;
    ImGui::PopID();
  };
  entry(0, "no muscle");
  for (int number = 1; number <= last; ++number) {
    if (is_painted_muscle(opened_, number)) {
      entry(number, muscle_name(opened_, number));
    } else {
      dim_text(muscle_name(opened_, number) + ": given by a shape");
    }
  }
  if (ImGui::Button("New muscle") && last < max_painted_muscles) {
    settings_.muscles = last + 1;
    settings_.value = settings_.muscles;
  }
  tooltip(
      "Makes a group of voxels that contracts and expands. A wave that drives it is added to the scene, in antiphase "
      "to that of the previous muscle");
  ImGui::SameLine();
  if (ImGui::Button("Paint selection"))
    report(app, edits_.paint_value(cells_to_paint(edits_), PaintLayer::muscle, settings_.value));
  tooltip("Assigns the selected voxels, or all voxels if none is selected, to the muscle");
  if (ImGui::SmallButton("Clear this layer")) report(app, edits_.clear_paint(PaintLayer::muscle));
}

void VoxelEditor::draw_measures(App& app) {
  heading("Body", app.ui.fonts.strong);
  const VoxelGrid& grid = edits_.grid();
  const auto voxel_size = std::get<double>(opened_.body.value("voxel_size"));
  if (measured_.revision != edits_.revision() && !stroke_) {
    std::vector<double> densities;
    for (const std::string& name : grid.palette()) {
      const Node* material = find_material(opened_, app.session.document->root(), name);
      densities.push_back(material == nullptr ? 1000 : std::get<double>(material->value("density")));
    }
    measured_ = {edits_.revision(), measures_of(grid, densities, voxel_size), connected_parts(grid)};
  }
  const VoxelCell size = grid.content_box().size;
  ImGui::Text("%zu voxels of %s", measured_.measures.voxels, fmt::format("{:.4g} mm", 1000 * voxel_size).c_str());
  ImGui::TextUnformatted(fmt::format("{} \xC3\x97 {} \xC3\x97 {} cells, {:.4g} \xC3\x97 {:.4g} \xC3\x97 {:.4g} mm",
                                     size.x(), size.y(), size.z(), 1000 * voxel_size * size.x(),
                                     1000 * voxel_size * size.y(), 1000 * voxel_size * size.z())
                             .c_str());
  ImGui::TextUnformatted(measured_.measures.mass_kg < 0.1
                             ? fmt::format("Mass {:.4g} g", 1000 * measured_.measures.mass_kg).c_str()
                             : fmt::format("Mass {:.4g} kg", measured_.measures.mass_kg).c_str());
  draw_frequency(app);
  if (measured_.parts.size() < 2) return;
  ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
  ImGui::TextWrapped("%s", fmt::format("The body has {} parts that no bond joins; the smallest has {} voxels.",
                                       measured_.parts.size(), measured_.parts.back().voxels)
                               .c_str());
  ImGui::PopStyleColor();
  if (ImGui::SmallButton("Select the smaller parts")) {
    CellSet cells;
    for (std::size_t i = 1; i < measured_.parts.size(); ++i)
      cells = cells.united(connected_cells(grid, measured_.parts[i].first, CellMatch::filled));
    edits_.select(cells);
  }
}

VoxelBox VoxelEditor::fill_box() const {
  return edits_.selection().is_empty() ? edits_.grid().box() : edits_.selection().bounds();
}

void VoxelEditor::fill(App& app, const Result<CellSet>& cells) {
  if (!cells) return app.log.error(cells.error().message());
  const BrushMode mode = settings_.mode == BrushMode::add ? BrushMode::set : settings_.mode;
  report(app, edits_.apply(*cells, mode, settings_.code));
}

/// Draws the lowest natural frequency, and starts its computation after a change.
void VoxelEditor::draw_frequency(App& app) {
  LowestFrequency& frequency = app.session.lowest_frequency;
  if (measured_.revision == edits_.revision())
    frequency.update({edits_.revision(), app.session.document->revision()},
                     {edits_.grid(), opened_, app.session.document->root(), path_, measured_.measures.voxels,
                      measured_.parts.size()});
  if (frequency.is_computing())
    app.times.busy_until_s = app.times.wall_s + 0.3;  // draw frames until the result is ready
  ImGui::TextWrapped("%s", frequency.text().c_str());
  tooltip("Natural frequency of the lowest mode that deforms the body, about its rest shape without load");
}

void VoxelEditor::draw_panel(App& app) {
  heading(("Voxels of " + opened_.body.name).c_str(), app.ui.fonts.strong);
  draw_tools(app);
  if (app.view.voxel_editor == nullptr) return;  // a button has closed the editor
  draw_files(app);
  draw_palette(app);
  draw_symmetry();
  draw_visibility();
  draw_selection(app);
  draw_shapes(app);
  draw_paint(app);
  draw_measures(app);
}

}  // namespace vw::ui
