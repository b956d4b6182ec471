// Domain of a fluid: a box whose sides are open (fluid that leaves is removed) or periodic.
#pragma once

#include <array>
#include <cmath>

#include "sim/collision/shape/shape.h"
#include "sim/system/fluid/fluid_params.h"

namespace vw {

struct FluidDomain {
  Box3 box;
  std::array<bool, 3> periodic{};

  [[nodiscard]] bool any_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }
  [[nodiscard]] double length(int axis) const { return box.max()[axis] - box.min()[axis]; }
  /// Whether a fluid of this volume has no free surface: all axes are periodic and the box is full.
  [[nodiscard]] bool is_brimful(double volume_m3) const {
    return periodic[0] && periodic[1] && periodic[2] && volume_m3 > 0.99 * box.volume();
  }
  /// Whether the point is inside the domain along all axes that are not periodic. Returns false if such a coordinate is
  /// NaN.
  [[nodiscard]] bool holds(const Vec3& x) const {
    for (int a = 0; a < 3; ++a)
      if (!periodic[static_cast<std::size_t>(a)] && !(x[a] >= box.min()[a] && x[a] <= box.max()[a])) return false;
    return true;
  }
  /// Wraps coordinates along periodic axes into [min, max).
  [[nodiscard]] Vec3 wrapped(Vec3 x) const {
    for (int a = 0; a < 3; ++a) {
      if (!periodic[static_cast<std::size_t>(a)]) continue;
      const double from = x[a] - box.min()[a], l = length(a);
      if (from < 0 || from >= l) x[a] = box.min()[a] + std::min(from - l * std::floor(from / l), std::nextafter(l, 0));
    }
    return x;
  }
  /// Returns the shortest displacement that differs from `way` by whole periods [m].
  [[nodiscard]] Vec3 shortest(Vec3 way) const {
    for (int a = 0; a < 3; ++a)
      if (periodic[static_cast<std::size_t>(a)]) way[a] -= length(a) * std::round(way[a] / length(a));
    return way;
  }
};

/// Returns the domain box [m] and periodic axes from the fluid's parameters.
[[nodiscard]] inline FluidDomain fluid_domain(const FluidParams& params) {
  FluidDomain domain;
  domain.box = Box3(params.domain_center - 0.5 * params.domain_size, params.domain_center + 0.5 * params.domain_size);
  const PeriodicAxes p = params.periodic;
  using enum PeriodicAxes;
  domain.periodic = {p == x || p == xy || p == xz || p == xyz, p == y || p == xy || p == yz || p == xyz,
                     p == z || p == xz || p == yz || p == xyz};
  return domain;
}

}  // namespace vw
