#include "sim/plot/plot_csv.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace vw {
namespace {

/// Quotes a field according to RFC 4180 if it contains special characters.
std::string field(const std::string& text, char separator) {
  const auto is_special = [separator](char c) { return c == separator || c == '"' || c == '\n' || c == '\r'; };
  if (std::none_of(text.begin(), text.end(), is_special)) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

void append_number(std::string& out, double value) {
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(out), "{}", value);
}

/// Returns the value of a column of the plot `index` for a table. `recorded` is its recorded value.
double value_in_table(const PlotPlan& plan, std::size_t index, const PlotColumn& column, double time_s, double recorded,
                      const AnalyticValue& analytic) {
  if (!analytic || plan.curves[column.curve].node.kind != CurveKind::analytic) return recorded;
  return analytic(index, column.curve, time_s, column.x);
}

std::string head_of(const PlotPlan& plan, char separator) {
  std::string out = field(with_unit(plan.over_time ? "time" : plan.params.x, plan.x_unit), separator);
  for (const PlotCurve& curve : plan.curves)
    out += separator + field(with_unit(label_of(curve), plan.params.unit), separator);
  return out + "\n";
}

}  // namespace

std::string label_of(const PlotCurve& curve) {
  if (!curve.node.params.label.empty()) return curve.node.params.label;
  std::string words = curve.name;
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  return words;
}

void append_plot_row(std::string& out, const PlotPlan& plan, const PlotColumn& column, double time_s, double y) {
  if (!std::isfinite(y)) return;
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}\n", time_s, plan.name, plan.curves[column.curve].name,
                 column.system, plan.over_time ? time_s : column.x, y);
}

std::string plot_rows(const std::vector<PlotPlan>& plans, const PlotData& data, const AnalyticValue& analytic) {
  std::string out = plot_rows_header;
  for (std::size_t p = 0; p < plans.size() && p < data.series.size(); ++p) {
    const PlotPlan& plan = plans[p];
    const PlotSeries& series = data.series[p];
    for (std::size_t row = 0; plan.over_time && row < series.size(); ++row)
      for (std::size_t c = 0; c < plan.columns.size(); ++c)
        append_plot_row(out, plan, plan.columns[c], series.time(row),
                        value_in_table(plan, p, plan.columns[c], series.time(row), series.value(row, c), analytic));
    for (std::size_t c = 0; !plan.over_time && c < plan.columns.size() && plan.first_column + c < data.newest.size();
         ++c)
      append_plot_row(
          out, plan, plan.columns[c], data.time_s,
          value_in_table(plan, p, plan.columns[c], data.time_s, data.newest[plan.first_column + c], analytic));
  }
  return out;
}

std::string plot_table(const PlotPlan& plan, std::size_t index, const PlotData& data, char separator,
                       const AnalyticValue& analytic) {
  std::string out = head_of(plan, separator);
  if (index >= data.series.size()) return out;
  // Adds one row with the columns [first, last). Each curve may have at most one of these columns, because a row has
  // only one value per curve.
  const auto add = [&](double x, std::size_t first, std::size_t last, auto value) {
    append_number(out, x);
    for (std::size_t curve = 0; curve < plan.curves.size(); ++curve) {
      out += separator;
      for (std::size_t c = first; c < last; ++c)
        if (plan.columns[c].curve == curve) append_number(out, value(c));
    }
    out += '\n';
  };
  const PlotSeries& series = data.series[index];
  for (std::size_t row = 0; plan.over_time && row < series.size(); ++row)
    add(series.time(row), 0, plan.columns.size(), [&](std::size_t c) {
      return value_in_table(plan, index, plan.columns[c], series.time(row), series.value(row, c), analytic);
    });
  for (std::size_t c = 0; !plan.over_time && c < plan.columns.size() && plan.first_column + c < data.newest.size(); ++c)
    add(plan.columns[c].x, c, c + 1, [&](std::size_t k) {
      return value_in_table(plan, index, plan.columns[k], data.time_s, data.newest[plan.first_column + k], analytic);
    });
  return out;
}

}  // namespace vw
