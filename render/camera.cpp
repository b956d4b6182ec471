// Camera motion by rotation and translation of eye and target. The state of a camera consists of these two points, the
// field of view and the kind of projection.
#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace vw {
namespace {

constexpr glm::vec3 world_up{0, 1, 0};
constexpr float pitch_limit = glm::radians(89.0F);
constexpr float shortest_m = 1e-8F, longest_m = 1e6F;
/// Smallest distance between eye and target, as a fraction of the distance of the target from the origin. With a
/// smaller distance, rounding errors of the two points would change the direction.
constexpr float least_share = 1e-5F;
/// Value of distance_factor in drawn(). A larger value approximates the orthographic projection better, but depths lose
/// precision.
constexpr float orthographic_distance_factor = 100;
/// Distance between the near plane and the target in an orthographic projection, in units of the distance between eye
/// and target.
constexpr float orthographic_reach = 10;
constexpr float usual_aspect = 16.0F / 9;  // scenes define their cameras for pictures of this aspect ratio

float aspect_of(int width_px, int height_px) {
  return static_cast<float>(std::max(width_px, 1)) / static_cast<float>(std::max(height_px, 1));
}

struct Frame3 {
  glm::vec3 right, up, forward;
};

glm::vec3 forward_of(const Camera& camera) {
  const glm::vec3 d = camera.target - camera.eye;
  const float length = glm::length(d);
  return length > 0 ? d / length : glm::vec3{0, 0, -1};
}

/// Right, up and forward vectors of the camera. If the camera looks vertically up or down, the right vector is +x.
Frame3 axes(const Camera& camera) {
  const glm::vec3 f = forward_of(camera);
  glm::vec3 r = glm::cross(f, world_up);
  if (glm::dot(r, r) < 1e-10F) r = {1, 0, 0};
  r = glm::normalize(r);
  return {r, glm::cross(r, f), f};
}

/// Rotates a direction by the yaw about the vertical axis and by the pitch. The resulting pitch is limited to +-89
/// degrees.
glm::vec3 turned_by_angles(const glm::vec3& direction, float yaw_rad, float pitch_rad) {
  const float yaw = std::atan2(direction.x, direction.z) + yaw_rad;
  const float pitch =
      std::clamp(std::asin(std::clamp(direction.y, -1.0F, 1.0F)) + pitch_rad, -pitch_limit, pitch_limit);
  return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
}

}  // namespace

void Camera::orbit(float yaw_rad, float pitch_rad) {
  const float distance = glm::length(target - eye);
  eye = target + distance * turned_by_angles(-forward_of(*this), yaw_rad, pitch_rad);
}

void Camera::pan(float dx_px, float dy_px, int width_px, int height_px) {
  const float half_m = glm::length(target - eye) * half_height(aspect_of(width_px, height_px));
  const float per_px = 2 * half_m / static_cast<float>(std::max(height_px, 1));
  const Frame3 a = axes(*this);
  const glm::vec3 shift = per_px * (-dx_px * a.right + dy_px * a.up);
  eye += shift;
  target += shift;
}

void Camera::zoom(float factor) {
  const float before = glm::length(target - eye), least = std::min(before, least_share * glm::length(target));
  const float distance = std::clamp(before * factor, std::max(least, shortest_m), longest_m);
  eye = target - distance * forward_of(*this);
}

void Camera::fly(const glm::vec3& local_m) {
  const Frame3 a = axes(*this);
  const glm::vec3 shift = local_m.x * a.right + local_m.y * a.up + local_m.z * a.forward;
  eye += shift;
  target += shift;
}

void Camera::look(float yaw_rad, float pitch_rad) {
  const float distance = glm::length(target - eye);
  target = eye + distance * turned_by_angles(forward_of(*this), yaw_rad, pitch_rad);
}

void Camera::frame(const Bounds3& bounds, float aspect) {
  const Frame3 a = axes(*this);
  const float tan_y = half_height(aspect), tan_x = tan_y * std::max(aspect, 1e-3F);
  const glm::vec3 center = bounds.center();
  constexpr float margin = 1.12F;
  // Find the smallest distance at which all corners of the box lie inside the four side planes of the view frustum.
  float distance = bounds.radius() > 0 ? std::max(shortest_m, least_share * glm::length(center)) : 1e-3F;
  for (unsigned i = 0; i < 8; ++i) {
    const glm::vec3 corner{(i & 1U) != 0 ? bounds.max.x : bounds.min.x, (i & 2U) != 0 ? bounds.max.y : bounds.min.y,
                           (i & 4U) != 0 ? bounds.max.z : bounds.min.z};
    const glm::vec3 d = corner - center;
    const float depth = glm::dot(d, a.forward);
    distance = std::max({distance, margin * std::abs(glm::dot(d, a.right)) / tan_x - depth,
                         margin * std::abs(glm::dot(d, a.up)) / tan_y - depth});
  }
  target = center;
  eye = center - distance * a.forward;
}

Camera Camera::drawn() const {
  if (!is_orthographic) return *this;
  Camera camera = *this;
  camera.is_orthographic = false;
  camera.distance_factor = orthographic_distance_factor;
  camera.eye = target + orthographic_distance_factor * (eye - target);
  camera.fov_deg = 2 * glm::degrees(std::atan(std::tan(0.5F * glm::radians(fov_deg)) / orthographic_distance_factor));
  return camera;
}

float Camera::half_height(float aspect) const {
  return std::tan(0.5F * glm::radians(fov_deg)) * std::max(1.0F, usual_aspect / std::max(aspect, 1e-3F));
}

glm::mat4 Camera::view() const {
  if (is_orthographic) return drawn().view();
  const Frame3 a = axes(*this);
  // If the eye is far away from the target or from the origin, rounding errors in eye + forward would change the
  // direction. Farther than 1.7e7 m from the origin, the sum would equal the eye.
  constexpr float far_eye_m = 1e4F;
  const bool is_far = glm::any(glm::greaterThan(glm::abs(eye), glm::vec3(far_eye_m)));
  if (distance_factor > 1 || is_far)
    return glm::lookAt(glm::vec3(0), a.forward, a.up) * glm::translate(glm::mat4(1), -eye);
  return glm::lookAt(eye, eye + a.forward, a.up);
}

glm::mat4 Camera::projection(float aspect) const {
  if (is_orthographic) return drawn().projection(aspect);
  const float distance = std::clamp(target_distance(), shortest_m, longest_m);
  return glm::perspective(2 * std::atan(half_height(aspect)), std::max(aspect, 1e-3F),
                          distance * std::max(0.01F, distance_factor - orthographic_reach),
                          distance * (distance_factor + 199));
}

Ray Camera::ray(float x_px, float y_px, int width_px, int height_px) const {
  if (is_orthographic) return drawn().ray(x_px, y_px, width_px, height_px);
  const Frame3 a = axes(*this);
  const float w = static_cast<float>(std::max(width_px, 1)), h = static_cast<float>(std::max(height_px, 1));
  const float tan_y = half_height(w / h), tan_x = tan_y * w / h;
  const float x = 2 * x_px / w - 1, y = 1 - 2 * y_px / h;
  const glm::vec3 direction = glm::normalize(a.forward + x * tan_x * a.right + y * tan_y * a.up);
  const float start = distance_factor > 1 ? (distance_factor - orthographic_reach) * target_distance() : 0;
  return {eye + start * direction, direction};
}

}  // namespace vw
