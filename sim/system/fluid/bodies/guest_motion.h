// Motion of guests in a fluid's substep that is split into shorter substeps, and fixing of guests while the fluid
// settles.
#pragma once

#include "sim/system/fluid/bodies/guest.h"

namespace vw {

/// Moment of the fluid's impulses about the guest's centre [N m s].
[[nodiscard]] Vec3 turn_of(const Guest& guest);
/// Advances a guest by dt: adds the impulses to its velocity and moves it.
void move_on(Guest& guest, double dt);
/// Fixes a guest: zero velocity, infinite mass.
void hold_still(Guest& guest);

}  // namespace vw
