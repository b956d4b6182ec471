// Measured energy spectrum of values on a grid, for comparison with the nominal one. Any thread. Parallel over lines
// and shells; results are bit-identical for any number of threads.
#pragma once

#include <vector>

#include "sim/field/field.h"
#include "sim/field/grid_values.h"

namespace vw {

/// Energy E [m^3/s^2] at a wave number k [rad/m]. `asked`: nominal energy, NaN if unknown.
struct SpectrumRow {
  double k = 0;
  double measured = 0;
  double asked = 0;
};

struct MeasuredSpectrum {
  /// One row per shell of the width of the lowest wave number, ascending. Only shells within the nominal spectrum, if
  /// it is known.
  std::vector<SpectrumRow> rows;
  double slope = 0;  ///< Slope of the line through the measured log E over log k; NaN if there are fewer than two rows.
  double asked_slope = 0;  ///< The same slope for the nominal spectrum.
  double mean_square = 0;  ///< Mean square of the values (of whole vectors) about their mean [m^2/s^2].
  double divergence = 0;   ///< sum |k.u| / sum |k| |u| over the modes of the rows; 0 for a scalar.
};

/// none: the values are periodic in the cube. hann: they are not, and a Hann window makes them periodic. The window
/// spreads energy over two shells. The nominal spectrum is spread in the same way before the comparison, and the
/// contribution of the window's gradient is subtracted from the divergence. Without a nominal spectrum the rows are
/// smeared.
enum class SpectrumWindow { none, hann };

/// `asked`: nominal spectrum, may be null. With it, a row is the nominal law times the shell's sum divided by the
/// expected sum over the same modes, because plain shell sums bias the slope. Without it, a row is the mean energy of
/// the shell's modes times their density.
[[nodiscard]] MeasuredSpectrum measure_spectrum(const GridValues& values, const NominalSpectrum* asked,
                                                SpectrumWindow window = SpectrumWindow::none);

}  // namespace vw
