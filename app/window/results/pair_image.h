// Combines the pictures of two runs into one picture, arranged as in the window.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "render/image.h"
#include "render/labels/text_font.h"

namespace vw {

/// Widths of the parts of an image with two pictures side by side [px].
struct SplitWidths {
  int picture = 1;  ///< width of each of the two pictures
  int gap = 0;      ///< width of the gap between them
};
/// Splits a picture of width `width` [px]. `gap_share` is the fraction of the width between the pictures.
[[nodiscard]] SplitWidths split_width(int width, double gap_share);
/// Returns a picture of width `width` [px] with `left` at its left edge and `right` at its right edge. The gap has the
/// colour `gap_rgb`. Both pictures have the same height.
[[nodiscard]] Image side_by_side(const Image& left, const Image& right, int width,
                                 const std::array<std::uint8_t, 3>& gap_rgb);
/// Draws `over` over a picture of the same size, with an opacity in [0, 1].
void blend_over(Image& picture, const Image& over, double opacity);

/// Names of both runs, drawn on dark rectangles at the upper left of the picture of each run.
struct PairNames {
  std::string a, b;
  std::optional<glm::vec3> dot = {};  ///< colour (sRGB) of a dot before the name of B, which shows the tint of a ghost
};
/// Draws the names over a picture of both runs. `second_x`: left edge of the picture of B [px]; 0 if B is drawn over A,
/// in which case its name stands below that of A. Names that are too long for their picture end in "...".
void draw_names(Image& picture, const PairNames& names, int second_x, const TextFont& font);

}  // namespace vw
