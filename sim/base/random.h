// Counter-based random numbers (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; Philox-4x32-10).
// A draw is a pure function of key and counter, so it does not depend on the order of draws.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/math.h"

namespace vw {

/// Identifies one stream of numbers: world seed and stream id (for example stream_id("creature")).
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};
[[nodiscard]] std::uint64_t stream_id(std::string_view name);
/// Returns four random 32-bit words, a function of the key and of the 128-bit counter (index, lane).
[[nodiscard]] std::array<std::uint32_t, 4> random_words(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);
/// Returns a uniformly distributed number in [0, 1) with 53 random bits.
[[nodiscard]] double random_uniform(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);
/// Returns a number with the standard normal distribution (Box-Muller).
[[nodiscard]] double random_normal(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);
/// Returns a unit vector, uniformly distributed on the unit sphere.
[[nodiscard]] Vec3 random_direction(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);

}  // namespace vw
