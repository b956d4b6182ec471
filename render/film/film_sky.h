// Environment of the path tracer: a sky whose radiance depends on the height above the horizon, and a sun of finite
// size. The light of the other renderers (render/scene/light/environment.h) approximates this environment.
#pragma once

#include <cmath>

#include <glm/glm.hpp>

#include "render/scene/light/environment.h"

namespace vw::film {

struct FilmSky {
  glm::vec3 horizon{0.72F, 0.775F, 0.83F};  ///< radiance at the horizon
  glm::vec3 zenith{0.105F, 0.235F, 0.47F};  ///< radiance at the zenith
  glm::vec3 nadir{0.446F, 0.465F, 0.481F};  ///< radiance straight below, where no ground hides it
  glm::vec3 sun_direction{0, 1, 0};         ///< unit vector towards the centre of the sun
  glm::vec3 sun_irradiance{0};              ///< irradiance on a surface that faces the sun
  float sun_radius_rad = 0.00465F;          ///< half the apparent diameter of the sun

  /// Radiance of the sky without the sun in a direction of unit length.
  [[nodiscard]] glm::vec3 radiance(const glm::vec3& direction) const {
    return glm::mix(horizon, direction.y > 0 ? zenith : nadir, std::sqrt(std::abs(direction.y)));
  }
  [[nodiscard]] bool has_sun() const { return sun_irradiance != glm::vec3(0); }
  /// 1 - cos(sun_radius_rad), without cancellation.
  [[nodiscard]] float sun_cap() const {
    const float s = std::sin(0.5F * sun_radius_rad);
    return 2 * s * s;
  }
  /// Solid angle of the sun [sr].
  [[nodiscard]] float sun_solid_angle() const { return 2 * 3.14159265F * sun_cap(); }
  [[nodiscard]] bool is_in_sun(const glm::vec3& direction) const {
    const glm::vec3 off = direction - sun_direction;  // |off|^2 = 2 (1 - cos)
    return has_sun() && glm::dot(off, off) < 2 * sun_cap();
  }
  [[nodiscard]] glm::vec3 sun_radiance() const { return sun_irradiance / sun_solid_angle(); }
};

/// Returns the sky and the sun for an environment of the other renderers. `sun`: unit vector towards the key light.
[[nodiscard]] FilmSky film_sky(const LightEnvironment& light, const glm::vec3& sun);

}  // namespace vw::film
