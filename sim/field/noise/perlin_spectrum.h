// Theoretical energy spectrum of gradient noise, to be compared with measured spectra.
#pragma once

namespace vw {

enum class NoiseSpectrum {
  white,         ///< White noise: one independent value per cell, constant within the cell.
  frozen,        ///< Gradient noise in three dimensions.
  slice,         ///< Gradient noise in four dimensions, at a fixed time.
  curl_of_slice  ///< Wind that is the curl of three such noises.
};

/// Returns the energy per wave number at the wave number `k` [rad per cell], averaged over directions. For
/// dimensionless noise, it is in cells. The integral over all k is half the mean square of the noise, or of the speed
/// of a wind. Lattice gradients are independent, so the spectrum is that of the contribution of a single lattice point.
[[nodiscard]] double noise_energy(NoiseSpectrum of, double k);

}  // namespace vw
