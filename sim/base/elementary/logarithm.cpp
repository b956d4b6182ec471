// Logarithms and general powers.
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/elementary/powers-inl.h"
#include "sim/base/elementary/special_values.h"

namespace vw::elementary {
namespace {

bool is_positive_normal(double x) {
  constexpr std::uint64_t least = std::uint64_t{1} << 52, range = std::uint64_t{0x7FE} << 52;
  return core::bits_of(x) - least < range;
}

/// Returns the logarithm, to any base, of a number x that is zero, negative, infinite or NaN.
double log_at_the_limits(double x) {
  if (x == 0) return -infinity;
  return x > 0 ? x : nan;
}

/// A subnormal number multiplied by subnormal_scale = 2^54 is normal. subnormal_shift corrects its binary exponent.
constexpr double subnormal_scale = 0x1p54, subnormal_shift = -54;

[[gnu::noinline]] double log_of_unusual(double x) {
  if (!(x > 0 && x < infinity)) return log_at_the_limits(x);
  const core::Reduced<double> reduced = core::log_reduced(x * subnormal_scale);
  const core::Pair<double> parts = core::log_parts(reduced, reduced.k + subnormal_shift, 0.0);
  return parts.upper + parts.lower;
}

/// Returns the product of the pair `a` and the sum upper + lower, where `upper` has at most 26 bits.
core::Pair<double> times(core::Pair<double> a, double upper, double lower) {
  const double a1 = core::upper_half(a.upper), a2 = a.upper - a1;
  return core::ordered_sum(a1 * upper, (a2 + a.lower) * upper + (a.upper + a.lower) * lower);
}

/// Returns the logarithm of x to a base. log_e_upper + log_e_lower is the logarithm of e to this base, and log2_upper +
/// log2_lower is the logarithm of 2. The product k * log2_upper below is exact.
double log_to_base(double x, double log_e_upper, double log_e_lower, double log2_upper, double log2_lower) {
  double shift = 0;
  if (!is_positive_normal(x)) {
    if (!(x > 0 && x < infinity)) return log_at_the_limits(x);
    x *= subnormal_scale, shift = subnormal_shift;
  }
  const core::Reduced<double> reduced = core::log_reduced(x);
  const double k = reduced.k + shift;
  const core::Pair<double> significand = times(core::log_parts(reduced, 0.0, 0.0), log_e_upper, log_e_lower);
  const core::Pair<double> sum = core::ordered_sum(k * log2_upper, significand.upper);
  return sum.upper + (sum.lower + (k * log2_lower + significand.lower));
}

enum class Whole { no, even, odd };
Whole wholeness(double y) {
  const double size = std::abs(y);
  if (size >= 0x1p53) return Whole::even;
  if (std::trunc(size) != size) return Whole::no;
  return std::trunc(size / 2) * 2 == size ? Whole::even : Whole::odd;
}

/// Returns x^y if x or y is infinite or NaN, if x is 0 or 1, or if y is 0 (C17, F.10.4.4).
double pow_at_the_limits(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return nan;
  const double size = std::abs(x);
  if (std::abs(y) == infinity) {
    if (size == 1) return 1;
    return (size > 1) == (y > 0) ? infinity : 0;
  }
  const double result = (size > 1) == (y > 0) ? infinity : 0;
  return x <= 0 && std::signbit(x) && wholeness(y) == Whole::odd ? -result : result;
}

[[gnu::noinline]] double pow_of_unusual(double x, double y) {
  double size = std::abs(x), shift = 0, sign = 1;
  if (x == 1 || y == 0 || !(size > 0 && size < infinity) || !(std::abs(y) < infinity)) return pow_at_the_limits(x, y);
  if (x < 0) {
    const Whole whole = wholeness(y);
    if (whole == Whole::no) return nan;
    if (whole == Whole::odd) sign = -1;
  }
  if (size == 1 || std::abs(y) < core::pow_least_exponent) return sign;
  if (std::abs(y) >= core::pow_largest_exponent) return (size > 1) == (y > 0) ? sign * infinity : sign * 0;
  if (!is_positive_normal(size)) size *= subnormal_scale, shift = subnormal_shift;
  const core::Pair<double> exponent = core::pow_exponent(size, y, shift);
  if (exponent.upper > 710) return sign * infinity;
  if (exponent.upper < -746) return sign * 0;
  return sign * shifted_value(core::exp_power(exponent.upper, exponent.lower), 0);
}

}  // namespace

double log(double x) {
  if (!is_positive_normal(x)) [[unlikely]]
    return log_of_unusual(x);
  return core::log_value(x);
}

double log1p(double x) {
  if (std::abs(x) < 0x1p-8) {
    if (std::abs(x) < 0x1p-54) return x;
    return x + x * x * core::polynomial(tables::log_series, x);
  }
  if (!(x > -1 && x < 0x1p60)) return x == -1 ? -infinity : log(x);
  const core::Pair<double> sum = core::exact_sum(1.0, x);
  const core::Reduced<double> reduced = core::log_reduced(sum.upper);
  // The argument is sum.upper + sum.lower, but `reduced` describes only sum.upper. sum.lower adds
  // sum.lower * inverse / 2^k to z * inverse - 1.
  const double scale = core::real_of((std::uint64_t{1023} << 52) -
                                     (static_cast<std::uint64_t>(static_cast<std::int64_t>(reduced.k)) << 52));
  const core::Pair<double> parts = core::log_parts(reduced, reduced.k, sum.lower * scale * reduced.inverse);
  return parts.upper + parts.lower;
}

double log2(double x) { return log_to_base(x, tables::log2_e_upper, tables::log2_e_lower, 1, 0); }

double log10(double x) {
  using namespace tables;
  return log_to_base(x, log10_e_upper, log10_e_lower, log10_2_upper, log10_2_lower);
}

double pow(double x, double y) {
  const double size = std::abs(y);
  if (!is_positive_normal(x) || !(size >= core::pow_least_exponent && size < core::pow_largest_exponent)) [[unlikely]]
    return pow_of_unusual(x, y);
  const core::Pair<double> exponent = core::pow_exponent(x, y, 0.0);
  if (!(std::abs(exponent.upper) <= core::exp_limit)) [[unlikely]]
    return pow_of_unusual(x, y);
  return core::power_value(core::exp_power(exponent.upper, exponent.lower));
}

}  // namespace vw::elementary
