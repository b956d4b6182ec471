// Air tab of the right sidebar: display of a field by slice planes, arrows, lines and iso-surfaces, spectrum of a
// field, new fields.
#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/window/document/scene_loader.h"
#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/plot.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/vectors/vectors.h"
#include "sim/api/analysis/fields.h"
#include "sim/base/generation_progress.h"

namespace vw::ui {
namespace {

constexpr const char* all_fields = "All fields";

/// Draws a combo box with the available width. Returns true if another choice was made. `label` converts a choice to
/// its display text.
template <class Label>
bool combo(const char* id, const std::vector<std::string>& choices, std::string& chosen, const Label& label) {
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (!begin_combo(id, label(chosen))) return false;
  const std::string before = chosen;
  for (const std::string& choice : choices)
    if (ImGui::Selectable(label(choice).c_str(), choice == before)) chosen = choice;
  ImGui::EndCombo();
  return chosen != before;
}

/// Begins a table with the columns of parameter rows.
bool begin_table(const char* id) {
  if (!ImGui::BeginTable(id, 3, ImGuiTableFlags_SizingStretchProp)) return false;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.47F);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.53F);
  ImGui::TableSetupColumn("default", ImGuiTableColumnFlags_WidthFixed, em(1.2F));
  return true;
}

void label_cell(const char* text, const char* hint) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text);
  tooltip(hint);
  ImGui::TableNextColumn();
}

/// Returns the names of the fields, preceded by an empty name, which stands for the sum of all fields.
std::vector<std::string> field_names(const App& app) {
  std::vector<std::string> names{""};
  for (const Node* field : app.session.document->root().all("field")) names.push_back(field->name);
  return names;
}

/// Returns the names of the quantities that slice planes and iso-surfaces can show.
std::vector<std::string> plane_quantities() {
  std::vector<std::string> quantities;
  for (const AirQuantity& one : air_quantities())
    if (one.name != "velocity") quantities.emplace_back(one.name);  // shown as "speed" instead
  return quantities;
}

void draw_what(App& app, const ViewParams& view, std::vector<Assignment>& edits) {
  if (!begin_table("what")) return;
  label_cell("Field", "Field that the slice planes, arrows, lines and iso-surfaces show, or the sum of all fields");
  std::string field = view.field;
  if (combo("##field", field_names(app), field,
            [](const std::string& name) { return name.empty() ? std::string(all_fields) : name; }))
    edits.push_back({"view.air", Value(field)});
  label_cell("Plane quantity",
             "Quantity that the colours of the slice planes show. Only noise fields have a value, and only some fields "
             "have a pressure");
  std::string quantity = view.quantity;
  if (combo("##quantity", plane_quantities(), quantity, quantity_label))
    edits.push_back({"view.air_quantity", Value(quantity)});
  ImGui::EndTable();
}

/// Returns the box in which the air is shown: the box of the field picture, or the scene's bounds if no field is shown
/// yet.
std::pair<Vec3, Vec3> box_of_air(const Snapshot& now) {
  const FieldPicture& air = now.field;
  if ((air.box_max - air.box_min).maxCoeff() > 0) return {air.box_min.cast<double>(), air.box_max.cast<double>()};
  const Bounds3 box = scene_bounds(now);
  return {to_eigen(box.min), to_eigen(box.max)};
}

/// Draws a switch and a position slider for each of the three slice planes. Moving a hidden plane shows the plane.
void draw_planes(App& app, const ViewParams& view, std::vector<Assignment>& edits) {
  const Snapshot* now = app.session.snapshot();
  if (now == nullptr || !begin_table("planes")) return;
  const auto [low, high] = box_of_air(*now);
  const std::array<bool, 3> shown{view.plane_x, view.plane_y, view.plane_z};
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]), path = "view.air_plane_" + axis;
    ImGui::PushID(k);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    bool on = shown[static_cast<std::size_t>(k)];
    if (ImGui::Checkbox(("Normal to " + axis).c_str(), &on)) edits.push_back({path, Value(on)});
    ImGui::TableNextColumn();
    double at = std::clamp(view.planes_at[k], low[k], high[k]);
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (!on) ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
    const bool moved = high[k] > low[k] && bar_slider("##at", ImGuiDataType_Double, &at, &low[k], &high[k],
                                                      (axis + " = %.3g m").c_str(), Scale::linear);
    if (!on) ImGui::PopStyleColor();
    tooltip("Position of the plane in the box; Ctrl + click to type a value");
    if (moved) {
      Vec3 places = view.planes_at;
      places[k] = at;
      edits.push_back({"view.air_planes_at", Value(places)});
      if (!on) edits.push_back({path, Value(true)});
    }
    ImGui::PopID();
  }
  ImGui::EndTable();
}

/// Draws a slider for a number of lines. Numbers above the slider's range can be typed.
void draw_count(const char* label, const char* param, const char* hint, std::int64_t count,
                std::vector<Assignment>& edits) {
  constexpr std::int64_t none = 0, many = 400;
  label_cell(label, hint);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (bar_slider(param, ImGuiDataType_S64, &count, &none, &many, count == 0 ? "none" : "%lld", Scale::linear))
    edits.push_back({std::string("view.") + param, Value(std::clamp<std::int64_t>(count, 0, 5000))});
  tooltip("Ctrl + click to type a number");
}

void draw_lines(const ViewParams& view, std::vector<Assignment>& edits) {
  if (!begin_table("lines")) return;
  draw_count("Streamlines", "air_streamlines", "Number of lines that follow the present velocity of the air",
             view.streamlines, edits);
  draw_count("Pathlines", "air_pathlines", "Number of paths of markers that the air carries", view.pathlines, edits);
  draw_count("Streaklines", "air_streaklines",
             "Number of lines that each join the markers that have left one point, one after the other",
             view.streaklines, edits);
  ImGui::EndTable();
}

/// Returns the reason why a row has no effect on the picture at present, or an empty string.
std::string idle_air_reason(const ViewParams& view, const std::string& path) {
  const std::string name = path.substr(path.find("air_") + 4);
  const bool planes = view.plane_x || view.plane_y || view.plane_z;
  if (!planes && (name == "opacity" || name == "samples")) return "No effect: no slice plane is shown.";
  if (!view.glyphs && (name == "glyph_of" || name == "glyph_count" || name == "seconds"))
    return "No effect: the arrows of the field are off.";
  if (view.streamlines == 0 && name == "streamline_length") return "No effect: no streamlines are drawn.";
  if (view.pathlines == 0 && name == "pathline_time") return "No effect: no pathlines are drawn.";
  if (view.streaklines == 0 && name == "streakline_time") return "No effect: no streaklines are drawn.";
  if (view.streamlines == 0 && name == "ribbons") return "No effect: no streamlines are drawn.";
  if (view.streamlines == 0 && view.streaklines == 0 && name.starts_with("rake_"))
    return "No effect: neither streamlines nor streaklines are drawn.";
  if (view.surface_of.empty() && name.starts_with("surface_") && name != "surface_of")
    return "No effect: no quantity is chosen for iso-surfaces.";
  if (view.air_range_auto && (name == "range_min" || name == "range_max")) return "No effect: the range is automatic.";
  return {};
}

/// Draws rows of view parameters. `names` are the names of the parameters without the prefix "air_".
void draw_some(App& app, const ViewParams& view, const char* id, std::initializer_list<const char*> names,
               std::vector<Assignment>& edits) {
  const Node* node = app.session.document->root().only("view");
  if (node == nullptr) return;
  ParamRows rows;
  rows.document = app.session.document.get();
  rows.text_buffers = &app.ui.text_buffers;
  rows.typed_values = &app.ui.typed_values;
  rows.idle = [&view](const std::string& path) { return idle_air_reason(view, path); };
  rows.choices = [](const std::string& path) {
    if (path == "view.air_surface_of" || path == "view.air_surface_color") {
      std::vector<std::string> quantities = plane_quantities();
      quantities.insert(quantities.begin(), "");
      return quantities;
    }
    return path == "view.air_glyph_of" ? air_glyphs() : std::vector<std::string>();
  };
  rows.left_out = "Air ";
  for (const char* name : names) rows.only.push_back(std::string("view.air_") + name);
  ImGui::PushID(id);
  draw_rows(rows, *node, "view");
  ImGui::PopID();
  edits.insert(edits.end(), rows.edits.begin(), rows.edits.end());
}

Plot spectrum_plot(const api::FieldSpectrum& spectrum) {
  Plot plot;
  plot.title = spectrum.scalar ? "Power" : "Energy";
  plot.prefixes = false;
  plot.x_name = "wave number";
  plot.x_unit = "rad/m";
  plot.x_log = plot.y_log = true;
  plot.height_em = 14;
  if (!spectrum.scalar) plot.y_unit = "m\xC2\xB3/s\xC2\xB2";
  Curve measured{"measured", palette::kinetic}, asked{"prescribed", palette::warning};
  measured.stroke = Stroke::points;
  measured.width_em = 0.06F;
  asked.stroke = Stroke::dashed;
  for (const SpectrumRow& row : spectrum.rows) {
    measured.x.push_back(row.k);
    measured.y.push_back(row.measured);
    asked.x.push_back(row.k);
    asked.y.push_back(row.asked);
  }
  const bool known = std::any_of(asked.y.begin(), asked.y.end(), [](double e) { return std::isfinite(e); });
  plot.curves.push_back(std::move(measured));
  if (known) plot.curves.push_back(std::move(asked));
  return plot;
}

std::string sentence(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text.empty() || text.ends_with('.') ? text : text + ".";
}

void draw_numbers(const api::FieldSpectrum& spectrum) {
  if (!begin_stats("spectrum numbers")) return;
  stat_row("Field", spectrum.field.empty() ? all_fields : spectrum.field);
  const auto slope = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.3f}", value) : std::string("-");
  };
  stat_row("Measured slope", slope(spectrum.slope),
           "Slope of the straight line through the logarithms of measured energy and wave number");
  if (std::isfinite(spectrum.asked_slope))
    stat_row("Prescribed slope", slope(spectrum.asked_slope),
             "Slope of the straight line through the logarithms of prescribed energy and wave number");
  const double parts = spectrum.scalar ? 1 : 3;
  stat_row("Rms", fmt::format("{:.4g}{}", std::sqrt(spectrum.mean_square / parts),
                              spectrum.scalar ? "" : " m/s per component"));
  if (!spectrum.scalar)
    stat_row("Divergence", fmt::format("{:.2g}", spectrum.divergence),
             "Relative divergence: sum of |k.u| divided by the sum of |k| |u| over all modes, where k is the wave "
             "vector of a mode and u its velocity. 0 means free of divergence");
  stat_row(
      "Cube",
      fmt::format("{}\xC2\xB3 in {:.3g} m{}", spectrum.nodes, spectrum.side_m, spectrum.repeats ? "" : ", windowed"),
      "Number of sample points, and edge length of the cube that contains them. \"windowed\" means that the field is "
      "not periodic in the cube. A window function is then applied, which spreads energy to neighbouring wave numbers");
  ImGui::EndTable();
}

/// Draws a combo box for the field whose spectrum is measured, and returns the field's name. The default is the field
/// that the planes and arrows show.
std::string draw_measured_field(App& app, const ViewParams& view) {
  const std::vector<std::string> names = field_names(app);
  auto& chosen = app.ui.layout.spectrum_of;
  if (chosen && std::ranges::find(names, *chosen) == names.end()) chosen.reset();
  std::string field = chosen.value_or(view.field);
  if (names.size() <= 2 || !begin_table("measured")) return field;
  label_cell("Measured field", "Field whose spectrum is measured, or the sum of all fields");
  if (combo("##measured", names, field,
            [](const std::string& name) { return name.empty() ? std::string(all_fields) : name; }))
    chosen = field;
  ImGui::EndTable();
  return field;
}

/// Draws the spectrum, which is measured on a worker thread. If the field is edited while its spectrum is shown, the
/// measurement is repeated automatically.
void draw_spectrum(App& app, const ViewParams& view) {
  const Snapshot* now = app.session.snapshot();
  if (now == nullptr) return;
  const std::string field = draw_measured_field(app, view);
  SpectrumMeasurement& show = app.session.spectrum;
  const bool is_known = show.field() == field && (show.spectrum() || !show.problem().empty());
  const bool is_old = is_known && !show.holds_for(app.session.document->root());
  const bool asked = primary_button(is_known        ? "Measure again"
                                    : field.empty() ? "Measure"
                                                    : ("Measure " + field).c_str());
  tooltip("Computes the energy spectrum of the field at the present time and compares it with the prescribed spectrum");
  app.ui.layout.reveal_spectrum |= asked;  // the plot may be below the visible area
  if (show.busy()) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    dim_text("Measuring\xE2\x80\xA6");
    app.times.busy_until_s = app.times.wall_s + 0.3;
  } else if (asked || is_old) {
    show.start({app.session.document->root(), field, now->time_s});
  }
  if (!is_known) return;
  if (!show.problem().empty()) return dim_text(sentence(show.problem()));
  if (show.spectrum()->rows.empty()) return dim_text("The field does not vary in space, so it has no spectrum.");
  draw_plot("spectrum", spectrum_plot(*show.spectrum()));
  draw_numbers(*show.spectrum());
  if (std::exchange(app.ui.layout.reveal_spectrum, false)) ImGui::SetScrollHereY(1);
}

/// Draws a button that lists the kinds of fields with their descriptions.
void draw_new_field(App& app) {
  if (ImGui::Button("Add a field\xE2\x80\xA6")) ImGui::OpenPopup("kinds");
  tooltip("Adds a field to the scene tree; the world continues");
  if (!ImGui::BeginPopup("kinds")) return;
  const Node& root = app.session.document->root();
  const Schema* wanted = nullptr;
  for (const Schema* kind : std::ranges::find(root.schema->slots, "field", &Slot::name)->kinds) {
    if (ImGui::Selectable(label_of(*kind).c_str())) wanted = kind;
    tooltip(kind->doc);
  }
  ImGui::EndPopup();
  if (wanted != nullptr) change_scene(app, {.node_changes = {fresh_child(root, {}, "field", *wanted)}});
}

void say(const App& app) {
  const Snapshot* now = app.session.snapshot();
  if (now == nullptr || now->field.note.empty() || !app.session.view().any()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
  ImGui::TextWrapped("%s", now->field.note.c_str());
  ImGui::PopStyleColor();
}

}  // namespace

void draw_air_panel(App& app) {
  if (app.session.document == nullptr) return dim_text("No scene is open. Open one with Ctrl+O to see its air.");
  if (app.session.document->root().all("field").empty()) {
    dim_text("This scene has no wind and no other field. Add a field with the button below.");
    return draw_new_field(app);
  }
  const ViewParams view = app.session.view();
  std::vector<Assignment> edits;  // applied after the rows are drawn, because edits change the rows' data
  draw_what(app, view, edits);
  say(app);
  heading("Planes", app.ui.fonts.strong);
  draw_planes(app, view, edits);
  draw_some(app, view, "planes", {"opacity", "samples"}, edits);
  heading("Arrows", app.ui.fonts.strong);
  draw_some(app, view, "arrows", {"glyphs", "glyph_of", "glyph_count", "seconds"}, edits);
  heading("Lines", app.ui.fonts.strong);
  draw_lines(view, edits);
  draw_some(app, view, "lines",
            {"streamline_length", "ribbons", "pathline_time", "streakline_time", "rake_from", "rake_to"}, edits);
  heading("Iso-surfaces", app.ui.fonts.strong);
  draw_some(app, view, "surfaces", {"surface_of", "surface_at", "surface_color", "surface_opacity", "surface_samples"},
            edits);
  heading("Colours", app.ui.fonts.strong);
  draw_some(app, view, "colours", {"range_auto", "range_min", "range_max"}, edits);
  heading("Box", app.ui.fonts.strong);
  draw_some(app, view, "box", {"center", "size"}, edits);
  heading("Spectrum", app.ui.fonts.strong);
  draw_spectrum(app, view);
  edit(app, edits);
  ImGui::Dummy({0, em(0.3F)});
  draw_new_field(app);
}

void draw_generation(ImVec2 corner, ImVec2 size) {
  const auto running = generations_running();
  if (running.empty()) return;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const float width = std::min(em(24), size.x - em(2)), line = em(2.3F),
              height = line * static_cast<float>(running.size()) + em(0.7F);
  ImVec2 at{corner.x + (size.x - width) / 2, corner.y + size.y - height - em(1.2F)};
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(palette::window, 0.85F), em(0.4F));
  for (const GenerationState& job : running) {
    const float left = at.x + em(0.7F), right = at.x + width - em(0.7F),
                share = static_cast<float>(std::clamp(job.share, 0.0, 1.0));
    const std::string percent = fmt::format("{:.0f} %", 100 * share);
    list->AddText({left, at.y + em(0.4F)}, color(palette::text), ("Generating " + job.name).c_str());
    list->AddText({right - ImGui::CalcTextSize(percent.c_str()).x, at.y + em(0.4F)}, color(palette::dim),
                  percent.c_str());
    const float top = at.y + em(1.7F), bottom = top + em(0.45F);
    list->AddRectFilled({left, top}, {right, bottom}, color(palette::frame), em(0.2F));
    if (share > 0)
      list->AddRectFilled({left, top}, {left + share * (right - left), bottom}, color(palette::accent), em(0.2F));
    at.y += line;
  }
}

}  // namespace vw::ui
