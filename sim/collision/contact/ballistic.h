// Scheme 4 (SPEC 2): from impact to impact along the path itself. Convex solids are met at the root of the parabola (or of the curve that drag makes
// of it) against the tangent plane at the nearest point, beyond which nothing convex reaches; meshes, sheets and what turns are met along chords of
// the path, and the touch is polished on the path.
#pragma once

#include "sim/collision/contact/path.h"
#include "sim/collision/contact/repulsion_flight.h"
#include "sim/collision/contact/scheme.h"

namespace vw {

struct Impact {
  double time = 0;  ///< in the step
  const Barrier* barrier = nullptr;
  Vec3 normal{0, 1, 0};
  Vec3 surface_velocity = Vec3::Zero();
};
/// What rounding leaves of the normal speed of something that slides: as fast it neither comes closer nor leaves.
[[nodiscard]] inline double rounding_of_speed(const Vec3& v, const Vec3& surface) { return 1e-13 * (v.norm() + surface.norm()); }
/// Whether the normal speed `v_n` between the two is more than rounding, towards the surface.
[[nodiscard]] inline bool approaches(double v_n, const Vec3& v, const Vec3& surface) { return v_n < -rounding_of_speed(v, surface); }

/// An obstacle that turns, as it stands at a share of the step.
[[nodiscard]] Collider posed(const Barrier& barrier, double share);

/// First touch at a time in [begin, dt] of a step of dt, of a particle whose path begins outside at `begin`. Touching and going closer, or pressed
/// while at rest against it, is a touch at once; leaving is none. `but` is not met.
[[nodiscard]] std::optional<Impact> first_impact(const Path& path, double radius, const Barriers& barriers, double dt, double begin,
                                                 const Barrier* but = nullptr);

/// The whole step. Repulsion acts in `kicks` equal parts of it, by half at the start of each part and by half at its end (leapfrog), between which
/// the path is exact: stable within repulsion_stable_dt of a part, and a particle at rest on the force stays at rest. `begun` carries flags.
[[nodiscard]] StepOutcome advance_exactly(const Particle& particle, const FlightPlan& plan, const Load& load, const RepulsionForce& repulsion,
                                          std::int64_t kicks, const Barriers& barriers, const StepOutcome& begun);

}  // namespace vw
