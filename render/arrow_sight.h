// Which arrows have something in front of them, by the depths of what has been drawn before: where the processor draws, each need then be drawn once
// only, as seen or as hidden, but for those that are both. Plain CPU data; no GL here.
#pragma once

#include <span>
#include <vector>

#include "render/arrows.h"

namespace vw {

class ArrowSight {
 public:
  /// `depth`: of the pixels of the picture, as OpenGL holds them, from the lowest row up. Looked at every few pixels along the arrows; those that are
  /// wholly outside of the picture are left out.
  void sort(std::span<const Arrow> arrows, const glm::mat4& clip_from_world, std::span<const float> depth, int width, int height);
  /// All of them are both.
  void keep_all(std::span<const Arrow> arrows);
  [[nodiscard]] std::span<const Arrow> seen() const { return seen_; }
  [[nodiscard]] std::span<const Arrow> hidden() const { return hidden_; }

 private:
  std::vector<Arrow> seen_, hidden_;
};

}  // namespace vw
