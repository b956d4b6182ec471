// Which obstacles members pass by without minding them, by lanes.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/flock/flock_obstacles.h"

namespace vw {

/// Members, one row each.
struct PassingJob {
  const FlockObstacles* obstacles = nullptr;
  std::span<const Vec3> position, velocity;
  std::span<const double> off_m;    ///< who is always farther off is passed by ...
  std::span<const double> ahead_s;  ///< ... in that time; one a species
  std::span<const std::uint8_t> species;
};

/// Bits of a word that stand for one obstacle each; the next stands for all beyond.
inline constexpr std::size_t met_bits = 56;
/// Bit n: the bound of the nth of FlockObstacles::near comes nearer than off_m of its row, now or in time, if both go on as they do. One word for
/// each of the rows.
void find_met(const PassingJob& job, Range rows, std::span<std::uint64_t> out);

}  // namespace vw
