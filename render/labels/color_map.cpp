// Most colour maps are curves in the colour space Oklab (B. Ottosson, "A perceptual color space for image processing",
// 2020). Lightness is piecewise linear along a map. Hue and chroma were chosen by eye. If a colour lies outside the
// sRGB gamut, its chroma is reduced. The maps viridis, cividis and coolwarm are computed by published fits and formulas
// instead.
#include "render/labels/color_map.h"

#include <algorithm>
#include <array>
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

/// Value of a polynomial at t. The coefficients begin with the lowest power.
template <std::size_t N>
glm::vec3 polynomial(const std::array<glm::vec3, N>& coefficients, float t) {
  glm::vec3 sum(0);
  for (std::size_t k = N; k-- > 0;) sum = sum * t + coefficients[k];
  return glm::clamp(sum, 0.0F, 1.0F);
}

/// Colour map viridis (S. van der Walt, N. Smith, 2015, CC0). Fit of degree 6 by M. Zucker (2018, CC0), which differs
/// from the table by less than 1 % of the range of a channel.
glm::vec3 viridis_at(float t) {
  static constexpr std::array<glm::vec3, 7> fit{{{0.2777273272F, 0.0054073445F, 0.3340998053F},
                                                 {0.1050930431F, 1.4046135299F, 1.3845901626F},
                                                 {-0.3308618287F, 0.2148475595F, 0.0950951630F},
                                                 {-4.6342304990F, -5.7991009734F, -19.3324409563F},
                                                 {6.2282699363F, 14.1799333668F, 56.6905526007F},
                                                 {4.7763849977F, -13.7451453777F, -65.3530326334F},
                                                 {-5.4354558559F, 4.6458526122F, 26.3124352496F}}};
  return polynomial(fit, t);
}

/// Colour map cividis (J. Nunez, C. Anderton, R. Renslow, "Optimizing colormaps with consideration for color vision
/// deficiency to enable accurate interpretation of scientific data", 2018). Fit of degree 5 from d3-scale-chromatic (M.
/// Bostock, ISC licence).
glm::vec3 cividis_at(float t) {
  static constexpr std::array<glm::vec3, 6> fit{{{-4.54F, 32.49F, 81.24F},
                                                 {-35.34F, 170.73F, 442.36F},
                                                 {2381.73F, 52.82F, -2482.43F},
                                                 {-6402.7F, -131.46F, 6167.24F},
                                                 {7024.72F, 176.58F, -6614.94F},
                                                 {-2710.57F, -67.37F, 2475.67F}}};
  std::array<glm::vec3, 6> scaled = fit;
  for (glm::vec3& c : scaled) c /= 255.0F;
  return polynomial(scaled, t);
}

// CIELAB with the white point D65, as in Moreland's supplement.
constexpr glm::vec3 white_xyz{0.95047F, 1.0F, 1.08883F};

glm::vec3 lab_from_srgb(const glm::vec3& srgb) {
  const glm::vec3 c = light_of(srgb);
  const glm::vec3 xyz{0.4124564F * c.r + 0.3575761F * c.g + 0.1804375F * c.b,
                      0.2126729F * c.r + 0.7151522F * c.g + 0.0721750F * c.b,
                      0.0193339F * c.r + 0.1191920F * c.g + 0.9503041F * c.b};
  const auto f = [](float v) { return v > 0.008856F ? std::cbrt(v) : 7.787F * v + 16.0F / 116; };
  const glm::vec3 at{f(xyz.x / white_xyz.x), f(xyz.y / white_xyz.y), f(xyz.z / white_xyz.z)};
  return {116 * at.y - 16, 500 * (at.x - at.y), 200 * (at.y - at.z)};
}

glm::vec3 srgb_from_lab(const glm::vec3& lab) {
  const float y = (lab.x + 16) / 116, x = y + lab.y / 500, z = y - lab.z / 200;
  const auto f = [](float v) { return v * v * v > 0.008856F ? v * v * v : (v - 16.0F / 116) / 7.787F; };
  const glm::vec3 xyz = white_xyz * glm::vec3(f(x), f(y), f(z));
  return srgb_of(glm::clamp(glm::vec3(3.2404542F * xyz.x - 1.5371385F * xyz.y - 0.4985314F * xyz.z,
                                      -0.9692660F * xyz.x + 1.8760108F * xyz.y + 0.0415560F * xyz.z,
                                      0.0556434F * xyz.x - 0.2040259F * xyz.y + 1.0572252F * xyz.z),
                            0.0F, 1.0F));
}

/// One half of the colour map coolwarm (K. Moreland, "Diverging color maps for scientific visualization", 2009). The
/// colours are linear in Msh, the polar form of CIELAB, from an end colour to a white whose magnitude is at least 88.
/// `side`: 0 in the middle of the map, 1 at the end.
glm::vec3 half_of_coolwarm(const glm::vec3& end_srgb, float side) {
  const glm::vec3 lab = lab_from_srgb(end_srgb);
  const float m = glm::length(lab), s = std::acos(lab.x / m), h = std::atan2(lab.z, lab.y), middle = std::max(m, 88.0F);
  // Equation of AdjustHue() in the paper. The hue of the white end is rotated so that the colours between do not turn
  // purple.
  const float spin = s * std::sqrt(std::max(middle * middle - m * m, 0.0F)) / (m * std::sin(s));
  const float hue = h + (h > -3.14159265F / 3 ? spin : -spin) * (1 - side);
  const float reach = middle + side * (m - middle), tilt = side * s;
  return srgb_from_lab(reach *
                       glm::vec3(std::cos(tilt), std::sin(tilt) * std::cos(hue), std::sin(tilt) * std::sin(hue)));
}

glm::vec3 coolwarm_at(float t) {
  constexpr glm::vec3 cool{59.0F / 255, 76.0F / 255, 192.0F / 255}, warm{180.0F / 255, 4.0F / 255, 38.0F / 255};
  return half_of_coolwarm(t < 0.5F ? cool : warm, std::abs(2 * t - 1));
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

const ColorMap& color_map(ColorMapKind kind, bool is_signed) {
  static const ColorMap viridis = make_map(viridis_at), cividis = make_map(cividis_at),
                        coolwarm = make_map(coolwarm_at);
  switch (kind) {
    case ColorMapKind::viridis: return viridis;
    case ColorMapKind::cividis: return cividis;
    case ColorMapKind::coolwarm: return coolwarm;
    case ColorMapKind::automatic: break;
  }
  return is_signed ? signed_map() : magnitude_map();
}

ColorMap with_levels(const ColorMap& map, std::int64_t levels) {
  if (levels < 2) return map;
  ColorMap out(map.size());
  const auto count = static_cast<std::size_t>(levels);
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::size_t level = i * count / map.size();
    out[i] = map[level * (map.size() - 1) / (count - 1)];
  }
  return out;
}

ValueRange logarithmic_range(ValueRange range) {
  constexpr float decades = 1e4F;
  if (!(range.max > 0)) return {1 / decades, 1};
  if (!(range.min > 0)) range.min = range.max / decades;
  if (!(range.max > range.min)) range.max = 10 * range.min;
  return range;
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
