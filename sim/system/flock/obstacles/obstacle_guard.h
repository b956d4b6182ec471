// Keeps members out of obstacles. Members first move freely. If the path of a member hits an obstacle, the member is
// moved along the surface of the obstacle instead.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/flock/obstacles/flock_obstacles.h"

namespace vw {

/// Members after the free motion from `from` to `position` in the substep. Each array has one row per member.
struct GuardRows {
  std::span<const Vec3> from;
  std::span<Vec3> position, velocity;
  std::span<const double> radius;
  std::span<const double> free_m;   ///< Result of Avoidance::free_m(). Empty if unknown.
  std::span<std::uint8_t> touched;  ///< Set to 1 for members that hit an obstacle. Empty if not needed.
};

struct GuardCounts {
  std::uint64_t met = 0;       ///< Number of members that hit an obstacle.
  std::uint64_t squeezed = 0;  ///< Number of members for which no free position was found.
  GuardCounts& operator+=(const GuardCounts& other) {
    met += other.met, squeezed += other.squeezed;
    return *this;
  }
};

/// Corrects positions by sweeping members along their paths while obstacles move. If a member hits a collider, the
/// inward component of its velocity is removed. If a member hits an obstacle that an interaction provides, the velocity
/// is left unchanged, because the interaction applies an impulse. A member that overlaps an obstacle at the start
/// leaves along the shortest path. Its speed relative to the surface is at most `push_mps` [m/s] or ten member radii
/// per second, whichever is larger. `obstacles` must be sorted for the positions in `from`. The code runs in parallel.
/// The result does not depend on the number of threads.
GuardCounts keep_out(const FlockObstacles& obstacles, double push_mps, const GuardRows& rows);

}  // namespace vw
