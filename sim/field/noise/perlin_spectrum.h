// Theoretical energy spectrum of gradient noise, for comparison with measured spectra.
#pragma once

namespace vw {

enum class NoiseSpectrum {
  white,         ///< White noise: one independent value per cell, constant within the cell.
  frozen,        ///< Gradient noise in three dimensions.
  slice,         ///< Gradient noise in four dimensions at one time.
  curl_of_slice  ///< Wind given by the curl of three slices.
};

/// Energy per wave number [cells, for a dimensionless mean square] at the wave number `k` [rad per cell], averaged over
/// directions. The integral over all k is half the mean square of the noise, or of the speed of a wind. The lattice
/// gradients are independent, so the spectrum equals the spectrum of the contribution of a single lattice point.
[[nodiscard]] double noise_energy(NoiseSpectrum of, double k);

}  // namespace vw
