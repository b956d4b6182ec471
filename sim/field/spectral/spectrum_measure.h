// Measured energy spectrum of values on a grid, for comparison with the nominal spectrum. Any thread may call
// measure_spectrum(). The computation is parallel over lines and planes, and the results are bit-identical for any
// number of threads.
#pragma once

#include <vector>

#include "sim/field/field.h"
#include "sim/field/spectral/grid_values.h"

namespace vw {

/// Energy E [m^3/s^2] at a wave number k [rad/m]. `asked` is the nominal energy, or NaN if it is unknown.
struct SpectrumRow {
  double k = 0;
  double measured = 0;
  double asked = 0;
};

struct MeasuredSpectrum {
  /// One row per shell, in ascending order. The width of a shell is the lowest wave number. If the nominal spectrum is
  /// known, only shells within its range are included.
  std::vector<SpectrumRow> rows;
  double slope = 0;  ///< Slope of the line through the measured log E over log k, or NaN with fewer than two rows.
  double asked_slope = 0;  ///< Slope of the line through the nominal log E over log k.
  double mean_square = 0;  ///< Mean square of the values, or of whole vectors, about their mean [m^2/s^2].
  /// Relative divergence: sum |k.u| / sum |k| |u| over the modes of all rows, or 0 for a scalar.
  double divergence = 0;
};

/// Window function. `none` is for values that are periodic in the cube. `hann` is for other values, which a Hann window
/// makes periodic. This window spreads energy over two shells. The nominal spectrum is spread in the same way before
/// the comparison, and the contribution of the window's gradient is subtracted from the divergence. Without a nominal
/// spectrum, the rows remain smeared.
enum class SpectrumWindow { none, hann };

/// Measures the energy spectrum. `asked` is the nominal spectrum, or null. With a nominal spectrum, the energy of a
/// shell is the nominal law times the ratio of the measured sum to the expected sum over the modes of the shell,
/// because plain sums bias the slope. Without a nominal spectrum, the energy is the mean energy of the shell's modes
/// times their density.
[[nodiscard]] MeasuredSpectrum measure_spectrum(const GridValues& values, const NominalSpectrum* asked,
                                                SpectrumWindow window = SpectrumWindow::none);

}  // namespace vw
