#include "sim/system/rigid/rest_watch.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vw {
namespace {

/// An island may fall asleep even if up to the fraction `stragglers` of its bodies have not rested long enough. In a
/// large pile, some bodies that bear hardly any load creep for a long time. Each of these bodies must have rested at
/// one position for `straggler_pace` times the required time.
constexpr double stragglers = 0.05, straggler_pace = 0.1;

/// Hash of the numbers that describe the resting obstacles. If the hash changes, an obstacle was edited, began to move
/// or stopped.
class Mixture {
 public:
  void add(double number) {
    value_ = std::rotl((value_ ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ULL, 29) + 1;
  }
  void add(const Vec3& v) { add(v.x()), add(v.y()), add(v.z()); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1;
};

bool moves(const Collider& collider) { return !collider.velocity.isZero(0) || !collider.angular_velocity.isZero(0); }

std::uint64_t surroundings_of(std::span<const Collider> colliders) {
  Mixture mixture;
  for (const Collider& collider : colliders) {
    if (moves(collider)) continue;
    mixture.add(static_cast<double>(collider.shape.index()));
    mixture.add(collider.position);
    mixture.add(collider.orientation.w()), mixture.add(collider.orientation.vec());
    if (!std::holds_alternative<PlaneShape>(collider.shape)) {
      const Box3 box = bounds(collider.shape);
      mixture.add(box.min()), mixture.add(box.max());
    }
    const SurfaceMaterial& s = collider.surface;
    for (const double number :
         {s.mu_static, s.mu_dynamic, s.restitution, s.wetness, static_cast<double>(s.friction), s.decides ? 1.0 : 0.0})
      mixture.add(number);
    if (collider.two_sided) mixture.add(1);
  }
  return mixture.value();
}

}  // namespace

void RestWatch::prepare(const Elements& rows) {
  const std::size_t n = rows.size();
  asleep_.assign(n, 0);
  place_ = rows.position;
  turn_ = rows.orientation;
  rested_s_.assign(n, 0);
  held_s_.assign(n, 0);
  sleepers_ = 0;
  has_members_ = false;
}

void RestWatch::start_over(const Elements& rows, std::size_t body) {
  place_[body] = rows.position[body];
  turn_[body] = rows.orientation[body];
  rested_s_[body] = 0;
}

void RestWatch::wake_all(const Elements& rows) {
  for (std::size_t i = 0; i < asleep_.size(); ++i) {
    asleep_[i] = 0;
    start_over(rows, i);
  }
  sleepers_ = 0;
  has_members_ = false;
}

bool RestWatch::wake(const RigidScene& scene, std::size_t body) {
  const std::uint32_t group = asleep_[body];
  if (group == 0) return false;
  if (!has_members_) list_members();
  for (std::uint32_t next = first_member_[group]; next != 0;) {
    const std::size_t i = next - 1;
    next = next_member_[i];
    asleep_[i] = 0;
    start_over(*scene.rows, i);
    --sleepers_;
  }
  first_member_[group] = 0;
  return true;
}

/// Lists the bodies of each sleeping island. The lists stay valid until another island falls asleep.
void RestWatch::list_members() {
  first_member_.assign(asleep_.size() + 1, 0);
  next_member_.assign(asleep_.size(), 0);
  for (std::size_t i = asleep_.size(); i-- > 0;) {
    if (asleep_[i] == 0) continue;
    next_member_[i] = first_member_[asleep_[i]];
    first_member_[asleep_[i]] = static_cast<std::uint32_t>(i + 1);
  }
  has_members_ = true;
}

bool RestWatch::wake_by_external_load(const RigidScene& scene, const Vec3& gravity,
                                      std::span<const std::uint8_t> blown) {
  const Elements& rows = *scene.rows;
  bool woke = false;
  pushed_.resize(asleep_.size());
  for (std::size_t i = 0; i < asleep_.size(); ++i) {
    pushed_[i] = rows.impulse[i].isZero(0) && rows.angular_impulse[i].isZero(0) ? 0 : 1;
    if (pushed_[i] != 0 || (!blown.empty() && blown[i] != 0)) woke = wake(scene, i) || woke;
  }
  const std::uint64_t surroundings = surroundings_of(scene.colliders);
  const bool changed = gravity != gravity_ || surroundings != surroundings_;
  gravity_ = gravity, surroundings_ = surroundings;
  if (!any_asleep()) return woke;
  if (changed) {
    wake_all(rows);
    return true;
  }
  for (const Collider& collider : scene.colliders) {
    if (!moves(collider)) continue;
    for (std::size_t i = 0; i < asleep_.size(); ++i) {
      const double reach = scene.bodies[i].reach_m;
      const double comes =
          scene.dt * (collider.velocity_at(rows.position[i]).norm() + collider.angular_velocity.norm() * reach);
      if (asleep_[i] != 0 && comes_within(collider, rows.position[i], 1.01 * reach + comes))
        woke = wake(scene, i) || woke;
    }
  }
  return woke;
}

bool RestWatch::look_at(const RigidScene& scene, std::span<const RigidContact> contacts) {
  if (!any_asleep()) return false;
  bool woke = false;
  for (const RigidContact& c : contacts)
    if (c.b != no_body && (asleep_[c.a] == 0) != (asleep_[c.b] == 0))
      woke = wake(scene, asleep_[c.a] != 0 ? c.a : c.b) || woke;
  return woke;
}

double RestWatch::moved(const RigidScene& scene, std::size_t body) const {
  const Elements& rows = *scene.rows;
  const double half_sine = (turn_[body].conjugate() * rows.orientation[body]).vec().norm();
  return (rows.position[body] - place_[body]).norm() + 2 * half_sine * scene.bodies[body].reach_m;
}

bool RestWatch::rest(const RigidScene& scene, const Islands& islands, std::span<const RigidContact> contacts,
                     std::span<const std::pair<std::size_t, std::size_t>> links, const RestRule& rule) {
  Elements& rows = *scene.rows;
  left_.assign(asleep_.size(), 0);
  for (std::size_t i = 0; i < asleep_.size(); ++i) {
    if (asleep_[i] != 0) continue;
    if (pushed_[i] == 0 && moved(scene, i) <= rule.drift_m) {
      rested_s_[i] += scene.dt;
      continue;
    }
    left_[i] = 1;
    held_s_[i] = pushed_[i] != 0 ? 0 : rested_s_[i];
    start_over(rows, i);
  }
  if (!rule.sleep) return false;
  // An island that no joint connects to the world and that touches no obstacle may drift arbitrarily slowly. Such an
  // island sleeps only if it does not move at all.
  touched_.assign(asleep_.size(), 0);
  for (const RigidContact& c : contacts)
    if (c.b == no_body && c.normal_impulse > 0) touched_[c.a] = 1;
  for (const auto& [a, b] : links)
    if (b == no_body) touched_[a] = 1;
  bool any = false;
  for (std::size_t k = 0; k < islands.count(); ++k) {
    const auto bodies = islands.bodies(k);
    const auto all = [&](auto&& good) { return std::all_of(bodies.begin(), bodies.end(), good); };
    const auto rested = static_cast<double>(
        std::count_if(bodies.begin(), bodies.end(), [&](std::uint32_t i) { return rested_s_[i] >= rule.after_s; }));
    if (rested < static_cast<double>(bodies.size()) * (1 - stragglers)) continue;
    if (!all([&](std::uint32_t i) { return std::max(rested_s_[i], held_s_[i]) >= straggler_pace * rule.after_s; }))
      continue;
    const bool held = std::any_of(bodies.begin(), bodies.end(), [&](std::uint32_t i) { return touched_[i] != 0; });
    if (!held &&
        !all([&](std::uint32_t i) { return rows.velocity[i].isZero(0) && rows.angular_velocity[i].isZero(0); }))
      continue;
    for (const std::uint32_t i : bodies) {
      asleep_[i] = bodies.front() + 1;
      rows.velocity[i].setZero();
      rows.angular_velocity[i].setZero();
    }
    sleepers_ += bodies.size();
    has_members_ = false;
    any = true;
  }
  return any;
}

void RestWatch::visit_state(StateVisitor& visit) {
  visit("asleep", asleep_);
  visit("rest_place", place_, state_motion);
  visit("rest_turn", turn_);
  visit("rested", rested_s_, state_positive);
  visit("rest_held", held_s_, state_positive);
  visit("rest_gravity", gravity_);
  visit("rest_surroundings", surroundings_);
}

std::string RestWatch::problem(std::size_t bodies) const {
  if (asleep_.size() != bodies || place_.size() != bodies || turn_.size() != bodies || rested_s_.size() != bodies ||
      held_s_.size() != bodies)
    return "the state has rest times for a different number of bodies than the scene";
  for (const auto* times : {&rested_s_, &held_s_})
    for (const double s : *times)
      if (!(s >= 0)) return "the rest time of a body is negative or not a number";
  for (const std::uint32_t group : asleep_)
    if (group > bodies) return "a body sleeps in a group that does not exist";
  return {};
}

void RestWatch::state_restored() {
  sleepers_ = static_cast<std::size_t>(
      std::count_if(asleep_.begin(), asleep_.end(), [](std::uint32_t group) { return group != 0; }));
  has_members_ = false;
}

}  // namespace vw
