// Cut plane that hides one half of the scene. This file contains CPU data only.
#pragma once

#include <glm/glm.hpp>

#include "sim/snapshot/view.h"

namespace vw {

/// Points p with dot(plane.xyz, p) + plane.w < 0 are not drawn.
struct CutPlane {
  glm::vec4 plane{0, 0, 0, 1};
  [[nodiscard]] bool is_open() const { return plane != glm::vec4(0, 0, 0, 1); }
  [[nodiscard]] bool hides(const glm::vec3& p) const { return glm::dot(glm::vec3(plane), p) + plane.w < 0; }
};

[[nodiscard]] inline CutPlane cut_of(const ViewParams& view) {
  if (view.cut == Cut::none) return {};
  const float side = view.cut_flip ? 1.0F : -1.0F;
  glm::vec3 n(0);
  n[static_cast<int>(view.cut) - static_cast<int>(Cut::x)] = side;
  return {glm::vec4(n, -side * static_cast<float>(view.cut_at_m))};
}

}  // namespace vw
