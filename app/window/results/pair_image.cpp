#include "app/window/results/pair_image.h"

#include <algorithm>
#include <cmath>

namespace vw {

SplitWidths split_width(int width, double gap_share) {
  const int gap = std::clamp(static_cast<int>(std::lround(width * gap_share)), 0, std::max(0, width - 2));
  const int picture = std::max(1, (width - gap) / 2);
  return {picture, width - 2 * picture};
}

Image side_by_side(const Image& left, const Image& right, int width, const std::array<std::uint8_t, 3>& gap_rgb) {
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(left.height);
  Image out{width, left.height, std::vector<std::uint8_t>(4 * columns * rows)};
  const auto first = 4 * static_cast<std::size_t>(left.width), second = 4 * static_cast<std::size_t>(right.width);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint8_t* to = out.rgba.data() + 4 * columns * row;
    std::copy_n(left.rgba.data() + row * first, first, to);
    for (std::size_t x = first; x + second < 4 * columns; x += 4) {
      std::ranges::copy(gap_rgb, to + x);
      to[x + 3] = 255;
    }
    std::copy_n(right.rgba.data() + row * second, second, to + 4 * columns - second);
  }
  return out;
}

void blend_over(Image& picture, const Image& over, double opacity) {
  const double share = std::clamp(opacity, 0.0, 1.0);
  for (std::size_t i = 0; i < std::min(picture.rgba.size(), over.rgba.size()); ++i) {
    const double mixed = picture.rgba[i] + share * (over.rgba[i] - picture.rgba[i]);
    picture.rgba[i] = static_cast<std::uint8_t>(std::lround(mixed));
  }
}

}  // namespace vw
