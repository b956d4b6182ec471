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
[[nodiscard]] const ParamTable<SchemeParams>& scheme_params();

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

}  // namespace vw
