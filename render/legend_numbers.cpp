#include "render/legend_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

struct Prefix {
  float factor;
  const char* symbol;
};

Prefix prefix_for(float largest) {
  constexpr std::array<Prefix, 6> prefixes{{{1e9F, "G"}, {1e6F, "M"}, {1e3F, "k"}, {1, ""}, {1e-3F, "m"}, {1e-6F, "\xC2\xB5"}}};
  if (largest == 0) return {1, ""};
  for (const Prefix& prefix : prefixes)
    if (largest >= 0.9995F * prefix.factor) return prefix;
  return {1e-9F, "n"};
}

}  // namespace

bool takes_prefix(std::string_view unit) {
  constexpr std::array<std::string_view, 5> units{"Pa", "J", "N", "m", "m/s"};
  return std::find(units.begin(), units.end(), unit) != units.end();
}

LegendNumbers numbers_of(const Legend& legend) {
  if (legend.title == "contact" || legend.title.ends_with(": contact")) return {"", "free", "", "touching"};
  const Prefix prefix = takes_prefix(legend.unit) ? prefix_for(std::max(std::abs(legend.min), std::abs(legend.max))) : Prefix{1, ""};
  // What is a rounding error of the range is zero to a reader.
  const float span = legend.max - legend.min;
  const auto number = [&](float v) { return fmt::format("{:.3g}", std::abs(v) < 1e-4F * span ? 0.0F : v / prefix.factor); };
  return {prefix.symbol + legend.unit, number(legend.min), number(0.5F * (legend.min + legend.max)), number(legend.max)};
}

}  // namespace vw
