// Measures of a field's flow from samples: divergence, gradients, fluxes through planes.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/base/random.h"
#include "tests/support/field_node.h"

namespace vw::test {

/// Returns the divergence by central differences over 2 h [1/s].
inline double divergence_at(const Field& field, const Vec3& x, double h, double time = 0) {
  double sum = 0;
  for (int a = 0; a < 3; ++a)
    sum += (air_at(field, x + h * Vec3::Unit(a), time)[a] - air_at(field, x - h * Vec3::Unit(a), time)[a]) / (2 * h);
  return sum;
}

/// Returns the norm of the velocity gradient by central differences over 2 h [1/s].
inline double gradient_at(const Field& field, const Vec3& x, double h, double time = 0) {
  double sum = 0;
  for (int a = 0; a < 3; ++a)
    sum += ((air_at(field, x + h * Vec3::Unit(a), time) - air_at(field, x - h * Vec3::Unit(a), time)) / (2 * h))
               .squaredNorm();
  return std::sqrt(sum);
}

/// Returns the sum of |div u| over sum of |grad u|, both over `count` random points of a ball about `center` at which
/// `within` returns true. The derivatives are central differences over 2 h.
template <class Within>
double relative_divergence(const Field& field, const Vec3& center, double radius, double h, int count,
                           const Within& within, double time = 0) {
  double divergence = 0, gradient = 0;
  for (std::uint64_t i = 0; count > 0; ++i) {
    const Vec3 x = center + radius * std::cbrt(random_uniform({21, 1}, i)) * random_direction({21, 2}, i);
    if (!within(x)) continue;
    divergence += std::abs(divergence_at(field, x, h, time));
    gradient += gradient_at(field, x, h, time);
    --count;
  }
  return divergence / gradient;
}

/// Returns the integral of f(u) over a disc about `center` that is perpendicular to the unit vector `axis`. The flow
/// must be axisymmetric. The midpoint rule on 4000 rings is used.
template <class F>
double over_disc(const Field& field, const Vec3& center, const Vec3& axis, double radius, const F& f) {
  constexpr int rings = 4000;
  const Vec3 side = axis.unitOrthogonal();
  double sum = 0;
  for (int i = 0; i < rings; ++i) {
    const double r = radius * (i + 0.5) / rings;
    sum += f(air_at(field, center + r * side)) * 2 * pi * r * radius / rings;
  }
  return sum;
}

/// Returns whether a field is finite at points where the formulas could fail: on the axis, at the centre, very far
/// away, and at random points.
inline bool finite_everywhere(const Field& field, const Vec3& middle, const Vec3& axis, double size) {
  bool finite = true;
  const Vec3 side = axis.unitOrthogonal();
  for (const double along : {0.0, 1e-300, -1e-300, 1e-12, -1e-12, 1.0, -1.0, 1e6, -1e6, 1e12, -1e12, 1e100, -1e100})
    for (const double out : {0.0, 1e-300, 1e-12, 1e-4, 1.0, 1e6, 1e12, 1e100})
      finite = finite && air_at(field, middle + size * (along * axis + out * side), 0.3).allFinite();
  for (std::uint64_t i = 0; i < 2000; ++i)
    finite = finite && air_at(field, middle + size * std::pow(10.0, static_cast<double>(i % 12) - 6) *
                                                  random_direction({8, 9}, i))
                           .allFinite();
  return finite;
}

}  // namespace vw::test
