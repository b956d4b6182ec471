#include "sim/api/analysis/checked_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace vw::api {
namespace {

Result<std::size_t> column_of(const PlotSet& plots, const LabCheck& check, const std::string& curve) {
  for (const PlotPlan& plan : plots.plans())
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const PlotColumn& column = plan.columns[i];
      const bool fits = plan.name == check.plot && plan.curves[column.curve].name == curve &&
                        (check.system.empty() || column.system.empty() || column.system == check.system);
      if (fits) return plan.first_column + i;
    }
  const bool exists = std::ranges::any_of(plots.plans(), [&](const PlotPlan& plan) {
    return plan.name == check.plot &&
           std::ranges::any_of(plan.columns, [&](const PlotColumn& c) { return plan.curves[c.curve].name == curve; });
  });
  return fail(fmt::format(
      "the check \"{}\" names the curve \"{}\" of the plot \"{}\", which {}", check.title, curve, check.plot,
      exists ? fmt::format("does not measure the system \"{}\"", check.system) : "the scene does not have"));
}

}  // namespace

void CheckedCurve::add(double time_s, double value) {
  if (!std::isfinite(value)) return;
  if (keeps_) kept_.push_back({time_s, value});
  if (count_ == 0) first_ = max_ = min_ = value;
  last_ = value;
  max_ = std::max(max_, value);
  min_ = std::min(min_, value);
  sum_ += value;
  squares_ += value * value;
  ++count_;
}

double CheckedCurve::number(LabValue value) const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(count_);
  switch (value) {
    case LabValue::last: return last_;
    case LabValue::first: return first_;
    case LabValue::max: return max_;
    case LabValue::min: return min_;
    case LabValue::mean: return sum_ / n;
    case LabValue::rms: return std::sqrt(squares_ / n);
    case LabValue::period: return period(sum_ / n);
    case LabValue::zero_period: return period_of(crossings(0));
    case LabValue::rate: return rate(sum_ / n);
    case LabValue::difference: return std::max(std::abs(max_), std::abs(min_));
    case LabValue::slope:
    case LabValue::power: break;  // these numbers belong to a spectrum, not to a curve
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// Returns twice the mean interval between consecutive crossings, or NaN if there are fewer than two crossings.
double CheckedCurve::period_of(const std::vector<double>& times) {
  if (times.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  return 2 * (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

/// Returns the times at which the curve crosses `level`, found by linear interpolation between two samples.
std::vector<double> CheckedCurve::crossings(double level) const {
  std::vector<double> times;
  for (std::size_t i = 1; i < kept_.size(); ++i) {
    const Kept &a = kept_[i - 1], &b = kept_[i];
    if ((a.value < level) == (b.value < level)) continue;
    times.push_back(a.time_s + (b.time_s - a.time_s) * (level - a.value) / (b.value - a.value));
  }
  return times;
}

/// Returns the period, found from the crossings of the mean value. The mean over all samples (`level`) is only a first
/// estimate, because the samples may end within a period. The mean is then computed again over the complete periods
/// between the crossings.
double CheckedCurve::period(double level) const {
  constexpr int passes = 4;
  std::vector<double> times = crossings(level);
  for (int pass = 0; pass < passes && times.size() > 2; ++pass) {
    const double from = times.front(), to = times[2 * ((times.size() - 1) / 2)];
    double sum = 0, count = 0;
    for (const Kept& kept : kept_)
      if (kept.time_s >= from && kept.time_s < to) sum += kept.value, ++count;
    if (count == 0) break;
    times = crossings(sum / count);
  }
  return period_of(times);
}

/// Returns the slope of the least-squares line through the values. `mean` is the mean of the values.
double CheckedCurve::rate(double mean) const {
  double middle = 0, across = 0, spread = 0;
  for (const Kept& kept : kept_) middle += kept.time_s / static_cast<double>(kept_.size());
  for (const Kept& kept : kept_) {
    across += (kept.time_s - middle) * (kept.value - mean);
    spread += (kept.time_s - middle) * (kept.time_s - middle);
  }
  return across / spread;  // NaN for a single value
}

void CompiledCheck::measure(const std::vector<double>& row, double time_s, double dt_s) {
  if (time_s < check->from_s - 0.5 * dt_s || time_s > check->to_s + 0.5 * dt_s) return;
  const double value = row[measured.column()];
  if (check->value == LabValue::difference) {
    measured.add(time_s, value - row[theory->column()]);
  } else {
    measured.add(time_s, value);
    if (theory) theory->add(time_s, row[theory->column()]);
  }
}

Result<CompiledCheck> compile_check(const PlotSet& plots, const LabCheck& check) {
  CompiledCheck compiled{.check = &check, .unit = {}, .theory = {}};
  const auto column = column_of(plots, check, check.curve);
  if (!column) return Unexpected(column.error());
  compiled.measured = CheckedCurve(*column);
  if (!check.theory.empty()) {
    const auto theory = column_of(plots, check, check.theory);
    if (!theory) return Unexpected(theory.error());
    compiled.theory = CheckedCurve(*theory);
  }
  if (check.value == LabValue::period || check.value == LabValue::zero_period || check.value == LabValue::rate) {
    compiled.measured.keep_values();
    if (compiled.theory) compiled.theory->keep_values();
  }
  for (const PlotPlan& plan : plots.plans())
    if (plan.name == check.plot) compiled.unit = unit_of(check.value, plan.params.unit);
  return compiled;
}

Result<void> measure_checks(Run& run, PlotSet& plots, std::vector<CompiledCheck>& checks, double until_s,
                            const std::function<bool(double)>& go_on) {
  Snapshot snapshot;
  std::vector<double> row;
  const auto measure = [&] {
    run.snapshot(snapshot);
    plots.measure(snapshot, row);
    for (CompiledCheck& check : checks) check.measure(row, run.time_s(), run.dt_s());
  };
  measure();
  const auto end = run.run_until(until_s, [&](Run& at) {
    measure();
    return !go_on || go_on(at.time_s());
  });
  if (!end) return Unexpected(end.error());
  if (*end == End::stopped) return fail("the run was interrupted");
  return {};
}

}  // namespace vw::api
