// Pictures that show two runs: side by side, or one blended over the other.
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

TEST(PairImage, NamesStandInTheCornerOfTheirPicture) {
  const TextFont font(false);
  const auto changed = [](const Image& before, const Image& after, int from_x, int to_x, int from_y, int to_y) {
    int count = 0;
    for (int y = from_y; y < to_y; ++y)
      for (int x = from_x; x < to_x; ++x) {
        const std::size_t at =
            4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(before.width) + static_cast<std::size_t>(x));
        count += before.rgba[at] != after.rgba[at] ? 1 : 0;
      }
    return count;
  };
  const Image plain = of_colour(400, 200, 250);
  Image split = plain, ghost = plain, narrow = of_colour(60, 200, 250);
  draw_names(split, {"first", "second", {}}, 200, font);
  EXPECT_GT(changed(plain, split, 0, 200, 0, 40), 100);
  EXPECT_GT(changed(plain, split, 200, 400, 0, 40), 100);
  EXPECT_EQ(changed(plain, split, 0, 400, 40, 200), 0);
  draw_names(ghost, {"first", "second", glm::vec3(1, 0, 0)}, 0, font);
  EXPECT_GT(changed(plain, ghost, 0, 200, 25, 50), 100) << "the name of B must be below the name of A";
  EXPECT_EQ(changed(plain, ghost, 200, 400, 0, 200), 0);
  draw_names(narrow, {"a name that is much too long for the picture", "b", {}}, 0, font);
  EXPECT_EQ(changed(of_colour(60, 200, 250), narrow, 56, 60, 0, 200), 0) << "the name must be cut";
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
