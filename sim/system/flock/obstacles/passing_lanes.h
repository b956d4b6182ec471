// Vector kernel that finds the obstacles that members need not take into account.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/flock/obstacles/flock_obstacles.h"

namespace vw {

/// Members, one row each.
struct PassingJob {
  const FlockObstacles* obstacles = nullptr;
  std::span<const Vec3> position, velocity;
  std::span<const double> off_m;    ///< For each row: distance beyond which obstacles may be ignored [m].
  std::span<const double> ahead_s;  ///< For each species: time for which that distance must be kept [s].
  std::span<const std::uint8_t> species;
};

/// Number of obstacles that have a bit of their own; the next bit represents all further ones.
inline constexpr std::size_t met_bits = 56;
/// For each row: bit n is set if the nth entry of FlockObstacles::near comes nearer than off_m of the row, now or
/// within the time, if both keep their velocities.
void find_met(const PassingJob& job, Range rows, std::span<std::uint64_t> out);

}  // namespace vw
