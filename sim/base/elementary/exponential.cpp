// Exponential and hyperbolic functions, and the complementary error function.
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/elementary/powers-inl.h"
#include "sim/base/elementary/special_values.h"

namespace vw::elementary {
namespace {

[[gnu::noinline]] double exp_at_the_limits(double x) {
  if (x > 710) return infinity;
  if (x < -746) return 0;
  return x == x ? shifted_value(core::exp_power(x, 0.0), 0) : x;
}

[[gnu::noinline]] double exp2_at_the_limits(double x) {
  if (x >= 1024) return infinity;
  if (x < -1076) return 0;
  return x == x ? shifted_value(core::exp2_power(x), 0) : x;
}

/// Returns e^x + addend, where the pair `exp` is e^x. Requires |addend| <= 1 and -40 < x < 690.
core::Pair<double> exp_plus(core::Pair<double> exp, double addend) {
  const core::Pair<double> sum = core::exact_sum(exp.upper, addend);
  return core::ordered_sum(sum.upper, sum.lower + exp.lower);
}

core::Pair<double> exp_pair(double x) { return core::power_pair(core::exp_power(x, 0.0)); }

/// expm1() is computed by a polynomial for |x| below the first number, sinh() and tanh() for |x| below the second
/// number. For such small |x|, differences of exponentials would lose digits by cancellation.
constexpr double expm1_series_end = 0x1p-4, hyperbolic_series_end = 0x1p-3;
/// If |x| exceeds this number, the smaller of e^x and e^-x is too small to change the larger one in double precision.
constexpr double one_sided = 40;

}  // namespace

double exp(double x) {
  if (!(std::abs(x) <= core::exp_limit)) [[unlikely]]
    return exp_at_the_limits(x);
  return core::power_value(core::exp_power(x, 0.0));
}

double exp2(double x) {
  if (!(std::abs(x) <= core::exp2_limit)) [[unlikely]]
    return exp2_at_the_limits(x);
  return core::power_value(core::exp2_power(x));
}

double expm1(double x) {
  if (std::abs(x) < expm1_series_end) {
    if (std::abs(x) < 0x1p-54) return x;
    return x + x * x * (0.5 + x * core::polynomial(tables::expm1_series, x));
  }
  if (x < -one_sided) return -1;
  if (!(x <= core::exp_limit)) return exp_at_the_limits(x);
  const core::Pair<double> sum = exp_plus(exp_pair(x), -1);
  return sum.upper + sum.lower;
}

double sinh(double x) {
  const double y = std::abs(x);
  if (y < hyperbolic_series_end) {
    if (y < 0x1p-27) return x;
    return x + x * (x * x) * core::polynomial(tables::sinh_series, x * x);
  }
  if (!(y < one_sided)) {
    if (!(y < 711)) return x == x ? std::copysign(infinity, x) : x;
    return std::copysign(shifted_value(core::exp_power(y, 0.0), -1), x);
  }
  const core::Pair<double> up = exp_pair(y), down = exp_pair(-y), sum = core::ordered_sum(up.upper, -down.upper);
  return std::copysign(0.5 * (sum.upper + (sum.lower + (up.lower - down.lower))), x);
}

double cosh(double x) {
  const double y = std::abs(x);
  if (!(y < one_sided)) {
    if (!(y < 711)) return x == x ? infinity : x;
    return shifted_value(core::exp_power(y, 0.0), -1);
  }
  const core::Pair<double> up = exp_pair(y), down = exp_pair(-y), sum = core::ordered_sum(up.upper, down.upper);
  return 0.5 * (sum.upper + (sum.lower + (up.lower + down.lower)));
}

double tanh(double x) {
  const double y = std::abs(x);
  if (y < hyperbolic_series_end) {
    if (y < 0x1p-27) return x;
    return x + x * (x * x) * core::polynomial(tables::tanh_series, x * x);
  }
  if (!(y < 20)) return x == x ? std::copysign(1.0, x) : x;
  // tanh(y) = (e^2y - 1) / (e^2y + 1)
  const core::Pair<double> square = exp_pair(2 * y);
  const core::Pair<double> ratio = core::quotient(exp_plus(square, -1), exp_plus(square, 1));
  return std::copysign(ratio.upper + ratio.lower, x);
}

double erfc(double x) {
  const double y = std::abs(x);
  if (!(y < 27.3)) return x == x ? (x > 0 ? 0 : 2) : x;
  // erfc(y) = e^(-y^2) f(u) / (1 + y), where u = (y - 3) / (y + 3) and f is a polynomial. This form of expansion is
  // from Schonfelder, "Chebyshev expansions for the error and related functions", Math. Comp. 32, 1978.
  const core::Pair<double> square = core::exact_product(y, y);
  const double scaled = core::polynomial(tables::erfc_series, (y - 3) / (y + 3)) / (1 + y);
  core::Power<double> power = core::exp_power(-square.upper, -square.lower);
  power.table *= scaled;
  const double tail = shifted_value(power, 0);
  return x < 0 ? 2 - tail : tail;
}

}  // namespace vw::elementary
