#include "render/labels/legend_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace vw {
namespace {

struct Prefix {
  float factor;
  const char* symbol;
};

Prefix prefix_for(float largest) {
  constexpr auto prefixes =
      std::to_array<Prefix>({{1e9F, "G"}, {1e6F, "M"}, {1e3F, "k"}, {1, ""}, {1e-3F, "m"}, {1e-6F, "\xC2\xB5"}});
  if (largest == 0) return {1, ""};
  for (const Prefix& prefix : prefixes)
    if (largest >= 0.9995F * prefix.factor) return prefix;
  return {1e-9F, "n"};
}

/// Text such as "0.5 m/s" or "20 kN". An SI prefix is used for magnitudes below 1e-3 and from 1e4 on.
std::string quantity(float value, const std::string& unit) {
  const float size = std::abs(value);
  const Prefix prefix =
      takes_prefix(unit) && size > 0 && (size < 1e-3F || size >= 1e4F) ? prefix_for(size) : Prefix{1, ""};
  return fmt::format("{:.3g}{}{}{}", value / prefix.factor, unit.empty() ? "" : " ", prefix.symbol, unit);
}

void write_bar(const VectorLegend& vectors, VectorWords& words) {
  const bool logarithmic = vectors.length == VectorLength::logarithmic;
  const auto at = [&](float share) {
    return logarithmic ? vectors.range * std::pow(10.0F, vectors.decades * (share - 1)) : vectors.range * share;
  };
  words.low = fmt::format("{:.3g}", at(0));
  words.middle = fmt::format("{:.3g}", at(0.5F));
  words.high = quantity(at(1), vectors.unit);
}

}  // namespace

VectorWords legend_texts(const VectorLegend& vectors) {
  VectorWords words;
  if (!vectors.title.empty())
    words.title = spaced(vectors.title) + (vectors.unit.empty() ? "" : " [" + vectors.unit + "]");
  words.sample = vectors.length == VectorLength::constant ? "any value" : quantity(vectors.speed, vectors.unit);
  if (vectors.color == VectorColor::magnitude) write_bar(vectors, words);
  words.notes.push_back(vectors.arrows < vectors.elements
                            ? fmt::format("{} of {} arrows", vectors.arrows, vectors.elements)
                            : fmt::format("{} arrows", vectors.arrows));
  if (vectors.length == VectorLength::logarithmic)
    words.notes.push_back(fmt::format("logarithmic: none below {}",
                                      quantity(vectors.range * std::pow(10.0F, -vectors.decades), vectors.unit)));
  if (vectors.clipped > 0)
    words.notes.push_back(fmt::format("{} {} shortened to {}, largest value {}", vectors.clipped,
                                      vectors.clipped == 1 ? "arrow" : "arrows", quantity(vectors.clamp, vectors.unit),
                                      quantity(vectors.max_speed, vectors.unit)));
  return words;
}

bool has_content(const VectorLegend& vectors) { return vectors.shown && vectors.speed > 0 && vectors.arrow_px > 0; }

bool takes_prefix(std::string_view unit) {
  constexpr auto units = std::to_array<std::string_view>({"Pa", "J", "N", "m", "m/s"});
  return std::find(units.begin(), units.end(), unit) != units.end();
}

LegendNumbers numbers_of(const Legend& legend) {
  if (legend.title == "contact" || legend.title.ends_with(": contact")) return {"", "free", "", "touching"};
  const Prefix prefix =
      takes_prefix(legend.unit) ? prefix_for(std::max(std::abs(legend.min), std::abs(legend.max))) : Prefix{1, ""};
  // Values below 1e-4 of the range are rounding errors and are written as zero.
  const float span = legend.max - legend.min;
  const auto number = [&](float v) {
    return fmt::format("{:.3g}", std::abs(v) < 1e-4F * span ? 0.0F : v / prefix.factor);
  };
  if (legend.logarithmic) {
    const auto exact = [&](float v) { return fmt::format("{:.3g}", v / prefix.factor); };
    return {prefix.symbol + legend.unit, exact(legend.min), exact(std::sqrt(legend.min * legend.max)),
            exact(legend.max)};
  }
  return {prefix.symbol + legend.unit, number(legend.min), number(0.5F * (legend.min + legend.max)),
          number(legend.max)};
}

}  // namespace vw
