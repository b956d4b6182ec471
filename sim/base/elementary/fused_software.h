// Software implementation of the fused multiply-add a b + c with a single rounding. It is needed because fma() in the C
// library of mingw-w64 rounds twice. Both functions compute in a wider format. If the sum is not exact in this format,
// its last digit is made odd; rounding to the narrow format is then correct (Boldo & Melquiond, "Emulation of a FMA and
// correctly rounded sums: proved algorithms using rounding to odd", IEEE Trans. Comput. 57, 2008, theorem 1).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace vw {

inline float fused_in_software(float a, float b, float c) {
  const double product = static_cast<double>(a) * b;  // exact
  const double sum = product + c, part = sum - product;
  const double error = (product - (sum - part)) + (c - part);  // Knuth's TwoSum
  auto digits = std::bit_cast<std::uint64_t>(sum);
  const bool is_inexact = error > 0 || error < 0;  // false for infinities, because the error is then NaN
  if (is_inexact && (digits & 1U) == 0) digits += (error > 0) == (sum > 0) ? 1U : ~std::uint64_t{0};
  return static_cast<float>(std::bit_cast<double>(digits));
}

inline double fused_in_software(double a, double b, double c) {
  __extension__ typedef __float128 Wide;  // emulated by the compiler's library; 113 bits, so products are exact
  struct Digits {
    std::uint64_t low, high;
  };
  static_assert(sizeof(Wide) == sizeof(Digits));
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return a * b + c;
  const Wide product = static_cast<Wide>(a) * b, added = c;
  const Wide sum = product + added, part = sum - product;
  const Wide error = (product - (sum - part)) + (added - part);
  auto digits = std::bit_cast<Digits>(sum);
  if (error != 0 && (digits.low & 1U) == 0) {
    const bool away = (error > 0) == (sum > 0);
    if (!away && digits.low == 0) --digits.high;
    digits.low += away ? 1U : ~std::uint64_t{0};
  }
  return static_cast<double>(std::bit_cast<Wide>(digits));
}

}  // namespace vw
