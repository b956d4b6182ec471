// Random numbers of spectral fields: what each mode is before it is given its energy. Pure functions of seed and wave vector, so that the same eddies
// come whatever the grid, the order and the threads.
#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "sim/base/random.h"

namespace vw {

/// A wave vector in cycles a period.
struct WaveIndex {
  std::int16_t i = 0, j = 0, k = 0;

  [[nodiscard]] int square() const { return i * i + j * j + k * k; }
  [[nodiscard]] Vec3 vector() const { return {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}; }
};

using ModeVector = std::array<std::complex<double>, 3>;

/// White noise of a mode: of mean square 1; `term` counts the frequencies of a mode. Jitter 1: complex normal (Stam & Fiume 1993:
/// (I - k k^T / k^2) xi, without what points along the wave vector). Less: its energy is a mean of that and 1. Jitter 0: exactly 1, turning one way
/// round the wave vector or the other, so that energies along the axes are exact as well.
class ModeNoise {
 public:
  ModeNoise(RandomKey key, const WaveIndex& wave, double jitter);

  [[nodiscard]] ModeVector vector(int term) const;
  [[nodiscard]] std::complex<double> scalar(int term) const;

 private:
  RandomKey key_;
  std::uint64_t counter_;
  double jitter_;
  Vec3 e1_, e2_;  ///< with k a right-handed frame
};

/// Where a mode comes among those of its wave number.
[[nodiscard]] std::uint64_t draw_order(RandomKey key, const WaveIndex& wave);
/// A standard normal number for the mode that comes `rank`th: of each 16 in turn one lies in each sixteenth of the distribution, so that few modes
/// have its correlation in time already.
[[nodiscard]] double draw_rate(RandomKey key, const WaveIndex& wave, std::size_t rank);

}  // namespace vw
