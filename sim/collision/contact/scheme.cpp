// The contact schemes share the operations: find the collision of the step, respond, repeat.
#include "sim/collision/contact/scheme.h"

#include "sim/collision/contact/ballistic.h"
#include "sim/collision/contact/repulsion_flight.h"
#include "sim/collision/contact/scheme_contact.h"

namespace vw {
namespace {

constexpr int most_collisions = 3;  // Largest number of elastic bounces in collision_then_contact.
constexpr double push_out = 0.5;    // Fraction of the depth that a step of scheme `single` corrects if it began inside.

/// A step in progress: position = start + shift + dt v once an obstacle has been hit.
struct Step {
  const SchemeParams& params;
  const Particle& particle;
  const FlightPlan& plan;
  const Load& load;
  const Barriers& barriers;
  StepOutcome out;

  [[nodiscard]] Meeting look() const { return meet(barriers, particle.x, out.x, particle.radius); }
  void fly_from(const Vec3& v) {
    out.x = particle.x;
    out.v = v;
    if (params.repulsion == Repulsion::none)
      fly(plan, load, out.x, out.v);
    else
      fly_repelled({params.repulsion_force(), particle.mass, particle.radius}, plan, load, barriers, out.x, out.v,
                   out.stiff);
  }
  /// Contact requires the velocity of the end as that of the whole step. With the average velocity of a parabola or of
  /// many small steps, friction would act on only half of the change by gravity.
  Meeting straighten(const Meeting& met) {
    if (plan.straight()) return met;
    out.x = particle.x + plan.dt * out.v;
    return look();
  }
};

/// Velocity v after a bounce off the obstacle; unchanged if it separates.
Vec3 bounce(const Vec3& v, const Meeting& met) {
  return met.surface_velocity + collide(v - met.surface_velocity, met.normal, met.barrier->pair);
}

/// One response of the candidate's (average) velocity, with which the step is repeated. From inside: an impulse in
/// proportion to the depth, with the usual friction.
void respond_once(Step& step, const Meeting& met) {
  const Particle& p = step.particle;
  StepOutcome& out = step.out;
  out.touched = true;
  if (inside_at_start(*met.barrier, p.x, p.radius)) {
    const Vec3 relative = out.v - met.surface_velocity, tangential = relative - relative.dot(met.normal) * met.normal;
    const double change = push_out * met.depth / step.plan.dt;
    out.v += change * met.normal - friction_share(met.barrier->pair, tangential.norm(), change) * tangential;
  } else {
    out.v = bounce(out.v, met);
  }
  out.x = p.x + step.plan.dt * out.v;
}

/// Elastic phase of collision_then_contact: bounces the velocity of the step's start, integrates again and detects
/// again. Returns the last collision.
Meeting collide_from_start(Step& step, Meeting met) {
  Vec3 v = step.particle.v;
  StepOutcome& out = step.out;
  for (int pass = 0; pass < most_collisions && met; ++pass) {
    out.touched = true;
    // Without restitution, contact alone handles the collision, exactly as in the scheme `loop`.
    if (met.barrier->pair.restitution == 0) return met;
    const Vec3 bounced = bounce(v, met);
    if (bounced == v) return met;  // At rest or separating: handled by contact.
    if (step.params.replay == Replay::integrate) {
      step.fly_from(bounced);
      met = step.look();
    } else {
      out.v += bounced - v;
      out.x += step.plan.dt * (bounced - v);
      met = step.look();
    }
    v = bounced;
  }
  return met;
}

}  // namespace

FlightPlan make_flight_plan(const SchemeParams& params, const Vec3& gravity, double drag_time_s, double dt) {
  return make_flight_plan(Flight{dt, gravity, drag_time_s, Load{}, params.integrator, params.subdivisions},
                          params.scheme == Scheme::exact);
}

StepOutcome advance(const SchemeParams& params, const Particle& p, const FlightPlan& plan, const Load& load,
                    const Barriers& barriers) {
  Step step{params, p, plan, load, barriers, {}};
  if (params.scheme == Scheme::exact)
    return advance_exactly(p, plan, load, params.repulsion_force(), params.subdivisions, barriers, step.out);
  step.fly_from(p.v);
  StepOutcome& out = step.out;
  if (params.scheme == Scheme::none) return out;
  out.fast = too_fast(barriers, p.x, out.x, p.radius);
  Meeting met = step.look();
  if (!met) return out;
  if (params.scheme == Scheme::collision_then_contact) {
    met = collide_from_start(step, met);
    if (!met) return out;
  }
  met = step.straighten(met);
  if (!met) return out;
  const auto elastic = [&] {
    return met.barrier->pair.restitution > 0 && !inside_at_start(*met.barrier, p.x, p.radius);
  };
  if (params.scheme == Scheme::single || (params.scheme == Scheme::loop && elastic())) {
    respond_once(step, met);
    if (params.scheme == Scheme::single) return out;
    met = step.look();
  }
  rest_in_contact(p, plan.dt, barriers, met, out);
  return out;
}

StepOutcome advance(const SchemeParams& params, const Particle& particle, const Flight& flight,
                    const SurfaceMaterial& surface, std::span<const Collider> start, std::span<const Collider> end) {
  SchemeParams chosen = params;
  chosen.integrator = flight.integrator;
  chosen.subdivisions = flight.subdivisions;
  const FlightPlan plan = make_flight_plan(chosen, flight.gravity, flight.drag_time_s, flight.dt);
  return advance(chosen, particle, plan, flight.load, Barriers(start, end, surface, params.detection));
}

}  // namespace vw
