// Published colour maps, discrete and logarithmic scales, and pictures with alpha.
#include <gtest/gtest.h>

#include "render/labels/color_map.h"
#include "render/labels/figure.h"
#include "render/scene/light/background.h"

namespace vw {
namespace {

void expect_color(const ColorMap& map, std::size_t at, const glm::ivec3& bytes, int tolerance) {
  const glm::ivec3 off = glm::abs(glm::ivec3(map[at] * 255.0F + 0.5F) - bytes);
  EXPECT_LE(std::max({off.r, off.g, off.b}), tolerance) << at;
}

TEST(ColorMaps, ViridisAgreesWithItsTable) {
  const ColorMap& map = color_map(ColorMapKind::viridis, false);
  // The expected colours are rows of matplotlib's table. Our fit, a polynomial of degree 6, differs from them by up to
  // 3 bytes.
  expect_color(map, 0, {68, 1, 84}, 4);
  expect_color(map, 128, {33, 145, 140}, 4);
  expect_color(map, 255, {253, 231, 37}, 4);
}

TEST(ColorMaps, CividisAgreesWithItsTable) {
  const ColorMap& map = color_map(ColorMapKind::cividis, false);
  // Our fit follows the first published version of the map. Its ends differ from matplotlib's map by up to 13 bytes.
  expect_color(map, 0, {0, 34, 78}, 8);
  expect_color(map, 128, {124, 123, 120}, 8);
  expect_color(map, 255, {254, 232, 56}, 16);
}

TEST(ColorMaps, CoolwarmHasTheColoursOfThePaper) {
  const ColorMap& map = color_map(ColorMapKind::coolwarm, true);
  // The expected colours are from the table of the cool-warm map in Moreland 2009. Its middle row lies between two rows
  // of our table.
  expect_color(map, 0, {59, 76, 192}, 2);
  expect_color(map, 64, {141, 176, 254}, 5);
  expect_color(map, 127, {221, 221, 221}, 4);
  expect_color(map, 191, {244, 152, 122}, 6);
  expect_color(map, 255, {180, 4, 38}, 2);
}

TEST(ColorMaps, SequentialMapsGrowLighter) {
  for (const ColorMapKind kind : {ColorMapKind::viridis, ColorMapKind::cividis}) {
    const ColorMap& map = color_map(kind, false);
    float before = -1;
    for (std::size_t i = 0; i < map.size(); i += 15) {
      const glm::vec3 c = light_of(map[i]);
      const float luminance = 0.2126F * c.r + 0.7152F * c.g + 0.0722F * c.b;
      EXPECT_GT(luminance, before) << i;
      before = luminance;
    }
  }
}

TEST(ColorMaps, LevelsReachBothEndsOfTheMap) {
  const ColorMap& map = color_map(ColorMapKind::viridis, false);
  const ColorMap discrete = with_levels(map, 4);
  ASSERT_EQ(discrete.size(), map.size());
  std::vector<glm::vec3> different{discrete[0]};
  for (const glm::vec3& color : discrete)
    if (color != different.back()) different.push_back(color);
  EXPECT_EQ(different.size(), 4U);
  EXPECT_EQ(discrete.front(), map.front());
  EXPECT_EQ(discrete.back(), map.back());
  EXPECT_EQ(with_levels(map, 0), map);
  EXPECT_EQ(with_levels(map, 1), map) << "one level would show a single colour, so it is ignored";
}

TEST(ColorMaps, LogarithmicRangesArePositive) {
  const ValueRange plain = logarithmic_range({0.5F, 50});
  EXPECT_EQ(plain.min, 0.5F);
  EXPECT_EQ(plain.max, 50);
  const ValueRange from_zero = logarithmic_range({0, 50});
  EXPECT_FLOAT_EQ(from_zero.min, 50e-4F);
  for (const ValueRange& odd : {ValueRange{-2, -1}, ValueRange{0, 0}, ValueRange{3, 3}}) {
    const ValueRange range = logarithmic_range(odd);
    EXPECT_GT(range.min, 0);
    EXPECT_GT(range.max, range.min);
  }
}

/// Returns a figure whose elements are coloured by the given speeds, and sets its legend.
Figure colored(const std::vector<float>& values, const ViewParams& view, Legend& legend) {
  SystemSnapshot system;
  system.name = "dots";
  system.position.resize(values.size(), Vec3f::Zero());
  system.channels.push_back({"speed", values});
  Figure figure;
  SmoothRange smooth;
  std::vector<float> scratch;
  color_figure(system, view, 0, smooth, scratch, figure, legend);
  return figure;
}

TEST(ColorMaps, ALogarithmicScaleGivesEqualRatiosEqualSteps) {
  ViewParams view;
  view.color_by = "speed";
  view.range_auto = false;
  view.range_min = 1;
  view.range_max = 100;
  view.color_map = ColorMapKind::viridis;
  view.color_scale = ColorScale::logarithmic;
  Legend legend;
  const Figure figure = colored({1, 10, 100, 0, -5}, view, legend);
  const ColorMap& map = color_map(ColorMapKind::viridis, false);
  EXPECT_EQ(figure.colors[0], pack_color(map.front()));
  EXPECT_EQ(figure.colors[1], pack_color(map[128]));
  EXPECT_EQ(figure.colors[2], pack_color(map.back()));
  EXPECT_EQ(figure.colors[3], pack_color(map.front())) << "the value 0 has the lowest colour on a logarithmic scale";
  EXPECT_EQ(figure.colors[4], pack_color(map.front()));
  EXPECT_TRUE(legend.logarithmic);
}

TEST(ColorMaps, ASymmetricRangeHasZeroInItsMiddle) {
  ViewParams view;
  view.color_by = "speed";
  view.range_auto = false;
  view.range_min = -1;
  view.range_max = 4;
  view.range_symmetric = true;
  Legend legend;
  (void)colored({0, 1}, view, legend);
  EXPECT_EQ(legend.min, -4);
  EXPECT_EQ(legend.max, 4);
}

TEST(TransparentPictures, AlphaReproducesBothBackgrounds) {
  // The four pixels are opaque, empty, half-transparent red, and a black shadow of 25 %.
  ViewParams view;
  view.matte = Matte::dark;
  const glm::vec4 dark = plain_background(view);
  const std::vector<glm::vec4> wanted{{0.2F, 0.5F, 0.9F, 1}, {0, 0, 0, 0}, {1, 0, 0, 0.5F}, {0, 0, 0, 0.25F}};
  Image white{4, 1, {}}, black{4, 1, {}};
  for (const glm::vec4& c : wanted)
    for (auto* image : {&white, &black}) {
      const glm::vec3 behind = image == &white ? glm::vec3(1) : glm::vec3(dark);
      for (int k = 0; k < 3; ++k)
        image->rgba.push_back(static_cast<std::uint8_t>((c[k] * c.w + behind[k] * (1 - c.w)) * 255 + 0.5F));
      image->rgba.push_back(255);
    }
  const Image out = matted(white, black);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(out.rgba[4 * i + 3], wanted[i].w * 255, 2) << i;
    for (std::size_t k = 0; k < 3 && wanted[i].w > 0.4F; ++k)
      EXPECT_NEAR(out.rgba[4 * i + k], wanted[i][static_cast<int>(k)] * 255, 4) << i;
  }
}

}  // namespace
}  // namespace vw
