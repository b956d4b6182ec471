// Cut planes that hide parts of the scene. This file contains CPU data only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <glm/glm.hpp>

#include "sim/snapshot/view.h"

namespace vw {

/// Visible part of the scene: the intersection of the half spaces of all cuts. A slab consists of two half spaces.
struct CutPlanes {
  static constexpr std::size_t most = 6;
  /// Points p with dot(plane.xyz, p) + plane.w < 0 are not drawn. Unused planes hide nothing.
  std::array<glm::vec4, most> plane{glm::vec4(0, 0, 0, 1), glm::vec4(0, 0, 0, 1), glm::vec4(0, 0, 0, 1),
                                    glm::vec4(0, 0, 0, 1), glm::vec4(0, 0, 0, 1), glm::vec4(0, 0, 0, 1)};
  std::size_t count = 0;

  void add(const glm::vec4& half_space) {
    if (count < most) plane[count++] = half_space;
  }
  [[nodiscard]] bool is_open() const { return count > 0; }
  [[nodiscard]] std::span<const glm::vec4> planes() const { return {plane.data(), count}; }
  /// Whether the point lies more than `reach` [m] outside one of the half spaces.
  [[nodiscard]] bool hides(const glm::vec3& p, float reach = 0) const {
    return std::ranges::any_of(planes(), [&](const glm::vec4& k) { return glm::dot(glm::vec3(k), p) + k.w < -reach; });
  }
};

/// Adds one cut of the view: a half space or, if `thickness_m` is positive, a slab of this thickness.
inline void add_cut(Cut axis, double at_m, bool flip, double thickness_m, CutPlanes& out) {
  if (axis == Cut::none) return;
  const float side = flip ? 1.0F : -1.0F;
  glm::vec3 n(0);
  n[static_cast<int>(axis) - static_cast<int>(Cut::x)] = side;
  out.add(glm::vec4(n, -side * static_cast<float>(at_m)));
  if (thickness_m > 0) out.add(glm::vec4(-n, side * static_cast<float>(at_m) + static_cast<float>(thickness_m)));
}

/// Returns the half spaces of all cuts of the view.
[[nodiscard]] inline CutPlanes cut_of(const ViewParams& view) {
  CutPlanes cut;
  add_cut(view.cut, view.cut_at_m, view.cut_flip, view.cut_thickness_m, cut);
  add_cut(view.cut_2, view.cut_2_at_m, view.cut_2_flip, view.cut_2_thickness_m, cut);
  add_cut(view.cut_3, view.cut_3_at_m, view.cut_3_flip, view.cut_3_thickness_m, cut);
  return cut;
}

}  // namespace vw
