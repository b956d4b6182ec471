// The measured energy spectrum of a scene's field beside its target spectrum, for `voxwake field --spectrum` and the
// window's plot.
#pragma once

#include <string>

#include "sim/base/node.h"
#include "sim/field/spectrum_measure.h"

namespace vw {

struct FieldSpectrum : MeasuredSpectrum {
  std::string field;  ///< name of the measured field; empty: the sum of all fields
  int nodes = 0;      ///< samples along each side of the measured cube
  double side_m = 0;  ///< side of that cube
  /// The field is periodic over the cube. If not, a window is applied and its effect is corrected for.
  bool repeats = false;
  bool scalar = false;     ///< power spectrum of a scalar instead of energy spectrum of a velocity
  bool power_law = false;  ///< the target is a power law, so the slopes are meaningful
};

/// Measures the spectrum on `grid`^3 samples (0: a suitable number) at `time` [s], without obstacles and regardless of
/// the field's region. If `field` is empty, the only field with a target spectrum is measured, or the only field; if
/// there are several fields and none has a target spectrum, the sum of all winds. A pure function of the tree; may run
/// on any thread.
[[nodiscard]] Result<FieldSpectrum> spectrum_of_field(const Node& scene, const std::string& field, double time,
                                                      int grid);
inline constexpr int least_spectrum_grid = 8, most_spectrum_grid = 256;

}  // namespace vw
