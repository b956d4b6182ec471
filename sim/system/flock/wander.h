// Motives of members' own: directions that noise turns about, each its own.
#pragma once

#include <span>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

/// Of each row a vector that changes smoothly `wander_rate` times a second, of root mean square 1 over long times and no mean: gradient noise (SPEC
/// 3) along a line of its own. `time` [s] is the flock's own. Parallel; the same bits at any number of threads and width of lanes.
void wander(const FlockPlan& plan, const FlockRows& rows, double time, std::vector<Vec3f>& out);

}  // namespace vw
