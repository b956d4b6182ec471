// Scheme `exact`: moves from impact to impact along the path itself. Convex solids that do not rotate are hit at the
// root of the parabola (or of the curve that drag makes of it) with the tangent plane at the nearest point, beyond
// which no part of a convex shape extends. Meshes, sheets and rotating obstacles are hit along chords of the path, and
// the time of impact is refined on the path.
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
/// Rounding error of the normal speed of a sliding particle. Below this it counts as neither approaching nor
/// separating.
[[nodiscard]] inline double rounding_of_speed(const Vec3& v, const Vec3& surface) {
  return 1e-13 * (v.norm() + surface.norm());
}
/// Whether the normal speed `v_n` of the two is directed towards the surface by more than rounding.
[[nodiscard]] inline bool approaches(double v_n, const Vec3& v, const Vec3& surface) {
  return v_n < -rounding_of_speed(v, surface);
}

/// A rotating obstacle, in its pose at a fraction of the step.
[[nodiscard]] Collider posed(const Barrier& barrier, double share);

/// First impact at a time in [begin, dt] of a step of dt, of a particle whose path begins outside at `begin`. A
/// particle that touches and approaches, or is pressed on at rest, has an impact at once; one that separates has none.
/// The obstacle `but` is ignored.
[[nodiscard]] std::optional<Impact> first_impact(const Path& path, double radius, const Barriers& barriers, double dt,
                                                 double begin, const Barrier* but = nullptr);

/// A whole step. Repulsion acts in `kicks` equal parts of it, half at the start and half at the end of each part
/// (leapfrog); the path in between is exact. This is stable if a part is within repulsion_stable_dt(), and a particle
/// at rest on the repulsion stays at rest. `begun` provides the initial flags.
[[nodiscard]] StepOutcome advance_exactly(const Particle& particle, const FlightPlan& plan, const Load& load,
                                          const RepulsionForce& repulsion, std::int64_t kicks, const Barriers& barriers,
                                          const StepOutcome& begun);

}  // namespace vw
