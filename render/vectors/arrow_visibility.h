// Classifies arrows as visible, hidden or both by testing them against the depth buffer of the scene. A software OpenGL
// renderer then draws most arrows only once. Arrows that are partly hidden are drawn twice, as visible and as hidden.
// This class contains CPU data only, no GL objects.
#pragma once

#include <span>
#include <vector>

#include "render/vectors/arrows.h"

namespace vw {

class ArrowVisibility {
 public:
  /// Classifies the arrows. `depth`: window-space depth of each pixel in OpenGL's convention, beginning with the bottom
  /// row. Each arrow is tested at points a few pixels apart. Arrows completely outside the picture are dropped.
  void sort(std::span<const Arrow> arrows, const glm::mat4& clip_from_world, std::span<const float> depth, int width,
            int height);
  /// Treats every arrow as both visible and hidden.
  void keep_all(std::span<const Arrow> arrows);
  [[nodiscard]] std::span<const Arrow> seen() const { return seen_; }
  [[nodiscard]] std::span<const Arrow> hidden() const { return hidden_; }

 private:
  std::vector<Arrow> seen_, hidden_;
};

}  // namespace vw
