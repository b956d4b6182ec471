// What both pressure solvers do with the pressures that they have found.
#pragma once

#include "sim/system/fluid/sph_workspace.h"

namespace vw {

/// Velocities space.before with dt of the push of the pressures in w of space.rows, into space.motion; images of fluid included. `end`: once
/// a chunk's rows are pushed.
void push_by_pressure(SphWorkspace& space, float dt, ChunkEnd end = {});

}  // namespace vw
