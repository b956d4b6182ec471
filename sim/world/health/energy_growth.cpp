#include "sim/world/health/energy_growth.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

constexpr double growth = 100;  ///< in one step, growth of kinetic energy by up to this factor is always accepted
/// In one step, a gain of kinetic energy per mass of up to this value [J/kg] is always accepted. It corresponds to
/// about 30 m/s.
constexpr double usual_gain_jpkg = 500;
constexpr double steepest = 10;  ///< acceleration that the energy budget assumes, as a multiple of gravity

}  // namespace

void EnergyWatch::begin_step(const WorldParts& parts, const StepContext& context) {
  before_.resize(parts.systems.size());
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    const System& system = *parts.systems[i];
    const Elements& e = system.elements();
    before_[i].last_id = e.id.empty() ? -1 : static_cast<std::int64_t>(e.id.back());
    before_[i].stored_j = system.is_driven() ? 0 : system.convertible_energy(context);
  }
  rules_j_ = 0;
  for (const Rule& rule : parts.rules)
    if (rule.interaction->enabled()) rules_j_ += std::abs(rule.interaction->energy());
}

/// Returns a generous upper bound of the energy [J] that colliders, wind, gravity, rules and other systems may transfer
/// to a mass in one step.
double EnergyWatch::energy_budget_j(const WorldParts& parts, std::size_t system, std::span<const MotionSum::Row> before,
                                    double mass, const StepContext& context) const {
  const Elements& e = parts.systems[system]->elements();
  double fastest = steepest * context.gravity.norm() * context.dt, sum = rules_j_ + before_[system].stored_j;
  for (std::size_t i = 0; i < parts.colliders.size(); ++i) {
    const ColliderSet::Motion motion = parts.colliders.motion(i, context.time);
    for (const Vec3& x : e.position)
      fastest = std::max(fastest, (motion.velocity + motion.angular_velocity.cross(x - motion.pose.position)).norm());
  }
  if (!parts.fields.empty()) {
    std::vector<Vec3> air(e.size());
    parts.fields.velocity(e.position, context.time, air);
    for (const Vec3& u : air) fastest = std::max(fastest, u.norm());
  }
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    if (i == system) continue;
    sum += before[i].kinetic_j + before_[i].stored_j;
    if (parts.systems[i]->is_driven())
      for (const Vec3& v : parts.systems[i]->elements().velocity) fastest = std::max(fastest, v.norm());
  }
  for (const auto& one : parts.systems) sum += one->elastic_energy_bound();
  return 2 * mass * fastest * fastest + 2 * sum;
}

std::optional<HealthIssue> EnergyWatch::look(const WorldParts& parts, std::size_t system,
                                             std::span<const MotionSum::Row> before, const MotionSum::Row& after,
                                             const StepContext& context, const SystemTiming& timing) const {
  const double usual = growth * before[system].kinetic_j + usual_gain_jpkg * after.mass;
  if (parts.systems[system]->is_driven() || !(after.kinetic_j > usual)) return std::nullopt;
  const Elements& e = parts.systems[system]->elements();
  double own = after.kinetic_j;
  std::size_t most = 0;
  const auto kinetic = [&](std::size_t i) { return 0.5 * e.mass[i] * e.velocity[i].squaredNorm(); };
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (!e.id.empty() && static_cast<std::int64_t>(e.id[i]) > before_[system].last_id) own -= kinetic(i);
    if (kinetic(i) > kinetic(most)) most = i;
  }
  const double limit = usual + energy_budget_j(parts, system, before, after.mass, context);
  if (!(own > limit)) return std::nullopt;
  return HealthIssue{fmt::format("kinetic energy grew from {:.3g} J to {:.3g} J in one step, but gravity, wind, "
                                 "colliders, rules and other systems explain at most {:.3g} J",
                                 before[system].kinetic_j, own, limit),
                     static_cast<std::int64_t>(most), likely_cause(timing.substep_dt, timing.stable_dt)};
}

}  // namespace vw
