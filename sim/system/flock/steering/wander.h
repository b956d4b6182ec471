// Wandering: a direction for each member that changes randomly and smoothly with time.
#pragma once

#include <span>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

/// For each row, writes a vector that changes smoothly at about the frequency `wander_hz`. Over long times, the mean of
/// the vector is zero and its root mean square is 1. The vector is gradient noise, evaluated along a separate line
/// through the noise for each member. `time` [s] is the time of the flock, scaled by the parameter time_scale. The code
/// runs in parallel. The result does not depend on the number of threads or the vector width.
void wander(const FlockPlan& plan, const FlockRows& rows, double time, std::vector<Vec3f>& out);

}  // namespace vw
