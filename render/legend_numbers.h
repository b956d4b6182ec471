// What is written on a colour bar: the unit with the prefix that makes its numbers short, and the numbers themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/renderer.h"

namespace vw {

struct LegendNumbers {
  std::string unit;               ///< "kPa"; empty: none
  std::string low, middle, high;  ///< at the ends and in the middle of the bar
};
[[nodiscard]] LegendNumbers numbers_of(const Legend& legend);

/// What is written about arrows.
struct VectorWords {
  std::string title;               ///< "net force [N]"; empty: none
  std::string sample;              ///< beside an arrow: "0.5 m/s"
  std::string low, middle, high;   ///< at the ends and in the middle of the bar of colours; empty: there is no bar
  std::vector<std::string> notes;  ///< "300 of 2000 arrows", and what is to be known about their lengths
};
[[nodiscard]] VectorWords words_of(const VectorLegend& vectors);
/// Whether there is anything to say: some arrows have been drawn.
[[nodiscard]] bool says_something(const VectorLegend& vectors);

/// Kelvin and seconds are read without a prefix, as are units that begin with a number or a prefix of their own.
[[nodiscard]] bool takes_prefix(std::string_view unit);

}  // namespace vw
