// Applies the spring and the impulses of the mouse.
#include "sim/world/step/grab.h"

#include <algorithm>
#include <cmath>

namespace vw {

void GrabSpring::visit_state(StateVisitor& visit) {
  visit("grab_active", active, state_flag);
  visit("grab_system", system);
  visit("grab_element", element);
  visit("grab_target", target, state_motion);
  visit("grab_stiffness", stiffness_npm);
  visit("grab_force", force_n);
}

SpringLimits limit_spring(double stiffness_npm, double m, double body, double dt, double used) {
  // The left side of the stability condition (grab.h), divided by M, must not exceed 4. A body that runs at its own
  // stable substep (with a safety factor of about 0.9) leaves a tenth of this budget to the spring. A free particle
  // leaves all of it.
  const double budget = std::clamp(4.0 - 3.6 * std::min(used, 1.0), 0.4, 4.0);
  // Consider a spring of stiffness k and damping ratio 1 on the element's mass m alone, and let q = dt sqrt(k / m). The
  // spring is stable if q^2 + 4 q <= budget.
  const double q = std::min(0.5, std::sqrt(4.0 + budget) - 2.0);
  const double k = std::min(stiffness_npm, m * (q / dt) * (q / dt));
  // The damping is critical for the mass of the entire body, but must not exceed the rest of the budget.
  const double most = (budget - k * dt * dt / m) * m / (2 * dt);
  return {k, std::min(2 * std::sqrt(k * std::max(body, m)), most)};
}

std::int64_t row_of(const Elements& elements, std::int64_t identity) {
  const auto rows = static_cast<std::int64_t>(elements.size());
  if (elements.id.empty()) return identity >= 0 && identity < rows ? identity : -1;
  const auto found = std::lower_bound(elements.id.begin(), elements.id.end(), identity);
  return found != elements.id.end() && *found == identity ? found - elements.id.begin() : -1;
}

std::int64_t identity_of(const Elements& elements, std::int64_t row) {
  return elements.id.empty() ? row : static_cast<std::int64_t>(elements.id[static_cast<std::size_t>(row)]);
}

void pull(GrabSpring& spring, Elements& elements, double dt, double stable_dt) {
  spring.force_n = 0;
  const std::int64_t row = row_of(elements, spring.element);
  if (row < 0) {
    spring = {};
    return;
  }
  const auto i = static_cast<std::size_t>(row);
  if (!(elements.mass[i] > 0)) return;
  const double m = elements.mass[i];
  double body = m;
  // Elements with faces are the voxels of one body. Rigid bodies and particles have no bonds to other elements.
  if (!elements.open_faces.empty()) {
    body = 0;
    for (const double mass : elements.mass) body += mass;
  }
  const SpringLimits limits =
      limit_spring(spring.stiffness_npm, m, body, dt, std::isfinite(stable_dt) ? dt / stable_dt : 0.0);
  const Vec3 force =
      limits.stiffness_npm * (spring.target - elements.position[i]) - limits.damping_nspm * elements.velocity[i];
  spring.force_n = force.norm();
  elements.room_for_impulses().impulse[i] += force * dt;
}

void PendingPushes::add(std::uint64_t system_index, std::int64_t identity, const Vec3& impulse_ns, double radius) {
  system.push_back(system_index);
  element.push_back(identity);
  impulse.push_back(impulse_ns);
  radius_m.push_back(radius);
}

void PendingPushes::renumber(std::span<const std::size_t> now, std::size_t removed) {
  PendingPushes kept;
  for (std::size_t i = 0; i < system.size(); ++i)
    if (now[system[i]] != removed) kept.add(now[system[i]], element[i], impulse[i], radius_m[i]);
  *this = std::move(kept);
}

void PendingPushes::remove(std::size_t push) {
  const auto at = static_cast<std::ptrdiff_t>(push);
  system.erase(system.begin() + at), element.erase(element.begin() + at);
  impulse.erase(impulse.begin() + at), radius_m.erase(radius_m.begin() + at);
}

void PendingPushes::clear() {
  system.clear();
  element.clear();
  impulse.clear();
  radius_m.clear();
}

void PendingPushes::visit_state(StateVisitor& visit) {
  visit.rows("push");
  visit("push_system", system);
  visit("push_element", element);
  visit("push_impulse", impulse);
  visit("push_radius", radius_m, state_positive);
}

void push(Elements& elements, std::int64_t element, const Vec3& impulse, double radius_m) {
  const auto centre = static_cast<std::size_t>(element);
  if (element < 0 || centre >= elements.size()) return;
  const Vec3 origin = elements.position[centre];
  const auto reached = [&](std::size_t i) {
    return i == centre || (radius_m > 0 && (elements.position[i] - origin).squaredNorm() <= radius_m * radius_m);
  };
  double mass = 0;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (reached(i)) mass += elements.mass[i];
  if (!(mass > 0)) return;
  elements.room_for_impulses();
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (reached(i)) elements.impulse[i] += impulse * (elements.mass[i] / mass);
}

}  // namespace vw
