// Light and background of the picture (ViewParams::environment), and the pattern of the floor. Both renderers use the
// same numbers. All colours are linear and include exposure and white balance. This file contains CPU data only, no GL
// objects.
#pragma once

#include <glm/glm.hpp>

#include "sim/snapshot/view.h"

namespace vw {

/// Factor of the light before the tone curve. It maps middle grey, 0.18, to itself.
inline constexpr float tone_gain = 0.72F;
/// Tone curve of both renderers, for linear colours: contrast in the shadows, and highlights that approach white
/// gradually (K. Narkowicz, "ACES filmic tone mapping curve", 2015). "Displayed colours" are its results.
[[nodiscard]] glm::vec3 shoulder(const glm::vec3& c);

struct LightEnvironment {
  glm::vec3 sun_light{0};     ///< light from the direction of the key light (sun_direction())
  glm::vec3 sky_light{0};     ///< light on a surface that faces upwards, without the key light
  glm::vec3 bounce_light{0};  ///< light on a surface that faces downwards
  /// Colours of the background at the horizon, in the zenith and in the nadir.
  glm::vec3 horizon{0}, zenith{0}, nadir{0};
  /// Factor of the displayed sRGB colour of the ground in the shadow of the key light. The simple quality tiers darken
  /// the finished ground by this factor.
  glm::vec3 shadow_factor{1};
  /// Tangent of the angular radius of the key light. The penumbra of a shadow is as wide as twice this number times the
  /// distance between the object and the surface.
  float softness = 0;
  FloorMaterial floor = FloorMaterial::plain;

  /// Colour of the background before the tone curve. `t`: signed square root of the vertical component of the unit
  /// view direction. The colour changes with |t| away from the horizon. At the horizon, it is smooth, so that there is
  /// no visible line.
  [[nodiscard]] glm::vec3 background(float t) const {
    const float share = 1.03F * (t < 0 ? -t : t) * t * t / (t * t + 0.03F);
    return glm::mix(horizon, t > 0 ? zenith : nadir, share < 1 ? share : 1.0F);
  }
  /// Fraction of the light on an unshaded floor that reaches a point. `sun`: fraction of sunlight; `open`: fraction of
  /// the sky that is visible there.
  [[nodiscard]] glm::vec3 floor_light(float sun, float open) const;
};
[[nodiscard]] LightEnvironment environment_of(const ViewParams& view);

/// Share of the horizon's colour in the ground at the distance `reach` from the eye, in units of
/// PlaneDrawing::fade_radius. The ground passes into the horizon as objects do in haze.
[[nodiscard]] float haze(float reach);

/// Pattern of a floor at a point of the plane [m]: factor of the ground's colour. `pixel_m`: size of a pixel on the
/// floor [m]. Details smaller than a pixel are replaced by their mean. `unit_m`: size of a tile or plank [m]. Version
/// of floor_pattern() in shaders/plane.frag.
[[nodiscard]] glm::vec3 floor_pattern(FloorMaterial floor, const glm::vec2& at, float pixel_m, float unit_m);
/// Mean of floor_pattern() over a large area.
[[nodiscard]] glm::vec3 floor_mean(FloorMaterial floor);

}  // namespace vw
