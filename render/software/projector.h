// Projection from the world to the picture and back. Picture coordinates are pixels from the upper left corner. The
// third coordinate is q = 1 / depth along the view direction. On any plane, q is linear in the picture coordinates (J.
// Blinn, "Hyperbolic interpolation", 1992). q is larger for nearer points and 0 at infinity.
#pragma once

#include <algorithm>

#include "render/camera.h"

namespace vw::soft {

struct Projector {
  glm::vec3 eye{0}, right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};
  float focal_px = 1;  ///< size of a unit length at depth 1 [px]
  float middle_x = 0, middle_y = 0;
  float near_m = 0.01F, far_m = 100;
  float distance_factor = 1;  ///< Camera::distance_factor
  int width = 0, height = 0;

  Projector() = default;
  /// `camera` must be a perspective (Camera::drawn()).
  Projector(const Camera& camera, int width_px, int height_px)
      : eye(camera.eye), distance_factor(camera.distance_factor), width(width_px), height(height_px) {
    const glm::mat4 view = camera.view(),
                    clip = camera.projection(static_cast<float>(width_px) / static_cast<float>(height_px));
    right = {view[0][0], view[1][0], view[2][0]};
    up = {view[0][1], view[1][1], view[2][1]};
    forward = {-view[0][2], -view[1][2], -view[2][2]};
    focal_px = 0.5F * static_cast<float>(height_px) * clip[1][1];
    middle_x = 0.5F * static_cast<float>(width_px);
    middle_y = 0.5F * static_cast<float>(height_px);
    // The distances of the near and far planes are computed from the third row of glm::perspective.
    near_m = clip[3][2] / (clip[2][2] - 1);
    far_m = clip[3][2] / (clip[2][2] + 1);
  }
  /// Components of a point along the view axes right, up and forward.
  [[nodiscard]] glm::vec3 to_view(const glm::vec3& p) const {
    const glm::vec3 d = p - eye;
    return {glm::dot(d, right), glm::dot(d, up), glm::dot(d, forward)};
  }
  /// Pixel coordinates and q of a point in view axes. The depth of the point must be positive.
  [[nodiscard]] glm::vec3 to_picture(const glm::vec3& view) const {
    const float q = 1 / view.z;
    return {middle_x + focal_px * view.x * q, middle_y - focal_px * view.y * q, q};
  }
  /// View ray through a position in the picture, scaled to a depth of 1.
  [[nodiscard]] glm::vec3 ray(float x, float y) const {
    return forward + (x - middle_x) / focal_px * right + (middle_y - y) / focal_px * up;
  }
  /// Coefficients of q on the plane { p : dot(n, p) = level }: at the picture position (x, y), q is c.x + c.y x + c.z
  /// y, where c is the returned vector.
  [[nodiscard]] glm::vec3 plane_q(const glm::vec3& n, float level) const {
    const float scale = 1 / (level - glm::dot(n, eye));
    const float by_x = glm::dot(n, right) / focal_px * scale, by_y = -glm::dot(n, up) / focal_px * scale;
    return {glm::dot(n, forward) * scale - by_x * middle_x - by_y * middle_y, by_x, by_y};
  }
};

}  // namespace vw::soft
