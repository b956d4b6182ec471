// Cube root and hypotenuse.
#include <cmath>
#include <utility>

#include "sim/base/elementary/core-inl.h"
#include "sim/base/elementary/elementary.h"
#include "sim/base/elementary/special_values.h"

namespace vw::elementary {
namespace {
namespace core = HWY_NAMESPACE;
}  // namespace

double cbrt(double x) {
  double size = std::abs(x), scale = 1;
  if (!(size > 0 && size < infinity)) return x;
  if (size < 0x1p-1022) size *= 0x1p54, scale = 0x1p-18;
  // size = 2^(3 * exponent) v with v in [1, 8). The variable `third` is exponent + 341, because the exponent bits have
  // the bias 1023 = 3 * 341.
  const std::uint64_t bits = core::bits_of(size), biased = bits >> 52, third = biased / 3, rest = biased - 3 * third;
  const double m = core::real_of((bits & ~(~std::uint64_t{0} << 52)) | std::uint64_t{1023} << 52);
  const double v = core::real_of((bits & ~(~std::uint64_t{0} << 52)) | (1023 + rest) << 52);
  static constexpr std::array<double, 3> root_of_rest{1, tables::cbrt_2, tables::cbrt_4};
  // Two steps of Halley's method, y += y (v - y^3) / (2 y^3 + v). The relative error of y is 2^-16 at the start, 2^-48
  // after one step and below 2^-70 after two. Before the second step, y is shortened to 26 bits, so that v - y^3 is
  // computed without an error.
  double y = core::polynomial(tables::cbrt_series, m) * root_of_rest[rest];
  double cube = y * y * y;
  y = core::upper_half(y + y * (v - cube) / (2 * cube + v));
  const double square = y * y, square1 = core::upper_half(square), square2 = square - square1;
  cube = square * y;
  const double root = y + y * ((v - square1 * y) - square2 * y) / (2 * cube + v);
  return std::copysign(root * core::real_of((third + 1023 - 341) << 52) * scale, x);
}

double hypot(double x, double y) {
  double large = std::abs(x), small = std::abs(y), scale = 1;
  if (large == infinity || small == infinity) return infinity;
  if (!(large >= small)) std::swap(large, small);  // this is also done if x or y is NaN; the next line then returns NaN
  if (!(large * 0x1p-60 < small)) return large + small;
  if (large > 0x1p500) {
    large *= 0x1p-600, small *= 0x1p-600, scale = 0x1p600;
  } else if (small < 0x1p-400) {
    large *= 0x1p600, small *= 0x1p600, scale = 0x1p-600;
  }
  const core::Pair<double> a = core::exact_product(large, large), b = core::exact_product(small, small);
  const core::Pair<double> sum = core::ordered_sum(a.upper, b.upper);
  const double root = std::sqrt(sum.upper);
  const core::Pair<double> square = core::exact_product(root, root);
  const double rest = ((sum.upper - square.upper) - square.lower) + (sum.lower + (a.lower + b.lower));
  return (root + rest / (2 * root)) * scale;
}

}  // namespace vw::elementary
