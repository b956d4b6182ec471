// Camera with orbit, pan, zoom and fly controls, for a perspective or an orthographic projection. The world is
// right-handed with y up.
#pragma once

#include <glm/glm.hpp>

namespace vw {

struct Bounds3 {
  glm::vec3 min{-0.5F}, max{0.5F};
  [[nodiscard]] glm::vec3 center() const { return 0.5F * (min + max); }
  [[nodiscard]] float radius() const { return 0.5F * glm::length(max - min); }
};

struct Ray {
  glm::vec3 origin{0}, direction{0, 0, -1};
};

class Camera {
 public:
  glm::vec3 eye{0.6F, 0.4F, 0.8F};
  glm::vec3 target{0, 0.1F, 0};
  /// Vertical field of view for aspect ratios of 16:9 or wider. Narrower pictures keep the horizontal field of view of
  /// a 16:9 picture.
  float fov_deg = 40;
  /// Whether the picture shows an orthographic projection, approximated as described at drawn().
  bool is_orthographic = false;
  /// Factor by which drawn() has moved the eye away from the target. 1 for a perspective.
  float distance_factor = 1;

  /// Returns the perspective camera that draws the picture. For a perspective, this is the camera itself. For an
  /// orthographic projection, it is a camera 100 times as far from the target, whose narrow field of view shows the
  /// same height at the target. The size of an object in the picture then changes by 1 % while its depth changes by the
  /// distance between eye and target. All passes of the renderers can thus assume a perspective.
  [[nodiscard]] Camera drawn() const;
  /// Distance between eye and target before drawn() has moved the eye [m].
  [[nodiscard]] float target_distance() const { return glm::length(target - eye) / distance_factor; }
  /// Place of the eye before drawn() has moved it.
  [[nodiscard]] glm::vec3 near_eye() const {
    return distance_factor > 1 ? target + (eye - target) / distance_factor : eye;
  }

  void orbit(float yaw_rad, float pitch_rad);  ///< rotates the eye about the target; the pitch is limited to 89 degrees
  /// Moves eye and target so that the point under the mouse at the target's depth follows the mouse.
  void pan(float dx_px, float dy_px, int width_px, int height_px);
  void zoom(float factor);                    ///< multiplies the distance to the target by the factor
  void fly(const glm::vec3& local_m);         ///< moves eye and target along right, up and forward
  void look(float yaw_rad, float pitch_rad);  ///< rotates the line of sight about the eye
  /// Moves the camera without turning it, so that the box fills the picture except for a margin of about 12 %. The
  /// target moves to the centre of the box.
  void frame(const Bounds3& bounds, float aspect);

  /// Half the height of the picture at unit distance from the eye. `aspect` is width over height. For an orthographic
  /// projection, the value is that of a perspective with the same field of view.
  [[nodiscard]] float half_height(float aspect) const;
  /// Transformation from the world to the view axes of drawn().
  [[nodiscard]] glm::mat4 view() const;
  /// Projection matrix of drawn(). The distances of the near and far planes are derived from the distance to the
  /// target.
  [[nodiscard]] glm::mat4 projection(float aspect) const;
  /// Ray of drawn() through a pixel, with a direction of unit length. The ray starts at the eye. In an orthographic
  /// projection, it starts at the near plane, because an origin as far away as the eye of drawn() would cost precision.
  [[nodiscard]] Ray ray(float x_px, float y_px, int width_px, int height_px) const;
};

}  // namespace vw
