// Random numbers of the path tracer: a padded two-dimensional Sobol sequence with hash-based Owen scrambling (B.
// Burley, "Practical hash-based Owen scrambling", JCGT 2020). The scrambling of a pixel and dimension is a
// counter-based random number, so a sample depends only on seed, pixel, sample number and dimension.
#pragma once

#include <array>
#include <cstdint>

#include <glm/glm.hpp>

#include "sim/base/random.h"

namespace vw::film {

class FilmSampler {
 public:
  FilmSampler(std::uint64_t seed, std::uint64_t pixel);
  /// Begins the sample with this number. Each call of next() then returns the next two dimensions of the sample.
  void start(std::uint32_t sample) {
    sample_ = sample;
    dimension_ = 0;
  }
  /// Returns the next two coordinates, each in [0, 1).
  [[nodiscard]] glm::vec2 next();

 private:
  static constexpr std::size_t kept = 64;  ///< number of calls of next() whose random words are cached between samples
  RandomKey key_;
  std::uint64_t pixel_;
  std::uint32_t sample_ = 0;
  std::size_t dimension_ = 0, known_ = 0;
  std::array<std::array<std::uint32_t, 4>, kept> words_;
};

}  // namespace vw::film
