// Trigonometric functions and their inverses.
#include <cmath>

#include "sim/base/elementary/core-inl.h"
#include "sim/base/elementary/elementary.h"
#include "sim/base/elementary/special_values.h"

namespace vw::elementary {
namespace {
namespace core = HWY_NAMESPACE;

__extension__ typedef unsigned __int128 Uint128;

/// A fraction of 192 bits, highest word first.
struct Words {
  std::uint64_t high, middle, low;
};

/// Returns the lowest 192 bits of the product m * w.
Words product(std::uint64_t m, const Words& w) {
  const Uint128 low = Uint128{m} * w.low, middle = Uint128{m} * w.middle + (low >> 64);
  return {m * w.high + static_cast<std::uint64_t>(middle >> 64), static_cast<std::uint64_t>(middle),
          static_cast<std::uint64_t>(low)};
}

/// Returns 192 successive bits of 2 / pi. The first of them has the weight 2^-first.
Words bits_of_two_over_pi(int first) {
  const auto word = [&](int i) {
    const auto at = static_cast<std::size_t>(first + 63 + 64 * i);  // index of a bit of the array
    const std::uint64_t upper = tables::two_over_pi[at / 64], lower = tables::two_over_pi[at / 64 + 1];
    const int shift = static_cast<int>(at % 64);
    return shift == 0 ? upper : upper << shift | lower >> (64 - shift);
  };
  return {word(0), word(1), word(2)};
}

/// Reduces a finite angle x > 1 [rad] in integer arithmetic, with only those bits of 2 / pi that affect the result
/// (Payne & Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18, 1983). The error of the
/// reduced angle is below 2^-130.
[[gnu::noinline]] core::Turn<double> turn_of_any(double x) {
  const std::uint64_t bits = core::bits_of(x);
  const std::uint64_t m = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
  const int exponent = static_cast<int>(bits >> 52) - 1075;  // x = m 2^exponent
  // Earlier bits of 2 / pi would add only multiples of four quarter turns and are omitted. p is x * 2 / pi modulo 4, in
  // units of 2^-190. From the highest bit on, p consists of two bits of quarter turns, five bits of steps of pi / 64,
  // and the fraction of a step.
  const Words p = product(m, bits_of_two_over_pi(exponent - 1));
  std::uint64_t step = p.high >> 57;
  Words f{p.high << 7 | p.middle >> 57, p.middle << 7 | p.low >> 57, p.low << 7};
  const bool above = (f.high >> 63) != 0;  // beyond half a step, the next step is nearer
  if (above) {
    ++step;
    f = {~f.high, ~f.middle, ~f.low};  // 1 - f, apart from an error of 2^-192
  }
  int zeros = 0;
  for (; f.high == 0 && zeros < 128; zeros += 64) f = {f.middle, f.low, 0};
  const int shift = f.high == 0 ? 0 : std::countl_zero(f.high);
  if (shift > 0) f = {f.high << shift | f.middle >> (64 - shift), f.middle << shift | f.low >> (64 - shift), 0};
  // The highest 106 bits of the fraction, as two integers of 53 bits.
  const double sign = above ? -1 : 1, scale = core::real_of(static_cast<std::uint64_t>(1023 - zeros - shift) << 52);
  const double upper = sign * scale * static_cast<double>(f.high >> 11) * 0x1p-53;
  const double lower = sign * scale * static_cast<double>((f.high & 0x7FF) << 42 | f.middle >> 22) * 0x1p-106;
  const core::Pair<double> r = core::exact_product(upper, tables::turn_step_upper);
  const core::Pair<double> sum =
      core::ordered_sum(r.upper, r.lower + (upper * tables::turn_step_lower + lower * tables::turn_step_upper));
  return {step, sum.upper, sum.lower};
}

/// Returns f(turn), where `turn` is the reduced form of a finite angle `size` >= 0. f is called twice in the code, so
/// that the compiler keeps the reduced angle in registers.
template <class F>
HWY_INLINE auto on_turn(double size, F f) {
  if (size <= core::turn_limit) [[likely]] {
    const core::Turn<double> turn = core::turn_of(size);
    if (std::abs(turn.upper) >= size * core::turn_least_fraction) [[likely]]
      return f(turn);
  }
  return f(turn_of_any(size));
}

/// Returns the value of an odd function at x, given its value `value` at |x|.
double with_sign_of(double value, double x) { return value * std::copysign(1.0, x); }

core::Pair<double> difference(core::Pair<double> a, core::Pair<double> b) {
  const core::Pair<double> sum = core::ordered_sum(a.upper, -b.upper);
  return core::ordered_sum(sum.upper, sum.lower + (a.lower - b.lower));
}

constexpr core::Pair<double> half_pi{tables::half_pi_upper, tables::half_pi_lower};
constexpr core::Pair<double> whole_pi{2 * tables::half_pi_upper, 2 * tables::half_pi_lower};

/// Returns asin(sqrt(z)) for 0 <= z <= 1/4.
core::Pair<double> asin_of_root(double z) {
  const double root = std::sqrt(z);
  if (root == 0) return {0, 0};
  const core::Pair<double> square = core::exact_product(root, root);
  const double root_rest = ((z - square.upper) - square.lower) / (2 * root);
  return core::ordered_sum(root, root_rest + root * z * core::polynomial(tables::asin_series, z));
}

}  // namespace

double sin(double x) {
  const double size = std::abs(x);
  if (!(size < infinity)) return nan;
  return on_turn(size, [x](const auto& turn) { return with_sign_of(core::sine_value(turn, 0), x); });
}

double cos(double x) {
  const double size = std::abs(x);
  if (!(size < infinity)) return nan;
  return on_turn(size, [](const auto& turn) { return core::sine_value(turn, 1); });
}

SinCos sin_cos(double x) {
  const double size = std::abs(x);
  if (!(size < infinity)) return {nan, nan};
  return on_turn(size, [x](const auto& turn) {
    return SinCos{with_sign_of(core::sine_value(turn, 0), x), core::sine_value(turn, 1)};
  });
}

double tan(double x) {
  const double size = std::abs(x);
  if (!(size < infinity)) return nan;
  if (size < 0x1p-27) return x;
  return on_turn(size, [x](const auto& turn) {
    const core::Pair<double> sine = core::sine_pair(turn, 0), cosine = core::sine_pair(turn, 1);
    const core::Pair<double> ratio =
        core::quotient(core::ordered_sum(sine.upper, sine.lower), core::ordered_sum(cosine.upper, cosine.lower));
    return with_sign_of(ratio.upper + ratio.lower, x);
  });
}

double asin(double x) {
  const double size = std::abs(x);
  if (size <= 0.5) {
    if (size < 0x1p-27) return x;
    return x + x * (x * x) * core::polynomial(tables::asin_series, x * x);
  }
  if (!(size <= 1)) return nan;
  // asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)), where (1 - x) / 2 is exact.
  const core::Pair<double> half = asin_of_root(0.5 * (1 - size));
  const core::Pair<double> result = difference(half_pi, {2 * half.upper, 2 * half.lower});
  return with_sign_of(result.upper + result.lower, x);
}

double acos(double x) {
  const double size = std::abs(x);
  if (size <= 0.5) {
    const double rest = x * (x * x) * core::polynomial(tables::asin_series, x * x);
    const core::Pair<double> sum = core::ordered_sum(half_pi.upper, -x);
    return sum.upper + (sum.lower + (half_pi.lower - rest));
  }
  if (!(size <= 1)) return nan;
  const core::Pair<double> half = asin_of_root(0.5 * (1 - size)), twice{2 * half.upper, 2 * half.lower};
  if (x > 0) return twice.upper + twice.lower;
  const core::Pair<double> result = difference(whole_pi, twice);
  return result.upper + result.lower;
}

double atan(double x) {
  const double size = std::abs(x);
  if (size <= 1) {
    if (size < 0x1p-27) return x;
    const core::Pair<double> angle = core::atan_pair(size, 1.0);
    return with_sign_of(angle.upper + angle.lower, x);
  }
  if (!(size < 0x1p60)) return x == x ? with_sign_of(half_pi.upper, x) : x;
  const core::Pair<double> angle = difference(half_pi, core::atan_pair(1.0, size));
  return with_sign_of(angle.upper + angle.lower, x);
}

double atan2(double y, double x) {
  double dy = std::abs(y), dx = std::abs(x);
  if (x != x || y != y) return nan;
  const bool left = std::signbit(x), steep = dy > dx;
  if (dx == infinity && dy == infinity) dx = dy = 1;
  double large = steep ? dy : dx, small = steep ? dx : dy;
  core::Pair<double> angle{0, 0};
  if (small > 0 && large < infinity && large * 0x1p-60 <= small) {
    // A scale of 2^600 or 2^-600 keeps the products of the algorithm in range.
    if (large > 0x1p400) large *= 0x1p-600, small *= 0x1p-600;
    if (large < 0x1p-400) large *= 0x1p600, small *= 0x1p600;
    angle = core::atan_pair(small, large);
  } else if (!steep && !left) {
    // The angle is so small that its tangent, rounded, equals the angle.
    return with_sign_of(small == 0 || large == infinity ? 0 : small / large, y);
  }
  if (steep) angle = difference(half_pi, angle);
  if (left) angle = difference(whole_pi, angle);
  return with_sign_of(angle.upper + angle.lower, y);
}

}  // namespace vw::elementary
