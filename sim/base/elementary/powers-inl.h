// Powers e^x and 2^x for all arguments, for the scalar functions. Only sources of this folder include this file.
#pragma once

#include "sim/base/elementary/core-inl.h"

namespace vw::elementary {
namespace core = HWY_NAMESPACE;

/// Returns the product of `power` and 2^shift. A subnormal result is rounded once more. The result may overflow to
/// infinity or underflow to 0.
inline double shifted_value(const core::Power<double>& power, int shift) {
  const auto steps = static_cast<std::int64_t>(power.steps - core::rounding_shift_bits);
  // |exponent| < 2000, so each factor below is normal
  const int exponent = static_cast<int>(steps >> 7) + shift, half = exponent / 2;
  const auto power_of_two = [](int k) { return core::real_of(static_cast<std::uint64_t>(1023 + k) << 52); };
  return (power.table + power.table * power.rest) * power_of_two(half) * power_of_two(exponent - half);
}

}  // namespace vw::elementary
