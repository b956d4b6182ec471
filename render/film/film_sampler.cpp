#include "render/film/film_sampler.h"

namespace vw::film {
namespace {

std::uint32_t reversed_bits(std::uint32_t x) {
  x = x << 16U | x >> 16U;
  x = (x & 0x00FF00FFU) << 8U | (x & 0xFF00FF00U) >> 8U;
  x = (x & 0x0F0F0F0FU) << 4U | (x & 0xF0F0F0F0U) >> 4U;
  x = (x & 0x33333333U) << 2U | (x & 0xCCCCCCCCU) >> 2U;
  return (x & 0x55555555U) << 1U | (x & 0xAAAAAAAAU) >> 1U;
}

/// Owen scrambling: randomly swaps the two subtrees at each node of the binary tree of the bits (Laine & Karras 2011,
/// with the constants of N. Vegdahl).
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed_bits(x);
  x ^= x * 0x3D20ADEAU;
  x += seed;
  x *= (seed >> 16U) | 1U;
  x ^= x * 0x05526C56U;
  x ^= x * 0x53A22864U;
  return reversed_bits(x);
}

/// Second dimension of the Sobol sequence. The first dimension is reversed_bits().
std::uint32_t sobol_second(std::uint32_t index) {
  std::uint32_t result = 0;
  for (std::uint32_t v = 1U << 31U; index != 0; index >>= 1U, v ^= v >> 1U)
    if ((index & 1U) != 0) result ^= v;
  return result;
}

float unit_float(std::uint32_t bits) { return static_cast<float>(bits >> 8U) * 0x1p-24F; }

}  // namespace

FilmSampler::FilmSampler(std::uint64_t seed, std::uint64_t pixel) : key_{seed, stream_id("film")}, pixel_(pixel) {}

glm::vec2 FilmSampler::next() {
  const std::size_t dimension = dimension_++;
  std::array<std::uint32_t, 4> words{};
  if (dimension < known_) {
    words = words_[dimension];
  } else {
    words = random_words(key_, pixel_, dimension);
    if (dimension == known_ && known_ < kept) words_[known_++] = words;
  }
  const std::uint32_t index = scrambled(sample_, words[0]);
  return {unit_float(scrambled(reversed_bits(index), words[1])), unit_float(scrambled(sobol_second(index), words[2]))};
}

}  // namespace vw::film
