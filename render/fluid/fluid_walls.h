// Planes that bound a fluid. The balls that represent the fluid protrude through these planes and leave gaps between
// each other. The surface is therefore flattened against the plane and cut off behind it. This file contains CPU data
// only, no GL objects.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "render/labels/figure.h"
#include "render/scene/cut.h"

namespace vw {

struct FluidWalls {
  static constexpr std::size_t most = 8;   ///< at least CutPlanes::most
  std::array<glm::vec4, most> planes{};    ///< fluid lies where dot(plane.xyz, p) + plane.w > 0
  std::array<bool, most> is_solid_face{};  ///< whether the wall is a face of a box, and not a plane or a cut
  std::size_t count = 0;

  /// Collects the plane colliders, and the faces of box colliders, that fluids touch and behind which at most 1 % of
  /// the particles lie. The planes of the cuts come first, the sides of periodic domains that a fluid fills last.
  void find(std::span<const Figure> figures, std::span<const ColliderSnapshot> colliders, const CutPlanes& cut);
  /// Returns the number of planes that a particle at `place` touches: the particle is less than 0.75 spacings from the
  /// plane or behind the plane. If `spacing_m` is 0, the function counts the planes behind which `place` lies.
  [[nodiscard]] int touched_by(const glm::vec3& place, float spacing_m) const;
  /// Appends the mirror images of particles below floors to the places. The surface made of all these places extends
  /// straight into the floor, instead of curving inwards above the floor. `spacing_m`: particle spacing [m].
  void add_images_below_floors(float spacing_m, std::vector<glm::vec3>& places) const;
  /// Multiple of `way` after which a ray from `place` leaves the space within the walls. At least 0.
  [[nodiscard]] float exit_of(const glm::vec3& place, const glm::vec3& way) const;

 private:
  void add_periodic_sides(const Figure& figure);
};

/// A surface point after the correction by walls.
struct OnWall {
  float depth = 0;  ///< depth along the view direction [m]
  /// Weight of the wall, from 0 (no effect) to 1 (the surface lies on the wall and has the normal of the wall).
  float share = 0;
  glm::vec3 normal{0};  ///< normal of the wall on the side of the eye
  float beyond_m = 0;   ///< distance outside the walls [m]; negative inside the walls
};
/// Corrects a surface point for walls, like the function on_wall() of shaders/fluid_surface.frag. `ray`: view ray
/// scaled to a depth of 1. `normal`: normal of the uncorrected surface. `spacing_m`: particle spacing [m].
[[nodiscard]] OnWall on_wall(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth,
                             const glm::vec3& normal, float spacing_m);
/// Corrects a surface point like on_wall(), for a surface that continues behind the walls through the mirror images of
/// FluidCloud. A surface in front of a wall, as seen from the eye, is moved onto the wall. `slope_m`: width of the
/// transition [m]. The weight of the wall falls from 1 to 0 while the depth of the surface increases by `slope_m`. To
/// antialias the edge, pass the change of the depth over one pixel.
[[nodiscard]] OnWall on_mirror_wall(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth,
                                    float slope_m);

/// Projection of surface points onto a wall. A surface point is projected onto the wall if its distance behind the
/// wall, as seen from the eye, is below a limit. The limit depends on the cosine of the angle between the normals of
/// surface and wall. If the cosine exceeds `wall_facing_cosine`, where the surface is almost parallel to the wall, the
/// limit is `wall_facing_share`, which is about the size of the gaps between balls. If the cosine is below
/// `wall_askew_cosine`, for example at the water level, the limit is `wall_askew_share`. A smooth step interpolates in
/// between. Beyond the limit, the projection fades out over `wall_blend_share`. Distances are in units of the particle
/// spacing.
inline constexpr float wall_askew_share = 0.2F, wall_facing_share = 1.0F, wall_blend_share = 0.3F;
inline constexpr float wall_askew_cosine = 0.3F, wall_facing_cosine = 0.8F;
/// Distance beyond a wall over which the surface fades out, in units of the particle spacing. The minimum is 1.5
/// pixels.
inline constexpr float wall_rim_share = 0.1F;

}  // namespace vw
