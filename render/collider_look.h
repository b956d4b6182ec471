// Obstacles as every renderer draws them: where they stand, their surface as triangles, and planes with their grid. Plain CPU data; no GL here.
#pragma once

#include <array>
#include <span>

#include <glm/glm.hpp>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"

namespace vw {

/// Index of the ground among the snapshot's colliders: the first upright plane; -1 without one.
[[nodiscard]] int ground_of(const Snapshot& snapshot);
/// From the frame of surface_of() to the world.
[[nodiscard]] glm::mat4 matrix_of(const ColliderSnapshot& collider);
/// A unit ball, a unit box or the collider's own mesh; null for a plane and for a mesh that is not there.
[[nodiscard]] const SurfaceMesh* surface_of(const ColliderSnapshot& collider);
/// Seen from behind, a surface that is not two-sided is not there.
[[nodiscard]] inline bool hides_its_back(const ColliderSnapshot& collider) {
  return collider.kind == ColliderSnapshot::Kind::mesh && !collider.two_sided;
}

/// Whether the view draws it.
[[nodiscard]] inline bool is_shown(const ColliderSnapshot& collider, const ViewParams& view) {
  return view.colliders && collider.opacity > 0 && !is_hidden(view.hidden, collider.name);
}
/// Whether some of what is behind it is seen.
[[nodiscard]] inline bool is_glass(const ColliderSnapshot& collider) { return collider.opacity < 1; }
/// What is more clear than not casts no shadow.
[[nodiscard]] inline bool casts_shadow(const ColliderSnapshot& collider) { return collider.opacity >= 0.5F; }

/// A plane as a large quad about `foot`, less what lies behind other planes: the walls of a tank are its panes. Coordinates on it count from the
/// foot, where floats are fine.
struct PlaneLook {
  glm::vec3 foot{0}, u{1, 0, 0}, v{0, 0, 1};
  float extent = 1;        ///< half side of the quad [m]
  glm::vec3 albedo{0};     ///< linear
  glm::vec4 grid{0};       ///< offset of the foot in u, v [spacings]; 1 / spacing; weight of the fine lines
  glm::vec2 middle{0};     ///< where the fade counts from
  float fade_radius = 1;   ///< [m]
  float opacity = 1;       ///< of planes other than the ground
  bool is_ground = false;  ///< fades into the horizon; other planes fade to clear
  bool is_pane = false;    ///< clear glass: its rims are drawn, no grid
  static constexpr std::size_t most_cuts = 6;
  std::array<glm::vec3, most_cuts> cut{};  ///< what is left lies where dot(cut, (u, v, 1)) > 0 [m] for all of them
  std::size_t cuts = 0;
  std::array<glm::vec2, 4 + most_cuts> corner{};  ///< of what is left, a convex polygon
  std::size_t corners = 0;
};
/// False from behind, whence a plane would hide everything, and where other planes leave nothing of it. `target_distance`: from eye to target.
[[nodiscard]] bool look_of_plane(std::span<const ColliderSnapshot> colliders, std::size_t which, bool is_ground, const glm::vec3& eye,
                                 float target_distance, const Bounds3& box, PlaneLook& out);

}  // namespace vw
