// Images of legends, drawn with system fonts and with the built-in font.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/labels/bitmap_font.h"
#include "render/labels/figure.h"
#include "render/labels/legend_numbers.h"
#include "render/labels/legend_picture.h"
#include "render/vectors/vector_colors.h"
#include "stage_set.h"

namespace vw {
namespace {

glm::ivec3 legend_pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * image.width + x)];
  return {p[0], p[1], p[2]};
}

glm::ivec3 bytes(const glm::vec3& srgb) { return glm::ivec3(srgb * 255.0F + 0.5F); }

int count_near(const Image& image, const glm::ivec3& color, int left, int right) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = left; x < right; ++x) {
      const glm::ivec3 d = glm::abs(legend_pixel(image, x, y) - color);
      count += std::max({d.r, d.g, d.b}) <= 3 ? 1 : 0;
    }
  return count;
}

Legend speed_legend() { return {"flag: speed", "m/s", 0, 2, magnitude_map(), {}}; }

TEST(RenderLegend, TheBarRunsFromTheLowestColourToTheHighest) {
  for (const bool system_fonts : {true, false}) {
    LegendPicture legend(system_fonts);
    ASSERT_TRUE(legend.compose({speed_legend()}, {}, 720));
    const Image& image = legend.image();
    const auto &low = magnitude_map().front(), &high = magnitude_map().back();
    EXPECT_GT(count_near(image, bytes(low), 0, image.width / 3), 8);
    EXPECT_GT(count_near(image, bytes(high), 2 * image.width / 3, image.width), 8);
    EXPECT_EQ(count_near(image, bytes(high), 0, image.width / 3), 0);
  }
}

TEST(RenderLegend, WordsAreThereWithoutAnyFont) {
  LegendPicture with(true), without(false);
  VectorLegend vectors{true, 0.5F, 80, 1, 100, 200};
  ASSERT_TRUE(without.compose({}, {&vectors, 1}, 720));
  ASSERT_TRUE(with.compose({}, {&vectors, 1}, 720));
  const glm::ivec3 ink = bytes({0.95F, 0.96F, 0.97F}), dim = bytes({0.70F, 0.73F, 0.77F});
  // The texts "0.5 m/s" and "100 of 200 arrows" consist of about 220 dots. Each dot covers at least one pixel.
  EXPECT_GT(count_near(without.image(), ink, 0, without.image().width) +
                count_near(without.image(), dim, 0, without.image().width),
            220);
  EXPECT_GT(with.image().width, 60);
}

TEST(RenderLegend, MaterialsShowTheirColours) {
  const Legend materials{"walker", {}, 0, 1, {}, {{"Back", {0.2F, 0.6F, 0.6F}}, {"Head", {0.9F, 0.8F, 0.3F}}}};
  LegendPicture legend;
  ASSERT_TRUE(legend.compose({materials}, {}, 720));
  for (const auto& [name, color] : materials.entries)
    EXPECT_GT(count_near(legend.image(), bytes(color), 0, legend.image().width), 60) << name;
}

TEST(RenderLegend, EqualBarsOfSeveralBodiesAreOneUnderTheChannelsName) {
  std::vector<Legend> before{speed_legend()};
  Legend another = speed_legend();
  another.title = "sail: speed";
  another.max = 3;
  EXPECT_FALSE(joins_another(another, before)) << "legends of different ranges must not join";
  EXPECT_EQ(before[0].title, "flag: speed");
  another.max = 2;
  EXPECT_TRUE(joins_another(another, before));
  EXPECT_EQ(before[0].title, "speed");
  EXPECT_TRUE(joins_another(another, before)) << "a third legend must join the others";
  EXPECT_FALSE(joins_another({"walker", {}, 0, 1, {}, {{"Back", {0.2F, 0.6F, 0.6F}}}}, before))
      << "legends of materials must not join";
}

/// Returns the largest number of consecutive pixels of the given colour in a row of the image.
int longest_run(const Image& image, const glm::ivec3& color) {
  int most = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0, run = 0; x < image.width; ++x) {
      const glm::ivec3 d = glm::abs(legend_pixel(image, x, y) - color);
      run = std::max({d.r, d.g, d.b}) <= 3 ? run + 1 : 0;
      most = std::max(most, run);
    }
  return most;
}

TEST(RenderLegend, TheSampleOfAnArrowIsAsLongAsSaid) {
  LegendPicture legend;
  VectorLegend vectors{true, 0.5F, 80, 1, 100, 200};
  for (const bool turns : {false, true}) {
    vectors.turns = turns;
    ASSERT_TRUE(legend.compose({}, {&vectors, 1}, 720));
    EXPECT_NEAR(longest_run(legend.image(), bytes({0.95F, 0.96F, 0.97F})), 80, 1);
  }
}

TEST(RenderLegend, ArrowsExplainTheirColours) {
  VectorLegend vectors{true, 2, 80, 9, 100, 200, "m/s^2"};
  vectors.title = "acceleration";
  vectors.range = 3;
  vectors.color = VectorColor::magnitude;
  LegendPicture legend;
  ASSERT_TRUE(legend.compose({}, {&vectors, 1}, 720));
  EXPECT_GT(count_near(legend.image(), bytes(speed_map().front()), 0, legend.image().width / 2), 8) << "a bar of sizes";
  EXPECT_GT(count_near(legend.image(), bytes(speed_map().back()), legend.image().width / 2, legend.image().width), 8);
  vectors.color = VectorColor::direction;
  vectors.axes = glm::mat3(glm::vec3(0.8F, 0, 0.6F), glm::vec3(-0.3F, 0.8F, 0.5F), glm::vec3(-0.5F, -0.5F, 0.7F));
  ASSERT_TRUE(legend.compose({}, {&vectors, 1}, 720));
  for (const KeyArm& arm : direction_key(vectors.axes))
    EXPECT_GT(count_near(legend.image(), bytes(arm.color), 0, legend.image().width), 15);
  EXPECT_EQ(count_near(legend.image(), bytes(speed_map().front()), 0, legend.image().width), 0);
  vectors.color = VectorColor::system;
  vectors.entries = {{"school", system_tint(0)}, {"hawk", system_tint(1)}};
  ASSERT_TRUE(legend.compose({}, {&vectors, 1}, 720));
  for (const auto& [name, tint] : vectors.entries)
    EXPECT_GT(count_near(legend.image(), bytes(tint), 0, legend.image().width), 60) << name;
}

TEST(Legend, WordsOfArrowsSayWhatTheyAreAndWhatIsCutOff) {
  VectorLegend vectors{true, 2, 80, 50, 300, 2000, "N"};
  vectors.title = "net_force";
  EXPECT_EQ(legend_texts(vectors).title, "net force [N]");
  EXPECT_EQ(legend_texts(vectors).sample, "2 N");
  EXPECT_EQ(legend_texts(vectors).high, "") << "colours by system have no range";
  EXPECT_THAT(legend_texts(vectors).notes, testing::ElementsAre("300 of 2000 arrows"));
  vectors.speed = 2e-7F;
  EXPECT_EQ(legend_texts(vectors).sample, "200 nN");
  vectors.speed = 25000;
  EXPECT_EQ(legend_texts(vectors).sample, "25 kN");
  vectors.unit = "1/s";
  EXPECT_EQ(legend_texts(vectors).sample, "2.5e+04 1/s") << "no prefix before a unit that begins with a number";
  vectors.unit = "m/s";
  vectors.range = 4;
  vectors.color = VectorColor::magnitude;
  vectors.clipped = 3;
  vectors.clamp = 12;
  vectors.length = VectorLength::logarithmic;
  vectors.decades = 2;
  const VectorWords words = legend_texts(vectors);
  EXPECT_EQ(words.low, "0.04");
  EXPECT_EQ(words.middle, "0.4");
  EXPECT_EQ(words.high, "4 m/s");
  EXPECT_THAT(words.notes, testing::ElementsAre("300 of 2000 arrows", "logarithmic: none below 0.04 m/s",
                                                "3 arrows shortened to 12 m/s, largest value 50 m/s"));
  vectors.length = VectorLength::constant;
  EXPECT_EQ(legend_texts(vectors).sample, "any value");
  EXPECT_FALSE(has_content({})) << "no arrow has been drawn";
}

TEST(RenderLegend, AVeryLongEntryIsCutOff) {
  const std::string name(4000, 'w');
  const Legend materials{"walker", {}, 0, 1, {}, {{"Back", {0.2F, 0.6F, 0.6F}}, {name, {0.9F, 0.8F, 0.3F}}}};
  LegendPicture legend(false);
  ASSERT_TRUE(legend.compose({materials}, {}, 720));
  // Each letter of the built-in font is at least 6 px wide.
  EXPECT_EQ(legend.image().width, 16384) << "an OpenGL texture need not be larger";
}

TEST(RenderLegend, NothingToShowIsNoPicture) {
  LegendPicture legend;
  EXPECT_FALSE(legend.compose({}, {}, 720));
}

TEST(RenderLegend, EveryLetterHasDotsOfItsOwn) {
  for (char a = '!'; a <= '~'; ++a)
    for (char b = ' '; b < a; ++b) EXPECT_NE(dots_of(a), dots_of(b)) << a << " and " << b;
  EXPECT_EQ(dots_of('\xC3'), dots_of('\n')) << "characters outside printable ASCII are shown as a box";
}

TEST(RenderLegend, PrefixesOfTheSystemAreLeftOutOfMaterialNames) {
  SystemSnapshot s = voxel_block(2, 2, 2, 0.01F, 0, Vec3f::Zero());
  s.palette_names = {"block_Left_side", "tissue"};
  Figure figure;
  place_figure(nullptr, s, 1, figure);
  SmoothRange smooth;
  std::vector<float> scratch;
  Legend legend;
  color_figure(s, {}, 0, smooth, scratch, figure, legend);
  ASSERT_EQ(legend.entries.size(), 2U);
  EXPECT_EQ(legend.entries[0].first, "Left side");
  EXPECT_EQ(legend.entries[1].first, "tissue");
}

TEST(RenderLegend, ALegendThatIsReusedForASystemForgetsThatItListedOneEntry) {
  const SystemSnapshot s = sphere_cloud(2, 0.1F, 0.01F, Vec3f::Zero());
  Figure figure;
  place_figure(nullptr, s, 1, figure);
  SmoothRange smooth;
  std::vector<float> scratch;
  Legend legend;
  legend.title = "Actuators";
  legend.lists_one = true;
  color_figure(s, {}, 0, smooth, scratch, figure, legend);
  EXPECT_EQ(legend.title, "cloud");
  EXPECT_FALSE(legend.lists_one);
}

TEST(RenderFigure, AFigureThatIsReusedForParticlesOfBodiesForgetsThatItShowedAChannel) {
  SystemSnapshot bodies;
  bodies.look = RigidLook{};
  Figure figure;
  figure.own_colors = false;
  place_fill(bodies, Figure{}, -1, figure);
  EXPECT_TRUE(figure.own_colors);
}

TEST(Legend, NumbersAreShortWithThePrefixInTheUnit) {
  const auto of = [](const char* title, const char* unit, float min, float max) {
    return numbers_of({title, unit, min, max, magnitude_map(), {}});
  };
  const LegendNumbers pressure = of("bar: pressure", "Pa", -2700, 2700);
  EXPECT_EQ(pressure.unit, "kPa");
  EXPECT_EQ(pressure.low, "-2.7");
  EXPECT_EQ(pressure.middle, "0");
  EXPECT_EQ(pressure.high, "2.7");
  EXPECT_EQ(of("bar: kinetic_energy", "J", 0, 4.24e-8F).unit, "nJ");
  EXPECT_EQ(of("bar: kinetic_energy", "J", 0, 4.24e-8F).high, "42.4");
  EXPECT_EQ(of("bar: force", "N", 0, 0).high, "0");
  EXPECT_EQ(of("bar: temperature", "K", 0, 0.02F).unit, "K");
  EXPECT_EQ(of("bar: strain", "", 0, 0.0415F).high, "0.0415");
  EXPECT_EQ(of("bar: contact", "", 0, 1).high, "touching");
}

}  // namespace
}  // namespace vw
