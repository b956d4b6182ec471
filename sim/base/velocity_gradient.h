// Invariants of the gradient of a velocity, for air and for fluids.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Returns the second invariant of the velocity gradient, Q = (|W|^2 - |S|^2) / 2 [1/s^2], where S and W are its
/// symmetric and antisymmetric parts. gradient(i, j) is the derivative of velocity component i along axis j [1/s]. Q is
/// positive where rotation prevails over strain, in the cores of vortices (Hunt, Wray & Moin, "Eddies, streams, and
/// convergence zones in turbulent flows", 1988).
[[nodiscard]] inline double q_criterion(const Mat3& gradient) {
  const Mat3 strain = 0.5 * (gradient + gradient.transpose()), spin = 0.5 * (gradient - gradient.transpose());
  return 0.5 * (spin.squaredNorm() - strain.squaredNorm());
}

/// Returns curl u [1/s].
[[nodiscard]] inline Vec3 vorticity_of(const Mat3& g) {
  return {g(2, 1) - g(1, 2), g(0, 2) - g(2, 0), g(1, 0) - g(0, 1)};
}

}  // namespace vw
