// Perceptual colour maps of our own, drawn in Oklab, and the range of values that they span.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vw {

/// 256 sRGB colours from low to high with even steps in lightness.
using ColorMap = std::vector<glm::vec3>;
[[nodiscard]] const ColorMap& magnitude_map();  ///< dark violet over teal to yellow
[[nodiscard]] const ColorMap& signed_map();     ///< blue over near-white to red
[[nodiscard]] const ColorMap& speed_map();      ///< arrows: dark magenta over red to pale yellow

[[nodiscard]] glm::vec3 srgb_of(const glm::vec3& linear);
/// The inverse of srgb_of(), exactly.
[[nodiscard]] glm::vec3 light_of(const glm::vec3& srgb);
[[nodiscard]] std::uint32_t pack_color(const glm::vec3& srgb);
/// srgb_of() and pack_color() in one, from a table.
[[nodiscard]] std::uint32_t pack_linear(const glm::vec3& linear);

struct ValueRange {
  float min = 0, max = 1;
};
/// 2nd to 98th percentile; about zero when `symmetric`. Long arrays are sampled with a fixed stride. `scratch` is reused.
[[nodiscard]] ValueRange value_range(std::span<const float> values, bool symmetric, std::vector<float>& scratch);
/// The value below which the share `part` of all lie (reorders `values`).
[[nodiscard]] float percentile(std::vector<float>& values, double part);

}  // namespace vw
