// Flight with repulsion: the integrators of flight.h, with an additional acceleration that depends on position and
// velocity.
#pragma once

#include "sim/collision/contact/detection.h"
#include "sim/collision/contact/flight.h"
#include "sim/collision/contact/repulsion.h"

namespace vw {

struct Repelled {
  RepulsionForce force;
  double mass = 1, radius = 0;
};

/// Returns the acceleration of a particle by repulsion [m/s^2] at position x, after the fraction `share` of the
/// obstacles' motion in the step. Sets `stiff` if an integrator step of h [s] is too long for the repulsion force.
[[nodiscard]] Vec3 repulsion_at(const Repelled& particle, const Barriers& barriers, const Vec3& x, const Vec3& v,
                                double h, double share, bool& stiff);

/// Integrates the complete step. Sets `stiff` if an integrator step is too long for the repulsion force.
void fly_repelled(const Repelled& particle, const FlightPlan& plan, const Load& load, const Barriers& barriers, Vec3& x,
                  Vec3& v, bool& stiff);

}  // namespace vw
