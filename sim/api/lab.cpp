#include "sim/api/lab.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/api/field_spectrum.h"
#include "sim/api/fields.h"
#include "sim/api/run.h"
#include "sim/plot/plot_set.h"

namespace vw::api {
namespace {

/// Values of one column of the plots over time.
class CheckedCurve {
 public:
  explicit CheckedCurve(std::size_t column) : column_(column) {}
  [[nodiscard]] std::size_t column() const { return column_; }
  void add(double value) {
    if (!std::isfinite(value)) return;
    if (count_ == 0) first_ = max_ = min_ = value;
    last_ = value;
    max_ = std::max(max_, value);
    min_ = std::min(min_, value);
    sum_ += value;
    squares_ += value * value;
    ++count_;
  }
  [[nodiscard]] double number(LabValue value) const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    const auto n = static_cast<double>(count_);
    switch (value) {
      case LabValue::last: return last_;
      case LabValue::first: return first_;
      case LabValue::max: return max_;
      case LabValue::min: return min_;
      case LabValue::mean: return sum_ / n;
      case LabValue::rms: return std::sqrt(squares_ / n);
      case LabValue::difference: return std::max(std::abs(max_), std::abs(min_));
      case LabValue::slope:
      case LabValue::power: break;  // not a number of a curve
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::size_t column_ = 0, count_ = 0;
  double first_ = 0, last_ = 0, max_ = 0, min_ = 0, sum_ = 0, squares_ = 0;
};

/// A check whose curves were found in the plots.
struct CompiledCheck {
  const LabCheck* check = nullptr;
  std::string unit;
  CheckedCurve measured{0};
  std::optional<CheckedCurve> theory;

  void measure(const std::vector<double>& row, double time_s, double dt_s) {
    if (time_s < check->from_s - 0.5 * dt_s || time_s > check->to_s + 0.5 * dt_s) return;
    const double value = row[measured.column()];
    if (check->value == LabValue::difference) {
      measured.add(value - row[theory->column()]);
    } else {
      measured.add(value);
      if (theory) theory->add(row[theory->column()]);
    }
  }
};

Result<std::size_t> column_of(const PlotSet& plots, const LabCheck& check, const std::string& curve) {
  for (const PlotPlan& plan : plots.plans())
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const PlotColumn& column = plan.columns[i];
      const bool fits = plan.name == check.plot && plan.curves[column.curve].name == curve &&
                        (check.system.empty() || column.system.empty() || column.system == check.system);
      if (fits) return plan.first_column + i;
    }
  return fail(fmt::format("the check \"{}\" names the curve \"{}\" of the plot \"{}\", which the scene does not have",
                          check.title, curve, check.plot));
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
  for (const PlotPlan& plan : plots.plans())
    if (plan.name == check.plot) compiled.unit = plan.params.unit;
  return compiled;
}

LabOutcome outcome_of(const LabCheck& check, std::string unit, double measured, double expected) {
  LabOutcome outcome{.title = check.title, .unit = std::move(unit), .measured = measured, .expected = expected};
  outcome.allowed = std::max(check.absolute, check.relative * std::abs(expected));
  outcome.agrees = std::abs(measured - expected) <= outcome.allowed;  // false for NaN
  return outcome;
}

LabOutcome outcome_of(const CompiledCheck& compiled) {
  const LabCheck& check = *compiled.check;
  double expected = check.expected;
  if (check.value == LabValue::difference)
    expected = 0;
  else if (compiled.theory)
    expected = compiled.theory->number(check.value);
  return outcome_of(check, compiled.unit, compiled.measured.number(check.value), expected);
}

/// Integral of a spectrum over its wave numbers, by the rule of trapezia.
double power_of(const FieldSpectrum& spectrum, double SpectrumRow::*energy) {
  double power = 0;
  for (std::size_t i = 1; i < spectrum.rows.size(); ++i)
    power +=
        0.5 * (spectrum.rows[i].*energy + spectrum.rows[i - 1].*energy) * (spectrum.rows[i].k - spectrum.rows[i - 1].k);
  return power;
}

Result<LabOutcome> spectrum_outcome(const Node& scene, const LabCheck& check) {
  const auto spectrum = spectrum_of_field(scene, check.field, 0, 0);
  if (!spectrum) return Unexpected(spectrum.error());
  if (check.value == LabValue::slope) return outcome_of(check, {}, spectrum->slope, check.expected);
  const double ratio = power_of(*spectrum, &SpectrumRow::measured) / power_of(*spectrum, &SpectrumRow::asked);
  return outcome_of(check, {}, ratio, check.expected);
}

/// Steps the scene and measures the checks that read curves.
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
  if (*end == End::stopped) return fail("the experiment was interrupted");
  return {};
}

}  // namespace

Result<std::vector<LabOutcome>> run_lab_experiment(const LabExperiment& experiment,
                                                   const std::function<bool(double time_s)>& go_on) {
  auto scene = open_scene(experiment.name);
  if (!scene) return Unexpected(scene.error());
  auto plots = PlotSet::compile(scene->root);
  if (!plots) return Unexpected(plots.error());
  if (plots->wants_air()) plots->set_air(make_air_gauge(scene->root));
  std::vector<CompiledCheck> checks;
  for (const LabCheck& check : experiment.checks) {
    if (is_of_spectrum(check.value)) continue;
    auto compiled = compile_check(*plots, check);
    if (!compiled) return Unexpected(compiled.error());
    checks.push_back(std::move(*compiled));
  }
  const Node root = scene->root;
  if (!checks.empty()) {
    auto run = Run::create(std::move(*scene));
    if (!run) return Unexpected(run.error());
    run->subscribe(plots->wanted());
    if (auto done = measure_checks(*run, *plots, checks, experiment.until_s, go_on); !done)
      return Unexpected(done.error());
  }
  std::vector<LabOutcome> outcomes;
  auto compiled = checks.begin();
  for (const LabCheck& check : experiment.checks) {
    if (!is_of_spectrum(check.value)) {
      outcomes.push_back(outcome_of(*compiled++));
      continue;
    }
    auto outcome = spectrum_outcome(root, check);
    if (!outcome) return Unexpected(outcome.error());
    outcomes.push_back(std::move(*outcome));
  }
  return outcomes;
}

}  // namespace vw::api
