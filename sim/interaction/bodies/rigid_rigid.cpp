#include "sim/interaction/bodies/rigid_rigid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Assumed number of contacts that share the weight of a body lying flat. It determines the stiffness of one contact
/// spring.
constexpr double bearers = 4;
/// Limits for the sum of all contact springs on one body. The first two are the arguments `swing` and `share` of
/// ContactLoad::resolved_dt(), which bound the substep. The third is the largest (w h)^2 that press_all() permits, with
/// the angular frequency w and the substep h.
constexpr double pair_swing = 0.6, pair_share = 0.3, max_omega_dt_squared = 1;
/// Largest compression of the contact spring, as a fraction of the bounding radius of the smaller body. A contact whose
/// approach is too fast for this depth becomes a collision with restitution.
constexpr double most_body_depth = 0.02;
constexpr int rounds = 20;  ///< Number of iterations of the collision impulses.

}  // namespace

const ParamTable<RigidRigidParams>& rigid_rigid_params() {
  using P = RigidRigidParams;
  static const ParamTable<P> table{
      rule_params("Whether bodies of the two systems collide.",
                  "Name of one of the two systems. Empty means every rigid system.",
                  "Name of the other system. Empty means every other rigid system."),
      Param<P>{.member = &P::sinks,
               .key = "sinks",
               .label = "Sinking depth",
               .unit = Unit::ratio,
               .range = {1e-6, 0.1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Depth to which the lighter of two bodies sinks into the other under its own weight on Earth, as "
                      "a fraction of the diameter of a sphere around the smaller body. Smaller values give stiffer "
                      "contacts, but need more substeps."},
  };
  return table;
}

const Schema& rigid_rigid_schema() {
  static const Schema schema{
      "rigid_rigid",
      "Bodies of two rigid systems collide with each other. Bodies of the same system collide without this rule.",
      rigid_rigid_params().specs(),
      {},
      "Two rigid systems"};
  return schema;
}

void RigidRigid::visit_state(StateVisitor& visit) {
  visit.rows("contact");
  visit("contacts", kept_);
  visit("energy", energy_j_);
  if (!params_.enabled) forget();  // The state may have been saved while the rule was enabled.
}

// ---- Contacts -----------------------------------------------------------------------------------------------------

void RigidRigid::Side::see(const RigidSystem& system, double age) {
  const auto bodies = system.bodies();
  if (rigid != &system || shape_of.size() != bodies.size()) {
    feelers.clear(), edges.clear(), corners.clear(), shape_of.clear();
    first_feeler.assign(1, 0), first_edge.assign(1, 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (i == 0 || bodies[i].node != bodies[i - 1].node) {
        corners.push_back(add_feelers(bodies[i].shape, feelers));
        first_feeler.push_back(feelers.size());
        add_edges(bodies[i].shape, edges);
        first_edge.push_back(edges.size());
      }
      shape_of.push_back(corners.size() - 1);
    }
  }
  rigid = &system;
  now.resize(bodies.size());
  // If the system has just stepped (age 0), the velocities of its bodies already include the
  // collision impulses. The stored velocity changes must then be cleared, or they would count twice.
  if (age == 0 || thrown.size() != bodies.size()) thrown.assign(bodies.size(), {});
  for (std::size_t i = 0; i < bodies.size(); ++i) now[i] = standing(system, i, age, thrown[i]);
  load.assign(bodies.size(), {}), crowd.assign(bodies.size(), 0);
}

void RigidRigid::Side::throw_off(std::size_t body, const Vec3& place, const Vec3& impulse) {
  thrown[body].velocity += now[body].inverse_mass * impulse;
  thrown[body].spin += now[body].inverse_inertia * (place - now[body].center).cross(impulse);
}

Party RigidRigid::Side::party(std::size_t body) const {
  const RigidBody& self = rigid->bodies()[body];
  Party party;
  party.shape = &self.shape;
  party.pose = self.shape_at(now[body].center, now[body].orientation);
  party.middle = now[body].center;
  party.reach_m = self.reach_m;
  const std::size_t k = shape_of[body];
  party.feelers = std::span(feelers).subspan(first_feeler[k], first_feeler[k + 1] - first_feeler[k]);
  party.corners = corners[k];
  party.edges = std::span(edges).subspan(first_edge[k], first_edge[k + 1] - first_edge[k]);
  return party;
}

/// Returns the contact law of a pair of bodies. The stiffness follows from the mass of the lighter body and the
/// bounding radius of the smaller body.
ProbeLaw RigidRigid::law_of(std::size_t i, std::size_t j) const {
  const RigidBody &one = a_.rigid->bodies()[i], &two = b_.rigid->bodies()[j];
  ProbeLaw law = surfaces_.of(combine(one.surface, two.surface));
  const double reach = std::min(one.reach_m, two.reach_m),
               mass = 1 / std::max(a_.now[i].inverse_mass, b_.now[j].inverse_mass);
  const double stiffness = mass * earth_gravity / (params_.sinks * 2 * reach);
  law.contact.set_stiffness(stiffness / bearers, body_shear_ratio);
  law.fastest_mps = most_body_depth * reach * std::sqrt(stiffness / mass);
  return law;
}

void RigidRigid::meet(std::uint32_t i, std::uint32_t j, double ahead_s) const {
  const Standing &one = a_.now[i], &two = b_.now[j];
  const double reach_a = a_.rigid->bodies()[i].reach_m, reach_b = b_.rigid->bodies()[j].reach_m;
  const double speed = (one.velocity - two.velocity).norm() + reach_a * one.spin.norm() + reach_b * two.spin.norm();
  const double margin = speed * ahead_s + search_acceleration * ahead_s * ahead_s + 1e-3 * std::min(reach_a, reach_b);
  const double reach = reach_a + reach_b + margin;
  if (!((one.center - two.center).squaredNorm() <= reach * reach)) return;
  touches_.clear();
  find_touches(a_.party(i), b_.party(j), margin, scratch_, touches_);
  if (touches_.empty()) return;
  const ProbeLaw law = law_of(i, j);
  for (const Touch& touch : touches_) {
    Contact c;
    c.a = i, c.b = j, c.touch = touch, c.law = law;
    c.answer_a = one.answer(touch.point, touch.normal), c.answer_b = two.answer(touch.point, touch.normal);
    contacts_.push_back(c);
  }
}

/// Lists all contacts that exist or may begin within `ahead_s` [s], ordered by body. The bins find partners only for
/// bodies of usual size. A body of system `a` with more than twice the mean radius is tested against all bodies of
/// system `b`.
void RigidRigid::find(const RigidSystem& a, double age_a, const RigidSystem& b, double age_b, double ahead_s) const {
  a_.see(a, age_a), b_.see(b, age_b);
  contacts_.clear();
  double fastest_a = 0, sum = 0;
  for (std::size_t i = 0; i < a_.now.size(); ++i) {
    const double reach = a.bodies()[i].reach_m;
    sum += reach;
    fastest_a = std::max(fastest_a, a_.now[i].velocity.norm() + reach * a_.now[i].spin.norm());
  }
  const double usual = 2 * sum / std::max<double>(1, static_cast<double>(a_.now.size()));
  box_.clear();
  for (std::size_t j = 0; j < b_.now.size(); ++j) {
    const double reach = b.bodies()[j].reach_m,
                 speed = fastest_a + b_.now[j].velocity.norm() + reach * b_.now[j].spin.norm();
    const Vec3 half =
        Vec3::Constant(1.01 * (reach + usual) + speed * ahead_s + search_acceleration * ahead_s * ahead_s);
    box_.emplace_back(Vec3(b_.now[j].center - half), Vec3(b_.now[j].center + half));
  }
  bins_.build(box_);
  for (std::uint32_t i = 0; i < a_.now.size(); ++i) {
    near_.clear();
    if (a.bodies()[i].reach_m <= usual)
      bins_.at(a_.now[i].center, [&](std::uint32_t j) { near_.push_back(j); });
    else
      for (std::uint32_t j = 0; j < b_.now.size(); ++j) near_.push_back(j);
    std::sort(near_.begin(), near_.end());
    for (const std::uint32_t j : near_) meet(i, j, ahead_s);
  }
}

/// Restores the contact memory: each contact takes the memory of the nearest stored contact of the same pair. Each
/// stored contact is used at most once.
void RigidRigid::recall() const {
  used_.assign(kept_.size(), 0);
  const auto before = [](const Kept& kept, const Contact& c) {
    return kept.contact.a != c.a ? kept.contact.a < c.a : kept.contact.b < c.b;
  };
  for (Contact& c : contacts_) {
    const auto first = std::lower_bound(kept_.begin(), kept_.end(), c, before);
    const Vec3 place = a_.now[c.a].orientation.conjugate() * (c.touch.point - a_.now[c.a].center);
    const double reach = 0.2 * std::min(a_.rigid->bodies()[c.a].reach_m, b_.rigid->bodies()[c.b].reach_m);
    double nearest = reach * reach;
    auto found = kept_.end();
    for (auto kept = first; kept != kept_.end() && kept->contact.a == c.a && kept->contact.b == c.b; ++kept) {
      if (used_[static_cast<std::size_t>(kept - kept_.begin())] != 0) continue;
      const double squared = (Vec3(kept->place[0], kept->place[1], kept->place[2]) - place).squaredNorm();
      if (squared < nearest) nearest = squared, found = kept;
    }
    if (found == kept_.end()) {
      const bool pair_touched = first != kept_.end() && first->contact.a == c.a && first->contact.b == c.b;
      if (!pair_touched || c.touch.gap >= 0) continue;
      // In the last evaluation, this pair was in contact at another point. The overlap at this new contact therefore
      // resulted from motion, and the spring must resist all of it. (An overlap that exists when a pair first touches
      // is not resisted.)
      c.memory.touching = true;
      c.memory.velocity = relative(c);
      continue;
    }
    used_[static_cast<std::size_t>(found - kept_.begin())] = 1;
    c.memory = recall_contact(found->contact);
  }
}

/// Sums the springs and dashpots that act at once on each body. press_all() softens the springs if their sum is too
/// stiff for the substep (see ProbeContact::sum_loads()).
void RigidRigid::sum_loads() const {
  for (const Contact& c : contacts_) {
    if (c.bounces || c.touch.gap >= 0) continue;
    const double spring = c.law.contact.stiffness_npm;
    const double dashpot = 2 * c.law.contact.zeta * c.law.contact.root_stiffness / std::sqrt(c.answer_a + c.answer_b);
    a_.load[c.a].add(spring, dashpot, c.answer_a), b_.load[c.b].add(spring, dashpot, c.answer_b);
    a_.crowd[c.a] += 1, b_.crowd[c.b] += 1;
  }
}

double RigidRigid::longest_dt(const System& a, const System& b, double dt) const {
  find(static_cast<const RigidSystem&>(a), 0, static_cast<const RigidSystem&>(b), 0, dt);
  for (Contact& c : contacts_) c.touch.gap = -1;  // Counts every candidate, including those that do not touch yet.
  sum_loads();
  double longest = std::numeric_limits<double>::infinity();
  for (const Side* side : {&a_, &b_})
    for (const ContactLoad& load : side->load) longest = std::min(longest, load.resolved_dt(pair_swing, pair_share));
  return longest;
}

// ---- Contact forces -----------------------------------------------------------------------------------------------

Vec3 RigidRigid::relative(const Contact& c) const {
  return a_.now[c.a].velocity_at(c.touch.point) - b_.now[c.b].velocity_at(c.touch.point);
}

void RigidRigid::press_all(const PairContext& context) {
  const double relax = elementary::exp(-context.dt / overlap_relax_s);
  const double most_a = max_omega_dt_squared / (context.step_a * context.step_a),
               most_b = max_omega_dt_squared / (context.step_b * context.step_b);
  energy_j_ = 0;
  kept_.clear();
  for (Contact& c : contacts_) {
    if (c.bounces) c.memory = {};
    if (c.bounces || (c.touch.gap >= 0 && !c.memory.touching)) continue;
    const double soft = 1 / std::max({1.0, a_.load[c.a].springs / most_a, b_.load[c.b].springs / most_b});
    GrainLaw law = c.law.contact;
    law.set_stiffness(soft * law.stiffness_npm, body_shear_ratio);
    const double mass = 1 / (std::max(1.0, a_.crowd[c.a]) * c.answer_a + std::max(1.0, b_.crowd[c.b]) * c.answer_b);
    press(law, {c.touch.normal, -c.touch.gap, relative(c), mass}, context.dt, relax, c.memory);
    if (!c.memory.touching) continue;
    ++touching_;
    const double depth = -c.touch.gap - c.memory.give_m;
    energy_j_ += 0.5 * (law.stiffness_npm * depth * depth + law.shear_npm * c.memory.slip.squaredNorm());
    const Vec3 place = a_.now[c.a].orientation.conjugate() * (c.touch.point - a_.now[c.a].center);
    kept_.push_back({keep_contact(c.a, c.b, c.memory), {place.x(), place.y(), place.z()}});
  }
}

/// Applies collision impulses to the contacts that are too fast for their springs (sequential impulses, Catto 2005).
void RigidRigid::bounce_all(double dt) {
  for (Contact& c : contacts_) {
    if (!c.bounces) continue;
    const double arrives = relative(c).dot(c.touch.normal);
    c.wanted = c.law.restitution > 0 ? -c.law.restitution * arrives : -std::max(c.touch.gap, 0.0) / dt;
  }
  for (int round = 0; round < rounds; ++round)
    for (Contact& c : contacts_) {
      if (!c.bounces) continue;
      Standing &one = a_.now[c.a], &two = b_.now[c.b];
      const auto push = [&](const Vec3& impulse) {
        one.velocity += one.inverse_mass * impulse,
            one.spin += one.inverse_inertia * (c.touch.point - one.center).cross(impulse);
        two.velocity -= two.inverse_mass * impulse,
            two.spin -= two.inverse_inertia * (c.touch.point - two.center).cross(impulse);
        c.given += impulse;
      };
      const Vec3& n = c.touch.normal;
      const double pressed = c.given.dot(n),
                   total = std::max(0.0, pressed + (c.wanted - relative(c).dot(n)) / (c.answer_a + c.answer_b));
      push((total - pressed) * n);
      const Vec3 rubbed = c.given - total * n, slip = relative(c) - relative(c).dot(n) * n;
      const double speed = slip.norm();
      if (speed == 0) continue;
      const Vec3 way = slip / speed;
      const Vec3 asked = rubbed - slip / (one.answer(c.touch.point, way) + two.answer(c.touch.point, way));
      const double size = asked.norm();
      push(friction_factor(size, total, c.law.contact.mu_static, c.law.contact.mu_dynamic) * asked - rubbed);
    }
}

/// Adds the impulse to body a and the opposite impulse to body b. A pending impulse acts at the position that its
/// body had after the last substep, so each lever arm starts there. Angular momentum is then conserved exactly.
void RigidRigid::give(const Contact& c, const Vec3& impulse, Elements& a, Elements& b) const {
  if (impulse.isZero(0)) return;
  a.impulse[c.a] += impulse, b.impulse[c.b] -= impulse;
  a.angular_impulse[c.a] += (c.touch.point - a.position[c.a]).cross(impulse);
  b.angular_impulse[c.b] -= (c.touch.point - b.position[c.b]).cross(impulse);
  a.note_meeting(c.a), b.note_meeting(c.b);
}

void RigidRigid::apply(System& a, System& b, const PairContext& context) {
  find(static_cast<const RigidSystem&>(a), context.age_a, static_cast<const RigidSystem&>(b), context.age_b,
       context.dt);
  touching_ = 0;
  recall();
  for (Contact& c : contacts_) {
    const double arrives = relative(c).dot(c.touch.normal);
    c.bounces = !c.memory.touching && arrives < -c.law.fastest_mps && c.touch.gap + context.dt * arrives < 0;
  }
  sum_loads();
  press_all(context);
  bounce_all(context.dt);
  for (const Contact& c : contacts_) {
    give(c, c.memory.impulse + c.given, a.elements(), b.elements());
    if (c.bounces) a_.throw_off(c.a, c.touch.point, c.given), b_.throw_off(c.b, c.touch.point, -c.given);
  }
}

}  // namespace vw
