// The energy spectrum of a scene's field as measured, and its target spectrum. This file is part of the library's
// stable interface.
#pragma once

#include <string>

#include "sim/base/data/node.h"
#include "sim/field/spectral/spectrum_measure.h"

namespace vw::api {

struct FieldSpectrum : MeasuredSpectrum {
  std::string field;  ///< name of the measured field; empty means the sum of all fields
  int nodes = 0;      ///< number of samples along each side of the measured cube
  double side_m = 0;  ///< side of the measured cube [m]
  /// Whether the field is periodic over the cube. If not, the samples are multiplied by a window function, and the
  /// spectrum is corrected for its effect.
  bool repeats = false;
  bool scalar = false;     ///< whether this is a power spectrum of a scalar; otherwise an energy spectrum of a velocity
  bool power_law = false;  ///< whether the target spectrum is a power law; only then are slopes meaningful
};

/// Measures the spectrum on `grid`^3 samples at `time` [s]. Obstacles and the field's region are ignored. If `grid` is
/// 0, a suitable number is chosen. If `field` is empty, the only field with a target spectrum is measured, else the
/// only field, else the sum of all fields. If several fields have a target spectrum, an empty `field` is an error. The
/// result depends on the scene tree only. The function may run on any thread.
[[nodiscard]] Result<FieldSpectrum> spectrum_of_field(const Node& scene, const std::string& field, double time,
                                                      int grid);
inline constexpr int least_spectrum_grid = 8, most_spectrum_grid = 256;

}  // namespace vw::api
