// Wandering: directions that change with noise, different for each member.
#pragma once

#include <span>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

/// Writes for each row a vector that changes smoothly at about `wander_hz`, with root mean square 1 over long times and
/// zero mean: gradient noise along a line of its own. `time` [s]: the flock's own time. Runs in parallel; the result
/// does not depend on the number of threads or the vector width.
void wander(const FlockPlan& plan, const FlockRows& rows, double time, std::vector<Vec3f>& out);

}  // namespace vw
