// Errors of the elementary functions against MPFR, which rounds correctly at any precision.
#pragma once

#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/base/elementary/elementary.h"
#include "sim/base/random.h"

namespace vw {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using ExactUnary = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
using ExactBinary = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/// A set of arguments: a region of the number line and the distribution from which its numbers are drawn at random.
struct Region {
  enum class Draw {
    uniform,    ///< Uniform in [low, high].
    exponents,  ///< Magnitudes uniform in log2 between 2^low and 2^high, random sign.
    around,     ///< `low` plus or minus a fraction of `low`. The fraction lies between 2^-60 and 2^-3.
    /// The double nearest to k times `low`, or one of its neighbours, with a random integer k up to `high`.
    multiples,
  };
  Draw draw = Draw::uniform;
  double low = 0, high = 1;
};

struct ElementaryFunction {
  std::string name;
  Unary unary = nullptr;
  ExactUnary exact_unary = nullptr;
  Binary binary = nullptr;
  ExactBinary exact_binary = nullptr;
  std::vector<Region> x, y = {};
  double allowed = 1;  ///< largest allowed error [ulp]
};

/// Returns all elementary functions that return one number. The regions include those where a function is hard to
/// compute.
inline const std::vector<ElementaryFunction>& elementary_functions() {
  using enum Region::Draw;
  namespace e = elementary;
  static const std::vector<Region> any{{exponents, -1074, 1024}},
      angles{{uniform, -10, 10},
             {exponents, -1074, 1024},
             {exponents, -30, 20},
             {multiples, 1.5707963267948966, 1e4},
             {multiples, 1.5707963267948966, 1e17},
             {multiples, 0.04908738521234052, 200}},
      unit{{uniform, -1, 1}, {exponents, -1074, 0}, {around, 0.5}, {around, -0.5}, {around, 1}, {around, -1}},
      positive{{exponents, -1074, 1024}, {around, 1}, {uniform, 0, 2}, {uniform, 0, 1000}, {exponents, -1074, -1022}},
      small{{uniform, -1, 1}, {exponents, -1074, 4}, {uniform, -50, 50}, {around, 0.125}, {around, 0.0625}};
  const auto with = [](std::vector<Region> list, std::initializer_list<Region> more) {
    list.insert(list.end(), more);
    return list;
  };
  static const std::vector<ElementaryFunction> all{
      {"sin", e::sin, mpfr_sin, nullptr, nullptr, angles},
      {"cos", e::cos, mpfr_cos, nullptr, nullptr, angles},
      {"tan", e::tan, mpfr_tan, nullptr, nullptr, angles},
      {"asin", e::asin, mpfr_asin, nullptr, nullptr, unit},
      {"acos", e::acos, mpfr_acos, nullptr, nullptr, unit},
      {"atan", e::atan, mpfr_atan, nullptr, nullptr,
       with(any, {{uniform, -5, 5}, {exponents, -30, 60}, {around, 1}, {multiples, 0.0078125, 300}})},
      {"atan2",
       nullptr,
       nullptr,
       e::atan2,
       mpfr_atan2,
       {{uniform, -1, 1}, {exponents, -1074, 1024}, {exponents, -8, 8}},
       {{uniform, -1, 1}, {exponents, -1074, 1024}, {exponents, -8, 8}}},
      {"exp", e::exp, mpfr_exp, nullptr, nullptr,
       with(small, {{uniform, -746, 710}, {uniform, -745.2, -690}, {uniform, 690, 709.8}})},
      {"exp2", e::exp2, mpfr_exp2, nullptr, nullptr,
       with(small, {{uniform, -1076, 1024}, {uniform, -1075, -1020}, {uniform, 980, 1024}})},
      {"expm1", e::expm1, mpfr_expm1, nullptr, nullptr,
       with(small, {{uniform, -60, 710}, {uniform, 690, 709.8}, {around, -0.0625}})},
      {"sinh", e::sinh, mpfr_sinh, nullptr, nullptr, with(small, {{uniform, -711, 711}, {uniform, 690, 710.5}})},
      {"cosh", e::cosh, mpfr_cosh, nullptr, nullptr, with(small, {{uniform, -711, 711}, {uniform, 690, 710.5}})},
      {"tanh", e::tanh, mpfr_tanh, nullptr, nullptr, small},
      {"log", e::log, mpfr_log, nullptr, nullptr, positive},
      {"log1p", e::log1p, mpfr_log1p, nullptr, nullptr,
       with(positive,
            {{uniform, -1, 1}, {exponents, -60, 0}, {around, -0.00390625}, {around, 0.00390625}, {around, -1}})},
      {"log2", e::log2, mpfr_log2, nullptr, nullptr, positive},
      {"log10", e::log10, mpfr_log10, nullptr, nullptr, positive},
      {"pow",
       nullptr,
       nullptr,
       e::pow,
       mpfr_pow,
       {{uniform, 0, 2}, {exponents, -1074, 1024}, {around, 1}, {exponents, -8, 8}},
       {{uniform, -20, 20}, {exponents, -8, 4}, {uniform, -1000, 1000}, {exponents, -80, 70}}},
      {"cbrt", e::cbrt, mpfr_cbrt, nullptr, nullptr, with(any, {{uniform, -10, 10}})},
      {"hypot",
       nullptr,
       nullptr,
       e::hypot,
       mpfr_hypot,
       {{uniform, -1, 1}, {exponents, -1074, 1024}, {exponents, -8, 8}},
       {{uniform, -1, 1}, {exponents, -1074, 1024}, {exponents, -8, 8}}},
      {"erfc", e::erfc, mpfr_erfc, nullptr, nullptr, {{uniform, -6, 26}, {uniform, -1, 1}}, {}, 4},
  };
  return all;
}

/// Returns a random argument of a region. The result depends only on `region`, `key`, `index` and `lane`.
inline double drawn(const Region& region, RandomKey key, std::uint64_t index, std::uint64_t lane) {
  const double u = random_uniform(key, index, 3 * lane), v = random_uniform(key, index, 3 * lane + 1);
  const auto sign = [&] { return random_uniform(key, index, 3 * lane + 2) < 0.5 ? -1.0 : 1.0; };
  switch (region.draw) {
    case Region::Draw::uniform: return region.low + (region.high - region.low) * u;
    case Region::Draw::exponents: {
      const double exponent = region.low + (region.high - region.low) * u, whole = std::floor(exponent);
      return sign() * std::ldexp(1 + v, static_cast<int>(whole));
    }
    case Region::Draw::around:
      return region.low + sign() * region.low * std::ldexp(1 + v, static_cast<int>(-4 - 57 * u));
    case Region::Draw::multiples: {
      const double multiple = region.low * std::round(region.high * u * u * u);
      return sign() * (multiple + (std::floor(5 * v) - 2) * (std::nextafter(multiple, 1e300) - multiple));
    }
  }
  return 0;
}

/// Computes the errors of results relative to the exact values of MPFR.
class Comparison {
 public:
  Comparison() {
    mpfr_inits2(53, x_, y_, static_cast<mpfr_ptr>(nullptr));
    mpfr_inits2(96, exact_, difference_, static_cast<mpfr_ptr>(nullptr));
  }
  ~Comparison() { mpfr_clears(x_, y_, exact_, difference_, static_cast<mpfr_ptr>(nullptr)); }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// Returns the error of the function [ulp of the exact value]. The error is infinite if the result or the exact value
  /// is infinite or NaN and the other is different.
  double error(const ElementaryFunction& function, double x, double y) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    double result = 0;
    if (function.unary != nullptr) {
      function.exact_unary(exact_, x_, MPFR_RNDN);
      result = function.unary(x);
    } else {
      mpfr_set_d(y_, y, MPFR_RNDN);
      function.exact_binary(exact_, x_, y_, MPFR_RNDN);
      result = function.binary(x, y);
    }
    return of(result);
  }

 private:
  double of(double result) {
    constexpr double none = std::numeric_limits<double>::infinity();
    if (mpfr_nan_p(exact_) != 0) return std::isnan(result) ? 0 : none;
    if (!std::isfinite(result)) return std::isinf(result) && result == mpfr_get_d(exact_, MPFR_RNDN) ? 0 : none;
    if (mpfr_inf_p(exact_) != 0) return none;
    if (mpfr_zero_p(exact_) != 0) return result == 0 ? 0 : none;
    const auto exponent = static_cast<int>(std::clamp<mpfr_exp_t>(mpfr_get_exp(exact_), -1021, 1024));
    mpfr_sub_d(difference_, exact_, result, MPFR_RNDN);
    mpfr_mul_2si(difference_, difference_, 53 - exponent, MPFR_RNDN);
    return std::abs(mpfr_get_d(difference_, MPFR_RNDN));
  }

  mpfr_t x_, y_, exact_, difference_;
};

/// Largest error of a function, and the arguments where it occurs.
struct LargestError {
  double ulp = 0, x = 0, y = 0;
};
inline LargestError largest_error(const ElementaryFunction& function, std::uint64_t count) {
  Comparison comparison;
  LargestError largest;
  const RandomKey key{7, stream_id(function.name)};
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = drawn(function.x[i % function.x.size()], key, i, 0);
    const double y = function.y.empty() ? 0 : drawn(function.y[i / function.x.size() % function.y.size()], key, i, 1);
    const double error = comparison.error(function, x, y);
    if (error > largest.ulp) largest = {error, x, y};
  }
  return largest;
}

}  // namespace vw
