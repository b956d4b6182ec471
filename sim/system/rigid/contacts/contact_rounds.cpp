#include "sim/system/rigid/contacts/contact_rounds.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/loop_team.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/pose.h"

namespace vw {
namespace {

constexpr std::size_t answers_a_chunk = 128, rows_a_chunk = 128, islands_a_chunk = 4;
/// If an island has at least `shared_rows` contacts, several threads solve it together. Each thread takes
/// `pairs_a_chunk` pairs of bodies at a time.
constexpr std::size_t shared_rows = 600, pairs_a_chunk = 16;
constexpr double settled_share = 5e-4;  ///< Penetration below this fraction of a body's reach is not corrected.
constexpr double push_share = 0.25;     ///< Fraction of the remaining penetration that a substep removes.
constexpr int push_rounds = 4;
constexpr double settled_mps = 1e-7;  ///< Convergence threshold of velocity changes [m/s].
/// Convergence threshold of velocity changes as a fraction of `slowest_bounce_mps`. The larger of the two thresholds
/// applies.
constexpr double settled_of_bounce = 5e-6;

/// Contacts that slide faster than this fraction of `slowest_bounce_mps` have dynamic friction only.
constexpr double sliding_of_bounce = 0.05;

/// Returns the largest number of iterations for `rows` contacts. If many bodies wedge and slide, the solver stops
/// improving after some iterations, so large piles get fewer iterations.
int rounds_for(const RigidScene& scene, std::size_t rows) {
  constexpr std::size_t row_rounds = 80'000, least = 40;
  return std::min(scene.rounds, static_cast<int>(std::max(least, row_rounds / std::max<std::size_t>(rows, 1))));
}

double least_change(const RigidScene& scene) {
  return std::max(settled_mps, settled_of_bounce * scene.slowest_bounce_mps);
}

}  // namespace

Vec3 ContactRounds::relative(const Row& c, const Motion& motion) {
  Vec3 v = motion.velocity[c.a] + motion.spin[c.a].cross(c.arm_a);
  if (c.b != no_body) v -= motion.velocity[c.b] + motion.spin[c.b].cross(c.arm_b);
  return v;
}

void ContactRounds::push(const Row& c, const Vec3& impulse, const Motion& motion) const {
  const Answer& a = answers_[c.a];
  motion.velocity[c.a] += a.inverse_mass * impulse;
  motion.spin[c.a] += a.inverse_inertia * c.arm_a.cross(impulse);
  if (c.b == no_body) return;
  const Answer& b = answers_[c.b];
  motion.velocity[c.b] -= b.inverse_mass * impulse;
  motion.spin[c.b] -= b.inverse_inertia * c.arm_b.cross(impulse);
}

/// Returns the matrix that maps an impulse at the contact to the change of relative velocity [1/kg].
Mat3 ContactRounds::answer_of(const Row& c) const {
  const auto of = [&](const Answer& answer, const Vec3& arm) -> Mat3 {
    const Mat3 r = cross_matrix(arm);
    return answer.inverse_mass * Mat3::Identity() - r * answer.inverse_inertia * r;
  };
  Mat3 all = of(answers_[c.a], c.arm_a);
  if (c.b != no_body) all += of(answers_[c.b], c.arm_b);
  return all;
}

ContactRounds::Row ContactRounds::row_of(const RigidScene& scene, const RigidJoints& joints,
                                         const RigidContact& c) const {
  const Elements& rows = *scene.rows;
  Row row;
  row.a = c.a, row.b = c.b, row.normal = c.normal, row.surface_velocity = c.surface_velocity, row.pair = c.pair,
  row.gap = c.gap;
  row.arm_a = c.point - rows.position[c.a];
  row.arm_b = c.b != no_body ? Vec3(c.point - rows.position[c.b]) : Vec3(Vec3::Zero());
  row.press = c.normal_impulse, row.friction = c.friction_impulse;
  row.settled_m = settled_share * scene.bodies[c.a].reach_m;
  row.answer = answer_of(row);
  const Mat3& answer = row.answer;
  row.mass = 1 / row.normal.dot(answer * row.normal);
  const Vec3 right = row.normal.unitOrthogonal(), up = row.normal.cross(right);
  const double uu = right.dot(answer * right), vv = up.dot(answer * up), uv = right.dot(answer * up);
  row.mass_across = 1 / (0.5 * (uu + vv) + std::sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv));
  // The approach speed excludes the gravity impulse of this substep, so that a ball with the coefficient of restitution
  // 1 returns exactly to its initial height.
  const auto approach = [&](std::span<const Vec3> velocity, std::span<const Vec3> spin) -> Vec3 {
    Vec3 v = velocity[c.a] + spin[c.a].cross(row.arm_a) - c.surface_velocity;
    if (c.b != no_body) v -= velocity[c.b] + spin[c.b].cross(row.arm_b);
    return v;
  };
  const Vec3 came = approach(scene.velocity_then, scene.spin_then);
  const double then = came.dot(c.normal), now = approach(rows.velocity, rows.angular_velocity).dot(c.normal);
  const bool bounces = c.gap + scene.dt * now <= 0 && then < -scene.slowest_bounce_mps && c.pair.restitution > 0;
  row.wanted = bounces ? -c.pair.restitution * then : -std::max(c.gap, 0.0) / scene.dt;
  // Gravity must not reduce the separation speed after an impact that the impact stages have resolved (has_bounced).
  // The rule does not apply if the velocities and positions of the bodies belong to the same time, because the impact
  // of such bodies precedes the gravity impulse (contact_impacts.cpp).
  if (c.has_bounced && then > row.wanted && !joints.is_synchronous(c)) row.wanted = then;
  // Whether the contact slides or sticks is decided once per substep: if the friction cone changed between iterations,
  // the iteration would not converge.
  const bool slides = (came - then * c.normal).norm() > sliding_of_bounce * scene.slowest_bounce_mps;
  row.pair.mu_static = row.pair.mu_dynamic = slides ? c.pair.mu_dynamic : std::max(c.pair.mu_static, c.pair.mu_dynamic);
  return row;
}

void ContactRounds::begin(const RigidScene& scene, const Islands& islands, RigidJoints& joints,
                          std::span<RigidContact> contacts) {
  const Elements& rows = *scene.rows;
  answers_.resize(scene.bodies.size());
  parallel_for(answers_.size(), answers_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i)
      if (!scene.sleeps(i))
        answers_[i] = {1 / scene.bodies[i].mass_kg, scene.bodies[i].inertia.inverse(rows.orientation[i])};
  });
  order_.assign(islands.contacts().begin(), islands.contacts().end());
  parallel_for(islands.count(), islands_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) resolve_impacts(scene, islands, i, joints, contacts);
  });
  large_.clear();
  for (std::size_t i = 0; i < islands.count(); ++i)
    if (islands.contacts_of(i).size() >= shared_rows) large_.push_back(i);
  colors_.resize(std::max(colors_.size(), large_.size()));
  for (std::size_t n = 0; n < large_.size(); ++n) {
    const Range part = islands.contacts_of(large_[n]);
    colors_[n].sort(contacts, std::span(order_).subspan(part.begin, part.size()), scene.bodies.size());
  }
  // In a state from a file, jointed bodies may sleep in different groups. The contacts of such bodies are in no island.
  rows_.resize(order_.size());
  parallel_for(rows_.size(), rows_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t k = part.begin; k < part.end; ++k) rows_[k] = row_of(scene, joints, contacts[order_[k]]);
  });
}

/// Updates the friction impulse, which acts opposite to the slip velocity. All tangential directions use the same
/// effective mass. It is the smallest tangential effective mass, so that an update never overshoots.
Vec3 ContactRounds::rub(Row& c, const Vec3& v) const {
  if (c.press == 0 && c.friction.isZero(0)) return Vec3::Zero();
  Vec3 asked = c.friction - c.mass_across * (v - v.dot(c.normal) * c.normal);
  asked -= asked.dot(c.normal) * c.normal;
  const double size = asked.norm();
  const Vec3 before = c.friction;
  c.friction =
      size > 0 ? Vec3(asked * friction_share(c.pair, size, std::max(c.press, 0.0), 1 / c.mass)) : Vec3(Vec3::Zero());
  return c.friction - before;
}

Vec3 ContactRounds::press(Row& c, const Vec3& v) const {
  const double before = c.press;
  c.press = std::max(0.0, c.press + c.mass * (c.wanted - v.dot(c.normal)));
  return (c.press - before) * c.normal;
}

double ContactRounds::work(Row& c, const Motion& motion) const {
  const Vec3 v = relative(c, motion) - c.surface_velocity;
  const Vec3 rubbed = rub(c, v);
  const Vec3 pressed = press(c, v + c.answer * rubbed);
  c.changed = rubbed + pressed;
  if (c.changed.isZero(0)) return 0;
  push(c, c.changed, motion);
  return std::sqrt(std::max(rubbed.squaredNorm(), pressed.squaredNorm())) / c.mass;
}

template <class Visit>
void ContactRounds::each_row(const Part& part, const Visit& visit) {
  if (part.colors == nullptr) {
    for (std::size_t k = part.rows.begin; k < part.rows.end; ++k) visit(rows_[k], 0);
    return;
  }
  std::size_t first_chunk = 0;
  for (std::size_t color = 0; color < part.colors->count(); ++color) {
    const auto pairs = part.colors->pairs(color);
    const std::size_t grain = part.colors->is_shared(color) ? pairs_a_chunk : std::max<std::size_t>(pairs.size(), 1);
    parallel_for(pairs.size(), grain, [&](Range range, std::size_t chunk) {
      for (std::size_t p = range.begin; p < range.end; ++p)
        for (std::size_t k = pairs[p].begin; k < pairs[p].end; ++k)
          visit(rows_[part.rows.begin + k], first_chunk + chunk);
    });
    first_chunk += chunk_count(pairs.size(), grain);
  }
}

void ContactRounds::begin_with_last(const RigidScene& scene, const Part& part) {
  const Motion motion{scene.rows->velocity, scene.rows->angular_velocity};
  each_row(part, [&](Row& row, std::size_t) {
    if (row.press > 0) push(row, row.press * row.normal + row.friction, motion);
  });
}

ContactRounds::Change ContactRounds::round(const RigidScene& scene, const Part& part) {
  const Motion motion{scene.rows->velocity, scene.rows->angular_velocity};
  Change all;
  if (part.colors != nullptr) changes_.assign(part.colors->chunks(pairs_a_chunk), Change());
  const std::span<Change> changes = part.colors != nullptr ? std::span(changes_) : std::span(&all, 1);
  each_row(part, [&](Row& row, std::size_t chunk) {
    changes[chunk].most = std::max(changes[chunk].most, work(row, motion));
    changes[chunk].sum += row.changed.squaredNorm() / row.mass;
  });
  if (part.colors != nullptr)
    for (const Change& change : changes_) all.most = std::max(all.most, change.most), all.sum += change.sum;
  return all;
}

/// Performs a conjugate gradient step: multiplies the search direction by `share`, adds it to every impulse, and then
/// adds the last iteration's change of the impulse to the search direction. Afterwards, a normal impulse may be
/// negative, and a friction impulse may lie outside the friction cone. The next iteration corrects both.
void ContactRounds::go_on(const RigidScene& scene, const Part& part, double share) {
  const Motion motion{scene.rows->velocity, scene.rows->angular_velocity};
  each_row(part, [&](Row& row, std::size_t) {
    const Vec3 step = share * row.way;
    row.way = step + row.changed;
    if (step.isZero(0)) return;
    push(row, step, motion);
    const double along = step.dot(row.normal);
    row.press += along;
    row.friction += step - along * row.normal;
  });
}

/// Iterates the contacts and joints of one island until they converge. Plain iterations propagate impulses slowly
/// through a pile. Nonlinear conjugate gradients (Silcowitz, Niebe & Erleben 2010) need far fewer iterations.
void ContactRounds::settle(const RigidScene& scene, const Part& part, std::span<const std::uint32_t> groups,
                           RigidJoints& joints) {
  if (part.rows.size() == 0 && groups.empty()) return;
  for (const std::uint32_t group : groups) joints.begin(scene, group);
  begin_with_last(scene, part);
  const double least = least_change(scene);
  const int rounds = rounds_for(scene, part.rows.size());
  double before = 0;
  for (int n = 0; n < rounds; ++n) {
    Change change = round(scene, part);
    for (const std::uint32_t group : groups) change.most = std::max(change.most, joints.solve(scene, group));
    if (change.most < least || n + 1 == rounds) break;
    go_on(scene, part, change.sum < before ? change.sum / before : 0);
    before = change.sum;
  }
}

void ContactRounds::give_impulses(const RigidScene& scene, const Islands& islands, RigidJoints& joints,
                                  std::span<RigidContact> contacts) {
  begin(scene, islands, joints, contacts);
  if (!large_.empty()) {
    const TeamedLoops team;
    for (std::size_t n = 0; n < large_.size(); ++n)
      settle(scene, {islands.contacts_of(large_[n]), &colors_[n]}, islands.groups(large_[n]), joints);
  }
  parallel_for(islands.count(), islands_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i)
      if (islands.contacts_of(i).size() < shared_rows)
        settle(scene, {islands.contacts_of(i)}, islands.groups(i), joints);
  });
  const Motion motion{scene.rows->velocity, scene.rows->angular_velocity};
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    RigidContact& contact = contacts[order_[k]];
    contact.normal_impulse = row.press, contact.friction_impulse = row.friction;
    row.gap += scene.dt * (relative(row, motion) - row.surface_velocity).dot(row.normal);
  }
}

void ContactRounds::push_apart(const RigidScene& scene, const Islands& islands, RigidJoints& joints) {
  shift_.assign(scene.bodies.size(), Vec3::Zero());
  turn_.assign(scene.bodies.size(), Vec3::Zero());
  parallel_for(islands.count(), islands_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      for (const std::uint32_t group : islands.groups(i)) joints.correct_positions(scene, group);
      const Range rows = islands.contacts_of(i);
      push_apart(scene, rows, islands.bodies(i));
      bool is_pressed = false;
      for (std::size_t k = rows.begin; k < rows.end; ++k) is_pressed = is_pressed || rows_[k].press > 0;
      for (const std::uint32_t group : islands.groups(i))
        joints.end_substep(scene, group, {.exist = rows.size() > 0, .press = is_pressed});
    }
  });
}

void ContactRounds::push_apart(const RigidScene& scene, Range rows, std::span<const std::uint32_t> bodies) {
  const auto too_deep = [&](std::size_t k) { return rows_[k].gap < -rows_[k].settled_m; };
  bool any = false;
  for (std::size_t k = rows.begin; k < rows.end; ++k) any = any || too_deep(k);
  if (!any) return;
  const Motion motion{shift_, turn_};
  for (int n = 0; n < push_rounds; ++n)
    for (std::size_t k = rows.begin; k < rows.end; ++k) {
      const Row& c = rows_[k];
      const double depth = push_share * -(c.gap + c.settled_m) - relative(c, motion).dot(c.normal);
      if (depth > 0) push(c, depth * c.mass * c.normal, motion);
    }
  Elements& e = *scene.rows;
  for (const std::uint32_t i : bodies) {
    e.position[i] += shift_[i];
    if (!turn_[i].isZero(0)) e.orientation[i] = (rotation_of(turn_[i]) * e.orientation[i]).normalized();
  }
}

}  // namespace vw
