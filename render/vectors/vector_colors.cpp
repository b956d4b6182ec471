#include "render/vectors/vector_colors.h"

#include <algorithm>
#include <array>

#include "render/labels/color_map.h"

namespace vw {

glm::vec3 direction_color(const glm::vec3& direction) {
  // Linear RGB. The colours are legible on light and dark backgrounds.
  constexpr std::array<glm::vec3, 3> ahead{{{0.85F, 0.04F, 0.04F}, {0.05F, 0.60F, 0.06F}, {0.06F, 0.16F, 0.95F}}};
  constexpr std::array<glm::vec3, 3> behind{{{0.04F, 0.68F, 0.72F}, {0.78F, 0.08F, 0.62F}, {0.86F, 0.62F, 0.03F}}};
  glm::vec3 light(0);
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    light += direction[axis] * direction[axis] * (direction[axis] > 0 ? ahead[k] : behind[k]);
  }
  return srgb_of(light);
}

std::array<KeyArm, 6> direction_key(const glm::mat3& axes) {
  constexpr std::array<const char*, 3> names{"x", "y", "z"};
  struct Deep {
    KeyArm arm;
    float depth;
  };
  std::array<Deep, 6> all{};
  for (int k = 0; k < 6; ++k) {
    const int axis = k / 2;
    const float sign = k % 2 == 0 ? 1.0F : -1.0F;
    glm::vec3 along(0);
    along[axis] = sign;
    const glm::vec3 seen = sign * axes[axis];
    all[static_cast<std::size_t>(k)] = {
        {glm::vec2(seen), direction_color(along), sign > 0 ? names[static_cast<std::size_t>(axis)] : nullptr}, seen.z};
  }
  std::ranges::stable_sort(all, {}, &Deep::depth);
  std::array<KeyArm, 6> arms{};
  std::ranges::transform(all, arms.begin(), &Deep::arm);
  return arms;
}

glm::vec3 system_tint(std::size_t number) {
  constexpr auto tints = std::to_array<glm::vec3>({{0.25F, 0.80F, 1.00F},
                                                   {0.55F, 0.92F, 0.35F},
                                                   {0.98F, 0.45F, 0.75F},
                                                   {0.95F, 0.90F, 0.35F},
                                                   {0.70F, 0.55F, 1.00F},
                                                   {0.30F, 0.90F, 0.70F}});
  return tints[number % tints.size()];
}

}  // namespace vw
