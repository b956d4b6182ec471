// Modes tab of the right sidebar: natural frequencies of a voxel body, animation of its modes, and its equilibrium.
#include "app/window/ui/panels/modes_panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/plot.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Returns the name of the voxel body that the panel shows, or an empty string if the scene has no voxel body.
std::string body_in_question(const App& app) {
  const auto names = api::voxel_body_names(app.session.document->root());
  const auto has = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (has(app.session.modes.system)) return app.session.modes.system;
  if (has(app.view.viewport.selection.system)) return app.view.viewport.selection.system;
  return names.empty() ? std::string() : names.front();
}

void draw_choice_of_body(App& app, const std::string& body) {
  const auto names = api::voxel_body_names(app.session.document->root());
  if (names.size() < 2) return;
  ImGui::SetNextItemWidth(-1);
  if (!begin_combo("##body", body)) return;
  for (const std::string& name : names)
    if (ImGui::Selectable(name.c_str(), name == body)) app.session.modes.system = name;
  ImGui::EndCombo();
}

void draw_mode_search(App& app) {
  ModesState& m = app.session.modes;
  if (m.finder.busy()) {
    ImGui::AlignTextToFramePadding();
    dim_text(m.finder.status());
    ImGui::SameLine(ImGui::GetContentRegionAvail().x - em(3));
    if (ImGui::Button("Stop", {em(3.6F), 0})) m.finder.stop();
    return;
  }
  std::int64_t count = m.count;
  constexpr std::int64_t least = 1, most = 60;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - em(8));
  if (bar_slider("##count", ImGuiDataType_S64, &count, &least, &most, "%lld modes", Scale::linear))
    m.count = static_cast<int>(std::clamp(count, least, most));
  tooltip("Number of modes (lowest first), including the six rigid-body modes of a free body");
  ImGui::SameLine();
  if (primary_button("Find modes", {-1, 0})) find_modes(app);
  ImGui::Checkbox("Under load", &m.loaded);
  tooltip(
      "Computes the modes about the equilibrium under gravity and the forces of regions, instead of about the rest "
      "shape. Load can make the body stiffer or softer");
}

std::string row_note(const Mode& mode, double free_mass) {
  if (mode.kind == ModeKind::rigid) return "rigid";
  if (mode.kind == ModeKind::unstable) return "unstable";
  Eigen::Index axis = 0;
  const double most = mode.effective_mass.maxCoeff(&axis);
  const double share = free_mass > 0 ? 100 * most / free_mass : 0;
  return share < 0.5 ? "-" : fmt::format("{:.0f} % {}", share, "xyz"[axis]);
}

void draw_frequencies(App& app) {
  ModesState& m = app.session.modes;
  const ModalAnalysis& found = m.found->analysis;
  dim_text(fmt::format("{}: {} voxels, {} rigid-body modes, computed in {:.2g} s", m.found->request.system,
                       found.voxels, found.rigid, m.found->wall_s));
  if (m.stale) ImGui::TextColored(palette::warning, "The scene has changed: find the modes again.");
  const float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  const float height = row * static_cast<float>(std::min<std::size_t>(found.modes.size() + 1, 16)) + em(0.3F);
  const double step = api::implicit_substep(app.session.document->root(), m.found->request.system);
  if (!ImGui::BeginTable("modes", step > 0 ? 4 : 3,
                         ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg,
                         {0, height}))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Mode", ImGuiTableColumnFlags_WidthStretch, 0.22F);
  ImGui::TableSetupColumn("Frequency", ImGuiTableColumnFlags_WidthStretch, 0.42F);
  ImGui::TableSetupColumn("Mass share", ImGuiTableColumnFlags_WidthStretch, 0.36F);
  if (step > 0) ImGui::TableSetupColumn("Damping", ImGuiTableColumnFlags_WidthStretch, 0.36F);
  ImGui::TableHeadersRow();
  for (int i = 0; i < static_cast<int>(found.modes.size()); ++i) {
    const Mode& mode = found.modes[static_cast<std::size_t>(i)];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (ImGui::Selectable(fmt::format("{}##{}", i + 1, i).c_str(), m.shown == i, ImGuiSelectableFlags_SpanAllColumns))
      m.shown == i ? hide_mode(app) : show_mode(app, i);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(mode.hertz > 0 ? (si_number(mode.hertz) + "Hz").c_str() : "0 Hz");
    ImGui::TableNextColumn();
    ImGui::TextColored(palette::dim, "%s", row_note(mode, found.free_mass).c_str());
    tooltip(
        "Effective mass of this mode if the ground shakes along this axis, as a percentage of the mass that is free to "
        "move. It is 0 if the motions cancel, as in torsion");
    if (step <= 0) continue;
    ImGui::TableNextColumn();
    ImGui::TextColored(palette::dim, "%.2g %%", 100 * api::numerical_damping(mode.hertz, step));
    tooltip("Numerical damping ratio of this mode by the implicit integrator, in percent of critical");
  }
  ImGui::EndTable();
}

void draw_swing(App& app) {
  ModesState& m = app.session.modes;
  if (m.shown < 0)
    return dim_text("Select a mode to see the body oscillate about its start position; the world pauses.");
  constexpr double least = 0.01, most = 0.5, slowest = 0.1, fastest = 4;
  double percent = 100 * m.amplitude, low = 100 * least, high = 100 * most;
  ImGui::SetNextItemWidth(-1);
  if (bar_slider("##amplitude", ImGuiDataType_Double, &percent, &low, &high, "amplitude %.0f %% of body size",
                 Scale::linear))
    m.amplitude = percent / 100;
  ImGui::SetNextItemWidth(-1);
  (void)bar_slider("##pace", ImGuiDataType_Double, &m.pace, &slowest, &fastest, "%.2f oscillations/s", Scale::log);
  if (ImGui::Button("Back to the world", {-1, 0})) hide_mode(app);
}

}  // namespace

void find_modes(App& app) {
  const std::string body = app.session.document == nullptr ? std::string() : body_in_question(app);
  if (body.empty()) return;
  hide_mode(app);
  app.session.modes.finder.start(
      {app.session.document->root(), body, app.session.modes.count, app.session.modes.loaded});
}

const FoundModes* modes_of_body(const ModesState& modes, const std::string& system) {
  return modes.found != nullptr && !modes.stale && modes.found->request.system == system ? modes.found.get() : nullptr;
}

void draw_damping_note(App& app, const std::string& system) {
  const double step = api::implicit_substep(app.session.document->root(), system);
  if (step <= 0) return;
  const FoundModes* found = modes_of_body(app.session.modes, system);
  ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
  ImGui::TextWrapped("Numerical damping of steps of %ss", si_number(step).c_str());
  for (const std::string& line : damping_lines(step, found)) ImGui::TextWrapped("%s", line.c_str());
  ImGui::PopStyleColor();
  tooltip(
      "Damping ratio, in percent of critical, that the implicit integrator adds to the damping of the materials. It is "
      "smaller for shorter steps");
  if (app.session.modes.finder.busy()) return dim_text(app.session.modes.finder.status());
  if (found == nullptr && ImGui::SmallButton("Find lowest mode")) {
    app.session.modes.system = system;
    find_modes(app);
  }
}

void show_mode(App& app, int mode) {
  ModesState& m = app.session.modes;
  if (m.found == nullptr || mode < 0 || mode >= static_cast<int>(m.found->analysis.modes.size()) ||
      !app.session.have_snapshot)
    return;
  if (app.session.playing) set_playing(app, false);
  m.shown = mode;
  m.phase = 0;
  m.last_wall_s = app.times.wall_s;
}

void hide_mode(App& app) {
  app.session.modes.shown = -1;
  app.times.busy_until_s = app.times.wall_s + 0.2;
}

const Snapshot* mode_picture(const ModesState& modes) {
  return modes.shown >= 0 && modes.picture_count > 0 ? &modes.picture : nullptr;
}

void update_modes(App& app) {
  ModesState& m = app.session.modes;
  if (auto outcome = m.finder.poll()) {
    if (*outcome) {
      hide_mode(app);  // the old modes can be selected during the computation, and there may be fewer new modes
      m.found = std::make_unique<FoundModes>(std::move(**outcome));
      m.stale = false;
      m.checked_revision = 0;
    } else {
      app.log.error(outcome->error().message());
    }
  }
  if (m.finder.busy()) app.times.busy_until_s = app.times.wall_s + 0.3;
  if (m.found != nullptr && app.session.document != nullptr &&
      m.checked_revision != app.session.document->revision() + 1) {
    m.checked_revision = app.session.document->revision() + 1;
    m.stale = !still_holds(*m.found, app.session.document->root());
  }
  if (m.shown < 0) return;
  if (app.session.playing || m.found == nullptr || !app.session.have_snapshot) return hide_mode(app);
  m.phase += 2 * pi * m.pace * std::min(app.times.wall_s - m.last_wall_s, 0.1);
  m.last_wall_s = app.times.wall_s;
  m.picture = app.session.run->newest();
  m.picture.grab = {};
  ++m.picture_count;
  const auto body = std::find_if(m.picture.systems.begin(), m.picture.systems.end(),
                                 [&](const SystemSnapshot& s) { return s.name == m.found->request.system; });
  const double amplitude = m.amplitude * m.found->extent_m;
  if (body == m.picture.systems.end() ||
      !pose_mode(*m.found, static_cast<std::size_t>(m.shown), amplitude, m.phase, *body))
    return hide_mode(app);
  app.times.busy_until_s = app.times.wall_s + 0.3;
}

void draw_studies(App& app, const std::string& system) {
  if (app.session.run == nullptr) return;
  const auto show = [&] {
    app.session.modes.system = system;
    app.ui.layout.open_tab = Layout::Tab::modes;
    app.ui.layout.right = true;
  };
  if (ImGui::SmallButton("Find modes")) {
    show();
    find_modes(app);
  }
  tooltip("Computes natural frequencies and mode shapes (tab Modes)");
  ImGui::SameLine();
  if (ImGui::SmallButton("Solve equilibrium")) {
    show();
    settle_body(app, system);
  }
  tooltip("Moves the body to its static equilibrium under load (tab Modes)");
}

void draw_mode_title(const ModesState& m, ImVec2 corner, ImVec2 size) {
  if (mode_picture(m) == nullptr || m.found == nullptr) return;
  const Mode& mode = m.found->analysis.modes[static_cast<std::size_t>(m.shown)];
  std::string text = fmt::format("Mode {} of {}", m.shown + 1, m.found->request.system);
  text += mode.kind == ModeKind::flexible ? ": " + si_number(mode.hertz) + "Hz, enlarged"
          : mode.kind == ModeKind::rigid  ? ": rigid"
                                          : ": unstable";
  if (const double slower = mode.hertz / m.pace; mode.kind == ModeKind::flexible && slower > 1.05)
    text += fmt::format(", {:.3g}\xC3\x97 slower", slower);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
  const ImVec2 at{corner.x + (size.x - extent.x) / 2, corner.y + em(1)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({at.x - em(0.7F), at.y - em(0.3F)}, {at.x + extent.x + em(0.7F), at.y + extent.y + em(0.3F)},
                      color(palette::window, 0.72F), em(0.4F));
  list->AddText(at, color(palette::text), text.c_str());
}

void draw_modes_panel(App& app) {
  if (app.session.document == nullptr)
    return dim_text("No scene is open. Open one with Ctrl+O to find its natural modes.");
  const std::string body = body_in_question(app);
  if (body.empty())
    return dim_text("This scene has no voxel body. Add one with the + above the scene tree, under Systems.");
  draw_choice_of_body(app, body);
  heading("Natural modes", app.ui.fonts.strong);
  draw_mode_search(app);
  if (app.session.modes.found != nullptr) {
    draw_frequencies(app);
    draw_swing(app);
  }
  draw_equilibrium(app, body);
}

}  // namespace vw::ui
