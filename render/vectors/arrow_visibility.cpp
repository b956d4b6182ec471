#include "render/vectors/arrow_visibility.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Distance between test points along an arrow, and margin for arrow heads at the border of the picture [px].
constexpr float step_px = 3, reach_px = 16;

struct Sight {
  bool seen = false, hidden = false;
};

struct Screen {
  std::span<const float> depth;
  int width, height;

  [[nodiscard]] glm::vec2 pixel(const glm::vec4& clip) const {
    return 0.5F * (glm::vec2(clip) / clip.w + 1.0F) * glm::vec2(static_cast<float>(width), static_cast<float>(height));
  }
  [[nodiscard]] bool is_off(const glm::vec2& a, const glm::vec2& b) const {
    const glm::vec2 low = glm::min(a, b), high = glm::max(a, b);
    return high.x < -reach_px || high.y < -reach_px || low.x > static_cast<float>(width) + reach_px ||
           low.y > static_cast<float>(height) + reach_px;
  }
  void look(const glm::vec4& clip, Sight& sight) const {
    const glm::vec2 at = pixel(clip);
    // Near the plane of the eye, the position may be too large for an integer.
    if (!(at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(width) && at.y < static_cast<float>(height))) return;
    const int x = static_cast<int>(at.x), y = static_cast<int>(at.y);
    const float held =
        depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    (0.5F * clip.z / clip.w + 0.5F <= held ? sight.seen : sight.hidden) = true;
  }
};

/// Tests points along the arrow. The first point is a few pixels from the tail, because pixels at the tail are covered
/// by the arrow's own element.
Sight sight_of(const glm::vec4& tail, const glm::vec4& tip, const Screen& screen) {
  constexpr float near = 1e-4F, least_looks = 2, most_looks = 40;
  if (!(tail.w > near && tip.w > near)) return {.seen = true, .hidden = true};
  const glm::vec2 from = screen.pixel(tail), to = screen.pixel(tip);
  if (screen.is_off(from, to)) return {};
  const float length = std::min(glm::length(to - from), 1e6F), first = std::min(step_px / std::max(length, 1.0F), 0.5F);
  const int looks = static_cast<int>(std::clamp(length / step_px, least_looks, most_looks));
  Sight sight;
  for (int k = 0; k < looks && !(sight.seen && sight.hidden); ++k)
    screen.look(glm::mix(tail, tip, first + (1 - first) * static_cast<float>(k) / static_cast<float>(looks - 1)),
                sight);
  return sight.seen || sight.hidden ? sight : Sight{.seen = true, .hidden = true};
}

}  // namespace

void ArrowVisibility::keep_all(std::span<const Arrow> arrows) {
  seen_.assign(arrows.begin(), arrows.end());
  hidden_ = seen_;
}

void ArrowVisibility::sort(std::span<const Arrow> arrows, const glm::mat4& clip_from_world,
                           std::span<const float> depth, int width, int height) {
  seen_.clear();
  hidden_.clear();
  const Screen screen{depth, width, height};
  for (const Arrow& arrow : arrows) {
    const glm::vec4 tail = clip_from_world * glm::vec4(glm::vec3(arrow.tail), 1);
    const Sight sight = sight_of(tail, tail + clip_from_world * glm::vec4(glm::vec3(arrow.shift), 0), screen);
    if (sight.seen) seen_.push_back(arrow);
    if (sight.hidden) hidden_.push_back(arrow);
  }
}

}  // namespace vw
