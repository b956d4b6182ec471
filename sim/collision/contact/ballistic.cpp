#include "sim/collision/contact/ballistic.h"

#include <algorithm>
#include <cmath>

#include "sim/base/rotation.h"
#include "sim/collision/contact/scheme_contact.h"

namespace vw {
namespace {

Vec3 without_normal(const Vec3& v, const Vec3& n) { return v - v.dot(n) * n; }

/// State of a particle during its step.
struct ExactStep {
  const Particle& particle;
  const Barriers& barriers;
  double dt = 0;
  double end = 0;   ///< End of the current substep [s].
  Path path;        ///< Path from `time` on. Its functions take the time since `time`.
  double time = 0;  ///< Present time within the step [s].
  int impacts = 0;
  StepOutcome out;
  Vec3 before = Vec3::Zero();  ///< Normal of the previous impact.

  [[nodiscard]] double left() const { return end - time; }
  void go_to(double t) {
    path = path.from(t - time);
    time = t;
  }
};

/// Result of sliding on a surface for a time h: the tangential velocity at the end, and the displacement, both relative
/// to the surface.
struct Slide {
  Vec3 velocity, way;
};
Slide slide(const Path& path, const Impact& on, double h) {
  const Vec3& n = on.normal;
  const auto lateral = [&](const Vec3& v) { return without_normal(v - on.surface_velocity, n); };
  const Vec3 after = path.velocity(h), v0 = lateral(path.v), v1 = lateral(after);
  // `pressed` equals |g_n| h, where g_n is the normal acceleration.
  const double pressed = std::max(0.0, (path.v - after).dot(n));
  const double taken = friction_share(on.barrier->pair, v1.norm(), pressed), speed = v0.norm();
  const Vec3 end = (1 - taken) * v1;
  if (taken < 1 || speed == 0) return {end, 0.5 * h * (v0 + end)};
  // The particle stops within h. Its deceleration until then is uniform.
  const double slower = speed - v1.dot(v0) / speed + holding_friction(on.barrier->pair, pressed);
  const double stops = slower > 0 ? std::min(h, h * speed / slower) : h;
  return {end, 0.5 * stops * v0};
}

/// Returns a bound of the distance [m] by which a rotating surface, during the time h, may depart from its initial
/// tangent plane at the sliding particle.
double sag_of(const ExactStep& ride, const Impact& on, const Slide& slid, double h) {
  const Barrier& barrier = *on.barrier;
  if (!barrier.turns) return 0;
  const double turn = angle_between(barrier.start->orientation, barrier.end->orientation) * h / ride.dt;
  const double arm = (ride.path.x - barrier.end->position).norm() + barrier.drift.norm();
  return turn * (turn * arm + slid.way.norm()) + 1e-9;
}

/// After a slide on a rotating surface, moves the particle to the surface in its present pose, on the same side as
/// before. Returns the contact at the new position.
Impact land(ExactStep& ride, const Impact& on, double sag) {
  if (!on.barrier->turns) return on;
  const Collider there = posed(*on.barrier, ride.time / ride.dt);
  const double radius = on.barrier->touch_radius(ride.particle.radius);
  SurfaceQuery found = query(there, ride.path.x, radius + 4 * sag);
  if (on.barrier->sheet && found.normal.dot(on.normal) < 0) found = {-found.distance, -found.normal};
  const double gap = found.distance - radius;
  if (!(std::abs(gap) <= 2 * sag) || !(found.normal.dot(on.normal) > 0.9)) return on;
  ride.path.x -= gap * found.normal;
  return {ride.time, on.barrier, found.normal, there.velocity_at(ride.path.x - radius * found.normal)};
}

/// Keeps a sliding particle on a surface that curves away from it. The particle is moved to the surface if the gap is
/// at most `fall` [m], the distance that the normal acceleration g_n closes within the step. This is the case if v^2 /
/// R < |g_n| (v: speed, R: radius of curvature). Returns the tangential velocity.
Vec3 follow(ExactStep& ride, const Impact& on, const Vec3& velocity, double fall) {
  if (on.barrier->flat) return velocity;
  const double radius = on.barrier->touch_radius(ride.particle.radius);
  const SurfaceQuery there = on.barrier->at_end(ride.path.x, radius + 2 * fall);
  const double gap = there.distance - radius, speed = velocity.norm();
  if (!(gap > 0) || gap > fall || speed == 0) return velocity;
  const Vec3 along = velocity - velocity.dot(there.normal) * there.normal;
  // If the normal differs by more than 45 degrees, the surface has a sharp edge here, and the particle leaves it.
  if (!(along.squaredNorm() > 0.5 * speed * speed)) return velocity;
  ride.path.x -= gap * there.normal;
  // Gravity does work over the gap, which increases the speed.
  const double work = std::max(0.0, -gap * ride.path.acceleration_at(ride.path.v).dot(there.normal));
  return std::sqrt(speed * speed + 2 * work) / along.norm() * along;
}

/// Returns whether a particle keeps sliding despite the impact `next` during the slide. This is the case if `next` is
/// on another part of the same smooth concave surface, and if the particle would not bounce there or has already had
/// several impacts. Such impacts would follow each other at tiny distances. settle() instead turns the velocity of the
/// particle along the surface and applies the corresponding friction.
bool goes_on(const ExactStep& ride, const Impact& on, const Impact& next, const Vec3& way, const Vec3& along) {
  constexpr int most_hairs = 4;
  constexpr double gentle = 0.99;  // Cosine of the largest angle between the normals.
  if (next.barrier != on.barrier || on.barrier->sheet || next.normal.dot(on.normal) < gentle) return false;
  const bool bounces =
      -along.dot(next.normal) > std::abs(ride.path.acceleration_at(ride.path.v).dot(next.normal)) * ride.dt;
  if (bounces && ride.impacts < most_hairs) return false;
  return on.barrier->at_end(ride.path.x + way, on.barrier->touch_radius(ride.particle.radius)).normal.dot(on.normal) >
         gentle;
}

/// Lets the particle rest or slide on a surface, either to the end of the substep (returns false) or to the next impact
/// (returns true).
bool stay_on(ExactStep& ride, const Impact& on) {
  const double h = ride.left();
  const Slide slid = slide(ride.path, on, h);
  const double sag = sag_of(ride, on, slid, h);
  const Vec3 way = h * on.surface_velocity + slid.way, lift = (1e-9 + 2 * sag) * on.normal;
  Path along;
  along.x = ride.path.x + lift;
  along.v = way / h;
  auto next = first_impact(along, ride.particle.radius, ride.barriers, ride.dt, ride.time);
  if (next && goes_on(ride, on, *next, way, slid.velocity))
    next = first_impact(along, ride.particle.radius, ride.barriers, ride.dt, ride.time, on.barrier);
  if (!next || next->time > ride.end) {
    const double g_n = -ride.path.acceleration_at(ride.path.v).dot(on.normal);
    ride.path.x += way;
    ride.time = ride.end;
    const Impact now = land(ride, on, sag);
    ride.path.v =
        now.surface_velocity + follow(ride, now, without_normal(slid.velocity, now.normal), 0.5 * g_n * h * h);
    return false;
  }
  const double share = (next->time - ride.time) / h;
  if (share > 1e-6) {
    const Vec3 lateral = without_normal(ride.path.v - on.surface_velocity, on.normal),
               slides = lateral + share * (slid.velocity - lateral);
    ride.path.x += share * way;
    ride.time = next->time;
    const Impact now = land(ride, on, sag);
    ride.path.v = now.surface_velocity + without_normal(slides, now.normal);
    return true;
  }
  // The particle is wedged between two obstacles. Both contacts are solved together, as in the scheme `loop`.
  const Particle here{ride.path.x, ride.path.v, ride.particle.radius, ride.particle.mass};
  StepOutcome wedged = ride.out;
  wedged.v = ride.path.velocity(h);
  wedged.x = here.x + h * wedged.v;
  rest_in_contact(here, h, ride.barriers, meet(ride.barriers, here.x, wedged.x, here.radius), wedged);
  if (wedged.capped) {  // If there is no free position, the particle moves with the surface until the step ends.
    wedged.v = on.surface_velocity;
    wedged.x = here.x + h * wedged.v;
  }
  ride.out = wedged;
  ride.path.x = wedged.x;
  ride.path.v = wedged.v;
  ride.time = ride.end;
  return false;
}

/// Returns whether the particle stays on the surface after an impact without a bounce: the normal acceleration g_n
/// presses it on the surface, or g_n is zero up to rounding.
bool stays(const ExactStep& ride, double g_n) {
  return g_n < 0 || g_n <= 1e-12 * ride.path.acceleration_at(ride.path.v).norm();
}

/// Returns the velocity of a particle that has had too many impacts in one step, alternating between two surfaces with
/// the normals `n` and `before`. Only the component that is tangential to both surfaces remains.
Vec3 along_both(const Vec3& v, const Vec3& n, const Vec3& before) {
  const Vec3 lateral = without_normal(v, n), across = without_normal(before, n);
  return across.norm() > 1e-6 ? without_normal(lateral, across.normalized()) : lateral;
}

/// Responds to an impact. Returns false if the substep is over, or if the particle has had too many impacts.
bool respond(ExactStep& ride, const Impact& impact) {
  ride.go_to(impact.time);
  ride.out.touched = true;
  if (++ride.impacts > most_impacts) {
    ride.out.capped = true;
    ride.path.v =
        impact.surface_velocity + along_both(ride.path.v - impact.surface_velocity, impact.normal, ride.before);
    return false;
  }
  ride.before = impact.normal;
  const Vec3 relative = ride.path.v - impact.surface_velocity;
  const double v_n = relative.dot(impact.normal), g_n = ride.path.acceleration_at(ride.path.v).dot(impact.normal);
  SurfaceMaterial pair = impact.barrier->pair;
  const bool rests =
      std::abs(v_n) <= std::max(std::abs(g_n) * ride.dt, rounding_of_speed(ride.path.v, impact.surface_velocity));
  if (rests) pair.restitution = 0;
  ride.path.v = impact.surface_velocity + collide(relative, impact.normal, pair);
  if (!stays(ride, g_n) || pair.restitution > 0 || !(ride.left() > 1e-9 * ride.dt)) return ride.left() > 0;
  return stay_on(ride, impact);
}

/// Moves a particle that ends inside an obstacle to the surface. A particle can end inside on concave ground, or where
/// a chord of the path cuts a corner. The velocity loses its normal component, with the corresponding friction, and the
/// speed does not increase. If no free position is found, the particle is set to rest at its start position.
void settle(ExactStep& ride) {
  Vec3 &x = ride.path.x, &v = ride.path.v;
  for (int pass = 0; pass < most_impacts; ++pass) {
    const Meeting met = deepest(ride.barriers, x, ride.particle.radius);
    if (!met) return;
    ride.out.touched = true;
    SurfaceMaterial pair = met.barrier->pair;
    pair.restitution = 0;
    x += met.depth * met.normal;
    v = met.surface_velocity + collide(v - met.surface_velocity, met.normal, pair);
  }
  x = ride.particle.x;
  v.setZero();
  ride.out.capped = true;
}

/// Moves the particle from impact to impact until the end of the current substep.
void advance_to_end(ExactStep& ride) {
  for (;;) {
    const auto impact = first_impact(ride.path, ride.particle.radius, ride.barriers, ride.dt, ride.time);
    if (!impact || impact->time > ride.end) return ride.go_to(ride.end);
    if (!respond(ride, *impact)) break;
  }
  ride.time = ride.end;
}

}  // namespace

StepOutcome advance_exactly(const Particle& p, const FlightPlan& plan, const Load& load,
                            const RepulsionForce& repulsion, std::int64_t kicks, const Barriers& barriers,
                            const StepOutcome& begun) {
  ExactStep ride{p,
                 barriers,
                 plan.dt,
                 plan.dt,
                 {p.x, p.v, plan.gravity + plan.inverse_dt * load.kick, plan.drag_time_s, load.wind},
                 0,
                 0,
                 begun};
  const bool repelled = repulsion.law != Repulsion::none;
  const std::int64_t parts = repelled ? std::max<std::int64_t>(kicks, 1) : 1;
  const double h = plan.dt / static_cast<double>(parts);
  const auto push = [&](const Vec3& v) {
    return repulsion_at({repulsion, p.mass, p.radius}, barriers, ride.path.x, v, h, ride.time / ride.dt,
                        ride.out.stiff);
  };
  bool pushed = false;
  for (std::int64_t i = 0; i < parts && !ride.out.capped; ++i) {
    ride.end = i + 1 == parts ? plan.dt : static_cast<double>(i + 1) * h;
    const Vec3 half_kick = repelled ? Vec3(0.5 * h * push(ride.path.v)) : Vec3::Zero();
    ride.path.v += half_kick;
    advance_to_end(ride);
    if (!repelled) break;
    const Vec3 last_kick = 0.5 * h * push(ride.path.v + half_kick);
    ride.path.v += last_kick;
    pushed = pushed || !half_kick.isZero(0) || !last_kick.isZero(0);
  }
  if (!pushed && ride.impacts == 0) {
    ride.path.x = p.x;
    ride.path.v = p.v;
    fly(plan, load, ride.path.x, ride.path.v);
  }
  settle(ride);
  ride.out.x = ride.path.x;
  ride.out.v = ride.path.v;
  return ride.out;
}

}  // namespace vw
