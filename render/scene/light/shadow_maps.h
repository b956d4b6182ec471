// Shadow maps of the sun: up to three squares perpendicular to the light, each inside the next larger one. The finest
// map covers the part of the scene near the camera's target that the picture shows. If this part is not the whole
// scene, the largest map covers the surroundings. Sizes and positions are rounded, so that the texels of the maps stay
// in place in the world while the camera or an object moves. The OpenGL renderer and the software renderer draw and
// read maps with this layout. This file contains CPU data only, no GL objects.
#pragma once

#include <array>
#include <cstddef>

#include <glm/glm.hpp>

#include "render/camera.h"

namespace vw {

struct ShadowMaps {
  static constexpr std::size_t most = 3;
  /// `used`: half width of the part of a map that is read; outside this part, the next larger map is read. `blend`:
  /// width of the border of this part, in which the larger map replaces the smaller one gradually. Both are fractions
  /// of the map's width.
  static constexpr float used = 0.46F, blend = 0.06F;

  /// Transformation from the world to the clip space of the surroundings, a square perpendicular to the light with the
  /// half width `radius_m` [m]. Positions in the maps are computed from positions in the surroundings.
  glm::mat4 clip{1};
  float radius_m = 1;
  /// Transformation from the surroundings to each map, finest map first. A point at the position p in the surroundings
  /// is at the position x p + (y, z) in the map. Both positions are in [0, 1]^2. Depths are the same in all maps.
  std::array<glm::vec4, most> level{};
  std::size_t count = 1;  ///< number of maps
  /// Size of the scene near the target, in units of `radius_m`. The radius of the search for occluders and the largest
  /// radius of the shadow filter are proportional to this size, so that distant objects do not make shadows near the
  /// target coarser.
  float search = 1;

  /// Transformation from the world to the clip space of one map.
  [[nodiscard]] glm::mat4 level_clip(std::size_t which) const;
  /// Distance from a surface at which its shadow is looked up [m], so that the surface does not shade itself. The
  /// distance is three texels of a map that covers the surroundings with `size_px` texels per side. For the other maps,
  /// divide the distance by `level[k].x`.
  [[nodiscard]] float offset_m(int size_px) const { return 6 * radius_m / static_cast<float>(size_px); }
  /// Number of texels per metre in the finest map.
  [[nodiscard]] float texels_per_m(int size_px) const {
    return 0.5F * static_cast<float>(size_px) * level[0].x / radius_m;
  }
};

/// Part of a box in which the coordinates differ from those of the camera's target by at most `reach` times the
/// distance between eye and target. If no part of the box is there, the function returns the whole box.
[[nodiscard]] Bounds3 near_target(const Bounds3& box, const Camera& camera, float reach);
/// Fits the maps to the objects in the box `scene` and to the picture of a camera. `aspect`: width of the picture
/// divided by its height.
[[nodiscard]] ShadowMaps fit_shadow_maps(const Bounds3& scene, const Camera& camera, float aspect);
/// Unit vector towards the sun.
[[nodiscard]] glm::vec3 sun_direction();

}  // namespace vw
