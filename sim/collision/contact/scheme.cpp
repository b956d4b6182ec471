// Contact schemes. All schemes except `none` and `exact` repeat two operations: they detect a collision in the step,
// and respond to it. The scheme `exact` is implemented in ballistic.cpp.
#include "sim/collision/contact/scheme.h"

#include "sim/collision/contact/ballistic.h"
#include "sim/collision/contact/repulsion_flight.h"
#include "sim/collision/contact/scheme_contact.h"

namespace vw {
namespace {

constexpr int most_collisions = 3;  // Largest number of elastic bounces in collision_then_contact.
// A particle that begins inside is moved outwards by this fraction of its depth per step (scheme `single`).
constexpr double push_out = 0.5;

/// A step that is being computed. `out` is the present result for the end of the step.
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
  /// Replaces the curved path of the step by a straight path. In a contact, the displacement must be dt times the end
  /// velocity. On a parabola or in many small steps, the mean velocity contains only half of the velocity change by
  /// gravity, so friction would act on only this half.
  Meeting straighten(const Meeting& met) {
    if (plan.straight()) return met;
    out.x = particle.x + plan.dt * out.v;
    return look();
  }
};

/// Returns the velocity v after a bounce off the obstacle, or v itself if the particle already separates. Changes the
/// spin of the step's result.
Vec3 bounce(Step& step, const Vec3& v, const Meeting& met) {
  const Vec3 relative = v - met.surface_velocity;
  if (!step.particle.spins) return met.surface_velocity + collide(relative, met.normal, met.barrier->pair);
  const double v_n = dot3(relative, met.normal), restitution = met.barrier->pair.restitution;
  if (v_n >= 0) return v;
  const Vec3 tangential = relative - v_n * met.normal;
  const auto [sliding, taken] =
      rub(met.barrier->pair, step.particle, tangential, met.normal, -(1 + restitution) * v_n, step.out.spin);
  return met.surface_velocity - restitution * v_n * met.normal + tangential - taken * sliding;
}

/// Applies the response of the scheme `single`: changes the velocity, and moves the particle with the new velocity from
/// its start position. A particle that began inside gets an impulse in proportion to its depth, with the corresponding
/// friction.
void respond_once(Step& step, const Meeting& met) {
  const Particle& p = step.particle;
  StepOutcome& out = step.out;
  out.touched = true;
  if (inside_at_start(*met.barrier, p.x, p.radius)) {
    const Vec3 relative = out.v - met.surface_velocity, tangential = relative - relative.dot(met.normal) * met.normal;
    const double change = push_out * met.depth / step.plan.dt;
    out.v += change * met.normal - friction_share(met.barrier->pair, tangential.norm(), change) * tangential;
  } else {
    out.v = bounce(step, out.v, met);
  }
  out.x = p.x + step.plan.dt * out.v;
}

/// Performs the first phase of collision_then_contact: applies the bounce to the velocity at the start of the step,
/// updates the end of the step as `replay` prescribes, and tests for a collision again. Returns the last collision, or
/// an empty Meeting if the step now ends outside all obstacles.
Meeting collide_from_start(Step& step, Meeting met) {
  Vec3 v = step.particle.v;
  StepOutcome& out = step.out;
  for (int pass = 0; pass < most_collisions && met; ++pass) {
    out.touched = true;
    // Without restitution, the second phase alone handles the collision, in the same way as the scheme `loop`.
    if (met.barrier->pair.restitution == 0) return met;
    const Vec3 bounced = bounce(step, v, met);
    if (bounced == v) return met;  // The particle rests or separates. The second phase handles it.
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
  step.out.spin = p.spin;
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
          .doc = "Method that computes the contact of particles with obstacles. single: the velocity is corrected once "
                 "per step. This is cheap, but particles at rest creep and hop, and particles that end a step inside "
                 "an obstacle gain speed while they are pushed out. loop: corrections are repeated until the particle "
                 "is outside. No particle enters an obstacle, but particles at rest still hop. collision_then_contact: "
                 "first bounces, then contact without bounce. Particles at rest neither creep nor hop. exact: the "
                 "particle moves from one impact to the next. Bounces are accurate, but the cost is several times "
                 "higher. none: no contact. Only `repulsion` acts."},
      Param<SchemeParams>{
          .member = &SchemeParams::detection,
          .key = "detection",
          .live = Live::yes,
          .choices = {"interference", "swept"},
          .doc = "Method that detects collisions with obstacles. interference: only the position at the end of a step "
                 "is tested. This is cheap, but misses obstacles that are thinner than the distance moved in two "
                 "steps. swept: the whole path of a step is tested, so that no obstacle is missed. Two-sided sheets "
                 "are always tested in this way."},
      Param<SchemeParams>{
          .member = &SchemeParams::replay,
          .key = "replay",
          .label = "Step after bounce",
          .live = Live::yes,
          .choices = {"integrate", "shift"},
          .doc = "Continuation of a step after a bounce, if scheme = \"collision_then_contact\". integrate: the step "
                 "is computed again with the velocity after the bounce. shift: the end position of the step is shifted "
                 "by the time step times the change of velocity. This is cheaper with many subdivisions, but ignores "
                 "that the drag changes with the velocity."},
      Param<SchemeParams>{
          .member = &SchemeParams::integrator,
          .key = "integrator",
          .live = Live::yes,
          .choices = {"symplectic_euler", "velocity_verlet", "rk4"},
          .doc = "Integration method for the flight of particles under gravity, drag and repulsion. It has no effect "
                 "if scheme = \"exact\". In a step with a collision, all methods are of first order. symplectic_euler: "
                 "first order, robust. velocity_verlet: exact parabolas. rk4: fourth order, at four times the cost."},
      Param<SchemeParams>{
          .member = &SchemeParams::subdivisions,
          .key = "subdivisions",
          .unit = Unit::count,
          .range = {1, 1000},
          .scale = Scale::log,
          .live = Live::yes,
          .doc = "Number of integration steps per collision step, whose length is `collision_dt`. Stiff repulsion "
                 "needs many integration steps. Contacts are still detected only once per collision step. If scheme = "
                 "\"exact\", this is the number of times that repulsion acts per collision step."},
      Param<SchemeParams>{
          .member = &SchemeParams::repulsion,
          .key = "repulsion",
          .live = Live::yes,
          .choices = {"none", "spring", "spring_offset", "inverse"},
          .doc = "Force with which obstacles repel particles, as a function of the gap y between obstacle and particle "
                 "and the speed v at which the gap grows. Inside an obstacle, y is negative. K is repulsion_gain, D is "
                 "repulsion_damping and y0 is repulsion_range. Fast particles penetrate a weak force, and a strong "
                 "force needs short steps. none: no force. spring: -K y inside obstacles, no force outside. "
                 "spring_offset: -K (y - y0) - D v for y < y0. inverse: K (1/y - 1/y0) - D v for y < y0. This force "
                 "keeps all particles outside, but is stiff near the surface."},
      Param<SchemeParams>{
          .member = &SchemeParams::repulsion_gain,
          .key = "repulsion_gain",
          .range = {0, 1e12},
          .scale = Scale::log,
          .live = Live::yes,
          .doc = "Force constant K of the repulsion. Its unit is N/m if repulsion = \"spring\" or \"spring_offset\", "
                 "and N m if repulsion = \"inverse\". The longest stable step is proportional to sqrt(mass / K)."},
      Param<SchemeParams>{.member = &SchemeParams::repulsion_damping,
                          .key = "repulsion_damping",
                          .unit = Unit::newton_second_per_meter,
                          .range = {0, 1e9},
                          .live = Live::yes,
                          .doc = "Damping constant D of the repulsion, in N s/m. It damps motion along the surface "
                                 "normal. It has no effect if repulsion = \"spring\"."},
      Param<SchemeParams>{.member = &SchemeParams::repulsion_range_m,
                          .key = "repulsion_range",
                          .unit = Unit::meter,
                          .range = {1e-9, 1e3},
                          .scale = Scale::log,
                          .live = Live::yes,
                          .doc = "Gap y0 between particle and obstacle below which repulsion acts, if repulsion = "
                                 "\"spring_offset\" or \"inverse\"."},
  };
  return table;
}

}  // namespace vw
