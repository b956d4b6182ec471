// Flight among repulsion forces: the integrators of flight.h with an acceleration that depends on where the particle is.
#pragma once

#include "sim/collision/contact/detection.h"
#include "sim/collision/contact/flight.h"
#include "sim/collision/contact/repulsion.h"

namespace vw {

struct Repelled {
  RepulsionForce force;
  double mass = 1, radius = 0;
};

/// Acceleration at x, `time` into a step whose barriers move; sets `stiff` where an integration step of h is too long for it.
[[nodiscard]] Vec3 repulsion_at(const Repelled& particle, const Barriers& barriers, const Vec3& x, const Vec3& v, double h, double share,
                                bool& stiff);

/// A whole step.
void fly_repelled(const Repelled& particle, const FlightPlan& plan, const Load& load, const Barriers& barriers, Vec3& x, Vec3& v, bool& stiff);

}  // namespace vw
