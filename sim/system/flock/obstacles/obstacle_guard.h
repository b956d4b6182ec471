// Keeps members out of obstacles: members have moved freely, and those that met an obstacle on their path are moved
// along its surface instead.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/flock/obstacles/flock_obstacles.h"

namespace vw {

/// One row per member, after its move from `from` to `position` in the substep.
struct GuardRows {
  std::span<const Vec3> from;
  std::span<Vec3> position, velocity;
  std::span<const double> radius;
  std::span<const double> free_m;   ///< Avoidance::free_m; empty: unknown.
  std::span<std::uint8_t> touched;  ///< Set to 1 if the member met an obstacle; empty: not recorded.
};

struct GuardCounts {
  std::uint64_t met = 0;       ///< Members that met an obstacle.
  std::uint64_t squeezed = 0;  ///< Members for which no free place was found.
  GuardCounts& operator+=(const GuardCounts& other) {
    met += other.met, squeezed += other.squeezed;
    return *this;
  }
};

/// Corrects positions, by sweeps along the path while obstacles move. For colliders the inward component of the
/// velocity is removed; for obstacles that interactions provide, these apply impulses themselves. A member that starts
/// inside an obstacle leaves it by the shortest way, at most `push_mps` faster than the surface. `obstacles` must be
/// sorted for the positions in `from`. Runs in parallel; the result does not depend on the number of threads.
GuardCounts keep_out(const FlockObstacles& obstacles, double push_mps, const GuardRows& rows);

}  // namespace vw
