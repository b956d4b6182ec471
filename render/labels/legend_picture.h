// Draws the legends into a small image for exported pictures and videos. The window draws its legends with its own
// font.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/image.h"
#include "render/renderer.h"

namespace vw {

class LegendPicture {
 public:
  /// If `system_fonts` is false or no font is installed, the built-in font of bitmap_font.h is used.
  explicit LegendPicture(bool system_fonts = true);
  ~LegendPicture();
  /// Draws all legends below each other at a size that suits a picture of the given height. Returns false if no legend
  /// has content.
  [[nodiscard]] bool compose(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors,
                             int picture_height);
  [[nodiscard]] const Image& image() const { return image_; }
  [[nodiscard]] int margin() const { return margin_; }
  /// Blends the legends into the lower left corner of the picture.
  void paste(Image& picture) const;

 private:
  struct Font;
  bool system_fonts_;
  std::unique_ptr<Font> font_;
  Image image_;
  int margin_ = 0;
};

}  // namespace vw
