// Inelastic contact over a step: the second phase of the schemes `loop` and `collision_then_contact`. The scheme
// `exact` also uses it in corners and on curved ground.
#pragma once

#include "sim/collision/contact/scheme.h"

namespace vw {

/// Changes the normal velocity until the step ends outside of all obstacles: just enough that it ends on the surface
/// (v_n = -gap / dt), with the friction of that change. A particle that was inside at the start is put on the surface
/// without gaining speed. `met`: the first collision of the step. `out`: the end of a step of dt that began at
/// particle.x; updated. After 20 passes the particle stays at its start position relative to the obstacle that it hit
/// last, at rest relative to it, and `capped` is set.
void rest_in_contact(const Particle& particle, double dt, const Barriers& barriers, Meeting met, StepOutcome& out);

}  // namespace vw
