// Planes that a fluid stands against: behind glass its surface is as flat as the glass, and nowhere is there any of it beyond them, though the balls
// that it is drawn by reach farther and have gaps. Plain CPU data; no GL here.
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

  /// The cut, where there is one, then planes that fluids touch and hardly any of them is behind.
  void find(std::span<const Figure> figures, std::span<const ColliderSnapshot> colliders, const CutPlane& cut);
  /// How many of them a particle touches.
  [[nodiscard]] int touched_by(const glm::vec3& place, float spacing_m) const;
};

/// What walls make of a surface seen at some depth.
struct OnWall {
  float depth = 0;      ///< along the view, in units of the ray
  float share = 0;      ///< 1: lies flat on the wall, whose `normal` then counts; 0: by itself
  glm::vec3 normal{0};  ///< towards the eye
  float beyond_m = 0;   ///< how far outside of the walls, or less than 0
};
/// As shaders/fluid_surface.frag does it. `ray`: one unit deep; `normal`: of the surface as balls make it; `spacing_m`: of the fluid's particles.
[[nodiscard]] OnWall on_wall(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth, const glm::vec3& normal,
                             float spacing_m);

/// A surface that faces a wall belongs to it up to this many rest distances behind it, as deep as gaps between balls are; one that meets it at a
/// right angle, as the water's top does, hardly at all. In between by the cosine.
inline constexpr float wall_askew_share = 0.2F, wall_facing_share = 1.0F, wall_blend_share = 0.3F;
inline constexpr float wall_askew_cosine = 0.3F, wall_facing_cosine = 0.8F;
/// Fades out over this many rest distances beyond a wall, but no less than a pixel and a half.
inline constexpr float wall_rim_share = 0.1F;

}  // namespace vw
