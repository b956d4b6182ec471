// What is written on a colour bar: the unit with the prefix that makes its numbers short, and the numbers themselves.
#pragma once

#include <string>

#include "render/renderer.h"

namespace vw {

struct LegendNumbers {
  std::string unit;               ///< "kPa"; empty: none
  std::string low, middle, high;  ///< at the ends and in the middle of the bar
};
[[nodiscard]] LegendNumbers numbers_of(const Legend& legend);

}  // namespace vw
