// The box in which a flock stays.
#pragma once

#include "sim/system/flock/flock_params.h"

namespace vw {

/// What turns a member back before it leaves the home, and brings it home from outside [m/s^2], before the species' weight `home`. Zero well inside.
[[nodiscard]] Vec3 home_pull(const FlockParams& flock, const SpeciesParams& species, const Vec3& position, const Vec3& velocity);

}  // namespace vw
