// Colour maps with perceptually even steps, and the value ranges that the maps span.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "sim/snapshot/view.h"

namespace vw {

/// 256 sRGB colours from low to high values.
using ColorMap = std::vector<glm::vec3>;
[[nodiscard]] const ColorMap& magnitude_map();  ///< from dark violet through teal to yellow
/// Blue for negative values, near-white for zero, and red for positive values.
[[nodiscard]] const ColorMap& signed_map();
[[nodiscard]] const ColorMap& speed_map();  ///< from dark magenta through red to pale yellow, for arrows and lines

/// Colour map of the given kind (ViewParams::color_map). For `automatic`, the function returns signed_map() if the
/// values have both signs, and magnitude_map() otherwise.
[[nodiscard]] const ColorMap& color_map(ColorMapKind kind, bool is_signed);
/// Returns a map with `levels` discrete colours. The first and the last colour are the ends of `map`. If `levels` is
/// below 2, the function returns `map`.
[[nodiscard]] ColorMap with_levels(const ColorMap& map, std::int64_t levels);

/// Encodes a linear colour as sRGB (IEC 61966-2-1). Components are clamped to [0, 1].
[[nodiscard]] glm::vec3 srgb_of(const glm::vec3& linear);
/// Decodes an sRGB colour. This function is the inverse of srgb_of() on [0, 1].
[[nodiscard]] glm::vec3 light_of(const glm::vec3& srgb);
/// Packs a colour into bytes, with red in the lowest byte and 255 in the highest byte.
[[nodiscard]] std::uint32_t pack_color(const glm::vec3& srgb);
/// Returns pack_color(srgb_of(linear)), using a lookup table.
[[nodiscard]] std::uint32_t pack_linear(const glm::vec3& linear);

/// Values at the low and the high end of a colour map.
struct ValueRange {
  float min = 0, max = 1;
};
/// Returns the range from the 2nd to the 98th percentile of the finite values. If `symmetric` is set, the range is
/// extended to be symmetric about zero. If all values are equal, the range extends from zero to the value. Without
/// finite values, the range is [0, 1]. Long arrays are sampled at a fixed stride. `scratch` is overwritten.
[[nodiscard]] ValueRange value_range(std::span<const float> values, bool symmetric, std::vector<float>& scratch);
/// Returns a range of positive values for a logarithmic scale. If the lower end of `range` is not positive, the result
/// extends over four decades below the upper end. If the upper end is not positive, the result is [1e-4, 1]. If both
/// ends are equal, the upper end is multiplied by 10.
[[nodiscard]] ValueRange logarithmic_range(ValueRange range);
/// Returns the quantile of `values` at the probability `part` in [0, 1], or 0 if there are no values. Reorders
/// `values`.
[[nodiscard]] float percentile(std::vector<float>& values, double part);

}  // namespace vw
