// The box in which a flock stays.
#pragma once

#include "sim/system/flock/flock_params.h"

namespace vw {

/// Acceleration [m/s^2] that turns a member back near the sides of the home and returns it from outside, before the
/// species' weight `home`. Zero well inside.
[[nodiscard]] Vec3 home_pull(const FlockParams& flock, const SpeciesParams& species, const Vec3& position,
                             const Vec3& velocity);

}  // namespace vw
