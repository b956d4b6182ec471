// What is written on a colour bar: the unit with the prefix that makes its numbers short, and the numbers themselves.
#pragma once

#include <string>
#include <string_view>

#include "render/renderer.h"

namespace vw {

struct LegendNumbers {
  std::string unit;               ///< "kPa"; empty: none
  std::string low, middle, high;  ///< at the ends and in the middle of the bar
};
[[nodiscard]] LegendNumbers numbers_of(const Legend& legend);
/// Kelvin and seconds are read without a prefix, as are units that begin with a number or a prefix of their own.
[[nodiscard]] bool takes_prefix(std::string_view unit);

}  // namespace vw
