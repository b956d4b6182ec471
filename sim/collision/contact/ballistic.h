// Scheme `exact`: moves a particle from impact to impact along its exact path (a parabola, or a decaying curve with
// drag). For a convex solid that does not rotate, the search for an impact advances along the path from tangent plane
// to tangent plane. Each plane touches the solid at the point nearest to the particle, and the solid lies behind it.
// Meshes, sheets and rotating obstacles are tested along chords of the path, and the time of impact is then refined on
// the path.
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
/// Rounding error of the normal speed of a sliding particle [m/s]. A smaller normal speed counts as neither approaching
/// nor separating.
[[nodiscard]] inline double rounding_of_speed(const Vec3& v, const Vec3& surface) {
  return 1e-13 * (v.norm() + surface.norm());
}
/// Whether a particle approaches a surface, that is, whether its relative normal speed `v_n` is negative by more than
/// rounding. `v` is the velocity of the particle and `surface` the velocity of the surface [m/s].
[[nodiscard]] inline bool approaches(double v_n, const Vec3& v, const Vec3& surface) {
  return v_n < -rounding_of_speed(v, surface);
}

/// Collider of a rotating obstacle, in the pose at the fraction `share` of the step.
[[nodiscard]] Collider posed(const Barrier& barrier, double share);

/// First impact at a time in [begin, dt] within a step of length dt. `path` starts at `begin`, outside all obstacles. A
/// particle in contact has an impact at once if it approaches the surface, or if it rests and is pressed on the
/// surface. A particle that separates from the surface has no impact. The obstacle `but` is ignored, if it is not null.
[[nodiscard]] std::optional<Impact> first_impact(const Path& path, double radius, const Barriers& barriers, double dt,
                                                 double begin, const Barrier* but = nullptr);

/// Advances a particle by a whole step. If a repulsion acts, the step is divided into `kicks` equal substeps. Half of
/// the impulse of a substep acts at its start and half at its end (leapfrog). The path between these impulses is exact.
/// The method is stable if a substep is within repulsion_stable_dt(). A particle that repulsion holds at rest stays at
/// rest. The flags of the result start with the values in `begun`.
[[nodiscard]] StepOutcome advance_exactly(const Particle& particle, const FlightPlan& plan, const Load& load,
                                          const RepulsionForce& repulsion, std::int64_t kicks, const Barriers& barriers,
                                          const StepOutcome& begun);

}  // namespace vw
