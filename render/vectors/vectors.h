// Conversions between the vector types of the simulation (Eigen) and of the renderer (glm), and functions of glm
// vectors.
#pragma once

#include <algorithm>
#include <cmath>

#include <glm/glm.hpp>

#include "sim/base/math.h"

namespace vw {

[[nodiscard]] inline glm::vec3 to_glm(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline glm::vec4 to_glm(const Quatf& q) { return {q.x(), q.y(), q.z(), q.w()}; }
/// Returns the periodic image of `before` that is nearest to `after`. Interpolation from this image avoids motion
/// across the whole domain when an element crosses a periodic boundary. `period`: lengths of the domain [m], 0 along
/// axes that are not periodic.
[[nodiscard]] inline glm::vec3 nearest_image(glm::vec3 before, const glm::vec3& after, const Vec3f& period) {
  for (int a = 0; a < 3; ++a)
    if (period[a] > 0) before[a] += period[a] * std::round((after[a] - before[a]) / period[a]);
  return before;
}
/// Rotates a vector by a unit quaternion x y z w.
[[nodiscard]] inline glm::vec3 turned(const glm::vec4& q, const glm::vec3& v) {
  const glm::vec3 u(q);
  const glm::vec3 t = 2.0F * glm::cross(u, v);
  return v + q.w * t + glm::cross(u, t);
}
/// Returns a value that rises smoothly from 0 at `low` to 1 at `high`.
[[nodiscard]] inline float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}
/// Unit vector along `v`, or `other` if `v` is almost zero.
[[nodiscard]] inline glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& other) {
  const float length = glm::length(v);
  return length > 1e-20F ? v / length : other;
}
[[nodiscard]] inline bool is_finite(const glm::vec3& v) { return std::isfinite(v.x + v.y + v.z); }
[[nodiscard]] inline bool is_finite(const glm::vec4& v) { return std::isfinite(v.x + v.y + v.z + v.w); }
[[nodiscard]] inline Vec3 to_eigen(const glm::vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace vw
