// Occlusion culling of opaque balls on the CPU. On simple quality tiers, a completely hidden ball costs as much as a
// visible ball. This class contains CPU data only, no GL objects.
#pragma once

#include <cstdint>
#include <vector>

#include "render/camera.h"
#include "render/scene/splats.h"

namespace vw {

class VisibleBalls {
 public:
  /// Finds the figure's visible balls, from near to far. Balls behind the eye, outside the picture or behind nearer
  /// balls are omitted.
  void find(const Figure& figure, const Camera& camera, int width, int height);
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  [[nodiscard]] float largest_px() const { return largest_px_; }  ///< largest radius of a ball in the picture [px]

 private:
  /// Footprint of a ball in the picture [px]. x, y: centre relative to the lower left corner. `covers`: radius of a
  /// disc that the ball certainly covers. `touches`: radius of a disc that contains all pixels that the ball may touch.
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
  std::size_t words_ = 0;              ///< 64-bit words per row of pixels
  std::vector<std::uint64_t> closed_;  ///< bit mask of the covered pixels
  std::vector<Print> prints_;
  std::vector<std::uint32_t> found_, keys_, order_, rows_;
  RadixScratch scratch_;
};

}  // namespace vw
