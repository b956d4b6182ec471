// Vector kernel that finds the obstacles that come near each member.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/flock/obstacles/flock_obstacles.h"

namespace vw {

/// Input of find_met(). The spans have one entry per member, except `ahead_s`.
struct PassingJob {
  const FlockObstacles* obstacles = nullptr;
  std::span<const Vec3> position, velocity;
  std::span<const double> off_m;    ///< Distance from each member beyond which obstacles may be ignored [m].
  std::span<const double> ahead_s;  ///< Look-ahead time of each species [s].
  std::span<const std::uint8_t> species;
};

/// Number of obstacles that have their own bit. The next bit represents all further obstacles.
inline constexpr std::size_t met_bits = 56;
/// Writes one word per row. Bit n of the word is set if the nth entry of FlockObstacles::near() may come within off_m
/// of the member during the look-ahead time. The member and the obstacle are assumed to keep their velocities.
void find_met(const PassingJob& job, Range rows, std::span<std::uint64_t> out);

}  // namespace vw
