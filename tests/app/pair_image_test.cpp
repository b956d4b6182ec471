// Pictures of two runs in one.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "app/window/results/pair_image.h"

namespace vw {
namespace {

Image of_colour(int width, int height, std::uint8_t value) {
  return {width, height,
          std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), value)};
}
int red_at(const Image& image, int x, int y) {
  return image
      .rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x))];
}

TEST(PairImage, PutsBothPicturesIntoTheWholeWidth) {
  for (const int width : {100, 101, 2, 3}) {
    const SplitWidths split = split_width(width, 0.03);
    EXPECT_EQ(2 * split.picture + split.gap, width);
    const Image both = side_by_side(of_colour(split.picture, 4, 10), of_colour(split.picture, 4, 20), width, {7, 8, 9});
    ASSERT_EQ(both.width, width);
    ASSERT_EQ(both.rgba.size(), static_cast<std::size_t>(4 * width * 4));
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < width; ++x)
        EXPECT_EQ(red_at(both, x, y), x < split.picture ? 10 : x < split.picture + split.gap ? 7 : 20) << x;
  }
}

TEST(PairImage, BlendsAGhostWithItsOpacity) {
  for (const auto& [opacity, expected] : {std::pair{0.0, 10}, std::pair{0.25, 60}, std::pair{1.0, 210}}) {
    Image picture = of_colour(5, 3, 10);
    blend_over(picture, of_colour(5, 3, 210), opacity);
    for (int x = 0; x < 5; ++x) EXPECT_EQ(red_at(picture, x, 2), expected);
  }
}

}  // namespace
}  // namespace vw
