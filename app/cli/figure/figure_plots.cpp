#include "app/cli/figure/figure_plots.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/api/analysis/fields.h"
#include "sim/base/srgb.h"
#include "sim/plot/plot_csv.h"

namespace vw::cli {
namespace {

constexpr int formula_samples = 300;

/// Colours that people with a colour vision deficiency can tell apart (M. Okabe, K. Ito, "Color universal design",
/// 2008).
constexpr auto curve_palette = std::to_array<glm::vec3>({{0.00F, 0.45F, 0.70F},
                                                         {0.84F, 0.37F, 0.00F},
                                                         {0.00F, 0.62F, 0.45F},
                                                         {0.80F, 0.47F, 0.65F},
                                                         {0.90F, 0.62F, 0.00F},
                                                         {0.34F, 0.71F, 0.91F}});

glm::vec3 encoded_color(const Vec3& linear) {
  glm::vec3 out;
  for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(srgb_of_linear(std::clamp(linear[k], 0.0, 1.0)));
  return out;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

}  // namespace

FigurePlots::FigurePlots(PlotSet plots, std::vector<std::size_t> shown)
    : plots_(std::move(plots)), shown_(std::move(shown)), series_(plots_.plans().size()) {
  for (std::size_t p = 0; p < series_.size(); ++p)
    series_[p].start(plots_.plans()[p].columns.size(), plots_.plans()[p].params.span_s);
}

Result<FigurePlots> FigurePlots::open(const api::Run& run, const std::vector<std::string>& names) {
  auto plots = PlotSet::compile(run.scene());
  if (!plots) return Unexpected(plots.error());
  if (plots->plans().empty()) return fail("--plots: this scene has no plots");
  std::vector<std::size_t> shown;
  std::string known;
  for (const PlotPlan& plan : plots->plans()) known += (known.empty() ? "" : ", ") + plan.name;
  for (const std::string& name : names) {
    bool is_known = name == "all";
    for (std::size_t p = 0; p < plots->plans().size(); ++p) {
      if (name != "all" && plots->plans()[p].name != name) continue;
      is_known = true;
      if (std::ranges::find(shown, p) == shown.end()) shown.push_back(p);
    }
    if (!is_known) return fail(fmt::format("--plots = {}: must be \"all\" or names from {}", name, known));
  }
  if (plots->wants_air()) plots->set_air(api::make_air_gauge(run.scene()));
  FigurePlots out(std::move(*plots), std::move(shown));
  for (const Node* system : run.scene().all("system"))
    for (const ParamSpec& spec : system->schema->params)
      if (spec.name == "color" && spec.type == ParamType::color)
        out.colors_[system->name] = encoded_color(std::get<Vec3>(system->value("color")));
  return out;
}

void FigurePlots::add_to(SnapshotRequest& wanted) const {
  const SnapshotRequest& own = plots_.wanted();
  wanted.channels.insert(wanted.channels.end(), own.channels.begin(), own.channels.end());
  wanted.vectors.insert(wanted.vectors.end(), own.vectors.begin(), own.vectors.end());
  wanted.rules.insert(wanted.rules.end(), own.rules.begin(), own.rules.end());
}

void FigurePlots::measure(const Snapshot& state) {
  plots_.measure(state, row_);
  time_s_ = state.time_s;
  for (std::size_t p = 0; p < series_.size(); ++p)
    if (const PlotPlan& plan = plots_.plans()[p]; plan.over_time && !plan.is_over(state))
      series_[p].add(state.time_s, row_.data() + plan.first_column);
}

DrawnCurve FigurePlots::styled(const PlotPlan& plan, std::size_t curve, const PlotFigure& others) const {
  const CurveNode& node = plan.curves[curve].node;
  DrawnCurve out;
  out.label = label_of(plan.curves[curve]);
  out.is_dashed = node.kind == CurveKind::analytic;
  if (node.params.color != Vec3(0, 0, 0)) {
    out.color = encoded_color(node.params.color);
    return out;
  }
  out.color = glm::vec3(0.45F);
  if (out.is_dashed) return out;
  const auto is_used = [&](const glm::vec3& color) {
    return std::ranges::any_of(others.curves, [&](const DrawnCurve& one) { return one.color == color; });
  };
  for (const PlotColumn& column : plan.columns)
    if (const auto own = colors_.find(column.system); column.curve == curve && own != colors_.end())
      if (!is_used(own->second)) {
        out.color = own->second;
        return out;
      }
  for (const glm::vec3& color : curve_palette)
    if (!is_used(color)) {
      out.color = color;
      return out;
    }
  return out;
}

void FigurePlots::add_time_curves(std::size_t plot, PlotFigure& out) {
  const PlotPlan& plan = plots_.plans()[plot];
  const PlotSeries& series = series_[plot];
  if (series.size() == 0) return;
  const double from = plan.params.span_s > 0 ? std::max(series.time(0), time_s_ - plan.params.span_s) : series.time(0);
  out.x_range = {from, std::max({series.time(series.size() - 1), plan.params.x_max, from + 1e-9})};
  if (plan.params.x_log) out.x_range.first = std::max(from, 1e-3 * out.x_range.second);
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const std::size_t index = plan.columns[c].curve;
    DrawnCurve curve = styled(plan, index, out);
    if (curve.is_dashed) {
      for (int k = 0; k <= formula_samples; ++k) {
        const double t = std::lerp(out.x_range.first, out.x_range.second, k / static_cast<double>(formula_samples));
        curve.points.emplace_back(t, plots_.analytic(plot, index, t, 0));
      }
    } else {
      for (std::size_t row = 0; row < series.size(); ++row)
        if (series.time(row) >= out.x_range.first) curve.points.emplace_back(series.time(row), series.value(row, c));
    }
    out.curves.push_back(std::move(curve));
  }
}

void FigurePlots::add_parameter_curves(std::size_t plot, PlotFigure& out) {
  const PlotPlan& plan = plots_.plans()[plot];
  double low = plan.params.x_log ? 1 : 0, high = std::max(low, plan.params.x_max);
  bool any = false;
  for (const PlotColumn& column : plan.columns) {
    // A logarithmic axis has no place for zero and negative values.
    if (column.system.empty() || (plan.params.x_log && !(column.x > 0))) continue;
    low = any ? std::min(low, column.x) : column.x;
    high = any ? std::max(high, column.x) : std::max(plan.params.x_max, column.x);
    any = true;
  }
  const double margin = plan.params.x_log ? 0 : std::max(0.05 * (high - low), 1e-12);
  out.x_range = plan.params.x_log ? std::pair(low / 1.3, high * 1.3) : std::pair(low - margin, high + margin);
  for (std::size_t index = 0; index < plan.curves.size(); ++index) {
    DrawnCurve curve = styled(plan, index, out);
    if (curve.is_dashed) {
      for (int k = 0; k <= formula_samples; ++k) {
        const double part = k / static_cast<double>(formula_samples);
        const double x = plan.params.x_log ? out.x_range.first * std::pow(out.x_range.second / out.x_range.first, part)
                                           : std::lerp(out.x_range.first, out.x_range.second, part);
        curve.points.emplace_back(x, plots_.analytic(plot, index, time_s_, x));
      }
    } else {
      curve.is_dotted = true;
      for (std::size_t c = 0; c < plan.columns.size(); ++c)
        if (plan.columns[c].curve == index) curve.points.emplace_back(plan.columns[c].x, row_[plan.first_column + c]);
    }
    out.curves.push_back(std::move(curve));
  }
}

std::vector<PlotFigure> FigurePlots::panels(const std::vector<double>& moments_s) {
  std::vector<PlotFigure> out;
  for (const std::size_t p : shown_) {
    const PlotPlan& plan = plots_.plans()[p];
    PlotFigure one;
    one.title = plan.params.title.empty() ? plan.name : plan.params.title;
    one.x_label = plan.over_time ? "time [s]" : with_unit(plan.params.x, plan.x_unit);
    one.y_label = plan.params.unit.empty() ? "" : "[" + plan.params.unit + "]";
    one.x_log = plan.params.x_log;
    one.y_log = plan.params.y_log;
    one.has_legend = plan.params.legend;
    plan.over_time ? add_time_curves(p, one) : add_parameter_curves(p, one);
    // As in the window, an empty range, or one that a logarithmic axis cannot have, is replaced by that of the curves.
    const bool is_fixed =
        !plan.params.y_auto && plan.params.y_max > plan.params.y_min && !(one.y_log && plan.params.y_min <= 0);
    one.y_range = is_fixed ? std::pair(plan.params.y_min, plan.params.y_max) : range_of_values(one.curves, one.y_log);
    if (plan.over_time && moments_s.size() > 1) one.moments = moments_s;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace vw::cli
