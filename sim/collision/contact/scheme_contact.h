// Contact without bounce over a step: the second phase of the schemes `loop` and `collision_then_contact`.
// The scheme `exact` also uses it, for particles that are wedged between two obstacles.
#pragma once

#include "sim/collision/contact/scheme.h"

namespace vw {

/// Changes the normal velocity until the step ends outside all obstacles. Each change just suffices for the
/// step to end on the surface (v_n = -gap / dt) and causes the corresponding friction. A particle that was
/// inside at the start is put on the surface without gaining speed. `met` is the first collision of the step.
/// `out` is the state at the end of a step of dt that began at particle.x, and is updated. If 20 passes do
/// not suffice, the particle keeps its place relative to the obstacle that it hit last, and `capped` is set.
void rest_in_contact(const Particle& particle, double dt, const Barriers& barriers, Meeting met, StepOutcome& out);

}  // namespace vw
