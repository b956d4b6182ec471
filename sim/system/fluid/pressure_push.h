// What both pressure solvers do with the pressures that they have found.
#pragma once

#include <span>

#include "sim/system/fluid/sph_workspace.h"

namespace vw {

/// Velocities space.before with dt of the pressures' push, into space.motion; images of fluid included.
void push_by_pressure(SphWorkspace& space, std::span<const float> kappa, float dt);

}  // namespace vw
