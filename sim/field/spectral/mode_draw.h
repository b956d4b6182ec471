// Random numbers of the modes of spectral fields, before the modes are scaled to their energy. The numbers depend only
// on the seed and the wave vector. The eddies therefore do not depend on the grid, on the order of computation or on
// threads.
#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "sim/base/random.h"

namespace vw {

/// Wave vector in cycles per period.
struct WaveIndex {
  std::int16_t i = 0, j = 0, k = 0;

  [[nodiscard]] int square() const { return i * i + j * j + k * k; }
  [[nodiscard]] Vec3 vector() const { return {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}; }
};

using ModeVector = std::array<std::complex<double>, 3>;

/// White noise of a mode, with mean square 1. `term` is the number of one of the mode's frequencies. With jitter 1, the
/// noise is a complex normal vector xi without its component along the wave vector k: (I - k k^T / k^2) xi (Stam &
/// Fiume 1993). With a smaller jitter, its energy is interpolated between that of xi and 1. With jitter 0, the energy
/// is exactly 1, and the vector is circularly polarised about k in one of the two senses, so that the energies along
/// the axes are exact as well.
class ModeNoise {
 public:
  ModeNoise(RandomKey key, const WaveIndex& wave, double jitter);

  [[nodiscard]] ModeVector vector(int term) const;
  [[nodiscard]] std::complex<double> scalar(int term) const;

 private:
  RandomKey key_;
  std::uint64_t counter_;
  double jitter_;
  Vec3 e1_, e2_;  ///< Unit vectors that form a right-handed frame with k.
};

/// Returns the random number by which modes of equal wave number are sorted.
[[nodiscard]] std::uint64_t draw_order(RandomKey key, const WaveIndex& wave);
/// Returns a stratified standard normal number for the mode `wave`, which has the index `rank` among all modes. Each of
/// the 16 equally probable intervals of the distribution contains the number of one of 16 consecutive ranks. Even a few
/// modes thus have the correct correlation in time.
[[nodiscard]] double draw_rate(RandomKey key, const WaveIndex& wave, std::size_t rank);

}  // namespace vw
