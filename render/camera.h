// The camera: orbit, pan, zoom and fly; y up, right-handed.
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
  float fov_deg = 40;  ///< vertical, in a picture of 16:9 or wider; a narrower one keeps what such a picture shows from left to right

  void orbit(float yaw_rad, float pitch_rad);                       ///< about target; pitch stops short of the poles
  void pan(float dx_px, float dy_px, int width_px, int height_px);  ///< the point at the target's depth follows the mouse
  void zoom(float factor);                                          ///< distance to target times factor
  void fly(const glm::vec3& local_m);                               ///< eye and target along right, up, forward
  void look(float yaw_rad, float pitch_rad);                        ///< turns about the eye
  void frame(const Bounds3& bounds, float aspect);                  ///< keeps the direction, moves so that the box fills the picture

  /// Half the height of the picture at a distance of 1, the width over the height being `aspect`.
  [[nodiscard]] float half_height(float aspect) const;
  [[nodiscard]] glm::mat4 view() const;
  [[nodiscard]] glm::mat4 projection(float aspect) const;  ///< near and far from the distance to the target
  [[nodiscard]] Ray ray(float x_px, float y_px, int width_px, int height_px) const;
};

}  // namespace vw
