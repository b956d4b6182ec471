// Values at the nodes of a periodic cube: the output of spectral fields, and the input of samplers and spectrum
// measurements.
#pragma once

#include <vector>

namespace vw {

/// Values at the nodes of a cube. Node (i, j, k) lies at (i, j, k) * period_m / n and has the index i + n * (j + n *
/// k). Single precision is sufficient, because a fluctuation needs at most seven digits.
struct GridValues {
  int n = 0;                   ///< Number of nodes per side.
  double period_m = 1;         ///< Side of the cube [m].
  std::vector<float> x, y, z;  ///< Velocity components [m/s]. A scalar uses only x.

  [[nodiscard]] bool is_vector() const { return !y.empty(); }
};

}  // namespace vw
