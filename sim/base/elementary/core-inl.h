// Algorithms of the elementary functions for arguments in the usual range, for `double` and for the lanes of vectors
// (numbers-inl.h). Scalar and vector evaluation give the same bits, because each operation rounds once and no operation
// depends on the vector width. The callers handle all other arguments (infinities, NaN, subnormal and huge numbers).
// This file is included once for each instruction set (Highway).
//
// Until the last addition, a result is represented as the sum of an upper and a lower part (Dekker, "A floating-point
// technique for extending the available precision", 1971; Knuth, "The Art of Computer Programming", vol. 2, section
// 4.2.2). Arguments are reduced to the neighbourhood of a table entry (Tang, "Table-driven implementation of the
// exponential function in IEEE floating-point arithmetic", ACM TOMS 15, 1989, and "Table-driven implementation of the
// logarithm function in IEEE floating-point arithmetic", ACM TOMS 16, 1990). The constants of the reduction are split
// into several parts (Cody & Waite, "Software Manual for the Elementary Functions", 1980). tools/elementary/tables.py
// computes tables and coefficients.
#if defined(VOXWAKE_ELEMENTARY_CORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_ELEMENTARY_CORE_INL_H_
#undef VOXWAKE_ELEMENTARY_CORE_INL_H_
#else
#define VOXWAKE_ELEMENTARY_CORE_INL_H_
#endif

#include <array>

#include "sim/base/elementary/numbers-inl.h"
#include "sim/base/elementary/tables.h"

HWY_BEFORE_NAMESPACE();
namespace vw::elementary {
namespace HWY_NAMESPACE {

/// Unevaluated sum of two numbers. The lower part is at most about half a unit in the last place of the upper part.
template <class Real>
struct Pair {
  Real upper, lower;
};

/// Returns the exact sum a + b as a pair, if |a| >= |b| or a = 0 (Dekker).
template <class Real>
HWY_INLINE Pair<Real> ordered_sum(Real a, Real b) {
  const Real upper = a + b;
  return {upper, (a - upper) + b};
}
/// Returns the exact sum a + b as a pair (Knuth).
template <class Real>
HWY_INLINE Pair<Real> exact_sum(Real a, Real b) {
  const Real upper = a + b, part = upper - a;
  return {upper, (a - (upper - part)) + (b - part)};
}
/// Returns x without the lowest `count` bits of its significand.
template <class Real>
HWY_INLINE Real without_low_bits(Real x, int count) {
  return real_of(bits_of(x) & (~std::uint64_t{0} << count));
}
/// Returns the upper 26 bits of x. The product of two such numbers is exact.
template <class Real>
HWY_INLINE Real upper_half(Real x) {
  return without_low_bits(x, 27);
}
/// Returns the product a * b as a pair. Unless a number overflows or underflows, the relative error is 2^-105.
template <class Real>
HWY_INLINE Pair<Real> exact_product(Real a, Real b) {
  const Real product = a * b;
  const Real a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}
/// Returns the quotient a / b, with a relative error of about 2^-102.
template <class Real>
HWY_INLINE Pair<Real> quotient(Pair<Real> a, Pair<Real> b) {
  const Real upper = a.upper / b.upper;
  const Pair<Real> back = exact_product(upper, b.upper);
  return {upper, (((a.upper - back.upper) - back.lower) + a.lower - upper * b.lower) / b.upper};
}
/// Returns the value of a polynomial. The lowest coefficient comes first. If N > 3, the even and the odd powers are
/// summed separately, which halves the length of the chain of dependent operations.
template <class Real, std::size_t N>
HWY_INLINE Real polynomial(const std::array<double, N>& coefficient, Real x) {
  if constexpr (N <= 3) {
    Real sum(coefficient[N - 1]);
    for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + Real(coefficient[i]);
    return sum;
  } else {
    const Real square = x * x;
    constexpr std::size_t top_even = (N - 1) / 2 * 2, top_odd = N / 2 * 2 - 1;
    Real even(coefficient[top_even]), odd(coefficient[top_odd]);
    for (std::size_t i = top_even; i > 0; i -= 2) even = even * square + Real(coefficient[i - 2]);
    for (std::size_t i = top_odd; i > 1; i -= 2) odd = odd * square + Real(coefficient[i - 2]);
    return even + odd * x;
  }
}

/// If |x| < 2^51, adding this number to x rounds x to an integer, which is then in the low bits of the sum.
/// rounding_shift_bits is the bit pattern of this number.
inline constexpr double rounding_shift = 0x1.8p52;
inline constexpr std::uint64_t rounding_shift_bits = 0x4338000000000000;

// --- Exponential functions ---

/// The power 2^(k / 128) (1 + rest). The low bits of `steps` contain k, and `table` is 2^((k mod 128) / 128).
template <class Real>
struct Power {
  decltype(bits_of(Real(0.0))) steps;
  Real table, rest;
};
/// Returns e^(upper + lower), for |upper| < 1100.
template <class Real>
HWY_INLINE Power<Real> exp_power(Real upper, Real lower) {
  using namespace tables;
  const Real shifted = upper * Real(exp_steps) + Real(rounding_shift), k = shifted - Real(rounding_shift);
  const Real r = ((upper - k * Real(exp_step_upper)) - k * Real(exp_step_lower)) + lower;
  const auto steps = bits_of(shifted), row = (steps & 127) << 1;
  return {steps, entry(exp_table.data(), row),
          (r * r * polynomial(exp_series, r) + entry(exp_table.data(), row + 1)) + r};
}
/// Returns 2^x, for |x| < 1100. The reduced argument is exact.
template <class Real>
HWY_INLINE Power<Real> exp2_power(Real x) {
  using namespace tables;
  const Real shifted = x * Real(128) + Real(rounding_shift), r = x - (shifted - Real(rounding_shift)) * Real(0x1p-7);
  const auto steps = bits_of(shifted), row = (steps & 127) << 1;
  return {steps, entry(exp_table.data(), row), entry(exp_table.data(), row + 1) + r * polynomial(exp2_series, r)};
}
/// Returns the value of a power as upper and lower part. The exponent of 2 must be between -1000 and 1000.
template <class Real>
HWY_INLINE Pair<Real> power_pair(const Power<Real>& power) {
  const Real scaled = real_of(bits_of(power.table) + ((power.steps & ~std::uint64_t{127}) << 45));
  return {scaled, scaled * power.rest};
}
template <class Real>
HWY_INLINE Real power_value(const Power<Real>& power) {
  const Pair<Real> pair = power_pair(power);
  return pair.upper + pair.lower;
}
/// The upper and lower parts of e^x and 2^x are normal numbers if |x| is at most exp_limit and exp2_limit,
/// respectively.
inline constexpr double exp_limit = 690, exp2_limit = 990;

// --- Logarithms ---

/// Decomposition of a positive normal number x = 2^k z with z in [0.705, 1.41). `inverse` is a number near 1 / z, taken
/// from the table; log_upper + log_lower is -log(inverse); and upper + lower is exactly z * inverse - 1.
template <class Real>
struct Reduced {
  Real k, inverse, log_upper, log_lower, upper, lower;
};
template <class Real>
HWY_INLINE Reduced<Real> log_reduced(Real x) {
  constexpr std::uint64_t start = 0x3FE6900000000000, exponent_bits = std::uint64_t{0xFFF} << 52;
  const auto offset = bits_of(x) - start;  // wraps around (modulo 2^64) if x is below 0.705
  const auto row = ((offset >> 45) & 127) << 2;
  const Real z = real_of(bits_of(x) - (offset & exponent_bits));
  // `exponent` is k + 1024, which is positive. The sum of `exponent` and rounding_shift_bits is the bit pattern of the
  // number rounding_shift + k + 1024. Subtracting rounding_shift + 1024 from that number gives k.
  const auto exponent = (offset + (std::uint64_t{1024} << 52)) >> 52;
  const Real k = real_of(exponent + rounding_shift_bits) - Real(rounding_shift + 1024);
  const double* table = tables::log_table.data();
  const Real inverse = entry(table, row), z1 = without_low_bits(z, 21);
  // Both products are exact: the factors have 32 and 20 bits, and 21 and 20 bits.
  const Real r1 = z1 * inverse - Real(1), r2 = (z - z1) * inverse;
  const Pair<Real> r = ordered_sum(r1, r2);
  return {k, inverse, entry(table, row + 1), entry(table, row + 2), r.upper, r.lower};
}
/// Returns k log(2) + log(z) as a pair, with an error of about 2^-60, where z is the significand of x (see Reduced).
/// The number `more` is added to z * inverse - 1. log1p() passes the remainder of its argument that does not fit into
/// one double as `more`.
template <class Real>
HWY_INLINE Pair<Real> log_parts(const Reduced<Real>& x, Real k, Real more) {
  using namespace tables;
  const Real r = x.upper, rest = x.lower + more;
  // The first argument is exact, because its terms are multiples of 2^-42 and below 2^11.
  const Pair<Real> sum = ordered_sum(k * Real(ln2_upper) + x.log_upper, r);
  return {sum.upper,
          (r * r * polynomial(log_series, r) + (k * Real(ln2_lower) + x.log_lower)) + (rest - rest * r + sum.lower)};
}
template <class Real>
HWY_INLINE Real log_value(Real x) {
  const Reduced<Real> reduced = log_reduced(x);
  const Pair<Real> parts = log_parts(reduced, reduced.k, Real(0));
  return parts.upper + parts.lower;
}
/// Returns the result of log_parts() for `more` = 0, but with a relative error of about 2^-68. pow() needs this
/// accuracy, because it multiplies the logarithm, and thus the error, by the exponent y.
template <class Real>
HWY_INLINE Pair<Real> log_pair(const Reduced<Real>& x, Real k) {
  using namespace tables;
  const Real r = x.upper, r1 = upper_half(r);
  const Pair<Real> first = ordered_sum(k * Real(ln2_upper) + x.log_upper, r);
  const Pair<Real> second = ordered_sum(first.upper, Real(-0.5) * r1 * r1);
  const Real square_rest = Real(-0.5) * (r - r1) * (r + r1), cube = r * r * r * polynomial(log_long_series, r);
  const Real rest = x.lower - x.lower * r;
  return ordered_sum(second.upper, (cube + square_rest) +
                                       ((k * Real(ln2_lower) + x.log_lower) + (rest + (first.lower + second.lower))));
}
/// Returns y log(x 2^shift) as a pair. The exponential of this pair is the power (x 2^shift)^y. Requires a positive
/// normal x and 2^-65 < |y| < 2^63.
template <class Real>
HWY_INLINE Pair<Real> pow_exponent(Real x, Real y, Real shift) {
  const Reduced<Real> reduced = log_reduced(x);
  const Pair<Real> log = log_pair(reduced, reduced.k + shift);
  const Pair<Real> product = exact_product(y, log.upper);
  return {product.upper, product.lower + y * log.lower};
}
inline constexpr double pow_least_exponent = 0x1p-65, pow_largest_exponent = 0x1p63;

// --- Trigonometric functions ---

/// The angle x is step pi / 64 + upper + lower. Only the low seven bits of `step` are used, because 128 steps are a
/// full turn.
template <class Real>
struct Turn {
  decltype(bits_of(Real(0.0))) step;
  Real upper, lower;
};
/// Reduces an angle x with 0 <= x <= turn_limit. The absolute error is at most 2^-119 x.
template <class Real>
HWY_INLINE Turn<Real> turn_of(Real x) {
  using namespace tables;
  const Real shifted = x * Real(turn_steps) + Real(rounding_shift), k = shifted - Real(rounding_shift);
  // The first two products and the first difference are exact: k has 20 bits, the constants have 33 bits each.
  const Pair<Real> sum = exact_sum(x - k * Real(turn_step_1), Real(-1) * k * Real(turn_step_2));
  const Pair<Real> r = ordered_sum(sum.upper, sum.lower - k * Real(turn_step_3));
  return {bits_of(shifted), r.upper, r.lower};
}
inline constexpr double turn_limit = 50000;
/// If the reduced angle is smaller than this fraction of the original angle, too few of its bits are correct, and the
/// caller must reduce the angle with more bits of pi.
inline constexpr double turn_least_fraction = 0x1p-56;

/// Returns sin(x + quarters pi / 2) for the angle x of `turn`, with a relative error of about 2^-60.
template <class Real>
HWY_INLINE Pair<Real> sine_pair(const Turn<Real>& turn, std::uint64_t quarters) {
  using namespace tables;
  const double* table = sin_table.data();
  const auto row = ((turn.step + 32 * quarters) & 127) << 1;
  const Real s1 = entry(table, row), s2 = entry(table, row + 1);        // sine of the angle of the table entry
  const Real c1 = entry(table, row + 64), c2 = entry(table, row + 65);  // cosine of the angle of the table entry
  const Real r = turn.upper, r1 = upper_half(r), square = r * r;
  const Real sine_rest = square * r * polynomial(sin_series, square);
  const Real cosine_rest = square * (square * polynomial(cos_series, square) - Real(0.5));
  const Pair<Real> sum = ordered_sum(s1, c1 * r1);  // c1 * r1 is exact: both have 26 bits
  const Real first = c1 * ((r - r1) + turn.lower) + (c2 * r + s2);
  return {sum.upper, ((s1 + s2) * cosine_rest + (c1 + c2) * sine_rest) + (first + sum.lower)};
}
template <class Real>
HWY_INLINE Real sine_value(const Turn<Real>& turn, std::uint64_t quarters) {
  const Pair<Real> pair = sine_pair(turn, quarters);
  return pair.upper + pair.lower;
}

// --- Inverse tangent ---

/// Returns atan(n / d) for 0 <= n <= d, with d between 2^-900 and 2^900 and n / d at least 2^-60. Uses atan(n / d) =
/// atan(c) + atan((n - c d) / (d + c n)), where c is the multiple of 1 / 64 nearest to n / d.
template <class Real>
HWY_INLINE Pair<Real> atan_pair(Real n, Real d) {
  using namespace tables;
  const Real shifted = n / d * Real(64) + Real(rounding_shift), c = (shifted - Real(rounding_shift)) * Real(1.0 / 64);
  const auto row = (bits_of(shifted) & 127) << 1;
  // products with c are exact, because c has 7 bits
  const Real d1 = without_low_bits(d, 21), n1 = without_low_bits(n, 21);
  const Pair<Real> above = exact_sum(n - c * d1, c * (d1 - d));
  const Pair<Real> below = ordered_sum(d, c * n1);
  const Pair<Real> r = quotient(above, ordered_sum(below.upper, below.lower + c * (n - n1)));
  const Real square = r.upper * r.upper;
  const Pair<Real> sum = ordered_sum(entry(atan_table.data(), row), r.upper);
  return ordered_sum(
      sum.upper,
      (square * r.upper * polynomial(atan_series, square) + entry(atan_table.data(), row + 1)) + (r.lower + sum.lower));
}

}  // namespace HWY_NAMESPACE
}  // namespace vw::elementary
HWY_AFTER_NAMESPACE();

#endif  // VOXWAKE_ELEMENTARY_CORE_INL_H_
