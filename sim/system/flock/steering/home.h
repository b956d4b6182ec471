// Home of a flock: the box in which its members stay.
#pragma once

#include "sim/system/flock/flock_params.h"

namespace vw {

/// Acceleration [m/s^2] that turns a member inwards if it is near a side of the home or outside, and zero otherwise. It
/// is not yet multiplied by the species' weight `home`.
[[nodiscard]] Vec3 home_pull(const FlockParams& flock, const SpeciesParams& species, const Vec3& position,
                             const Vec3& velocity);

}  // namespace vw
