// Sorts arrows into visible and hidden ones by testing them against the depth buffer of the scene. With software
// OpenGL, each arrow then has to be drawn only once, as visible or as hidden; arrows that are partly hidden are drawn
// in both ways. Plain CPU data; no GL here.
#pragma once

#include <span>
#include <vector>

#include "render/arrows.h"

namespace vw {

class ArrowVisibility {
 public:
  /// `depth` holds the window-space depth of each pixel as OpenGL stores it, starting with the lowest row. Arrows are
  /// sampled every few pixels. Arrows completely outside the picture are dropped.
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
