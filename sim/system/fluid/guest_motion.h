// How guests go on between the parts of a fluid's substep, and how they are held while the fluid settles around them.
#pragma once

#include "sim/system/fluid/guest.h"

namespace vw {

/// Moment about the guest's centre of what it was given [N m s].
[[nodiscard]] Vec3 turn_of(const Guest& guest);
/// A guest after a part of a substep: faster by what it was given, and further on.
void move_on(Guest& guest, double dt);
/// Makes of it a guest that nothing moves.
void hold_still(Guest& guest);

}  // namespace vw
