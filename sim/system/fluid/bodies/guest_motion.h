// Functions that move guests (bodies coupled to the fluid, guest.h) from one part of a split fluid substep to the next,
// and that fix guests while the fluid settles.
#pragma once

#include "sim/system/fluid/bodies/guest.h"

namespace vw {

/// Returns the moment of the fluid's impulses about the guest's centre [N m s].
[[nodiscard]] Vec3 turn_of(const Guest& guest);
/// Advances a guest by dt: adds the impulses to its velocity and moves it.
void move_on(Guest& guest, double dt);
/// Fixes a guest: sets its velocity to zero and its mass to infinity.
void hold_still(Guest& guest);

}  // namespace vw
