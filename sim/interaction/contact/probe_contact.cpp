// Bounding boxes with margins yield the candidate pairs. Contacts are processed in the order of spheres and bodies, and
// impulses are added serially, so results are bit-identical for any number of threads.
#include "sim/interaction/contact/probe_contact.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t probe_grain = 1024, probe_pair_grain = 256;

/// Arguments of ContactLoad::resolved_dt() for the sum of all contact springs on one body.
constexpr double body_swing = 0.8, body_share = 0.4;
/// Arguments of ContactLoad::resolved_dt() for the contact springs on one sphere.
/// They keep the error of the coefficient of restitution at a few hundredths.
constexpr double probe_swing = 0.5, probe_share = 0.25;

/// Largest number of entries in the cache of damping ratios. Without a limit, the cache would grow for as long as an
/// actuator varies a restitution.
constexpr std::size_t most_known = 1000;

Vec3 to_local(const Pose& pose, const Vec3& world) { return pose.orientation.conjugate() * (world - pose.position); }

/// Returns an upper bound of the angle between two orientations [rad].
double angle_bound(const Quat& a, const Quat& b) {
  const double cosine = std::min(1.0, std::abs(a.dot(b)));
  return pi * std::sqrt(1 - cosine * cosine);
}

}  // namespace

std::uint32_t Probes::identity_of(std::size_t probe) const {
  const std::size_t i = row_of(probe);
  return rows->id.empty() ? static_cast<std::uint32_t>(i) : rows->id[i];
}

Vec3 Probes::velocity_of(std::size_t probe) const {
  const std::size_t i = row_of(probe);
  return thrown.empty() ? rows->velocity[i] : Vec3(rows->velocity[i] + thrown[i]);
}

Vec3 Probes::place_of(std::size_t probe) const { return rows->position[row_of(probe)] + age * velocity_of(probe); }

double Probes::inverse_mass(std::size_t probe) const {
  const std::size_t i = row_of(probe);
  return !rows->held.empty() && rows->held[i] != 0 ? 0 : 1 / rows->mass[i];
}

ProbeLaw SurfaceLaws::of(const SurfaceMaterial& pair) {
  auto known =
      std::find_if(known_.begin(), known_.end(), [&](const auto& one) { return one.first == pair.restitution; });
  if (known == known_.end()) {
    if (known_.size() >= most_known) known_.clear();
    known = known_.insert(known_.end(), {pair.restitution, damping_ratio_of(pair.restitution)});
  }
  ProbeLaw law;
  law.restitution = pair.restitution;
  law.contact.zeta = known->second;
  law.contact.mu_static = pair.mu_static, law.contact.mu_dynamic = pair.mu_dynamic;
  return law;
}

void ProbeContact::forget() {
  contact_.clear(), pairs_.clear(), touch_.clear(), exempt_.clear();
  memory_in_lists_ = false;
  begun_ = 0;
  energy_j_ = 0;
  touching_ = 0;
}

/// Predicts the present poses and velocities of the bodies, including the velocity changes by pending collision
/// impulses.
void ProbeContact::see_bodies(const Moment& moment) {
  const Elements& e = moment.bodies->elements();
  bodies_ = moment.bodies->bodies();
  body_.resize(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) {
    body_[i].now = standing(*moment.bodies, i, moment.age, any_body_thrown_ ? body_thrown_[i] : Thrown{});
    body_[i].shape = bodies_[i].shape_at(body_[i].now.center, body_[i].now.orientation);
  }
  if (shape_box_.size() == e.size()) return;
  shape_box_.resize(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) shape_box_[i] = bounds(bodies_[i].shape);
}

// ---- Candidate pairs ----------------------------------------------------------------------------------------------

/// Returns whether the candidate lists contain every pair that can touch within `moment.dt` from now. This is the case
/// if each sphere and body stays within its margin until then. The growth of a sphere counts as motion.
bool ProbeContact::holds(const Probes& probes, const Moment& moment) {
  const std::size_t n = probes.size();
  // Distance that acceleration may add to the motion of either side within `moment.dt`. Without this term, lists that
  // were built for a short substep would be accepted for a world step, and would miss pairs that touch later in the
  // step.
  const double pulled = 0.5 * search_acceleration * moment.dt * moment.dt;
  if (!memory_in_lists_ || probe_then_.size() != n || body_then_.size() != body_.size()) return false;
  for (std::size_t b = 0; b < body_.size(); ++b) {
    const Body& body = body_[b];
    const double reach = bodies_[b].reach_m;
    const double way = moment.dt * (body.now.velocity.norm() + reach * body.now.spin.norm());
    const double moved =
        (body.now.center - body_then_[b]).norm() + reach * angle_bound(body.shape.orientation, turn_then_[b]);
    if (!(moved + way + pulled <= body_margin_[b])) return false;
  }
  moved_.assign(chunk_count(n, probe_grain), 0);
  parallel_for(n, probe_grain, [&](Range range, std::size_t chunk) {
    bool still = true;
    for (std::size_t i = range.begin; i < range.end && still; ++i) {
      const Vec3 place = probes.place_of(i);
      const double way = moment.dt * probes.velocity_of(i).norm();
      const double grown = std::max(0.0, probes.radius_of(i) - radius_then_[i]);
      still = (place - probe_then_[i]).norm() + way + pulled + grown <= probe_margin_[i] &&
              probes.identity_of(i) == identity_[i];
    }
    moved_[chunk] = still ? 0 : 1;
  });
  return std::none_of(moved_.begin(), moved_.end(), [](std::uint8_t moved) { return moved != 0; });
}

/// Appends the candidate pairs of the spheres in `range`, ordered by body. The bins cover only motions up to
/// `max_motion`. A sphere that may move farther is tested against all bodies.
void ProbeContact::list_near(const Probes& probes, Range range, double max_motion, std::vector<Pair>& out) const {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Vec3& place = probe_then_[i];
    const double reach = probes.radius_of(i) + probe_margin_[i];
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    const auto consider = [&](std::size_t b) {
      if (box_[b].squaredExteriorDistance(place) <= reach * reach)
        out.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(b)});
    };
    if (probe_margin_[i] <= max_motion) {
      bins_.at(place, consider);
    } else if (place.allFinite()) {
      for (std::size_t b = 0; b < box_.size(); ++b) consider(b);
    }
    std::sort(out.begin() + first, out.end(), [](const Pair& a, const Pair& b) { return a.body < b.body; });
  }
}

void ProbeContact::find_candidates(const Probes& probes, const Moment& moment) {
  const std::size_t n = probes.size(), bodies = body_.size();
  const double room = moment.margin_m + search_acceleration * moment.dt * moment.dt;
  probe_then_.resize(n), radius_then_.resize(n), probe_margin_.resize(n), identity_.resize(n);
  parallel_for(n, probe_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      probe_then_[i] = probes.place_of(i);
      radius_then_[i] = probes.radius_of(i);
      probe_margin_[i] = room + moment.dt * probes.velocity_of(i).norm();
      identity_[i] = probes.identity_of(i);
    }
  });
  body_then_.resize(bodies), turn_then_.resize(bodies), body_margin_.resize(bodies), box_.resize(bodies);
  double widest = 0, widest_box = 0;
  for (std::size_t i = 0; i < n; ++i) widest = std::max(widest, probes.radius_of(i));
  for (std::size_t b = 0; b < bodies; ++b) {
    const Body& body = body_[b];
    const double reach = bodies_[b].reach_m;
    body_then_[b] = body.now.center, turn_then_[b] = body.shape.orientation;
    body_margin_[b] = room + moment.dt * (body.now.velocity.norm() + reach * body.now.spin.norm());
    const Mat3 turn = body.shape.orientation.toRotationMatrix();
    const Vec3 middle = body.shape.position + turn * shape_box_[b].center();
    const Vec3 half = turn.cwiseAbs() * (0.5 * shape_box_[b].sizes()) + Vec3::Constant(body_margin_[b]);
    box_[b] = Box3(Vec3(middle - half), Vec3(middle + half));
    widest_box = std::max(widest_box, half.maxCoeff());
  }
  const double max_motion = 2 * room + std::max(2 * widest, 0.5 * widest_box);
  wide_box_.assign(box_.begin(), box_.end());
  for (Box3& box : wide_box_) box.min().array() -= widest + max_motion, box.max().array() += widest + max_motion;
  bins_.build(wide_box_);
  const std::size_t chunks = chunk_count(n, probe_grain);
  if (found_.size() < chunks) found_.resize(chunks);
  parallel_for(n, probe_grain, [&](Range range, std::size_t chunk) {
    found_[chunk].clear();
    list_near(probes, range, max_motion, found_[chunk]);
  });
  pairs_.clear();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    pairs_.insert(pairs_.end(), found_[chunk].begin(), found_[chunk].end());
}

/// Copies the contact memory from the candidate lists to `contact_`, which refers to elements by their ids. Pairs that
/// do not collide because of an initial overlap (`exempt_`) are included.
void ProbeContact::keep() {
  contact_.clear();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (!touch_[p].touching && exempt_[p] == 0) continue;
    contact_.push_back(keep_contact(identity_[pairs_[p].probe], pairs_[p].body, touch_[p]));
    contact_.back().unused = exempt_[p];
  }
}

/// Copies the contact memory from `contact_` to the candidate lists. Both are ordered by sphere, then by body.
void ProbeContact::recall() {
  touch_.assign(pairs_.size(), GrainTouch{});
  exempt_.assign(pairs_.size(), 0);
  std::size_t p = 0;
  for (const GrainContact& contact : contact_) {
    const auto before = [&](const Pair& pair) {
      const std::uint32_t identity = identity_[pair.probe];
      return identity != contact.a ? identity < contact.a : pair.body < contact.b;
    };
    while (p < pairs_.size() && before(pairs_[p])) ++p;
    if (p == pairs_.size()) break;
    if (identity_[pairs_[p].probe] != contact.a || pairs_[p].body != contact.b) continue;
    exempt_[p] = static_cast<std::uint8_t>(contact.unused);
    if (exempt_[p] == 0) touch_[p] = recall_contact(contact);
  }
}

void ProbeContact::visit_state(StateVisitor& visit) {
  if (memory_in_lists_) keep();
  visited_.assign(contact_.begin(), contact_.end());
  visit.rows("contact");
  visit("contacts", contact_);
  visit("begun", begun_);
  visit("energy", energy_j_);
  const bool same =
      contact_.size() == visited_.size() &&
      (contact_.empty() || std::memcmp(contact_.data(), visited_.data(), contact_.size() * sizeof(GrainContact)) == 0);
  if (!same) memory_in_lists_ = false;
}

/// Updates the states of the bodies. Rebuilds the candidate lists if they are no longer valid.
void ProbeContact::follow(const Probes& probes, const Moment& moment) {
  see_bodies(moment);
  if (holds(probes, moment)) return;
  if (memory_in_lists_) keep();
  find_candidates(probes, moment);
  recall();
  memory_in_lists_ = true;
}

void ProbeContact::spare_overlaps(const Probes& probes) {
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    exempt_[p] = look(probes, pairs_[p], 0, true).gap < -probes.radius_of(pairs_[p].probe) ? 1 : 0;
}

// ---- Contacts -----------------------------------------------------------------------------------------------------

/// Returns the contact geometry of one pair during the next `ahead_s` seconds. The distance query reaches only 1.3
/// radii deep. If `from_within`, a deeper sphere is queried again without this limit, so that its depth is exact.
ProbeContact::Hit ProbeContact::look(const Probes& probes, const Pair& pair, double ahead_s, bool from_within) const {
  const Body& body = body_[pair.body];
  const double radius = probes.radius_of(pair.probe);
  const Vec3 place = probes.place_of(pair.probe);
  const Vec3 local = to_local(body.shape, place);
  Hit hit;
  const Shape& shape = bodies_[pair.body].shape;
  const double reach = 1.3 * radius + 1e-6;
  SurfaceQuery there = query(shape, local, reach);
  if (from_within && there.distance < -0.99 * reach) there = query(shape, local);
  hit.normal = body.shape.orientation * there.normal;
  hit.gap = there.distance - radius;
  hit.place = place;
  hit.velocity = probes.velocity_of(pair.probe) - body.now.velocity_at(place);
  hit.meets = hit.gap < 0;
  if (hit.meets) hit.share = 0;
  if (hit.meets || ahead_s <= 0) return hit;
  const Pose then{body.shape.position, body.shape.orientation};
  const Quat turned = rotation_of(ahead_s * body.now.spin);
  const Vec3 origin = body.now.center + ahead_s * body.now.velocity + turned * (then.position - body.now.center);
  const Vec3 goal = to_local({origin, turned * then.orientation}, place + ahead_s * probes.velocity_of(pair.probe));
  if ((goal - local).norm() < hit.gap) return hit;
  const auto met = sweep(shape, local, goal, radius);
  if (!met) return hit;
  hit.meets = true;
  hit.share = met->share;
  hit.normal = body.shape.orientation * met->normal;
  return hit;
}

/// Computes the inverse effective masses and the contact law of a touching pair.
void ProbeContact::answer(const Probes& probes, const Pair& pair, const Laws& laws, Hit& hit) const {
  const std::size_t row = probes.row_of(pair.probe);
  const Body& body = body_[pair.body];
  hit.inverse_effective_mass = body.now.answer(hit.place, hit.normal);
  hit.probe_answer = probes.inverse_mass(pair.probe);
  hit.law = laws.of(row, pair.body, 1 / (hit.probe_answer + hit.inverse_effective_mass));
}

double ProbeContact::dashpot_of(const Hit& hit) {
  const double mass = 1 / (hit.probe_answer + hit.inverse_effective_mass);
  return 2 * hit.law.contact.zeta * hit.law.contact.root_stiffness *
         std::sqrt(hit.law.max_effective_mass_kg > 0 ? std::min(mass, hit.law.max_effective_mass_kg) : mass);
}

void ProbeContact::look_at_all(const Probes& probes, const Moment& moment, const Laws& laws) {
  hit_.resize(pairs_.size());
  parallel_for(pairs_.size(), probe_pair_grain, [&](Range range, std::size_t) {
    for (std::size_t p = range.begin; p < range.end; ++p) {
      Hit& hit = hit_[p];
      hit = look(probes, pairs_[p], moment.dt, true);
      if (!hit.meets && !touch_[p].touching) continue;
      if (exempt_[p] != 0) {
        hit.meets = false;
        if (hit.gap > 0) exempt_[p] = 0;
        continue;
      }
      answer(probes, pairs_[p], laws, hit);
      hit.bounces = hit.meets && !touch_[p].touching && hit.velocity.dot(hit.normal) < -hit.law.fastest_mps;
      hit.meets = hit.gap < 0 || hit.bounces;
    }
  });
}

/// Sums the springs and dashpots that act at once on each body. The sum of the springs must not exceed the stiffness
/// that the body's substep resolves. Each dashpot acts on an equal share of the body's mass.
void ProbeContact::sum_loads() {
  load_.assign(body_.size(), {}), crowd_.assign(body_.size(), 0);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const Hit& hit = hit_[p];
    if (!hit.meets || hit.bounces) continue;
    load_[pairs_[p].body].add(hit.law.contact.stiffness_npm, dashpot_of(hit), hit.inverse_effective_mass);
    crowd_[pairs_[p].body] += 1;
  }
}

void ProbeContact::press_all(const Moment& moment) {
  const double relax = elementary::exp(-moment.dt / overlap_relax_s),
               most_load = moment.max_omega_dt_squared / (moment.step * moment.step);
  energy_row_.assign(chunk_count(pairs_.size(), probe_pair_grain), 0);
  parallel_for(pairs_.size(), probe_pair_grain, [&](Range range, std::size_t chunk) {
    double energy = 0;
    for (std::size_t p = range.begin; p < range.end; ++p) {
      Hit& hit = hit_[p];
      GrainTouch& touch = touch_[p];
      if (hit.bounces) touch = {};
      if (hit.bounces || (!hit.meets && !touch.touching)) {
        touch.impulse.setZero();
        continue;
      }
      GrainLaw& law = hit.law.contact;
      const double load = load_[pairs_[p].body].springs;
      if (load > most_load) law.set_stiffness(most_load / load * law.stiffness_npm, law.shear_npm / law.stiffness_npm);
      double mass = 1 / (hit.probe_answer + std::max(1.0, crowd_[pairs_[p].body]) * hit.inverse_effective_mass);
      if (hit.law.max_effective_mass_kg > 0) mass = std::min(mass, hit.law.max_effective_mass_kg);
      press(law, {hit.normal, -hit.gap, hit.velocity, mass}, moment.dt, relax, touch);
      if (!touch.touching) continue;
      const double depth = -hit.gap - touch.give_m;
      energy += 0.5 * (law.stiffness_npm * depth * depth + law.shear_npm * touch.slip.squaredNorm());
    }
    energy_row_[chunk] = energy;
  });
  energy_j_ = 0;
  for (const double energy : energy_row_) energy_j_ += energy;
}

/// Returns the collision impulse on the sphere, with restitution and friction. Without restitution, the sphere stops at
/// the surface. Velocities include the collision impulses of earlier pairs.
Vec3 ProbeContact::bounce(const Probes& probes, const Pair& pair, const Hit& hit, const RigidSystem& bodies) const {
  const Elements &e = bodies.elements(), &balls = *probes.rows;
  const Body& body = body_[pair.body];
  const std::size_t row = probes.row_of(pair.probe);
  const Vec3 velocity = e.velocity[pair.body] + body.now.inverse_mass * e.impulse[pair.body];
  const Vec3 spin = e.angular_velocity[pair.body] + body.now.inverse_inertia * e.angular_impulse[pair.body];
  const Vec3 relative = balls.velocity[row] + probes.inverse_mass(pair.probe) * balls.impulse[row] - velocity -
                        spin.cross(hit.place - body.now.center);
  const double arrives = relative.dot(hit.normal), room = std::max(0.0, -hit.share * hit.velocity.dot(hit.normal));
  if (arrives >= -room) return Vec3::Zero();
  const double leaves = hit.law.restitution > 0 ? -hit.law.restitution * arrives : -room;
  const double normal = std::max(0.0, (leaves - arrives) / (hit.probe_answer + hit.inverse_effective_mass));
  const Vec3 along = relative - arrives * hit.normal;
  const double speed = along.norm();
  if (speed == 0) return normal * hit.normal;
  const double stop = speed / (probes.inverse_mass(pair.probe) + body.now.answer(hit.place, along / speed));
  const double share = friction_factor(stop, normal, hit.law.contact.mu_static, hit.law.contact.mu_dynamic);
  return normal * hit.normal - (share * stop / speed) * along;
}

/// Adds the impulse to the sphere and the opposite impulse to the body, both at the
/// sphere's centre. Pending impulses act at the positions after the last substeps, so the
/// lever arm is taken from these positions. Angular momentum is then conserved exactly.
void ProbeContact::give(const Probes& probes, const Pair& pair, const Vec3& impulse, Elements& probe_rows,
                        Elements& body_rows) const {
  if (impulse.isZero(0)) return;
  const std::size_t row = probes.row_of(pair.probe);
  probe_rows.impulse[row] += impulse;
  body_rows.impulse[pair.body] -= impulse;
  body_rows.angular_impulse[pair.body] -= (probe_rows.position[row] - body_rows.position[pair.body]).cross(impulse);
  probe_rows.note_meeting(row);
  body_rows.note_meeting(pair.body);
}

/// Applies all collision impulses. The loop is serial, because each collision depends on the impulses applied before
/// it.
void ProbeContact::bounce_all(const Probes& probes, const Moment& moment, Elements& probe_rows, Elements& body_rows) {
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (!hit_[p].bounces) continue;
    const Vec3 impulse = bounce(probes, pairs_[p], hit_[p], *moment.bodies);
    give(probes, pairs_[p], impulse, probe_rows, body_rows);
    const std::size_t row = probes.row_of(pairs_[p].probe), b = pairs_[p].body;
    if (!any_probe_thrown_) probe_thrown_.assign(probe_rows.size(), Vec3::Zero());
    if (!any_body_thrown_) body_thrown_.assign(body_rows.size(), {});
    any_probe_thrown_ = any_body_thrown_ = true;
    probe_thrown_[row] += probes.inverse_mass(pairs_[p].probe) * impulse;
    body_thrown_[b].velocity -= body_[b].now.inverse_mass * impulse;
    body_thrown_[b].spin -=
        body_[b].now.inverse_inertia * (probe_rows.position[row] - body_rows.position[b]).cross(impulse);
  }
}

/// Clears the stored velocity changes by collisions for a side that has just stepped, because its velocities already
/// include them.
void ProbeContact::catch_thrown(const Probes& probes, const Moment& moment) {
  if (probes.age == 0 || probe_thrown_.size() != probes.rows->size()) any_probe_thrown_ = false;
  if (moment.age == 0 || body_thrown_.size() != moment.bodies->elements().size()) any_body_thrown_ = false;
}

void ProbeContact::skip(double probe_age, double body_age) {
  if (probe_age == 0) any_probe_thrown_ = false;
  if (body_age == 0) any_body_thrown_ = false;
}

void ProbeContact::apply(const Probes& given, Elements& probe_rows, Elements& body_rows, const Moment& moment,
                         const Laws& laws) {
  catch_thrown(given, moment);
  Probes probes = given;
  if (any_probe_thrown_) probes.thrown = probe_thrown_;
  follow(probes, moment);
  touching_ = 0;
  if (begun_ == 0 && moment.ignore_initial_overlaps) spare_overlaps(probes);
  begun_ = 1;
  if (pairs_.empty()) {
    energy_j_ = 0;
    return;
  }
  look_at_all(probes, moment, laws);
  sum_loads();
  press_all(moment);
  probe_rows.room_for_impulses();
  body_rows.room_for_impulses();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    touching_ += hit_[p].meets ? 1 : 0;
    give(probes, pairs_[p], touch_[p].impulse, probe_rows, body_rows);
  }
  bounce_all(probes, moment, probe_rows, body_rows);
}

void ProbeContact::mark_near(const Probes& probes, const Moment& moment, double share, std::span<std::uint32_t> rows) {
  follow(probes, moment);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::uint32_t probe = pairs_[p].probe;
    if (look(probes, pairs_[p], 0, false).gap < share * probes.radius_of(probe)) rows[probes.row_of(probe)] = 1;
  }
}

ProbeContact::StepBounds ProbeContact::step_bounds(const Probes& probes, const Moment& moment, const Laws& laws) {
  catch_thrown(probes, moment);
  follow(probes, moment);
  StepBounds out;
  if (pairs_.empty()) return out;
  hit_.resize(pairs_.size());
  parallel_for(pairs_.size(), probe_pair_grain, [&](Range range, std::size_t) {
    for (std::size_t p = range.begin; p < range.end; ++p) {
      Hit& hit = hit_[p];
      hit = look(probes, pairs_[p], 0, false);
      if (exempt_[p] == 0) answer(probes, pairs_[p], laws, hit);
      const double speed = std::min(hit.law.fastest_mps, hit.velocity.norm());
      hit.meets = exempt_[p] == 0 && hit.gap < speed * moment.dt + search_acceleration * moment.dt * moment.dt;
    }
  });
  sum_loads();
  for (const ContactLoad& load : load_) out.bodies_s = std::min(out.bodies_s, load.resolved_dt(body_swing, body_share));
  for (const Hit& hit : hit_) {
    ContactLoad own;
    if (hit.meets) own.add(hit.law.contact.stiffness_npm, dashpot_of(hit), hit.probe_answer);
    out.probes_s = std::min(out.probes_s, own.resolved_dt(probe_swing, probe_share));
  }
  return out;
}

}  // namespace vw
