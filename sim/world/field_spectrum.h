// The energy spectrum of a scene's field as it is, beside what it was asked to be: for `voxwake field --spectrum` and the window's plot.
#pragma once

#include <string>

#include "sim/base/node.h"
#include "sim/field/spectrum_measure.h"

namespace vw {

struct FieldSpectrum : MeasuredSpectrum {
  std::string field;       ///< whose it is; empty: of the sum of all
  int nodes = 0;           ///< places a side of the cube that was measured
  double side_m = 0;       ///< of the cube
  bool repeats = false;    ///< the field repeats in it; if not it was windowed, and what that does is allowed for
  bool scalar = false;     ///< power of a value, not energy of a velocity
  bool power_law = false;  ///< was asked for: the slopes mean something
};

/// Measured over a cube of `grid`^3 places (0: as many as suit the field) at `time` [s], without obstacles and regardless of the field's region; a
/// name may be left out where only one field was asked for a spectrum, or none (then the sum of all winds is measured). A pure function of the tree,
/// on any thread.
[[nodiscard]] Result<FieldSpectrum> spectrum_of_field(const Node& scene, const std::string& field, double time, int grid);
inline constexpr int least_spectrum_grid = 8, most_spectrum_grid = 256;

}  // namespace vw
