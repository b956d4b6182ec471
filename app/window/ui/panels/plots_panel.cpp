// Plots tab of the right sidebar. Measured curves are lines or points. Theoretical curves are dashed and extend over
// the whole axis.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/window/document/node_hints.h"
#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/plot.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/labels/legend_numbers.h"
#include "sim/base/data/node_change.h"
#include "sim/plot/plot_match.h"

namespace vw::ui {
namespace {

constexpr int analytic_samples = 600;    // more samples than a panel has pixel columns
constexpr float plot_button_em = 1.35F;  // size of the buttons beside a plot's title [em]

constexpr std::size_t tint_count = 7;
ImVec4 spare_tint(std::size_t index) {
  static const std::array<ImVec4, tint_count> tints{palette::kinetic, palette::potential, palette::good,
                                                    palette::elastic, palette::error,     palette::accent,
                                                    palette::text};
  return tints[index % tint_count];
}

ImVec4 curve_tint(const Vec3& linear) {
  const auto part = [&](Eigen::Index k) {
    return static_cast<float>(srgb_from_linear(std::clamp(linear[k], 0.0, 1.0)));
  };
  // Colours of dark bodies are brightened, so that their curves are visible on the dark background.
  const float brightest = std::max({part(0), part(1), part(2), 1e-3F}), lift = std::max(1.0F, 0.62F / brightest);
  return {std::min(1.0F, lift * part(0)), std::min(1.0F, lift * part(1)), std::min(1.0F, lift * part(2)), 1};
}

bool alike(const ImVec4& a, const ImVec4& b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z) < 0.05F;
}

/// Returns the colour of a curve. If the scene gives no colour, a theoretical curve has the colour of the text. A
/// measured curve then has the colour of its system or, if the plot already uses that colour, a spare colour.
ImVec4 curve_tint(const App& app, const PlotPlan& plan, std::size_t curve, const Plot& plot) {
  const CurveNode& node = plan.curves[curve].node;
  if (node.params.color != Vec3(0, 0, 0)) return curve_tint(node.params.color);
  if (node.kind == CurveKind::analytic) return palette::text;
  const auto is_used = [&](const ImVec4& tint) {
    return std::any_of(plot.curves.begin(), plot.curves.end(),
                       [&](const Curve& other) { return alike(other.tint, tint); });
  };
  const auto column =
      std::find_if(plan.columns.begin(), plan.columns.end(), [&](const PlotColumn& c) { return c.curve == curve; });
  if (const Node* system =
          column == plan.columns.end() ? nullptr : app.session.document->root().find("system", column->system))
    for (std::size_t i = 0; i < system->schema->params.size(); ++i) {
      if (system->schema->params[i].name != "color" || system->schema->params[i].type != ParamType::color) continue;
      const ImVec4 own = curve_tint(std::get<Vec3>(system->values[i]));
      if (!is_used(own)) return own;
    }
  for (std::size_t i = 0; i < tint_count; ++i)
    if (!is_used(spare_tint(curve + i))) return spare_tint(curve + i);
  return spare_tint(curve);
}

void set_ranges(const App& app, const PlotPlan& plan, const PlotSeries& series, Plot& plot) {
  if (!plan.params.y_auto) plot.y_range = std::pair(plan.params.y_min, plan.params.y_max);
  if (!plan.over_time || series.size() == 0) return;
  const double now = app.session.plots.data().time_s;
  double from = series.time(0);
  double to = std::max({now, series.time(series.size() - 1), plan.params.x_max, from + 1e-9});
  if (plan.params.until_s > 0) to = std::max({plan.params.until_s, plan.params.x_max, from + 1e-9});
  if (plan.params.span_s > 0 && now - plan.params.span_s > from) {
    from = now - plan.params.span_s;
    to = now;
  }
  plot.x_range = std::pair(from, to);
}

void add_series(const PlotPlan& plan, const PlotSeries& series, Plot& plot) {
  for (std::size_t row = 0; row < series.size(); ++row) plot.x.push_back(series.time(row));
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    Curve& curve = plot.curves[plan.columns[c].curve];
    if (curve.stroke == Stroke::dashed) continue;
    curve.y.reserve(series.size());
    for (std::size_t row = 0; row < series.size(); ++row) curve.y.push_back(series.value(row, c));
  }
}

/// Adds the curves of other branches, faint and without names.
void add_other_branches(const PlotPlan& plan, const PlotData& data, std::size_t index, Plot& plot) {
  for (const auto& branch : data.others) {
    const PlotSeries& series = (*branch)[index];
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      const Curve& own = plot.curves[plan.columns[c].curve];
      if (own.stroke == Stroke::dashed) continue;
      Curve faint{own.name, {own.tint.x, own.tint.y, own.tint.z, 0.35F}};
      faint.is_listed = false;
      for (std::size_t row = 0; row < series.size(); ++row) {
        faint.x.push_back(series.time(row));
        faint.y.push_back(series.value(row, c));
      }
      plot.curves.push_back(std::move(faint));
    }
  }
}

/// Value of a column of a series at a time, interpolated between two rows. NaN outside the series.
double series_value_at(const PlotSeries& series, std::size_t column, double time_s) {
  if (series.size() == 0 || time_s < series.time(0) || time_s > series.time(series.size() - 1)) return std::nan("");
  std::size_t low = 0, high = series.size() - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (series.time(middle) <= time_s ? low : high) = middle;
  }
  const double from = series.time(low), to = series.time(high);
  const double share = to > from ? (time_s - from) / (to - from) : 0;
  return series.value(low, column) + share * (series.value(high, column) - series.value(low, column));
}

/// Adds the curves of run B of a comparison, dotted, or replaces the curves by A - B. Before the first moment of a
/// branch, the values of B are those of A.
void add_second_run(const ComparisonShow& comparison, const PlotPlan& plan, Plot& plot) {
  const PlotData& data = comparison.plots().data();
  if (comparison.plots().empty()) return;
  // A picked plot of A may be absent in B, or have fewer curves there.
  const auto& plans = comparison.plots().plans();
  const PlotPlan* second = find_plan(plans, plan.name);
  if (second == nullptr) return;
  const auto index = static_cast<std::size_t>(second - plans.data());
  if (index >= data.series.size()) return;
  const PlotSeries& series = data.series[index];
  const std::vector<std::size_t> columns = matching_columns(second, plan);
  constexpr std::size_t listed_at_most = 2;  // a longer list of names would hide the plot
  const bool is_short = plan.columns.size() <= listed_at_most;
  const auto is_shared = [&](double time_s) {
    return comparison.shares_beginning() && series.size() > 0 && time_s < series.time(0);
  };
  if (!is_short && !comparison.plots_difference) plot.title += " (B dotted)";
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    Curve& own = plot.curves[plan.columns[c].curve];
    const std::size_t column = columns[c];
    if (own.stroke != Stroke::line) continue;
    if (comparison.plots_difference) {
      for (std::size_t i = 0; i < own.y.size(); ++i)
        own.y[i] -= is_shared(plot.x[i])  ? own.y[i]
                    : column == no_column ? no_value
                                          : series_value_at(series, column, plot.x[i]);
      continue;
    }
    if (column == no_column) continue;
    Curve other{own.name + " (B)", {own.tint.x, own.tint.y, own.tint.z, 0.85F}};
    other.stroke = Stroke::dotted;
    other.is_listed = is_short;
    for (std::size_t i = 0; i < own.y.size() && is_shared(plot.x[i]); ++i) {
      other.x.push_back(plot.x[i]);
      other.y.push_back(own.y[i]);
    }
    for (std::size_t row = 0; row < series.size(); ++row) {
      other.x.push_back(series.time(row));
      other.y.push_back(series.value(row, column));
    }
    plot.curves.push_back(std::move(other));
  }
  if (!comparison.plots_difference) return;
  for (Curve& curve : plot.curves) curve.is_listed &= curve.stroke != Stroke::dashed;
  plot.title += ", A - B";
  plot.y_range.reset();
  plot.y_log = false;
}

/// Whether points are missing in a plot of values at a fixed time (PlotParams::at_s). A curve that was added after this
/// time has no values.
bool lacks_points(const PlotPlan& plan, const std::vector<double>& newest) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    if (!plan.columns[c].system.empty() &&
        (plan.first_column + c >= newest.size() || std::isnan(newest[plan.first_column + c])))
      return true;
  return false;
}

void add_points(const PlotPlan& plan, const std::vector<double>& newest, Plot& plot) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    Curve& curve = plot.curves[plan.columns[c].curve];
    if (curve.stroke == Stroke::dashed || plan.first_column + c >= newest.size()) continue;
    curve.x.push_back(plan.columns[c].x);
    curve.y.push_back(newest[plan.first_column + c]);
  }
}

/// Adds the theoretical curves over the whole axis, beyond the measured range.
void add_analytic(App& app, std::size_t index, Plot& plot) {
  const PlotPlan& plan = app.session.plots.plans()[index];
  double from = 0, to = 0;
  if (plan.over_time) {
    if (!plot.x_range) return;
    std::tie(from, to) = *plot.x_range;
  } else {
    if (plan.columns.empty()) return;
    const auto [low, high] = std::minmax_element(plan.columns.begin(), plan.columns.end(),
                                                 [](const auto& a, const auto& b) { return a.x < b.x; });
    from = low->x;
    to = std::max(high->x, plan.params.x_max);
  }
  const bool log = plan.params.x_log && from > 0;
  for (std::size_t c = 0; c < plan.curves.size(); ++c) {
    Curve& curve = plot.curves[c];
    if (curve.stroke != Stroke::dashed) continue;
    for (int i = 0; i <= analytic_samples; ++i) {
      const double share = static_cast<double>(i) / analytic_samples;
      const double x = log ? from * std::pow(to / from, share) : from + share * (to - from);
      curve.x.push_back(x);
      curve.y.push_back(app.session.plots.analytic(index, c, plan.over_time ? x : app.session.plots.data().time_s, x));
    }
  }
}

/// Action that the user requests by a button beside a plot's title. The action is performed after all plots are drawn.
enum class PlotWish { none, keep, drop };

/// Draws the buttons over the upper right corner of the last plot.
PlotWish draw_plot_buttons(App& app, std::size_t index) {
  const PlotPlan& plan = app.session.plots.plans()[index];
  const bool picked = app.session.plots.picked().is_picked(plan.name);
  const ImVec2 after = ImGui::GetCursorScreenPos(), low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float size = std::round(em(plot_button_em));
  ImVec2 at{high.x - size * (picked ? 4.0F : 2.0F), low.y - em(0.15F)};
  PlotWish wish = PlotWish::none;
  const auto button = [&](const char* id, Icon icon, const char* hint) {
    ImGui::SetCursorScreenPos(at);
    at.x += size;
    return icon_button(id, icon, hint, {.size_em = plot_button_em});
  };
  ImGui::PushID(plan.name.c_str());
  if (button("save", Icon::save, "Saves this plot as CSV in the folder of the tab Capture, one row per time"))
    save_plot(app, index);
  if (button("copy", Icon::copy, "Copies this plot as a table for a spreadsheet"))
    ImGui::SetClipboardText(app.session.plots.table_of(index, '\t').c_str());
  if (picked && button("keep", Icon::keep, "Adds this plot to the scene, so that it is saved with the scene"))
    wish = PlotWish::keep;
  if (picked && button("drop", Icon::close, "Removes this plot")) wish = PlotWish::drop;
  ImGui::PopID();
  ImGui::SetCursorScreenPos(after);
  return wish;
}

/// Draws a hint and a button below a plot of the scene that has no curves.
void draw_empty_plot_hint(App& app, const std::string& path) {
  const Node* plot = find_node(app.session.document->root(), path);
  const auto hint = plot == nullptr ? std::nullopt : empty_node_hint(*plot);
  if (!hint) return;
  dim_text(hint->text);
  if (ImGui::SmallButton(("Add a curve##" + path).c_str())) {
    app.ui.layout.left = true;
    select_nodes(app.ui.layout, {path});
    app.ui.layout.reveal_selected = true;
  }
  tooltip("Selects the plot in the scene tree, where curves are added");
}

PlotWish draw_with_buttons(App& app, std::size_t index) {
  const PlotPlan& plan = app.session.plots.plans()[index];
  draw_plot(plan.name.c_str(), plot_picture(app, index));
  const PlotWish wish = draw_plot_buttons(app, index);
  draw_empty_plot_hint(app, "plot." + plan.name);
  if (!plan.over_time && plan.params.at_s > 0 && lacks_points(plan, app.session.plots.data().newest))
    dim_text(fmt::format("The points are measured at {:g} s{}", plan.params.at_s,
                         app.session.plots.data().time_s > plan.params.at_s ? ". Reset to measure all points." : ".")
                 .c_str());
  ImGui::Dummy({0, em(0.5F)});
  return wish;
}

}  // namespace

Plot plot_picture(App& app, std::size_t index) {
  const PlotPlan& plan = app.session.plots.plans()[index];
  const PlotData& data = app.session.plots.data();
  Plot plot;
  plot.title = plan.params.title.empty() ? quantity_label(plan.name) : plan.params.title;
  plot.y_unit = pretty_unit(plan.params.unit);
  plot.prefixes = takes_prefix(plan.params.unit);
  plot.x_unit = plan.x_unit;
  if (!plan.over_time && plan.params.x_max > 0) plot.x_reach = plan.params.x_max;
  if (!plan.over_time) plot.x_name = quantity_label(plan.params.x);
  plot.x_log = plan.params.x_log;
  plot.y_log = plan.params.y_log;
  plot.legend = plan.params.legend;
  plot.room_em = plot_button_em * static_cast<float>(app.session.plots.picked().is_picked(plan.name) ? 4 : 2);
  plot.height_em = app.session.plots.plans().size() > 2 ? 10.5F : 15;
  for (std::size_t c = 0; c < plan.curves.size(); ++c) {
    const CurveKind kind = plan.curves[c].node.kind;
    Curve curve{label_of(plan.curves[c]), curve_tint(app, plan, c, plot)};
    curve.stroke = kind == CurveKind::analytic ? Stroke::dashed : plan.over_time ? Stroke::line : Stroke::points;
    plot.curves.push_back(std::move(curve));
  }
  if (index >= data.series.size()) return plot;
  set_ranges(app, plan, data.series[index], plot);
  plan.over_time ? add_series(plan, data.series[index], plot) : add_points(plan, data.newest, plot);
  const ComparisonShow& comparison = app.session.comparison;
  const bool has_second = plan.over_time && comparison.is_active() && !comparison.plots().empty() &&
                          find_plan(comparison.plots().plans(), plan.name) != nullptr;
  const bool is_difference = has_second && comparison.plots_difference;
  if (has_second) add_second_run(comparison, plan, plot);
  if (!is_difference) add_analytic(app, index, plot);
  if (plan.over_time && !comparison.is_active()) add_other_branches(plan, data, index, plot);
  const Snapshot* now = app.session.snapshot();
  if (plan.over_time && now != nullptr && now->place.is_past) plot.moment = data.time_s;
  return plot;
}

void draw_plots_panel(App& app) {
  if (app.session.document == nullptr) return dim_text("No scene is open. Open one with Ctrl+O to see its plots.");
  const auto& description = std::get<std::string>(app.session.document->root().value("description"));
  if (!description.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
    ImGui::TextWrapped("%s", description.c_str());
    ImGui::PopStyleColor();
    ImGui::Dummy({0, em(0.4F)});
  }
  if (app.session.plots.empty())
    return dim_text(
        "This scene has no plots. Click an element in the picture, then the curve beside a value on its card.");
  if (!app.session.plots.problem().empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
    ImGui::TextWrapped("%s", app.session.plots.problem().c_str());
    ImGui::PopStyleColor();
  }
  if (app.session.comparison.is_active()) {
    ImGui::Checkbox("Plot A - B", &app.session.comparison.plots_difference);
    tooltip("Plots the difference between the runs A and B in place of both curves");
  }
  std::pair<PlotWish, std::string> wish{PlotWish::none, {}};
  for (const bool picked : {true, false})  // picked plots come first
    for (std::size_t i = 0; i < app.session.plots.plans().size(); ++i) {
      const std::string& name = app.session.plots.plans()[i].name;
      if (app.session.plots.picked().is_picked(name) != picked) continue;
      if (const PlotWish asked = draw_with_buttons(app, i); asked != PlotWish::none) wish = {asked, name};
    }
  if (ImGui::Button("Save all as table")) save_plots(app);
  tooltip("Saves all curves up to the present time as CSV in the folder of the tab Capture, one row per value");
  if (wish.first == PlotWish::keep) keep_plot(app, wish.second);
  if (wish.first == PlotWish::drop) drop_plot(app, wish.second);
}

}  // namespace vw::ui
