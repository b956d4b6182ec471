// Maps of the sun's shadow: up to three squares across the light, each inside the next larger one. The finest map
// covers what the camera shows near its target, the largest one the surroundings. Sizes and places are rounded, so that
// the texels of the maps stay where they are in the world while the camera or an object moves. Both renderers draw and
// read these maps. This file contains CPU data only, no GL objects.
#pragma once

#include <array>
#include <cstddef>

#include <glm/glm.hpp>

#include "render/camera.h"

namespace vw {

struct ShadowMaps {
  static constexpr std::size_t most = 3;
  /// Half width of the part of a map that is used in place of the next larger map, and the width of the border within
  /// which the larger map replaces it gradually, as fractions of the map's width.
  static constexpr float used = 0.46F, blend = 0.06F;

  /// Transformation from the world to the clip space of the surroundings, a square of twice `radius_m` across the
  /// light.
  glm::mat4 clip{1};
  float radius_m = 1;
  /// Place in each map, finest first: xy of a point in the surroundings, both in [0, 1], times x, plus yz. Depths are
  /// the same in all maps.
  std::array<glm::vec4, most> level{};
  std::size_t count = 1;
  /// Radius within which shadows look for objects near the line of sight to the sun, in units of `radius_m`. It follows
  /// the scene near the target, so that distant objects do not make shadows there coarser.
  float search = 1;

  [[nodiscard]] glm::mat4 level_clip(std::size_t which) const;
  /// Distance from a surface at which its shadow is sampled [m], about the width of the filter, for a map of `size_px`
  /// texels per side that covers the surroundings. Divide by `level[k].x` for the other maps.
  [[nodiscard]] float offset_m(int size_px) const { return 6 * radius_m / static_cast<float>(size_px); }
  /// Number of texels per metre in the finest map.
  [[nodiscard]] float texels_per_m(int size_px) const {
    return 0.5F * static_cast<float>(size_px) * level[0].x / radius_m;
  }
};

/// Part of a box within `reach` distances of the camera's target, or the whole box if no part of it is there.
[[nodiscard]] Bounds3 near_target(const Bounds3& box, const Camera& camera, float reach);
/// Fits the maps to the objects in `scene` and to the picture of a camera.
[[nodiscard]] ShadowMaps fit_shadow_maps(const Bounds3& scene, const Camera& camera, float aspect);
/// Unit vector towards the sun.
[[nodiscard]] glm::vec3 sun_direction();

}  // namespace vw
