// Energy spectrum measured from values on a grid, to be compared with the nominal spectrum. Any thread may call
// measure_spectrum(). It runs in parallel over lines and planes, with bit-identical results for any number of threads.
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
  /// known, only shells within its range are listed.
  std::vector<SpectrumRow> rows;
  double slope = 0;        ///< Slope of the line through the measured log E over log k. It is NaN if there are fewer
                           ///< than two rows.
  double asked_slope = 0;  ///< Slope of the line through the nominal log E over log k.
  double mean_square = 0;  ///< Mean square of the values (of whole vectors) about their mean [m^2/s^2].
  /// Relative divergence: sum |k.u| / sum |k| |u| over the modes of all rows, or 0 for a scalar.
  double divergence = 0;
};

/// Window function. `none` is for values that are periodic in the cube. `hann` is for other values, which the Hann
/// window makes periodic. This window spreads the energy over two shells. For the comparison, the nominal spectrum is
/// spread in the same way. The contribution of the window's gradient is subtracted from the divergence. Without a
/// nominal spectrum, the rows remain spread.
enum class SpectrumWindow { none, hann };

/// Measures the energy spectrum. `asked` is the nominal spectrum, or null. If it is given, the energy of a shell is the
/// nominal energy times a ratio: the measured sum divided by the expected sum over the modes of the shell. (Plain sums
/// would bias the slope.) If it is null, the energy of a shell is the mean energy of its modes times their density.
[[nodiscard]] MeasuredSpectrum measure_spectrum(const GridValues& values, const NominalSpectrum* asked,
                                                SpectrumWindow window = SpectrumWindow::none);

}  // namespace vw
