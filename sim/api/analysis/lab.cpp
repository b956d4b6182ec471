#include "sim/api/analysis/lab.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/api/analysis/checked_curves.h"
#include "sim/api/analysis/field_spectrum.h"
#include "sim/api/analysis/fields.h"
#include "sim/api/run.h"
#include "sim/plot/plot_set.h"

namespace vw::api {
namespace {

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

/// Returns the integral of a spectrum over its wave numbers, by the trapezoidal rule.
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
