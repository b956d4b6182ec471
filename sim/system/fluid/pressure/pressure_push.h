// Application of pressures to velocities. Both pressure solvers use it.
#pragma once

#include "sim/system/fluid/rows/sph_workspace.h"

namespace vw {

/// Sets space.motion to space.before plus the velocity change by the pressures in w of space.rows over dt, periodic
/// images included. `end` is called for each chunk after its rows are updated.
void push_by_pressure(SphWorkspace& space, float dt, ChunkEnd end = {});

}  // namespace vw
