// Lighting of shaders/light.glsl in C++. All colours are linear. Displayed colours are colours after the tone curve
// shoulder().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <glm/glm.hpp>

#include "render/scene/light/environment.h"
#include "render/vectors/vectors.h"

namespace vw::soft {

/// Converts sRGB bytes to linear light with the polynomial of shaders/frame.glsl.
inline glm::vec3 unpack_linear(std::uint32_t color) {
  const auto part = [color](unsigned shift) {
    const float c = static_cast<float>(color >> shift & 0xFFU) / 255;
    return c * (c * (c * 0.305306011F + 0.682171111F) + 0.012522878F);
  };
  return {part(0), part(8), part(16)};
}

/// Material and geometry of a surface point.
struct LitPoint {
  glm::vec3 albedo{0}, normal{0, 1, 0}, to_eye{0, 1, 0};  ///< the directions are unit vectors
  float open = 1, gloss = 0, sun_share = 1;  ///< fraction of ambient light, weight of highlights, fraction of sunlight
};

/// Light that a surface point reflects to the eye, before the tone curve. `sun`: unit vector towards the key light.
inline glm::vec3 lit_with(const LitPoint& p, const glm::vec3& sun, const LightEnvironment& light) {
  // Wrapped diffuse lighting, which imitates soft materials.
  const float diffuse = std::clamp((glm::dot(p.normal, sun) + 0.22F) / 1.22F, 0.0F, 1.0F) * p.sun_share;
  const glm::vec3 ambient = glm::mix(light.bounce_light, light.sky_light, 0.5F + 0.5F * p.normal.y) * p.open;
  float rim = 1 - std::clamp(glm::dot(p.normal, p.to_eye), 0.0F, 1.0F);
  rim *= rim * rim;
  float shine = std::clamp(glm::dot(p.normal, glm::normalize(sun + p.to_eye)), 0.0F, 1.0F);
  for (int i = 0; i < 5; ++i) shine *= shine;
  const glm::vec3 c = p.albedo * (light.sun_light * (diffuse * (0.6F + 0.4F * p.open) * 0.52F) + ambient * 0.62F);
  return c + p.gloss * (light.sun_light * (shine * diffuse * 0.19F) + rim * p.open * light.sky_light * 0.22F);
}

/// Signed square root of the vertical component of a direction of any length, the argument of
/// LightEnvironment::background().
inline float sky_place(const glm::vec3& along) {
  const float height = along.y / glm::length(along);
  return std::copysign(std::sqrt(std::abs(height)), height);
}

}  // namespace vw::soft
