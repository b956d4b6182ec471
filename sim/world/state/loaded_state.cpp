#include "sim/world/state/loaded_state.h"

#include <algorithm>
#include <cmath>

namespace vw {

std::string loaded_state_problem(const WorldParts& parts, const GrabSpring& grab, const PendingPushes& pushes) {
  if (grab.active > 1) return "the spring of the mouse drag is neither off (0) nor on (1)";
  if (grab.system >= std::max<std::size_t>(1, parts.systems.size()))
    return "the system of the element that the mouse drags does not exist";
  if (grab.active == 1 && (parts.systems.empty() || !(grab.stiffness_npm > 0)))
    return "the stiffness of the spring of the mouse drag is not positive";
  const std::size_t rows = pushes.system.size();
  if (pushes.element.size() != rows || pushes.impulse.size() != rows || pushes.radius_m.size() != rows)
    return "the arrays of pushes in the state differ in length";
  for (const auto index : pushes.system)
    if (index >= parts.systems.size()) return "a pushed system does not exist";
  if (std::string problem = parts.colliders.state_problem(); !problem.empty()) return problem;
  if (std::string problem = parts.control.state_problem(); !problem.empty()) return problem;
  for (const auto& system : parts.systems) {
    const Elements& e = system->elements();
    const auto whole = [&](std::size_t size) { return size == e.size(); };
    const auto whole_or_none = [&](std::size_t size) { return size == 0 || size == e.size(); };
    if (!whole(e.velocity.size()) || !whole(e.mass.size()) || !whole(e.radius.size()) ||
        !whole_or_none(e.impulse.size()) || !whole_or_none(e.id.size()) || !whole_or_none(e.orientation.size()) ||
        !whole_or_none(e.angular_velocity.size()) || !whole_or_none(e.angular_impulse.size()))
      return "the arrays of " + system->name() + " differ in length";
    if (const std::string problem = system->state_problem(); !problem.empty()) return system->name() + ": " + problem;
  }
  return {};
}

std::string first_nonfinite_sum(const WorldParts& parts, const StepContext& context) {
  for (const auto& system : parts.systems) {
    const Diagnostics d = system->diagnostics(context);
    if (!std::isfinite(d.kinetic)) return system->name() + ": the kinetic energy is not finite";
    if (!std::isfinite(d.elastic)) return system->name() + ": the elastic energy is not finite";
    if (!std::isfinite(d.potential)) return system->name() + ": the potential energy is not finite";
    if (!std::isfinite(d.mass) || !d.momentum.allFinite() || !d.angular_momentum.allFinite())
      return system->name() + ": the mass or momentum is not finite";
  }
  for (const Rule& rule : parts.rules)
    if (!std::isfinite(rule.interaction->energy())) return rule.node + ": the energy is not finite";
  return {};
}

}  // namespace vw
