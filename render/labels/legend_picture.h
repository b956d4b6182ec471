// Legends of exported pictures, videos and documents: as a drawing, and as a small image that is blended into a
// picture. The window draws its legends with its own font.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/image.h"
#include "render/labels/drawing.h"
#include "render/renderer.h"

namespace vw {

struct LegendStyle {
  bool light = false;  ///< black text on a light plate instead of light text on a dark plate
  float size = 1;      ///< relative to the size that suits the picture's height
};

/// Draws all legends below each other. `em`: height of the text [px]. The drawing is empty if no legend has content.
/// With `plate`, the legends lie on a translucent plate.
[[nodiscard]] Drawing legend_drawing(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors,
                                     const TextFont& font, float em, bool light, bool plate);

class LegendPicture {
 public:
  /// If `system_fonts` is false or no font is installed, the built-in font of bitmap_font.h is used.
  explicit LegendPicture(bool system_fonts = true);
  ~LegendPicture();
  /// Draws all legends below each other at a size that suits a picture of the given height. Returns false if no legend
  /// has content.
  [[nodiscard]] bool compose(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors,
                             int picture_height, const LegendStyle& style = {});
  [[nodiscard]] const Image& image() const { return image_; }
  [[nodiscard]] int margin() const { return margin_; }
  /// Blends the legends into the lower left corner of the picture.
  void paste(Image& picture) const;

 private:
  bool system_fonts_;
  std::unique_ptr<TextFont> font_;
  Image image_;
  int margin_ = 0;
};

}  // namespace vw
