// Moving a particle through one step among obstacles (SPEC 2, after Bridson's collision notes). A scheme says how the step and its contacts fit
// together; detection says what counts as meeting an obstacle; repulsion (repulsion.h) is the third family, forces in place of contacts.
// In: a particle, what acts on it, obstacles where they stand at both ends of the step. Out: where it ends. Pure functions, any thread.
#pragma once

#include <span>
#include <vector>

#include "sim/base/parameter.h"
#include "sim/collision/contact/detection.h"
#include "sim/collision/contact/flight.h"
#include "sim/collision/contact/repulsion.h"

namespace vw {

enum class Scheme { single, loop, collision_then_contact, exact, none };

/// What becomes of the position after a bounce in collision_then_contact.
enum class Replay { integrate, shift };

/// Every choice of how particles meet obstacles; a system's own parameters derive from it and declare `scheme_params<P>()`.
struct SchemeParams {
  Scheme scheme = Scheme::collision_then_contact;
  Detection detection = Detection::interference;
  Replay replay = Replay::integrate;
  FlightIntegrator integrator = FlightIntegrator::symplectic_euler;
  std::int64_t subdivisions = 1;
  Repulsion repulsion = Repulsion::none;
  double repulsion_gain = 100;
  double repulsion_damping = 0;
  double repulsion_range_m = 0.02;
  [[nodiscard]] RepulsionForce repulsion_force() const { return {repulsion, repulsion_gain, repulsion_damping, repulsion_range_m}; }
};

/// The declarations of SchemeParams for a parameter struct P that derives from it.
template <class P>
[[nodiscard]] std::vector<Param<P>> scheme_params();

struct Particle {
  Vec3 x, v;
  double radius = 0;
  double mass = 1;  ///< [kg], for repulsion
};

struct StepOutcome {
  Vec3 x, v;
  bool touched = false;
  bool capped = false;  ///< a loop reached its cap: of contacts (the particle stayed where it was on what it met last) or of exact impacts (it stayed
                        ///< there for the rest, with its lateral velocity)
  bool fast = false;    ///< came by an obstacle that only interference watches by more than half its width in the step: it may have passed through
  bool stiff = false;   ///< a repulsion force where it was needs a shorter step (repulsion_stable_dt)
};

/// One step of `plan.dt` under its load.
/// single: candidate x + dt v; if inside, one response of its velocity, replayed. Cheap; creeps, hops and may end inside, as where one answer leads
///   into a second wall; from inside it is pushed out by half its depth a step, which gives it speed.
/// loop: repeated until outside, without bouncing after the first pass. What starts outside ends outside; what rests still hops.
/// collision_then_contact: bounces with the velocity of the step's start (up to 3 times), then rests by inelastic contact with v_n = -gap / dt.
/// exact: goes from impact to impact along the path itself, at most `most_impacts` a step; below |g_n| dt there is no bounce, and friction of the
///   weight over what is left of the step. Its path is the exact one of gravity and drag, whatever the integrator; repulsion acts as kicks at both
///   ends of each subdivision.
/// none: repulsion alone keeps particles away.
[[nodiscard]] StepOutcome advance(const SchemeParams& params, const Particle& particle, const FlightPlan& plan, const Load& load,
                                  const Barriers& barriers);
inline constexpr int most_impacts = 32;

/// The same among colliders that are used once.
[[nodiscard]] StepOutcome advance(const SchemeParams& params, const Particle& particle, const Flight& flight, const SurfaceMaterial& surface,
                                  std::span<const Collider> start, std::span<const Collider> end);

/// What advance() takes for these choices: the exact scheme has a path of its own.
[[nodiscard]] FlightPlan make_flight_plan(const SchemeParams& params, const Vec3& gravity, double drag_time_s, double dt);

// ------------------------------------------------------------------------------------------------------------------------------------------------

template <class P>
std::vector<Param<P>> scheme_params() {
  const auto at = [](auto SchemeParams::*member) { return static_cast<std::remove_reference_t<decltype(std::declval<P>().*member)> P::*>(member); };
  return {
      {at(&SchemeParams::scheme),
       "scheme",
       Scheme::collision_then_contact,
       {"single", "loop", "collision_then_contact", "exact", "none"},
       Live::yes,
       "How a step meets obstacles. single: one response, cheap, creeps and hops at rest, may end inside (in corners) and is pushed out over some "
       "steps, with a gain of speed; loop: responses until outside, safe, still hops; collision_then_contact: bounces, then rests; at rest nothing "
       "creeps or hops; exact: from impact to impact, right bounces, several times the cost; none: repulsion alone."},
      {at(&SchemeParams::detection),
       "detection",
       Detection::interference,
       {"interference", "swept"},
       Live::yes,
       "interference: looks where a step ends, cheap, misses what is thinner than two steps' way; swept: looks along the way, misses nothing. "
       "Two-sided sheets are always swept."},
      {at(&SchemeParams::replay),
       "replay",
       Replay::integrate,
       {"integrate", "shift"},
       Live::yes,
       "After a bounce in collision_then_contact: integrate the step anew with the new velocity, or only shift its end by dt times the change: "
       "cheaper with many subdivisions, leaves out what the new velocity does to drag."},
      {at(&SchemeParams::integrator),
       "integrator",
       FlightIntegrator::symplectic_euler,
       {"symplectic_euler", "velocity_verlet", "rk4"},
       Live::yes,
       "Of flight and repulsion: symplectic_euler, first order, robust; velocity_verlet, exact parabolas; rk4, fourth order, four times the cost. A "
       "step with a collision is first order with any of them. The exact scheme has its own: exact paths, kicked by repulsion to second order."},
      {at(&SchemeParams::subdivisions),
       "subdivisions",
       Unit::count,
       std::int64_t{1},
       {1, 1000},
       Scale::log,
       Live::yes,
       "Integration steps in a collision step: stiff repulsion needs many, obstacles are still looked for once. In the exact scheme, kicks of "
       "repulsion."},
      {at(&SchemeParams::repulsion),
       "repulsion",
       Repulsion::none,
       {"none", "spring", "spring_offset", "inverse"},
       Live::yes,
       "Force that keeps particles away from obstacles at a gap y: spring -K y inside only; spring_offset -K (y - y0) - D v from y0 on; inverse "
       "K (1/y - 1/y0) - D v, never through but stiff near the surface. Too weak lets fast ones through, too strong needs small steps, too wide is "
       "seen."},
      {at(&SchemeParams::repulsion_gain),
       "repulsion_gain",
       Unit::none,
       100.0,
       {0, 1e12},
       Scale::log,
       Live::yes,
       "K: N/m of the springs, N m of inverse. The largest stable step shrinks as sqrt(mass / K)."},
      {at(&SchemeParams::repulsion_damping),
       "repulsion_damping",
       Unit::newton_second_per_meter,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "D, against the motion along the normal; the spring has none."},
      {at(&SchemeParams::repulsion_range_m),
       "repulsion_range",
       Unit::meter,
       0.02,
       {1e-9, 1e3},
       Scale::log,
       Live::yes,
       "y0: the gap at which spring_offset and inverse begin."},
  };
}

}  // namespace vw
