// The energy spectrum of noise as theory gives it: what a field of noise is asked to be, beside what is measured of it.
#pragma once

namespace vw {

enum class NoiseSpectrum {
  white,         ///< one independent value a cell, the same throughout the cell
  frozen,        ///< gradient noise in three dimensions
  slice,         ///< gradient noise in four, at one time
  curl_of_slice  ///< the wind of three of those
};

/// Energy [1 / cells, for a mean square without unit] at wave number `k` [rad a cell], averaged over directions: its integral over all k is half the
/// mean square of the noise of that kind, of a wind half the square of its speed. Lattice gradients are independent, so that the spectrum is that of
/// the pieces that a lattice point gives to the noise.
[[nodiscard]] double noise_energy(NoiseSpectrum of, double k);

}  // namespace vw
