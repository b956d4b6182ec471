#include "sim/system/flock/obstacle_guard.h"

namespace vw {
GuardCounts keep_out(const FlockObstacles& obstacles, double push_mps, const GuardRows& rows) { return (void)obstacles, (void)push_mps, (void)rows, GuardCounts{}; }
}  // namespace vw
