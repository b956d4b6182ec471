// Philox-4x32-10 (Salmon et al., SC 2011, table 2 and section 3.3).
#include "sim/base/random.h"

#include <cmath>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/base/elementary/elementary.h"

namespace vw {

std::uint64_t stream_id(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

std::array<std::uint32_t, 4> random_words(RandomKey key, std::uint64_t index, std::uint64_t lane) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  // The 64-bit Philox key is a hash of seed and stream; index and lane form the 128-bit counter.
  const std::uint64_t mixed = XXH64(&key.stream, sizeof key.stream, key.seed);
  std::uint32_t k0 = low(mixed), k1 = high(mixed);
  std::array<std::uint32_t, 4> c{low(index), high(index), low(lane), high(lane)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high(p1) ^ c[1] ^ k0, low(p1), high(p0) ^ c[3] ^ k1, low(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

namespace {
double unit_interval(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(a) << 32 | b) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}
}  // namespace

double random_uniform(RandomKey key, std::uint64_t index, std::uint64_t lane) {
  const auto words = random_words(key, index, lane);
  return unit_interval(words[0], words[1]);
}

double random_normal(RandomKey key, std::uint64_t index, std::uint64_t lane) {
  const auto words = random_words(key, index, lane);
  const double u = 1.0 - unit_interval(words[0], words[1]);  // in (0, 1], so that the logarithm is finite
  return std::sqrt(-2 * elementary::log(u)) * elementary::cos(2 * pi * unit_interval(words[2], words[3]));
}

Vec3 random_direction(RandomKey key, std::uint64_t index, std::uint64_t lane) {
  const auto words = random_words(key, index, lane);
  const double z = 2 * unit_interval(words[0], words[1]) - 1;
  const double angle = 2 * pi * unit_interval(words[2], words[3]);
  const double r = std::sqrt(1 - z * z);
  return {r * elementary::cos(angle), z, r * elementary::sin(angle)};
}

}  // namespace vw
