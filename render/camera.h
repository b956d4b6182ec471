// Perspective camera with orbit, pan, zoom and fly controls. The world is right-handed with y up.
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

  void orbit(float yaw_rad, float pitch_rad);  ///< rotates the eye about the target; the pitch is limited to 89 degrees
  /// Moves eye and target so that the point under the mouse at the target's depth follows the mouse.
  void pan(float dx_px, float dy_px, int width_px, int height_px);
  void zoom(float factor);                    ///< multiplies the distance to the target by the factor
  void fly(const glm::vec3& local_m);         ///< moves eye and target along right, up and forward
  void look(float yaw_rad, float pitch_rad);  ///< rotates the line of sight about the eye
  /// Moves the camera without turning it, so that the box fills the picture.
  void frame(const Bounds3& bounds, float aspect);

  /// Half the height of the picture at unit distance. `aspect` is width over height.
  [[nodiscard]] float half_height(float aspect) const;
  [[nodiscard]] glm::mat4 view() const;
  /// The distances of the near and far planes are derived from the distance to the target.
  [[nodiscard]] glm::mat4 projection(float aspect) const;
  [[nodiscard]] Ray ray(float x_px, float y_px, int width_px, int height_px) const;
};

}  // namespace vw
