// Counter-based random numbers (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; Philox-4x32-10): a pure function
// of key and counter, so the draw does not depend on who draws first.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/math.h"

namespace vw {

/// Names one stream of numbers: world seed and a stream id (e.g. stream_id("creature")).
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};
[[nodiscard]] std::uint64_t stream_id(std::string_view name);
/// Four 32-bit words for a 128-bit counter (index, lane).
[[nodiscard]] std::array<std::uint32_t, 4> random_words(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);
/// Uniform in [0, 1) with 53 bits.
[[nodiscard]] double random_uniform(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);
/// Standard normal (Box-Muller).
[[nodiscard]] double random_normal(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);
/// Uniform on the unit sphere.
[[nodiscard]] Vec3 random_direction(RandomKey key, std::uint64_t index, std::uint64_t lane = 0);

}  // namespace vw
