// Legends of exported pictures, videos and documents. They are available as a drawing, and as a small image that is
// blended into a picture. The window draws its legends with its own font.
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
  float size = 1;      ///< factor applied to the default size, which depends on the height of the picture
};

/// Returns a drawing of all legends below each other. `em`: height of the text [px]. `light`: see LegendStyle. If
/// `plate` is set, the legends lie on a translucent plate. The drawing is empty if no legend has content.
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
  /// Distance of the legends from the left and lower edges of the picture [px].
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
