// Lighting and tone mapping of shaders/frame.glsl and light.glsl in C++. All colours are linear. Displayed colours are
// colours after the tone curve shoulder().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <glm/glm.hpp>

#include "render/vectors/vectors.h"

namespace vw::soft {

inline constexpr glm::vec3 sun_light = glm::vec3(1.0F, 0.955F, 0.88F) * 2.05F;
inline constexpr glm::vec3 sky_light = glm::vec3(0.60F, 0.70F, 0.86F) * 0.92F;
inline constexpr glm::vec3 bounce_light = glm::vec3(0.46F, 0.42F, 0.38F) * 0.62F;
inline constexpr glm::vec3 horizon_color{0.72F, 0.775F, 0.83F};
inline constexpr glm::vec3 zenith_color{0.105F, 0.235F, 0.47F};
inline constexpr glm::vec3 nadir_color = horizon_color * glm::vec3(0.62F, 0.60F, 0.58F);

/// Converts sRGB bytes to linear light with the polynomial of shaders/frame.glsl.
inline glm::vec3 unpack_linear(std::uint32_t color) {
  const auto part = [color](unsigned shift) {
    const float c = static_cast<float>(color >> shift & 0xFFU) / 255;
    return c * (c * (c * 0.305306011F + 0.682171111F) + 0.012522878F);
  };
  return {part(0), part(8), part(16)};
}

/// Tone curve with a soft shoulder. Mid tones are almost unchanged.
inline glm::vec3 shoulder(const glm::vec3& c) {
  return glm::clamp(c * (1.0F + c * 0.12F) / (1.0F + 0.62F * c), 0.0F, 1.0F);
}

/// Material and geometry of a surface point.
struct LitPoint {
  glm::vec3 albedo{0}, normal{0, 1, 0}, to_eye{0, 1, 0};  ///< the directions are unit vectors
  float open = 1, gloss = 0, sun_share = 1;
};

inline glm::vec3 lit_with(const LitPoint& p, const glm::vec3& sun) {
  // Wrapped diffuse lighting, which imitates soft materials.
  const float diffuse = std::clamp((glm::dot(p.normal, sun) + 0.22F) / 1.22F, 0.0F, 1.0F) * p.sun_share;
  const glm::vec3 ambient = glm::mix(bounce_light, sky_light, 0.5F + 0.5F * p.normal.y) * p.open;
  float rim = 1 - std::clamp(glm::dot(p.normal, p.to_eye), 0.0F, 1.0F);
  rim *= rim * rim;
  float shine = std::clamp(glm::dot(p.normal, glm::normalize(sun + p.to_eye)), 0.0F, 1.0F);
  for (int i = 0; i < 5; ++i) shine *= shine;
  const glm::vec3 c = p.albedo * (sun_light * (diffuse * (0.6F + 0.4F * p.open) * 0.52F) + ambient * 0.62F);
  return c + p.gloss * (glm::vec3(shine * diffuse * 0.42F) + rim * p.open * sky_light * 0.22F);
}

/// Colour of the sky. `t`: signed square root of the vertical component of the unit view direction.
inline glm::vec3 sky_at(float t) {
  return shoulder(glm::mix(horizon_color, t > 0 ? zenith_color : nadir_color, std::abs(t)));
}

/// Colour of the sky in a direction of any length.
inline glm::vec3 sky_color(const glm::vec3& along) {
  const float height = along.y / glm::length(along);
  return sky_at(std::copysign(std::sqrt(std::abs(height)), height));
}

}  // namespace vw::soft
