// Motion of a particle over one step among obstacles (after Bridson's collision notes, UBC CS533D). The scheme
// determines the sequence of motion and contacts. The detection determines when a step collides. Repulsion
// (repulsion.h) uses forces in place of contacts. Input: a particle, its loads, and the obstacles in their poses at
// both ends of the step. Output: its state at the end. Pure functions, any thread.
#pragma once

#include <span>
#include <vector>

#include "sim/base/parameter.h"
#include "sim/collision/contact/detection.h"
#include "sim/collision/contact/flight.h"
#include "sim/collision/contact/repulsion.h"

namespace vw {

enum class Scheme { single, loop, collision_then_contact, exact, none };

/// Treatment of the position after a bounce in collision_then_contact: integrate the step again, or shift its end.
enum class Replay { integrate, shift };

/// All parameters of particle-obstacle contact. A system's parameters derive from this and declare
/// `scheme_params<P>()`.
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
  [[nodiscard]] RepulsionForce repulsion_force() const {
    return {repulsion, repulsion_gain, repulsion_damping, repulsion_range_m};
  }
};

/// Parameter rows of SchemeParams, for a parameter struct P that derives from it.
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
  /// A loop reached its limit. For contacts: the particle stays at its start position relative to the obstacle that it
  /// hit last. For exact impacts: it stays there for the rest of the step, with its tangential velocity.
  bool capped = false;
  /// The particle passed an obstacle that is not swept, by more than half its width in the step: it may have passed
  /// through.
  bool fast = false;
  bool stiff = false;  ///< A repulsion force at the particle needs a shorter step (repulsion_stable_dt()).
};

/// One step of `plan.dt` under its load. The schemes are:
/// - single: candidate x + dt v; if it is inside, one response of its velocity, with which the step is repeated. Cheap.
///   Particles at rest creep and hop. A particle may end inside, for example if a response leads into a second wall.
///   From inside it is pushed out by half its depth per step, which adds speed.
/// - loop: repeats the response until the end is outside, without bounces after the first pass. A particle that starts
///   outside ends outside. Particles at rest still hop.
/// - collision_then_contact: bounces the velocity of the step's start (up to 3 times), then inelastic contact with
///   v_n = -gap / dt.
/// - exact: from impact to impact along the path itself, at most `most_impacts` per step. If the normal speed is below
///   |g_n| dt there is no bounce, and friction under gravity acts over the rest of the step. The path is the exact one
///   of gravity and drag, whatever the integrator. Repulsion acts as kicks at both ends of each subdivision.
/// - none: only repulsion keeps particles away.
[[nodiscard]] StepOutcome advance(const SchemeParams& params, const Particle& particle, const FlightPlan& plan,
                                  const Load& load, const Barriers& barriers);
inline constexpr int most_impacts = 32;

/// The same for colliders that are used only once.
[[nodiscard]] StepOutcome advance(const SchemeParams& params, const Particle& particle, const Flight& flight,
                                  const SurfaceMaterial& surface, std::span<const Collider> start,
                                  std::span<const Collider> end);

/// Flight plan of these parameters. The scheme `exact` has its own path.
[[nodiscard]] FlightPlan make_flight_plan(const SchemeParams& params, const Vec3& gravity, double drag_time_s,
                                          double dt);

// -------------------------------------------------------------------------------------------------------------------

template <class P>
std::vector<Param<P>> scheme_params() {
  const auto at = [](auto SchemeParams::*member) {
    return static_cast<std::remove_reference_t<decltype(std::declval<P>().*member)> P::*>(member);
  };
  return {
      {at(&SchemeParams::scheme),
       "scheme",
       Scheme::collision_then_contact,
       {"single", "loop", "collision_then_contact", "exact", "none"},
       Live::yes,
       "Contact scheme. single: one response; cheap; particles at rest creep and hop, may end inside (in corners) and "
       "are pushed out over some "
       "steps, which adds speed. loop: responses until outside; safe, but particles at rest still hop. "
       "collision_then_contact: bounces, then "
       "contact; particles at rest neither creep nor hop. exact: from impact to impact; accurate bounces at several "
       "times the cost. none: "
       "repulsion only."},
      {at(&SchemeParams::detection),
       "detection",
       Detection::interference,
       {"interference", "swept"},
       Live::yes,
       "Contact detection. interference: tests the end of a step; cheap, but misses obstacles thinner than the "
       "distance of two steps. swept: "
       "tests the path and misses nothing. Two-sided sheets are always swept."},
      {at(&SchemeParams::replay),
       "replay",
       Replay::integrate,
       {"integrate", "shift"},
       Live::yes,
       "After a bounce in collision_then_contact. integrate: integrates the step again with the new velocity. shift: "
       "only shifts its end by dt "
       "times the velocity change; cheaper with many subdivisions, but ignores the change of the drag."},
      {at(&SchemeParams::integrator),
       "integrator",
       FlightIntegrator::symplectic_euler,
       {"symplectic_euler", "velocity_verlet", "rk4"},
       Live::yes,
       "Integrator of flight and repulsion. symplectic_euler: first order, robust. velocity_verlet: exact parabolas. "
       "rk4: fourth order, four "
       "times the cost. A step with a collision is first order with any of them. The exact scheme has its own: exact "
       "paths, with repulsion of "
       "second order."},
      {at(&SchemeParams::subdivisions),
       "subdivisions",
       Unit::count,
       std::int64_t{1},
       {1, 1000},
       Scale::log,
       Live::yes,
       "Integration steps per collision step. Stiff repulsion needs many; contact detection still runs once. In the "
       "exact scheme: number of "
       "repulsion kicks."},
      {at(&SchemeParams::repulsion),
       "repulsion",
       Repulsion::none,
       {"none", "spring", "spring_offset", "inverse"},
       Live::yes,
       "Force that keeps particles away from obstacles, as a function of the gap y. spring: -K y, only inside. "
       "spring_offset: -K (y - y0) - D v "
       "for y < y0. inverse: K (1/y - 1/y0) - D v for y < y0; impenetrable, but stiff near the surface. A weak force "
       "lets fast particles "
       "through, a strong one needs small steps, and a wide range is visible."},
      {at(&SchemeParams::repulsion_gain),
       "repulsion_gain",
       Unit::none,
       100.0,
       {0, 1e12},
       Scale::log,
       Live::yes,
       "Force constant K, in N/m for the springs and N m for inverse. The largest stable step is proportional to "
       "sqrt(mass / K)."},
      {at(&SchemeParams::repulsion_damping),
       "repulsion_damping",
       Unit::newton_second_per_meter,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "Damping constant D of the motion along the normal. Not used by `spring`."},
      {at(&SchemeParams::repulsion_range_m),
       "repulsion_range",
       Unit::meter,
       0.02,
       {1e-9, 1e3},
       Scale::log,
       Live::yes,
       "Range y0: the gap below which spring_offset and inverse act."},
  };
}

}  // namespace vw
