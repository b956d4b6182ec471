// Values on a periodic cube of nodes: what spectral fields make, samplers look up and spectra are measured of.
#pragma once

#include <vector>

namespace vw {

/// Node (i, j, k) lies at (i, j, k) period / n and stands at index i + n (j + n k). Float: seven digits of a fluctuation.
struct GridValues {
  int n = 0;                   ///< nodes a side
  double period_m = 1;         ///< side of the cube [m]
  std::vector<float> x, y, z;  ///< components [m/s]; of a scalar x alone

  [[nodiscard]] bool is_vector() const { return !y.empty(); }
};

}  // namespace vw
