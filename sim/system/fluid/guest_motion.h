// Motion of guests between the parts of a fluid's substep, and their fixation while the fluid settles around them.
#pragma once

#include "sim/system/fluid/guest.h"

namespace vw {

/// Moment of the fluid's impulses about the guest's centre [N m s].
[[nodiscard]] Vec3 turn_of(const Guest& guest);
/// Advances a guest by a part of a substep: adds the impulses to its velocity and moves it.
void move_on(Guest& guest, double dt);
/// Fixes a guest: zero velocity, infinite mass.
void hold_still(Guest& guest);

}  // namespace vw
