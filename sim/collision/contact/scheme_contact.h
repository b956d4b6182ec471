// Inelastic contact over a step: the second half of schemes 2 and 3, and what the exact scheme falls back on in corners and on curved ground.
#pragma once

#include "sim/collision/contact/scheme.h"

namespace vw {

/// Takes normal velocity until the step ends outside of everything: just so much that it ends on the surface (v_n = -gap / dt), friction from that
/// change. What was inside when the step began is set on the surface without gaining speed from its depth. In: what the step meets first. In and
/// out: the end of a step of dt that began at particle.x. Gives up after 20 passes: the particle stays where it was on the obstacle that it met last,
/// at rest on that, and `capped` says so.
void rest_in_contact(const Particle& particle, double dt, const Barriers& barriers, Meeting met, StepOutcome& out);

}  // namespace vw
