// Theoretical energy spectrum of gradient noise, for comparison with measured spectra.
#pragma once

namespace vw {

enum class NoiseSpectrum {
  white,         ///< One independent value per cell, constant within the cell.
  frozen,        ///< Gradient noise in three dimensions.
  slice,         ///< Gradient noise in four dimensions at one time.
  curl_of_slice  ///< The wind given by the curl of three such slices.
};

/// Energy per wave number [cells, for a dimensionless mean square] at wave number `k` [rad per cell], averaged over
/// directions. Its integral over all k is half the mean square of that kind of noise, or half the mean square of the
/// speed of a wind. The lattice gradients are independent, so the spectrum is that of the contribution of a single
/// lattice point.
[[nodiscard]] double noise_energy(NoiseSpectrum of, double k);

}  // namespace vw
