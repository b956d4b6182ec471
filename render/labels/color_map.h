// Perceptual colour maps defined in the Oklab colour space, and the value ranges that the maps span.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "sim/snapshot/view.h"

namespace vw {

/// 256 sRGB colours from low to high values, with equal steps in lightness.
using ColorMap = std::vector<glm::vec3>;
[[nodiscard]] const ColorMap& magnitude_map();  ///< dark violet over teal to yellow
[[nodiscard]] const ColorMap& signed_map();     ///< blue for negative, near-white for zero and red for positive values
[[nodiscard]] const ColorMap& speed_map();      ///< for arrows and lines: dark magenta over red to pale yellow

/// Map by name (ViewParams::color_map). `automatic` is signed_map() for values of both signs and magnitude_map() for
/// others.
[[nodiscard]] const ColorMap& color_map(ColorMapKind kind, bool is_signed);
/// Divides a map into `levels` discrete colours from end to end. A number below 2 returns the map itself.
[[nodiscard]] ColorMap with_levels(const ColorMap& map, std::int64_t levels);

[[nodiscard]] glm::vec3 srgb_of(const glm::vec3& linear);
/// Exact inverse of srgb_of().
[[nodiscard]] glm::vec3 light_of(const glm::vec3& srgb);
[[nodiscard]] std::uint32_t pack_color(const glm::vec3& srgb);
/// Returns pack_color(srgb_of(linear)), using a lookup table.
[[nodiscard]] std::uint32_t pack_linear(const glm::vec3& linear);

struct ValueRange {
  float min = 0, max = 1;
};
/// Returns the range from the 2nd to the 98th percentile of the finite values. If `symmetric` is set, the range is
/// extended to be symmetric about zero. Long arrays are sampled at a fixed stride. `scratch` is overwritten.
[[nodiscard]] ValueRange value_range(std::span<const float> values, bool symmetric, std::vector<float>& scratch);
/// Logarithmic scale of a colour range. If the lower end is not positive, the scale covers four decades below the upper
/// end, and if the upper end is not positive either, the range [1e-4, 1].
[[nodiscard]] ValueRange logarithmic_range(ValueRange range);
/// Returns the quantile of `values` at the probability `part` in [0, 1], or 0 if there are no values. Reorders
/// `values`.
[[nodiscard]] float percentile(std::vector<float>& values, double part);

}  // namespace vw
