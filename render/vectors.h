// Vectors of the simulation as those of pictures, and back.
#pragma once

#include <glm/glm.hpp>

#include "sim/base/math.h"

namespace vw {

[[nodiscard]] inline glm::vec3 to_glm(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline glm::vec4 to_glm(const Quatf& q) { return {q.x(), q.y(), q.z(), q.w()}; }
[[nodiscard]] inline Vec3 to_eigen(const glm::vec3& v) { return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}; }

}  // namespace vw
