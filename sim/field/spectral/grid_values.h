// Values on a periodic cube of nodes: output of spectral fields, and input of samplers and spectrum measurements.
#pragma once

#include <vector>

namespace vw {

/// Values at the nodes of the cube. Node (i, j, k) is at the position (i, j, k) * period_m / n and has the index i + n
/// * (j + n * k). Values are floats, whose seven digits suffice for a fluctuation.
struct GridValues {
  int n = 0;                   ///< Number of nodes per side.
  double period_m = 1;         ///< Side of the cube [m].
  std::vector<float> x, y, z;  ///< Velocity components [m/s]. A scalar uses only x.

  [[nodiscard]] bool is_vector() const { return !y.empty(); }
};

}  // namespace vw
