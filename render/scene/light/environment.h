// Light and background of the picture (ViewParams::environment), and the pattern of the floor. All renderers use the
// same numbers. All colours are linear and include exposure and white balance. This file contains CPU data only, no GL
// objects.
#pragma once

#include <glm/glm.hpp>

#include "sim/snapshot/view.h"

namespace vw {

/// Factor of the light before the tone curve. With this factor, the tone curve maps middle grey (0.18) to itself.
inline constexpr float tone_gain = 0.72F;
/// Tone curve of all renderers, for linear colours. It increases the contrast in the shadows, and highlights approach
/// white gradually (K. Narkowicz, "ACES filmic tone mapping curve", 2015). Comments call its results "displayed
/// colours".
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

  /// Colour of the background before the tone curve. `t`: signed square root of the vertical component of the unit view
  /// direction. Away from the horizon, the weight of the zenith or nadir is about |t|. At the horizon, the weight is
  /// smooth, so that no line is visible there.
  [[nodiscard]] glm::vec3 background(float t) const {
    const float share = 1.03F * (t < 0 ? -t : t) * t * t / (t * t + 0.03F);
    return glm::mix(horizon, t > 0 ? zenith : nadir, share < 1 ? share : 1.0F);
  }
  /// Returns the light on a horizontal floor. `sun`: fraction of the sunlight that reaches the floor. `open`: fraction
  /// of the sky that is visible from the floor.
  [[nodiscard]] glm::vec3 floor_light(float sun, float open) const;
};
/// Returns light and background of a view. The backgrounds `white` and `dark` do not depend on exposure and white
/// balance.
[[nodiscard]] LightEnvironment environment_of(const ViewParams& view);

/// Weight of the horizon's colour in the colour of the ground, which imitates haze. `reach`: distance from the point
/// below the eye, in units of PlaneDrawing::fade_radius.
[[nodiscard]] float haze(float reach);

/// Returns the factor by which the pattern of a floor changes the colour of the ground at the point `at` [m].
/// `pixel_m`: size of a pixel on the floor [m]. Details smaller than a pixel are replaced by their mean. `unit_m`: size
/// of a tile or plank [m]. shaders/plane.frag contains the same function.
[[nodiscard]] glm::vec3 floor_pattern(FloorMaterial floor, const glm::vec2& at, float pixel_m, float unit_m);
/// Mean of floor_pattern() over a large area.
[[nodiscard]] glm::vec3 floor_mean(FloorMaterial floor);

}  // namespace vw
