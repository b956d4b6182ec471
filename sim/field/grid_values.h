// Values on a periodic cube of nodes: the output of spectral fields, and the input of samplers and spectrum
// measurements.
#pragma once

#include <vector>

namespace vw {

/// Node (i, j, k) is at (i, j, k) period / n and has the index i + n (j + n k). A float holds seven digits of a
/// fluctuation.
struct GridValues {
  int n = 0;                   ///< Nodes per side.
  double period_m = 1;         ///< side of the cube [m]
  std::vector<float> x, y, z;  ///< Components [m/s]; a scalar uses only x.

  [[nodiscard]] bool is_vector() const { return !y.empty(); }
};

}  // namespace vw
