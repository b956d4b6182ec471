// No member goes into an obstacle: after they have moved freely, whoever met one on the way slides along it instead.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/flock/flock_obstacles.h"

namespace vw {

/// One row a member, after it moved from `from` to `position` in the substep.
struct GuardRows {
  std::span<const Vec3> from;
  std::span<Vec3> position, velocity;
  std::span<const double> radius;
  std::span<const double> free_m;   ///< Avoidance::free_m; empty: nothing is known
  std::span<std::uint8_t> touched;  ///< set to 1 where an obstacle was met; empty: not wanted
};

struct GuardCounts {
  std::uint64_t met = 0;       ///< met an obstacle
  std::uint64_t squeezed = 0;  ///< found no place that is free of all
  GuardCounts& operator+=(const GuardCounts& other) {
    met += other.met, squeezed += other.squeezed;
    return *this;
  }
};

/// Puts positions right, swept along the way while obstacles move. From velocities it takes what points into colliders; what rules brought they see
/// to themselves. Who begins inside comes out the short way, no faster than `push_mps` past the surface's own motion. `obstacles` are sorted for the
/// places in `from`. Parallel; the same bits at any number of threads.
GuardCounts keep_out(const FlockObstacles& obstacles, double push_mps, const GuardRows& rows);

}  // namespace vw
