#include "render/scene/light/environment.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/labels/color_map.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Linear sRGB colour of a black body. The chromaticity follows B. Kang et al., "Design of advanced color temperature
/// control system for HDTV applications", 2002.
glm::vec3 black_body(double kelvin) {
  const double t = 1000 / kelvin;
  const double x = kelvin < 4000 ? -0.2661239 * t * t * t - 0.2343589 * t * t + 0.8776956 * t + 0.179910
                                 : -3.0258469 * t * t * t + 2.1070379 * t * t + 0.2226347 * t + 0.240390;
  const double y = kelvin < 4000 ? -0.9549476 * x * x * x - 1.37418593 * x * x + 2.09137015 * x - 0.16748867
                                 : 3.0817580 * x * x * x - 5.87338670 * x * x + 3.75112997 * x - 0.37001483;
  const glm::dvec3 xyz(x / y, 1, (1 - x - y) / y);
  return {static_cast<float>(3.2406 * xyz.x - 1.5372 * xyz.y - 0.4986 * xyz.z),
          static_cast<float>(-0.9689 * xyz.x + 1.8758 * xyz.y + 0.0415 * xyz.z),
          static_cast<float>(0.0557 * xyz.x - 0.2040 * xyz.y + 1.0570 * xyz.z)};
}

/// Factor of all light for exposure and white balance. It is 1 for the default view.
glm::vec3 light_factor(const ViewParams& view) {
  constexpr double neutral_k = 6500;
  const auto gain = static_cast<float>(std::exp2(view.exposure));
  if (view.white_balance_k == neutral_k) return glm::vec3(gain);
  const glm::vec3 ratio = black_body(neutral_k) / glm::max(black_body(view.white_balance_k), 0.02F);
  return ratio * (gain / glm::dot(ratio, glm::vec3(0.2126F, 0.7152F, 0.0722F)));
}

LightEnvironment lights_of(EnvironmentKind kind) {
  LightEnvironment e;
  switch (kind) {
    case EnvironmentKind::sky:
      e.sun_light = glm::vec3(1.0F, 0.945F, 0.86F) * 2.5F;
      e.sky_light = glm::vec3(0.57F, 0.69F, 0.90F) * 0.70F;
      e.bounce_light = glm::vec3(0.46F, 0.42F, 0.38F) * 0.58F;
      e.horizon = {0.60F, 0.685F, 0.79F};
      e.zenith = {0.10F, 0.235F, 0.50F};
      e.nadir = {0.43F, 0.465F, 0.50F};
      e.softness = 0.02F;  // the value of the sun, 0.005, would be too sharp for the shadow maps
      break;
    case EnvironmentKind::studio:
      e.sun_light = glm::vec3(1.0F, 0.97F, 0.93F) * 2.6F;
      e.sky_light = glm::vec3(0.80F, 0.85F, 0.92F) * 0.66F;
      e.bounce_light = glm::vec3(0.55F, 0.56F, 0.60F) * 0.55F;
      e.horizon = {0.36F, 0.37F, 0.385F};
      e.zenith = {0.085F, 0.09F, 0.10F};
      e.nadir = {0.52F, 0.525F, 0.53F};
      e.softness = 0.07F;
      break;
    case EnvironmentKind::overcast:
      e.sun_light = glm::vec3(0.95F, 0.97F, 1.0F) * 1.05F;
      e.sky_light = glm::vec3(0.86F, 0.91F, 0.97F) * 1.35F;
      e.bounce_light = glm::vec3(0.46F, 0.45F, 0.44F) * 0.80F;
      e.horizon = {0.74F, 0.77F, 0.80F};
      e.zenith = {0.42F, 0.46F, 0.50F};
      e.nadir = {0.40F, 0.41F, 0.42F};
      e.softness = 0.14F;
      break;
    case EnvironmentKind::white:
      e.sun_light = glm::vec3(1.0F, 0.985F, 0.97F) * 2.1F;
      e.sky_light = glm::vec3(0.95F, 0.97F, 1.0F) * 0.92F;
      e.bounce_light = glm::vec3(0.95F, 0.96F, 0.98F) * 0.60F;
      e.horizon = e.zenith = e.nadir = glm::vec3(10.5F);  // the tone curve maps this to 1
      e.softness = 0.09F;
      break;
    case EnvironmentKind::dark:
      e = lights_of(EnvironmentKind::studio);
      e.horizon = e.zenith = e.nadir = {0.0217F, 0.0232F, 0.0269F};  // displayed as (0.08, 0.086, 0.1)
      break;
    case EnvironmentKind::night:
      e.sun_light = glm::vec3(0.48F, 0.60F, 0.86F) * 0.62F;
      e.sky_light = glm::vec3(0.28F, 0.38F, 0.66F) * 0.22F;
      e.bounce_light = glm::vec3(0.25F, 0.27F, 0.36F) * 0.12F;
      e.horizon = {0.030F, 0.042F, 0.075F};
      e.zenith = {0.004F, 0.007F, 0.020F};
      e.nadir = {0.014F, 0.018F, 0.028F};
      e.softness = 0.02F;
      break;
  }
  return e;
}

/// Converts whole numbers to integers. Numbers that are too large, far away on the floor, are limited.
glm::ivec2 floor_cell(const glm::vec2& whole) { return glm::ivec2(glm::clamp(whole, -1e9F, 1e9F)); }

float random_at(const glm::ivec2& cell) {
  std::uint32_t h = static_cast<std::uint32_t>(cell.x) * 374761393U + static_cast<std::uint32_t>(cell.y) * 668265263U;
  h = (h ^ h >> 13U) * 1274126177U;
  return static_cast<float>((h ^ h >> 16U) & 0xFFFFU) / 65535;
}

/// Noise in [-0.5, 0.5], interpolated between random values at integer points. `px`: width of a pixel. The noise fades
/// to zero if pixels are too wide to resolve it.
float value_noise(const glm::vec2& p, float px) {
  const float keep = 1 - smooth_step(0.4F, 1.2F, px);
  if (keep <= 0) return 0;
  const glm::vec2 base = glm::floor(p), f = p - base, s = f * f * (3.0F - 2.0F * f);
  const glm::ivec2 cell = floor_cell(base);
  const float low = glm::mix(random_at(cell), random_at(cell + glm::ivec2(1, 0)), s.x),
              high = glm::mix(random_at(cell + glm::ivec2(0, 1)), random_at(cell + glm::ivec2(1, 1)), s.x);
  return keep * (glm::mix(low, high, s.y) - 0.5F);
}

float cloudy_noise(glm::vec2 p, float px) {
  float sum = 0, size = 1;
  for (int octave = 0; octave < 4; ++octave) {
    sum += size * value_noise(p, px);
    p = glm::vec2(1.6F * p.x + 1.2F * p.y, 1.6F * p.y - 1.2F * p.x) + 7.0F;  // rotated and scaled by 2
    px *= 2;
    size *= 0.5F;
  }
  return sum;
}

/// Darkness of the joints between tiles of unit size, from 0 to 1. `width`: width of a joint. `px`: width of a pixel.
float joint(float at, float width, float px) {
  const float from_joint = 0.5F - std::abs(at - std::floor(at) - 0.5F), wide = std::max(width, px);
  return (1 - smooth_step(0.5F * wide, wide, from_joint)) * std::min(width / wide, 1.0F);
}

constexpr glm::vec3 wood_light(1.30F, 1.0F, 0.70F), wood_dark(1.0F, 0.70F, 0.44F), concrete_color(1.0F, 0.985F, 0.96F),
    sand_color(1.16F, 1.0F, 0.74F), grass_color(0.52F, 0.86F, 0.26F);
constexpr float checker_mean = 0.86F, checker_contrast = 0.22F;

glm::vec3 wood_at(const glm::vec2& q, float px) {
  const float row = std::floor(2 * q.y), along = 0.28F * q.x + 0.7F * random_at(floor_cell({row, 17}));
  const float shade = random_at(floor_cell({std::floor(along), row})), keep = 1 - smooth_step(0.3F, 1, 2 * px);
  const float grain = cloudy_noise({2.2F * q.x + 9 * shade, 26 * q.y}, 26 * px);
  const float gap = std::max(joint(2 * q.y, 0.03F, 2 * px), joint(along, 0.008F, 0.28F * px));
  return glm::mix(wood_dark, wood_light, std::clamp(0.5F + keep * (0.7F * (shade - 0.5F)) + 0.5F * grain, 0.0F, 1.0F)) *
         (1 - 0.55F * gap);
}

}  // namespace

glm::vec3 shoulder(const glm::vec3& c) {
  const glm::vec3 x = tone_gain * c;
  return glm::clamp(x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F), 0.0F, 1.0F);
}

glm::vec3 LightEnvironment::floor_light(float sun, float open) const {
  return sun_light * (0.447F * sun * (0.45F + 0.55F * open)) + sky_light * (0.62F * open);
}

LightEnvironment environment_of(const ViewParams& view) {
  LightEnvironment e = lights_of(view.environment);
  const glm::vec3 factor = light_factor(view);
  for (glm::vec3* light : {&e.sun_light, &e.sky_light, &e.bounce_light}) *light *= factor;
  // The colours of plain backgrounds do not depend on the exposure.
  const bool is_plain = view.environment == EnvironmentKind::white || view.environment == EnvironmentKind::dark;
  if (!is_plain)
    for (glm::vec3* light : {&e.horizon, &e.zenith, &e.nadir}) *light *= factor;
  e.floor = is_plain && view.floor == FloorMaterial::plain ? FloorMaterial::sweep : view.floor;
  constexpr float typical_albedo = 0.5F;
  e.shadow_factor = srgb_of(shoulder(typical_albedo * e.floor_light(0, 1))) /
                    glm::max(srgb_of(shoulder(typical_albedo * e.floor_light(1, 1))), 1e-3F);
  return e;
}

float haze(float reach) { return 1 - std::exp(-3 * reach * reach); }

glm::vec3 floor_pattern(FloorMaterial floor, const glm::vec2& at, float pixel_m, float unit_m) {
  const glm::vec2 q = at / unit_m;
  const float px = pixel_m / unit_m;
  switch (floor) {
    case FloorMaterial::plain:
    case FloorMaterial::sweep: break;
    case FloorMaterial::checker: {
      const auto side = [px](float x) {
        const float t = 0.5F * x;
        return std::clamp(4 * (std::abs(t - std::floor(t) - 0.5F) - 0.25F) / std::max(px, 1e-4F), -1.0F, 1.0F);
      };
      return glm::vec3(checker_mean + checker_contrast * side(q.x) * side(q.y) * (1 - smooth_step(0.3F, 1, px)));
    }
    case FloorMaterial::wood: return wood_at(q, px);
    case FloorMaterial::concrete:
      return concrete_color *
             ((1 + 0.16F * cloudy_noise(1.7F * q, 1.7F * px) + 0.10F * value_noise(31.0F * q, 31 * px)) *
              (1 - 0.35F * std::max(joint(0.25F * q.x, 0.006F, 0.25F * px), joint(0.25F * q.y, 0.006F, 0.25F * px))));
    case FloorMaterial::sand:
      return sand_color * (1 + 0.28F * cloudy_noise(3.1F * q, 3.1F * px) + 0.35F * value_noise(63.0F * q, 63 * px));
    case FloorMaterial::grass:
      return grass_color *
             (1 + 0.45F * cloudy_noise(2.3F * q, 2.3F * px) + 0.75F * value_noise(glm::vec2(47, 39) * q, 43 * px));
  }
  return glm::vec3(1);
}

glm::vec3 floor_mean(FloorMaterial floor) {
  switch (floor) {
    case FloorMaterial::plain:
    case FloorMaterial::sweep: break;
    case FloorMaterial::checker: return glm::vec3(checker_mean);
    case FloorMaterial::wood: return 0.5F * (wood_light + wood_dark);
    case FloorMaterial::concrete: return concrete_color;
    case FloorMaterial::sand: return sand_color;
    case FloorMaterial::grass: return grass_color;
  }
  return glm::vec3(1);
}

}  // namespace vw
