// Planes that bound a fluid. The balls that represent the fluid extend beyond these planes and leave gaps; the surface
// is therefore flattened against the plane and cut off behind it. Plain CPU data; no GL here.
#pragma once

#include <array>
#include <span>

#include "render/cut.h"
#include "render/figure.h"

namespace vw {

struct FluidWalls {
  static constexpr std::size_t most = 8;
  std::array<glm::vec4, most> planes{};  ///< fluid lies where dot(plane.xyz, p) + plane.w > 0
  std::size_t count = 0;

  /// Collects the cut plane, if open, and the plane colliders that fluids touch and behind which at most 1 % of the
  /// particles lie.
  void find(std::span<const Figure> figures, std::span<const ColliderSnapshot> colliders, const CutPlane& cut);
  /// Number of planes that a particle touches.
  [[nodiscard]] int touched_by(const glm::vec3& place, float spacing_m) const;
};

/// A surface point after the correction by walls.
struct OnWall {
  float depth = 0;      ///< depth along the view direction, in multiples of the ray
  float share = 0;      ///< 1: the surface lies flat on the wall and takes its `normal`; 0: unaffected
  glm::vec3 normal{0};  ///< wall normal, towards the eye
  float beyond_m = 0;   ///< distance outside the walls [m]; negative inside
};
/// Same computation as in shaders/fluid_surface.frag. `ray`: view ray scaled to a depth of 1. `normal`: normal of the
/// unmodified surface. `spacing_m`: rest distance of the particles.
[[nodiscard]] OnWall on_wall(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth,
                             const glm::vec3& normal, float spacing_m);

/// Depth behind a wall, in rest distances, up to which the surface is attributed to the wall. For a surface parallel to
/// the wall it is as large as the gaps between balls; for a surface at a right angle, such as the water level, it is
/// small. Between these two angles it is interpolated by the cosine.
inline constexpr float wall_askew_share = 0.2F, wall_facing_share = 1.0F, wall_blend_share = 0.3F;
inline constexpr float wall_askew_cosine = 0.3F, wall_facing_cosine = 0.8F;
/// Distance beyond a wall over which the surface fades out, in rest distances; at least 1.5 pixels.
inline constexpr float wall_rim_share = 0.1F;

}  // namespace vw
