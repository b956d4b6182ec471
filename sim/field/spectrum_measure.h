// The energy spectrum of values on a grid, to hold against what was asked. Any thread; parallel over lines and shells, the same bits on any threads.
#pragma once

#include <vector>

#include "sim/field/field.h"
#include "sim/field/grid_values.h"

namespace vw {

/// Energy E [m^3/s^2] at a wave number k [rad/m]; asked: NaN where nobody said.
struct SpectrumRow {
  double k = 0;
  double measured = 0;
  double asked = 0;
};

struct MeasuredSpectrum {
  std::vector<SpectrumRow> rows;  ///< by shells as wide as the lowest wave number, ascending; within what was asked for, where that is known
  double slope = 0;               ///< of the measured rows: straight line through log E over log k; NaN: fewer than two
  double asked_slope = 0;         ///< the same line through the asked ones
  double mean_square = 0;         ///< of the values, whole vectors, without their mean [m^2/s^2]
  double divergence = 0;          ///< sum |k.u| / sum |k| |u| over the modes of the rows; 0 of a scalar
};

/// Whether the values repeat where the cube ends; if not, a Hann window makes them. It spreads energy over two shells: so is what was asked before
/// they are compared, and what the window's own slope adds to the divergence is taken off. Where nothing was asked the rows are smeared.
enum class SpectrumWindow { none, hann };

/// `asked` may be null. Measured is the asked law times shell sum over expected sum of the same modes (plain shells bias the slope); where nothing
/// was asked the mean energy of a shell's modes times their density.
[[nodiscard]] MeasuredSpectrum measure_spectrum(const GridValues& values, const AskedSpectrum* asked, SpectrumWindow window = SpectrumWindow::none);

}  // namespace vw
