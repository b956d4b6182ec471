// Of many solid balls those that can be seen, from near to far: on simple tiers one that others hide to the last pixel costs as much as one in front.
// Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <vector>

#include "render/camera.h"
#include "render/splats.h"

namespace vw {

class VisibleBalls {
 public:
  /// Rows of the figure from near to far as its camera sees them, less those behind the eye, beside the picture or behind nearer balls.
  void find(const Figure& figure, const Camera& camera, int width, int height);
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  [[nodiscard]] float largest_px() const { return largest_px_; }  ///< radius on the picture

 private:
  /// A ball on the picture: pixels from its lower left corner; radii of what it surely covers and of what it may touch.
  struct Print {
    float x = 0, y = 0, covers = 0, touches = 0;
  };
  bool place(const glm::vec4& ball, Print& out) const;
  [[nodiscard]] bool is_open(const Print& print) const;
  void close(const Print& print);
  template <class Word>
  bool each_word(const Print& print, float radius, Word word) const;

  glm::vec3 eye_{0}, right_{1, 0, 0}, up_{0, 1, 0}, forward_{0, 0, -1};
  float focal_px_ = 1;
  int width_ = 0, height_ = 0;
  float largest_px_ = 0;
  std::size_t words_ = 0;              ///< a row
  std::vector<std::uint64_t> closed_;  ///< pixels that are covered
  std::vector<Print> prints_;
  std::vector<std::uint32_t> found_, keys_, order_, rows_;
  RadixScratch scratch_;
};

}  // namespace vw
