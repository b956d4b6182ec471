// Colour maps as paths in Oklab (B. Ottosson, "A perceptual color space for image processing", 2020). Lightness is
// linear along the map. Hue and chroma were chosen by eye. Where a colour lies outside the sRGB gamut, its chroma is
// reduced.
#include "render/labels/color_map.h"

#include <algorithm>
#include <cmath>

#include "render/software/encode.h"

namespace vw {
namespace {

constexpr std::size_t steps = 256;

glm::vec3 linear_from_oklab(float lightness, float chroma, float hue_rad) {
  const float a = chroma * std::cos(hue_rad), b = chroma * std::sin(hue_rad);
  const float l = lightness + 0.3963377774F * a + 0.2158037573F * b;
  const float m = lightness - 0.1055613458F * a - 0.0638541728F * b;
  const float s = lightness - 0.0894841775F * a - 1.2914855480F * b;
  const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  return {4.0767416621F * l3 - 3.3077115913F * m3 + 0.2309699292F * s3,
          -1.2684380046F * l3 + 2.6097574011F * m3 - 0.3413193965F * s3,
          -0.0041960863F * l3 - 0.7034186147F * m3 + 1.7076147010F * s3};
}

glm::vec3 srgb_from_oklab(float lightness, float chroma, float hue_rad) {
  const auto fits = [&](float c) {
    const glm::vec3 color = linear_from_oklab(lightness, c, hue_rad);
    return std::min({color.x, color.y, color.z}) >= 0 && std::max({color.x, color.y, color.z}) <= 1;
  };
  // Bisect for the chroma at the boundary of the sRGB gamut. A coarser search would stop at different values for
  // adjacent colours and cause visible stripes.
  float low = 0, high = chroma;
  if (fits(chroma)) low = chroma;
  for (int i = 0; i < 20 && low < high; ++i) (fits(0.5F * (low + high)) ? low : high) = 0.5F * (low + high);
  return srgb_of(glm::clamp(linear_from_oklab(lightness, low, hue_rad), 0.0F, 1.0F));
}

template <class F>
ColorMap make_map(F color) {
  ColorMap map(steps);
  for (std::size_t i = 0; i < steps; ++i) map[i] = color(static_cast<float>(i) / static_cast<float>(steps - 1));
  return map;
}

}  // namespace

glm::vec3 srgb_of(const glm::vec3& linear) {
  const auto curve = [](float c) {
    c = std::clamp(c, 0.0F, 1.0F);
    return c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1 / 2.4F) - 0.055F;
  };
  return {curve(linear.x), curve(linear.y), curve(linear.z)};
}

glm::vec3 light_of(const glm::vec3& srgb) {
  const auto curve = [](float c) { return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F); };
  return {curve(srgb.x), curve(srgb.y), curve(srgb.z)};
}

std::uint32_t pack_color(const glm::vec3& srgb) {
  const auto byte = [](float c) { return static_cast<std::uint32_t>(std::clamp(c, 0.0F, 1.0F) * 255 + 0.5F); };
  return byte(srgb.x) | byte(srgb.y) << 8U | byte(srgb.z) << 16U | 0xFF000000U;
}

std::uint32_t pack_linear(const glm::vec3& linear) {
  static const soft::SrgbEncoder encode;
  return encode(linear.x) | static_cast<std::uint32_t>(encode(linear.y)) << 8U |
         static_cast<std::uint32_t>(encode(linear.z)) << 16U | 0xFF000000U;
}

const ColorMap& magnitude_map() {
  static const ColorMap map = make_map([](float t) {
    return srgb_from_oklab(0.30F + 0.62F * t, 0.125F + 0.05F * std::sin(3.1416F * t), glm::radians(308 - 205 * t));
  });
  return map;
}

const ColorMap& signed_map() {
  static const ColorMap map = make_map([](float t) {
    const float side = std::abs(2 * t - 1);
    return srgb_from_oklab(0.94F - 0.46F * side, 0.19F * std::pow(side, 0.85F),
                           t < 0.5F ? glm::radians(258.0F) : glm::radians(27.0F));
  });
  return map;
}

const ColorMap& speed_map() {
  static const ColorMap map =
      make_map([](float t) { return srgb_from_oklab(0.42F + 0.46F * t, 0.19F, glm::radians(-15 + 105 * t)); });
  return map;
}

float percentile(std::vector<float>& values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

ValueRange value_range(std::span<const float> values, bool symmetric, std::vector<float>& scratch) {
  constexpr std::size_t most = 20000;
  const std::size_t stride = values.size() / most + 1;
  scratch.clear();
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (std::isfinite(values[i])) scratch.push_back(values[i]);
  if (scratch.empty()) return {};
  ValueRange range{percentile(scratch, 0.02), 0};
  range.max = percentile(scratch, 0.98);
  if (symmetric) {
    range.max = std::max(std::abs(range.min), std::abs(range.max));
    range.min = -range.max;
  }
  if (range.max - range.min < 1e-6F * std::max(std::abs(range.min), std::abs(range.max)) || range.max == range.min) {
    // All values are equal. Choose a range from zero to the value.
    if (range.max == 0) return {symmetric ? -1.0F : 0.0F, 1};
    return range.max > 0 ? ValueRange{symmetric ? -range.max : 0, range.max} : ValueRange{range.min, 0};
  }
  return range;
}

}  // namespace vw
