#include "sim/world/step/step_cost.h"

#include <fmt/format.h>

namespace vw {
namespace {

constexpr double evaluation_s = 1e-8;     ///< time of one evaluation on one core, used only in messages
constexpr double slow_per_second = 2e10;  ///< evaluations per simulated second that cause a warning
constexpr double spare = 0.5;             ///< the warning ends below this fraction of slow_per_second

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60.0) return fmt::format("{:.0f} minutes", seconds / 60);
  if (seconds < 48 * 3600.0) return fmt::format("{:.0f} hours", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

}  // namespace

std::optional<PlanFailure> StepCostCheck::look(const WorldParts& parts, std::span<const SystemTiming> timings,
                                               StepContext context) {
  const std::vector<Collider>& declared = parts.colliders.as_declared();
  posed_.assign(declared.begin(), declared.end());
  parts.colliders.place(context.time, context.time + context.dt, posed_);
  context.colliders = posed_;
  double sum = 0, most = -1;
  std::size_t costliest = 0;
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    const double cost = parts.systems[i]->step_cost(context, timings[i].substeps);
    sum += cost;
    if (cost > most) most = cost, costliest = i;
  }
  const double per_second = sum / context.dt;
  if (!(sum > parts.params.step_budget)) {
    if (!(per_second > (slow_.empty() ? slow_per_second : spare * slow_per_second)))
      slow_.clear();
    else if (slow_.empty()) {
      const System& system = *parts.systems[costliest];
      const CostCause cause = system.cost_cause(context, timings[costliest].substeps);
      slow_ = fmt::format(
          "{}: the simulation is slow. One simulated second is expected to take {:.1e} evaluations of neighbours, "
          "bonds and contacts, which is about {} on one core: {}; {}",
          system.name(), per_second, duration(evaluation_s * per_second), cause.what, cause.remedy);
    }
    return std::nullopt;
  }
  const CostCause cause = parts.systems[costliest]->cost_cause(context, timings[costliest].substeps);
  HealthIssue issue;
  issue.what = fmt::format(
      "the step is expected to take {:.4g} evaluations of neighbours, bonds and contacts (about {} on one core), more "
      "than world.step_budget = {:.4g}",
      sum, duration(evaluation_s * sum), parts.params.step_budget);
  issue.why = cause.what + "; " + cause.remedy + ", or raise world.step_budget";
  return PlanFailure{costliest, std::move(issue)};
}

}  // namespace vw
