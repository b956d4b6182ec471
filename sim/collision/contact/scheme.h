// Motion of a particle over one step among obstacles (after Bridson's collision notes, UBC CS533D). The scheme
// determines the order of motion and contact responses. The detection determines whether a step has a collision.
// Repulsion (repulsion.h) uses forces in place of contacts. The functions take a particle, the load on it, and the
// obstacles in their poses at both ends of the step, and return the state of the particle at the end of the step. They
// use no data other than their arguments and may be called on any thread.
#pragma once

#include <span>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/collision/contact/detection.h"
#include "sim/collision/contact/flight.h"
#include "sim/collision/contact/repulsion.h"

namespace vw {

enum class Scheme { single, loop, collision_then_contact, exact, none };

/// Continuation of a step of collision_then_contact after a bounce: the step is integrated again, or its end position
/// is shifted.
enum class Replay { integrate, shift };

/// All parameters of contact between particles and obstacles. A system derives its parameter struct from this struct
/// and includes scheme_params() in its parameter table.
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

/// Returns the parameter rows of SchemeParams.
[[nodiscard]] const ParamTable<SchemeParams>& scheme_params();

struct Particle {
  Vec3 x, v;
  double radius = 0;
  double mass = 1;  ///< Mass for repulsion forces [kg].
  /// Whether friction also turns the particle, as a solid ball of uniform density. Only the schemes `loop` and
  /// `collision_then_contact` support spin. For the other schemes, the value must be false.
  bool spins = false;
  Vec3 spin = Vec3::Zero();  ///< Angular velocity [rad/s].
};

struct StepOutcome {
  Vec3 x, v;
  bool touched = false;
  /// Whether the contact iteration ended without success. The particle then moves rigidly with the obstacle that it hit
  /// last. In the scheme `exact`, the particle instead stays at its last impact for the rest of the step and keeps its
  /// tangential velocity. If it cannot leave an obstacle, it is set to rest at its start position.
  bool capped = false;
  /// Whether the particle moved by more than half the thickness of an obstacle that is not swept. It may then have
  /// passed through that obstacle.
  bool fast = false;
  /// Whether a repulsion force on the particle needs shorter integrator steps (see repulsion_stable_dt()).
  bool stiff = false;
  Vec3 spin = Vec3::Zero();  ///< Angular velocity [rad/s].
};

/// Advances a particle by one step of `plan.dt` under its load. The schemes are:
/// - single: moves to x + dt v. If this position is inside an obstacle, one response changes the velocity, and the step
///   is repeated. The cost is low, but particles at rest creep and jump. A particle may end inside, for example if a
///   response leads into a second wall. A particle that began inside is pushed out by half its depth per step, which
///   adds speed.
/// - loop: repeats the response until the end position is outside, without bounces after the first pass. A particle
///   that starts outside ends outside. Particles at rest still jump.
/// - collision_then_contact: bounces the velocity at the start of the step (up to 3 times), then applies inelastic
///   contact with v_n = -gap / dt.
/// - exact: moves from impact to impact along the exact path, with at most `most_impacts` impacts per step. If the
///   normal speed is below |g_n| dt (g_n the normal acceleration), there is no bounce, and friction under gravity acts
///   over the rest of the step. The path is the exact solution for gravity and drag, and the integrator is ignored.
///   Repulsion acts as kicks at both ends of each subdivision.
/// - none: only repulsion keeps particles outside.
[[nodiscard]] StepOutcome advance(const SchemeParams& params, const Particle& particle, const FlightPlan& plan,
                                  const Load& load, const Barriers& barriers);
inline constexpr int most_impacts = 32;

/// Overload of advance() for colliders that are used only once.
[[nodiscard]] StepOutcome advance(const SchemeParams& params, const Particle& particle, const Flight& flight,
                                  const SurfaceMaterial& surface, std::span<const Collider> start,
                                  std::span<const Collider> end);

/// Returns the flight plan of these parameters. The scheme `exact` uses the exact solution in place of the integrator.
[[nodiscard]] FlightPlan make_flight_plan(const SchemeParams& params, const Vec3& gravity, double drag_time_s,
                                          double dt);

}  // namespace vw
