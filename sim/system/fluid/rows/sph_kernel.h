// Smoothing kernels of SPH as scalar functions, for tests, fills and reference code. The vector code (pair_lanes-inl.h)
// implements the same kernels. Lengths are in units of the support radius: q = r / H.
#pragma once

#include <algorithm>
#include <numbers>

namespace vw {

/// Cubic spline (Monaghan 1992) or Wendland's C2 function (Wendland 1995; Dehnen & Aly 2012), both with support radius
/// H.
enum class SphKernel { cubic, wendland };

/// Returns the kernel W times H^3, normalised so that the integral of W over space is 1. The lattice factor is not
/// included.
[[nodiscard]] constexpr double kernel_shape(SphKernel kernel, double q) {
  if (q >= 1) return 0;
  const double t = 1 - q;
  if (kernel == SphKernel::wendland) return 21 / (2 * std::numbers::pi) * t * t * t * t * (4 * q + 1);
  const double s = std::max(0.0, 0.5 - q);
  return 8 / std::numbers::pi * (2 * t * t * t - 8 * s * s * s);
}

/// Returns (dW/dq / q) H^3 without the lattice factor. grad W is this value times (x_i - x_j) / H^5. The result is
/// never positive.
[[nodiscard]] constexpr double kernel_slope(SphKernel kernel, double q) {
  if (q >= 1) return 0;
  const double t = 1 - q;
  if (kernel == SphKernel::wendland) return -210 / std::numbers::pi * t * t * t;
  const double s = std::max(0.0, 0.5 - q);
  return 8 / std::numbers::pi * (24 * s * s - 6 * t * t) / std::max(q, 1e-12);
}

/// Returns the factor of W and its gradient for which a cubic lattice of spacing H / 2 has exactly the rest density, so
/// that a fill starts at rest.
[[nodiscard]] double lattice_factor(SphKernel kernel);

}  // namespace vw
