// Contact schemes. All of them detect the collision of the step, respond to it, and repeat.
#include "sim/collision/contact/scheme.h"

#include "sim/collision/contact/ballistic.h"
#include "sim/collision/contact/repulsion_flight.h"
#include "sim/collision/contact/scheme_contact.h"

namespace vw {
namespace {

constexpr int most_collisions = 3;  // Largest number of elastic bounces in collision_then_contact.
// Fraction of the depth by which scheme `single` moves a particle outwards per step if it began inside.
constexpr double push_out = 0.5;

/// State of a step in progress. Once an obstacle has been hit, position = start + shift + dt v.
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
  /// Replaces a curved path by a straight one. Contact requires that the end velocity is also the mean velocity of the
  /// step. With the mean velocity of a parabola or of many small steps, friction would act on only half of the velocity
  /// change by gravity.
  Meeting straighten(const Meeting& met) {
    if (plan.straight()) return met;
    out.x = particle.x + plan.dt * out.v;
    return look();
  }
};

/// Velocity after a bounce of v off the obstacle. If the particle separates, the result is v.
Vec3 bounce(const Vec3& v, const Meeting& met) {
  return met.surface_velocity + collide(v - met.surface_velocity, met.normal, met.barrier->pair);
}

/// Single response of scheme `single`: changes the mean velocity of the candidate step, with which the step is
/// repeated. A particle that began inside gets an impulse in proportion to the depth, with the corresponding friction.
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

/// Elastic phase of collision_then_contact: applies the bounce to the velocity at the start of the step, integrates
/// again and detects again. Returns the last collision.
Meeting collide_from_start(Step& step, Meeting met) {
  Vec3 v = step.particle.v;
  StepOutcome& out = step.out;
  for (int pass = 0; pass < most_collisions && met; ++pass) {
    out.touched = true;
    // Without restitution, contact alone handles the collision, exactly as in the scheme `loop`.
    if (met.barrier->pair.restitution == 0) return met;
    const Vec3 bounced = bounce(v, met);
    if (bounced == v) return met;  // The particle rests or separates. The contact phase handles this.
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

const ParamTable<SchemeParams>& scheme_params() {
  using P = SchemeParams;
  static const ParamTable<P> table{
      Param<SchemeParams>{
          .member = &SchemeParams::scheme,
          .key = "scheme",
          .live = Live::yes,
          .choices = {"single", "loop", "collision_then_contact", "exact", "none"},
          .doc = "Contact scheme. single: one response per step. It is cheap, but particles at rest creep and hop. "
                 "Particles that end inside an obstacle are pushed out over several steps, which adds speed. loop: "
                 "responses until the particle is outside. It is safe, but particles at rest still hop. "
                 "collision_then_contact: bounces, then contact. Particles at rest neither creep nor hop. exact: "
                 "motion from one impact to the next. Bounces are accurate, but the cost is several times higher. "
                 "none: no contact, only repulsion."},
      Param<SchemeParams>{
          .member = &SchemeParams::detection,
          .key = "detection",
          .live = Live::yes,
          .choices = {"interference", "swept"},
          .doc = "Contact detection. Two-sided sheets are always swept. interference: tests the position at the end of "
                 "a step. It is cheap, but misses obstacles that are thinner than the distance moved in two steps. "
                 "swept: tests the whole path of a step and misses nothing."},
      Param<SchemeParams>{
          .member = &SchemeParams::replay,
          .key = "replay",
          .live = Live::yes,
          .choices = {"integrate", "shift"},
          .doc = "Continuation of a step after a bounce, for the scheme collision_then_contact. integrate: the step is "
                 "integrated again with the new velocity. shift: the end of the step is shifted by dt times the "
                 "velocity change. It is cheaper with many subdivisions, but ignores the change of the drag."},
      Param<SchemeParams>{
          .member = &SchemeParams::integrator,
          .key = "integrator",
          .live = Live::yes,
          .choices = {"symplectic_euler", "velocity_verlet", "rk4"},
          .doc =
              "Integrator of flight and repulsion. A step with a collision is first order with every integrator. The "
              "exact scheme has its own integrator, with exact paths and repulsion of second order. symplectic_euler: "
              "first order, robust. velocity_verlet: exact parabolas. rk4: fourth order, at four times the cost."},
      Param<SchemeParams>{
          .member = &SchemeParams::subdivisions,
          .key = "subdivisions",
          .unit = Unit::count,
          .range = {1, 1000},
          .scale = Scale::log,
          .live = Live::yes,
          .doc = "Number of integration steps in a collision step. In the exact scheme, number of repulsion kicks. "
                 "Stiff repulsion needs many subdivisions. Contact detection still runs once per collision step."},
      Param<SchemeParams>{
          .member = &SchemeParams::repulsion,
          .key = "repulsion",
          .live = Live::yes,
          .choices = {"none", "spring", "spring_offset", "inverse"},
          .doc = "Repulsive force of obstacles as a function of the gap y and the gap's rate of change v. The "
                 "constants are K = repulsion_gain, D = repulsion_damping and y0 = repulsion_range. A weak force lets "
                 "fast particles through, and a strong force needs small steps. none: no force. spring: -K y, only "
                 "inside obstacles. spring_offset: -K (y - y0) - D v for y < y0. inverse: K (1/y - 1/y0) - D v for y < "
                 "y0. It is impenetrable, but stiff near the surface."},
      Param<SchemeParams>{.member = &SchemeParams::repulsion_gain,
                          .key = "repulsion_gain",
                          .range = {0, 1e12},
                          .scale = Scale::log,
                          .live = Live::yes,
                          .doc = "Force constant K of the repulsion, in N/m for the springs and in N m for inverse. "
                                 "The largest stable step is proportional to sqrt(mass / K)."},
      Param<SchemeParams>{
          .member = &SchemeParams::repulsion_damping,
          .key = "repulsion_damping",
          .unit = Unit::newton_second_per_meter,
          .range = {0, 1e9},
          .live = Live::yes,
          .doc = "Damping constant D of the repulsion along the surface normal. The law `spring` has no damping."},
      Param<SchemeParams>{.member = &SchemeParams::repulsion_range_m,
                          .key = "repulsion_range",
                          .unit = Unit::meter,
                          .range = {1e-9, 1e3},
                          .scale = Scale::log,
                          .live = Live::yes,
                          .doc = "Range y0 of the repulsion: spring_offset and inverse act at gaps below this value."},
  };
  return table;
}

}  // namespace vw
