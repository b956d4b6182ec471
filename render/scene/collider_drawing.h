// Geometry and appearance of colliders: poses, surface triangles, and planes with their grids. All renderers use the
// same data. This file contains CPU data only, no GL objects.
#pragma once

#include <array>
#include <span>

#include <glm/glm.hpp>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"

namespace vw {

/// Index of the collider that is drawn as the ground, which is the first plane whose normal points up. -1 if there is
/// none.
[[nodiscard]] int ground_of(const Snapshot& snapshot);
/// Transformation from the frame of surface_of() to the world.
[[nodiscard]] glm::mat4 matrix_of(const ColliderSnapshot& collider);
/// Surface mesh: a unit sphere, a unit box or the collider's own mesh. Null for a plane and for a missing mesh.
[[nodiscard]] const SurfaceMesh* surface_of(const ColliderSnapshot& collider);
/// Whether back faces are culled: true for meshes that are not two-sided.
[[nodiscard]] inline bool hides_its_back(const ColliderSnapshot& collider) {
  return collider.kind == ColliderSnapshot::Kind::mesh && !collider.two_sided;
}

/// Whether the view draws this collider.
[[nodiscard]] inline bool is_shown(const ColliderSnapshot& collider, const ViewParams& view) {
  return view.colliders && collider.opacity > 0 && !is_hidden(view.hidden, collider.name);
}
/// Whether the collider is transparent.
[[nodiscard]] inline bool is_glass(const ColliderSnapshot& collider) { return collider.opacity < 1; }
/// Whether the collider casts a shadow. Colliders with an opacity below 0.5 cast none.
[[nodiscard]] inline bool casts_shadow(const ColliderSnapshot& collider) { return collider.opacity >= 0.5F; }

/// A plane, drawn as a large square about the point `foot` along the axes u and v. The other planes clip the square, so
/// that the walls of a tank end where they intersect. Plane coordinates are relative to `foot`, so that single
/// precision suffices.
struct PlaneDrawing {
  glm::vec3 foot{0}, u{1, 0, 0}, v{0, 0, 1};
  float extent = 1;     ///< half the side length of the square [m]
  glm::vec3 albedo{0};  ///< linear RGB
  /// xy: coordinates of `foot` along u and v, in units of the grid spacing, modulo 10 (coarse lines are 10 spacings
  /// apart). z: 1 / grid spacing [1/m]. w: weight of the fine lines.
  glm::vec4 grid{0};
  glm::vec2 middle{0};     ///< centre of the radial fade (haze() for the ground), in plane coordinates [m]
  float fade_radius = 1;   ///< radius of the fade [m]
  float tile_m = 1;        ///< size of a tile of the floor's pattern (floor_pattern()) [m]
  float opacity = 1;       ///< opacity of planes other than the ground
  bool is_ground = false;  ///< whether the plane fades into the horizon (ground) or to transparency (other planes)
  bool is_pane = false;    ///< whether the opacity is below 0.5; edges are then drawn instead of a grid
  static constexpr std::size_t most_cuts = 6;
  /// Lines that clip the plane: a point (u, v) is visible if dot(cut, (u, v, 1)) > 0 [m] for each line.
  std::array<glm::vec3, most_cuts> cut{};
  std::size_t cuts = 0;
  std::array<glm::vec2, 4 + most_cuts> corner{};  ///< corners of the visible part, which is a convex polygon
  std::size_t corners = 0;
};
/// Fills `out` for the plane with index `which`. Returns false if the eye is behind the plane, because the plane would
/// then hide the scene. Also returns false if the other planes clip the whole plane. `eye` and `target_distance` [m]
/// are Camera::near_eye() and Camera::target_distance().
[[nodiscard]] bool make_plane_drawing(std::span<const ColliderSnapshot> colliders, std::size_t which, bool is_ground,
                                      const glm::vec3& eye, float target_distance, const Bounds3& box,
                                      PlaneDrawing& out);

}  // namespace vw
