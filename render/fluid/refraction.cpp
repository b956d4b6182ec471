#include "render/fluid/refraction.h"

#include <algorithm>
#include <cmath>

namespace vw {

void Refraction::enter(const glm::vec3& ray, const glm::vec3& normal) {
  const glm::vec3 inside = glm::refract(glm::normalize(ray), normal, 1 / water_index);
  // The limit is an angle of 78 degrees to the view direction. Rays beyond it would reach the border of any picture.
  bend = glm::vec2(inside) / std::max(inside.z, 0.2F) - glm::vec2(ray);
}

glm::vec2 Refraction::shift(float depth) const {
  glm::vec2 by = bend * (std::clamp(depth - surface, 0.0F, path) / std::max(depth, 1e-20F));
  by *= std::min(most / std::max(glm::length(by), 1e-20F), 1.0F);
  // `to_border`: distance to the border of the picture along the displacement, in units of the displacement.
  const glm::vec2 space = glm::max(half - glm::sign(by) * place, 0.0F) / glm::max(glm::abs(by), 1e-20F);
  const float to_border = std::min({space.x, space.y, 100.0F}), squared = to_border * to_border;
  return by * (to_border / std::sqrt(std::sqrt(1 + squared * squared)));
}

}  // namespace vw
