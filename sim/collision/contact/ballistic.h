// The scheme `exact` moves a particle from impact to impact along its exact path (a parabola or, with drag, a decaying
// curve). For a convex solid that does not rotate, the search for an impact advances along the path. At each position,
// the search takes the tangent plane at the point of the solid nearest to the particle. It then advances to the point
// at which the path crosses this plane. For meshes, sheets and rotating obstacles, chords of the path are tested first,
// and the time of the impact is then refined on the exact path.
#pragma once

#include "sim/collision/contact/path.h"
#include "sim/collision/contact/repulsion_flight.h"
#include "sim/collision/contact/scheme.h"

namespace vw {

struct Impact {
  double time = 0;  ///< Time within the step [s].
  const Barrier* barrier = nullptr;
  Vec3 normal{0, 1, 0};
  Vec3 surface_velocity = Vec3::Zero();
};
/// Returns the rounding error of the normal speed of a sliding particle [m/s]. A normal speed below this error counts
/// as zero.
[[nodiscard]] inline double rounding_of_speed(const Vec3& v, const Vec3& surface) {
  return 1e-13 * (v.norm() + surface.norm());
}
/// Returns whether a particle approaches a surface: its normal speed `v_n` relative to the surface is negative by more
/// than rounding. `v` is the velocity of the particle and `surface` that of the surface [m/s].
[[nodiscard]] inline bool approaches(double v_n, const Vec3& v, const Vec3& surface) {
  return v_n < -rounding_of_speed(v, surface);
}

/// Returns the collider of a rotating obstacle, in the pose at the fraction `share` of the step.
[[nodiscard]] Collider posed(const Barrier& barrier, double share);

/// Returns the first impact at a time in [begin, dt] within a step of length dt. `path` starts at the time `begin`,
/// outside all obstacles. A particle in contact at the start has an immediate impact if it approaches the surface, or
/// if it is at rest and pressed against the surface. If it separates, it has no immediate impact. The obstacle `but`,
/// which may be null, is ignored.
[[nodiscard]] std::optional<Impact> first_impact(const Path& path, double radius, const Barriers& barriers, double dt,
                                                 double begin, const Barrier* but = nullptr);

/// Advances a particle by one step of the plan. If a repulsion acts, the step consists of `kicks` equal substeps. Half
/// of the impulse of each substep acts at its start and half at its end (leapfrog), and the path in between is exact.
/// This is stable for substeps within repulsion_stable_dt(). A particle that the repulsion holds at rest stays at rest.
/// The flags of the result are those of `begun`, plus those of this step.
[[nodiscard]] StepOutcome advance_exactly(const Particle& particle, const FlightPlan& plan, const Load& load,
                                          const RepulsionForce& repulsion, std::int64_t kicks, const Barriers& barriers,
                                          const StepOutcome& begun);

}  // namespace vw
