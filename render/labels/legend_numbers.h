// Texts of colour bars and arrow legends: units with SI prefixes, and rounded numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/renderer.h"

namespace vw {

struct LegendNumbers {
  std::string unit;               ///< unit with prefix, such as "kPa"; may be empty
  std::string low, middle, high;  ///< labels at the low end, the middle and the high end of the bar
};
[[nodiscard]] LegendNumbers numbers_of(const Legend& legend);

/// Texts of an arrow legend.
struct VectorWords {
  std::string title;   ///< title, such as "net force [N]"; may be empty
  std::string sample;  ///< label of the sample arrow, such as "0.5 m/s"
  /// Labels at the low end, the middle and the high end of the colour bar. If they are empty, there is no bar.
  std::string low, middle, high;
  std::vector<std::string> notes;  ///< remarks, such as "300 of 2000 arrows", and remarks on the lengths
};
[[nodiscard]] VectorWords legend_texts(const VectorLegend& vectors);
/// Whether the legend has content, that is, whether arrows have been drawn.
[[nodiscard]] bool has_content(const VectorLegend& vectors);

/// Whether labels may put an SI prefix before the unit. This is true for Pa, J, N, m and m/s, and false for all other
/// units.
[[nodiscard]] bool takes_prefix(std::string_view unit);

}  // namespace vw
