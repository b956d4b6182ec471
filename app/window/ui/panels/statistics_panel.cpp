// Statistics tab of the right sidebar: speed of the simulation, time per stage, numbers of elements, and energies over
// time.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/labels/step_cost_text.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/panels/element_values.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/session.h"
#include "app/window/ui/widgets/plot.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/renderer.h"

namespace vw::ui {
namespace {

struct TimeSpan {
  const char* name;
  double seconds;  ///< length of the time span [s]; 0 means the entire history
};
constexpr auto windows = std::to_array<TimeSpan>({{"5 s", 5}, {"30 s", 30}, {"all", 0}});

void draw_pace_table(const FrameTimes& times, const Snapshot& now) {
  if (!begin_stats("pace")) return;
  stat_row("Real-time factor",
           fmt::format("{}\xC3\x97 (requested {:.3g}\xC3\x97)", pretty_factor(now.realtime_factor), now.asked_speed),
           "Simulated time divided by real time, averaged over about a second");
  stat_row("Frame rate", fmt::format("{:.0f} frames/s, {:.1f} ms", times.fps, times.frame_ms));
  stat_row("World step", fmt::format("{} of {}", duration_text(now.step_wall_s), duration_text(now.dt_s)),
           "Real time that a step takes, and simulated time that it covers");
  ImGui::EndTable();
}

/// Draws a bar for each stage of the step. The length is the stage's fraction of the total time.
void draw_stages(const Snapshot& now) {
  const double total = std::accumulate(now.stages.begin(), now.stages.end(), 0.0,
                                       [](double sum, const auto& stage) { return sum + stage.second; });
  if (total <= 0 || !ImGui::BeginTable("stages", 3, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.36F);
  ImGui::TableSetupColumn("bar", ImGuiTableColumnFlags_WidthStretch, 0.40F);
  ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthStretch, 0.24F);
  for (const auto& [name, seconds] : now.stages) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(palette::dim, "%s", name.c_str());
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, top = at.y + em(0.3F), bottom = at.y + em(0.75F);
    ImGui::Dummy({width, em(1)});
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({at.x, top}, {at.x + width, bottom}, color(palette::frame), em(0.2F));
    list->AddRectFilled({at.x, top}, {at.x + width * static_cast<float>(seconds / total), bottom},
                        color(palette::accent, 0.8F), em(0.2F));
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(duration_text(seconds).c_str());
  }
  ImGui::EndTable();
}

/// Draws the time of each pass of the last picture, while the passes are measured.
void draw_passes(Renderer& renderer) {
  bool measures = renderer.measures_passes();
  if (ImGui::Checkbox("Measure the passes", &measures)) renderer.measure_passes(measures);
  tooltip("Measures how long each pass of a picture takes. Pictures take longer meanwhile.");
  if (!measures || renderer.pass_times().empty() || !begin_stats("passes")) return;
  stat_row("Quality", renderer.quality_in_force());
  double sum = 0;
  for (const PassTime& pass : renderer.pass_times()) {
    sum += pass.ms;
    std::string label = pass.name;
    label[0] = static_cast<char>(label[0] - 'a' + 'A');
    stat_row(label.c_str(), duration_text(1e-3 * pass.ms));
  }
  stat_row("Sum", duration_text(1e-3 * sum));
  ImGui::EndTable();
}

std::size_t first_row(const std::vector<HistoryRow>& rows, double seconds) {
  if (seconds <= 0 || rows.empty()) return 0;
  const double from = rows.back().time_s - seconds;
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), from, [](const HistoryRow& row, double t) { return row.time_s < t; });
  return static_cast<std::size_t>(at - rows.begin());
}

std::size_t first_shown(const Session& session, const Layout& layout) {
  return first_row(session.history.rows(), windows[static_cast<std::size_t>(layout.plot_window)].seconds);
}

std::string total_text(const Total& total) {
  if (!total.unit.empty()) return si_number(total.value) + std::string(total.unit);
  return total.value == std::floor(total.value) ? fmt::format("{}", total.value) : fmt::format("{:.3g}", total.value);
}

/// Whether a total is hidden. Zero totals of the implicit integrator and counts that have a row of their own are
/// hidden.
bool is_hidden_total(const Total& total) {
  return total.name == "particles" || total.name == "members" ||
         (total.value == 0 && (total.name.starts_with("implicit_") || total.name.starts_with("numerical_")));
}

/// Rounds lengths below 0.5 mm to zero, so that they are not written as "-0.000".
double rounded(double metres) { return std::abs(metres) < 0.0005 ? 0 : metres; }

/// Plots x, y and z of a body's centre of mass over time.
void draw_center_plot(const Session& session, const Layout& layout, std::size_t system) {
  Plot center{.title = "Centre of mass",
              .y_unit = "m",
              .curves = {{"x", palette::error, {}}, {"y", palette::good, {}}, {"z", palette::kinetic, {}}}};
  const auto& rows = session.history.rows();
  for (std::size_t i = first_shown(session, layout); i < rows.size(); ++i) {
    if (system >= rows[i].centers.size()) continue;
    center.x.push_back(rows[i].time_s);
    for (std::size_t k = 0; k < 3; ++k)
      center.curves[k].y.push_back(rows[i].centers[system][static_cast<Eigen::Index>(k)]);
  }
  draw_plot("centre", center);
}

const char* name_of_elements(LookKind look) {
  switch (look) {
    case LookKind::voxels: return "Voxels";
    case LookKind::rigid: return "Bodies";
    case LookKind::members: return "Members";
    default: return "Particles";
  }
}

void draw_system(const Session& session, const Layout& layout, const SystemSnapshot& system, std::size_t index) {
  ImGui::PushID(system.name.c_str());
  const std::string label = fmt::format("{}###system", system.name);
  if (ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_SpanAvailWidth)) {
    if (begin_stats("system")) {
      stat_row(name_of_elements(system.look_kind()), fmt::format("{}", system.position.size()));
      stat_row("Substeps", fmt::format("{} of {}s", system.substeps, si_number(system.substep_dt_s)),
               "Number of substeps that the system needs in a world step for stability");
      stat_row("Wall time of a step", duration_text(system.wall_s));
      stat_row("Kinetic energy", si_number(system.kinetic_j) + "J");
      stat_row("Potential energy", si_number(system.potential_j) + "J");
      if (system.elastic_j != 0) stat_row("Elastic energy", si_number(system.elastic_j) + "J");
      stat_row("Mass", fmt::format("{:.4g} kg", system.mass_kg));
      stat_row("Momentum", fmt::format("{:.3g} kg\xC2\xB7m/s", system.momentum.norm()));
      stat_row("Angular momentum", fmt::format("{:.3g} kg\xC2\xB7m\xC2\xB2/s", system.angular_momentum.norm()),
               "Angular momentum about the origin of the world");
      const Vec3& c = system.center_of_mass;
      stat_row("Centre of mass",
               c.cwiseAbs().maxCoeff() < 1e-3
                   ? place_text(c.cast<float>())
                   : fmt::format("{:.3f}, {:.3f}, {:.3f} m", rounded(c.x()), rounded(c.y()), rounded(c.z())));
      for (const Total& total : system.totals)
        if (!is_hidden_total(total))
          stat_row(quantity_label(total.name).c_str(), total_text(total), quantity_doc(total.name));
      ImGui::EndTable();
    }
    if (system.look_kind() == LookKind::voxels) draw_center_plot(session, layout, index);
    ImGui::TreePop();
  }
  ImGui::PopID();
}

void draw_plots(const Session& session, Layout& layout) {
  const auto& rows = session.history.rows();
  const std::size_t first = first_shown(session, layout);
  Plot energy{.title = "Energy",
              .y_unit = "J",
              .curves = {{"kinetic", palette::kinetic, {}},
                         {"potential", palette::potential, {}},
                         {"elastic", palette::elastic, {}}},
              .height_em = 11};
  Plot pace{.title = "Real-time factor",
            .y_unit = "\xC3\x97",
            .curves = {{"achieved", palette::accent, {}}},
            .prefixes = false,
            .from_zero = true,
            .height_em = 7};
  for (std::size_t i = first; i < rows.size(); ++i) {
    energy.x.push_back(rows[i].time_s);
    energy.curves[0].y.push_back(rows[i].kinetic_j);
    energy.curves[1].y.push_back(rows[i].potential_j);
    energy.curves[2].y.push_back(rows[i].elastic_j);
    pace.curves[0].y.push_back(rows[i].realtime_factor);
  }
  pace.x = energy.x;
  draw_plot("energy", energy);
  draw_plot("pace", pace);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    if (ImGui::RadioButton(windows[i].name, layout.plot_window == static_cast<int>(i)))
      layout.plot_window = static_cast<int>(i);
  }
}

}  // namespace

void draw_statistics_panel(const Session& session, Interface& ui, const FrameTimes& times, Renderer* renderer) {
  const Snapshot* now = session.snapshot();
  if (now == nullptr)
    return dim_text("No simulation is running yet. Open a scene with Ctrl+O to see its times and energies.");
  draw_pace_table(times, *now);
  heading("Over time", ui.fonts.strong);
  draw_plots(session, ui.layout);
  heading("Wall time of a step", ui.fonts.strong);
  draw_stages(*now);
  if (renderer != nullptr) {
    heading("Drawing", ui.fonts.strong);
    draw_passes(*renderer);
  }
  heading("Systems", ui.fonts.strong);
  for (std::size_t i = 0; i < now->systems.size(); ++i) draw_system(session, ui.layout, now->systems[i], i);
}

}  // namespace vw::ui
