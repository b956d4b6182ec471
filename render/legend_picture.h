// Legends as a small picture for exports and videos; the window draws its own with its own font.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/image.h"
#include "render/renderer.h"

namespace vw {

class LegendPicture {
 public:
  /// Without system fonts the letters are the built-in ones (bitmap_font.h), as they are where none is installed.
  explicit LegendPicture(bool system_fonts = true);
  ~LegendPicture();
  /// Draws all legends one above the other for a picture of that height; false when there is nothing to show.
  [[nodiscard]] bool compose(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors, int picture_height);
  [[nodiscard]] const Image& image() const { return image_; }
  [[nodiscard]] int margin() const { return margin_; }
  /// Blends the legends into the lower left corner.
  void paste(Image& picture) const;

 private:
  struct Font;
  bool system_fonts_;
  std::unique_ptr<Font> font_;
  Image image_;
  int margin_ = 0;
};

}  // namespace vw
