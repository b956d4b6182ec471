// The arrows of elements: which elements have an arrow, and the length, colour and legend of the arrows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "render/labels/canvas.h"
#include "render/labels/legend_numbers.h"
#include "render/scene/frame_data.h"
#include "render/software/software_renderer.h"
#include "render/vectors/arrow_visibility.h"
#include "render/vectors/element_arrows.h"
#include "render/vectors/vector_colors.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

Snapshot of_one(SystemSnapshot system) {
  Snapshot snapshot;
  snapshot.epoch = 1;
  snapshot.systems = {std::move(system)};
  return snapshot;
}

/// Width of a pixel at the camera's target [m].
constexpr float arrow_pixel_m = 0.001F;

void show(ElementArrows& arrows, const Snapshot& snapshot, const ViewParams& view, double time_s = 0) {
  std::vector<Figure> figures(snapshot.systems.size());
  for (std::size_t s = 0; s < figures.size(); ++s) place_figure(nullptr, snapshot.systems[s], 1, figures[s]);
  const Camera camera = straight_on();
  arrows.build({nullptr, snapshot, 1, figures, view, camera, time_s, arrow_pixel_m});
}
void show(ElementArrows& arrows, const SystemSnapshot& system, const ViewParams& view, double time_s = 0) {
  show(arrows, of_one(system), view, time_s);
}

ViewParams with_arrows(VectorLength length, std::int64_t limit = 3000) {
  ViewParams view;
  view.vectors = true;
  view.vector_length = length;
  view.vector_limit = limit;
  return view;
}

float length_of(const Arrow& arrow) { return glm::length(glm::vec3(arrow.shift)); }

/// Returns eight spheres. The first is a hundred times slower than the others.
SystemSnapshot fast_and_slow() {
  SystemSnapshot s = sphere_cloud(2, 0.1F, 0.01F, Vec3f::Zero());
  for (std::size_t i = 0; i < s.velocity.size(); ++i) s.velocity[i] = Vec3f(i == 0 ? 0.01F : 1.0F, 0, 0);
  return s;
}

TEST(RenderArrows, OfMembersBeginAtTheirSkin) {
  SystemSnapshot s = sphere_cloud(1, 0.1F, 0.01F, Vec3f::Zero());
  s.use_look<MemberLook>();
  s.orientation = {Eigen::Quaternionf::Identity()};
  s.use_look<MemberLook>().species = {SpeciesLook{}};
  s.velocity[0] = Vec3f(0.3F, 0, 0);
  const glm::vec3 place(s.position[0].x(), s.position[0].y(), s.position[0].z());
  ElementArrows along, across;
  show(along, s, with_arrows(VectorLength::linear));
  ASSERT_EQ(along.arrows().size(), 1U);
  EXPECT_NEAR(glm::length(glm::vec3(along.arrows()[0].tail) - place - glm::vec3(s.size[0], 0, 0)), 0, 1e-6F)
      << "the arrow must begin at the nose";
  s.velocity[0] = Vec3f(0, 0.3F, 0);
  show(across, s, with_arrows(VectorLength::linear));
  const float beside = glm::length(glm::vec3(across.arrows()[0].tail) - place);
  EXPECT_GT(beside, 0.1F * s.size[0]);
  EXPECT_LT(beside, 0.5F * s.size[0]) << "the side of a slender body is close to its centre";
}

TEST(RenderArrows, StayWithTheirElementsWhileTheseMoveLittle) {
  SystemSnapshot s = sphere_cloud(20, 0.2F, 0.003F, Vec3f::Zero());
  ElementArrows field;
  std::multiset<std::pair<float, float>> before;
  double kept = 0, drawn = 0;
  const ViewParams view = with_arrows(VectorLength::linear, 500);
  for (int frame = 0; frame < 30; ++frame) {
    show(field, s, view, frame / 60.0);
    std::multiset<std::pair<float, float>> now;
    // All elements move along x only, so y and z together identify an element.
    for (const Arrow& a : field.arrows()) now.emplace(a.tail.y, a.tail.z);
    for (const auto& tail : now) kept += before.contains(tail) ? 1 : 0;
    drawn += frame > 0 ? static_cast<double>(now.size()) : 0;
    before = std::move(now);
    for (Vec3f& p : s.position) p.x() += 0.0005F;
  }
  // Each cell shows one arrow and is about 0.05 m wide. A displacement of 0.5 mm moves one element in a hundred into
  // another cell, which may change the selection in both cells.
  EXPECT_GT(kept, 0.97 * drawn);
}

TEST(RenderArrows, CoverSparsePartsAsWellAsDenseOnes) {
  SystemSnapshot s = sphere_cloud(18, 0.05F, 0.001F, Vec3f(-0.5F, 0, 0));
  const SystemSnapshot sparse = sphere_cloud(5, 0.4F, 0.001F, Vec3f(0.5F, 0, 0));
  for (std::size_t i = 0; i < sparse.position.size(); ++i) {
    s.position.push_back(sparse.position[i]);
    s.velocity.push_back(sparse.velocity[i]);
    s.size.push_back(sparse.size[i]);
    s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
    s.material.push_back(0);
  }
  ElementArrows field;
  show(field, s, with_arrows(VectorLength::linear, 300), 0);
  std::size_t on_the_right = 0;
  for (const Arrow& a : field.arrows()) on_the_right += a.tail.x > 0 ? 1 : 0;
  EXPECT_LE(field.arrows().size(), 300U);
  // The sparse cloud has fewer than 3 % of the elements, but nearly each of them is alone in a cell and thus has an
  // arrow.
  EXPECT_GT(on_the_right, sparse.position.size() * 8 / 10);
}

TEST(RenderArrows, LinearLengthsFollowTheSpeed) {
  ElementArrows field;
  show(field, fast_and_slow(), with_arrows(VectorLength::linear), 0);
  ASSERT_EQ(field.arrows().size(), 8U);
  EXPECT_NEAR(length_of(field.arrows()[1]), 100 * length_of(field.arrows()[0]), 1e-4F * length_of(field.arrows()[1]));
}

TEST(RenderArrows, ConstantLengthsAreAllTheSame) {
  ElementArrows field;
  show(field, fast_and_slow(), with_arrows(VectorLength::constant), 0);
  ASSERT_EQ(field.arrows().size(), 8U);
  EXPECT_NEAR(length_of(field.arrows()[0]), length_of(field.arrows()[1]), 1e-5F * length_of(field.arrows()[1]));
}

TEST(RenderArrows, LogarithmicLengthsBeginSoManyDecadesBelowTheRangesEnd) {
  ElementArrows field;
  ViewParams view = with_arrows(VectorLength::logarithmic);
  for (const double decades : {3.0, 4.0}) {
    view.vector_decades = decades;
    show(field, fast_and_slow(), view);
    ASSERT_EQ(field.arrows().size(), 8U) << decades;
    EXPECT_NEAR(length_of(field.arrows()[0]) / length_of(field.arrows()[1]), 1 - 2 / decades, 1e-4)
        << "a hundredth of the range is two decades below its end";
  }
  view.vector_decades = 1.5;
  show(field, fast_and_slow(), view);
  EXPECT_EQ(field.arrows().size(), 7U) << "smaller values have no arrow";
  EXPECT_EQ(legend_texts(field.legend()).notes[1], "logarithmic: none below 0.0316 m/s");
}

TEST(RenderArrows, NotANumberHasNoArrow) {
  SystemSnapshot s = fast_and_slow();
  s.velocity[3] = Vec3f::Constant(std::nanf(""));
  ElementArrows field;
  show(field, s, with_arrows(VectorLength::linear), 0);
  EXPECT_EQ(field.arrows().size(), 7U);
}

/// Returns a row of balls of 0.1 m in diameter with the given accelerations. Adjacent balls touch.
SystemSnapshot row_of(const std::vector<Vec3f>& values) {
  SystemSnapshot s;
  s.name = "row";
  for (std::size_t i = 0; i < values.size(); ++i) {
    s.position.emplace_back(0.1F * static_cast<float>(i), 0, 0);
    s.velocity.emplace_back(0, 0, 1);
    s.size.push_back(0.05F);
    s.id.push_back(static_cast<std::uint32_t>(i));
  }
  s.available_vectors = {{"acceleration", "m/s^2"}};
  s.vectors = {{"acceleration", values}};
  return s;
}
ViewParams accelerations() {
  ViewParams view = with_arrows(VectorLength::linear);
  view.vector_of = "acceleration";
  return view;
}
std::vector<Vec3f> upwards(std::initializer_list<float> sizes) {
  std::vector<Vec3f> values;
  for (const float size : sizes) values.emplace_back(0, size, 0);
  return values;
}

TEST(RenderArrows, AnyVectorOfASystemIsShownWithItsNameAndUnit) {
  ElementArrows field;
  ViewParams view = accelerations();
  view.vector_scale = VectorScale::manual;
  view.vector_seconds = 0.02;
  show(field, row_of({Vec3f(0, 2, 0), Vec3f(3, 0, 0)}), view);
  ASSERT_EQ(field.arrows().size(), 2U);
  EXPECT_LT(glm::length(glm::vec3(field.arrows()[0].shift) - glm::vec3(0, 0.04F, 0)), 1e-6F);
  EXPECT_LT(glm::length(glm::vec3(field.arrows()[1].shift) - glm::vec3(0.06F, 0, 0)), 1e-6F);
  const VectorWords words = legend_texts(field.legend());
  EXPECT_EQ(words.title, "acceleration [m/s^2]");
  EXPECT_EQ(words.sample, "2 m/s^2");
  EXPECT_EQ(words.low, "0");
  EXPECT_EQ(words.middle, "1.5");
  EXPECT_EQ(words.high, "3 m/s^2");
  EXPECT_THAT(words.notes, testing::ElementsAre("2 arrows"));
  EXPECT_NEAR(field.legend().arrow_px, 40, 0.01) << "0.04 m at 1 mm a pixel";
}

TEST(RenderArrows, FittedArrowsAtTheRangesEndAreAsLongAsTheyAreApart) {
  ElementArrows field;
  show(field, row_of(upwards({1, 1, 1, 1})), accelerations());
  ASSERT_EQ(field.arrows().size(), 4U);
  for (const Arrow& arrow : field.arrows()) EXPECT_NEAR(length_of(arrow), 1.4F * 0.1F, 1e-5F);
}

TEST(RenderArrows, NoArrowIsLongerThanTheClampAndTheLegendSaysHowManyWouldBe) {
  std::vector<Vec3f> values(40, Vec3f(0, 1, 0));
  values[7] = Vec3f(0, 100, 0);
  values[9] = Vec3f(0, 2.5F, 0);
  ElementArrows field;
  ViewParams view = accelerations();
  show(field, row_of(values), view);
  EXPECT_NEAR(length_of(field.arrows()[7]), 3 * length_of(field.arrows()[0]), 1e-5F);
  EXPECT_NEAR(length_of(field.arrows()[9]), 2.5F * length_of(field.arrows()[0]), 1e-5F);
  EXPECT_EQ(field.legend().clipped, 1U);
  EXPECT_THAT(legend_texts(field.legend()).notes,
              testing::ElementsAre("40 arrows", "1 arrow shortened to 3 m/s^2, largest value 100 m/s^2"));
  view.vector_clamp = 0;
  show(field, row_of(values), view);
  EXPECT_NEAR(length_of(field.arrows()[7]), 100 * length_of(field.arrows()[0]), 1e-3F);
  EXPECT_THAT(legend_texts(field.legend()).notes, testing::ElementsAre("40 arrows"));
}

TEST(RenderArrows, ALockedRangeHoldsLengthsAndColoursWhateverComes) {
  ElementArrows field;
  ViewParams view = accelerations();
  view.vector_range_auto = false;
  view.vector_range = 4;
  for (const float size : {1.0F, 2.0F}) {
    show(field, row_of(upwards({size, size})), view, size);
    ASSERT_EQ(field.arrows().size(), 2U);
    EXPECT_NEAR(length_of(field.arrows()[0]), 0.14F * size / 4, 1e-5F) << "the value 4 has the full length";
    EXPECT_EQ(field.legend().range, 4);
    EXPECT_EQ(legend_texts(field.legend()).high, "4 m/s^2");
  }
  const float half = field.arrows()[0].tail.w;
  show(field, row_of(upwards({2, 4, 4, 4})), view, 3);
  EXPECT_EQ(field.arrows()[0].tail.w, half) << "half of the range must keep its colour among other values";
  EXPECT_NE(field.arrows()[1].tail.w, half);
}

TEST(RenderArrows, OnlyTheNamedSystemsHaveArrows) {
  Snapshot snapshot = of_one(row_of(upwards({1, 1})));
  snapshot.systems.push_back(row_of(upwards({1, 1, 1})));
  snapshot.systems[1].name = "other";
  ViewParams view = accelerations();
  ElementArrows field;
  show(field, snapshot, view);
  EXPECT_EQ(field.arrows().size(), 5U);
  view.vector_systems = {"other"};
  show(field, snapshot, view);
  EXPECT_EQ(field.arrows().size(), 3U);
  view.vector_systems = {"nobody"};
  show(field, snapshot, view);
  EXPECT_TRUE(field.arrows().empty());
  EXPECT_FALSE(has_content(field.legend())) << "without arrows, there must be no legend";
}

TEST(RenderArrows, ColoursBySystemAreNamed) {
  Snapshot snapshot = of_one(row_of(upwards({1, 5})));
  snapshot.systems.push_back(row_of(upwards({1})));
  snapshot.systems[1].name = "other";
  ViewParams view = accelerations();
  view.vector_color = VectorColor::system;
  ElementArrows field;
  show(field, snapshot, view);
  ASSERT_EQ(field.arrows().size(), 3U);
  EXPECT_EQ(field.arrows()[0].tail.w, field.arrows()[1].tail.w);
  EXPECT_NE(field.arrows()[0].tail.w, field.arrows()[2].tail.w);
  ASSERT_EQ(field.legend().entries.size(), 2U);
  EXPECT_EQ(field.legend().entries[1].first, "other");
  EXPECT_EQ(legend_texts(field.legend()).high, "") << "there must be no colour bar";
}

TEST(RenderArrows, ColoursByDirectionDistinguishAllSixHalfAxes) {
  std::vector<glm::vec3> colors;
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {1.0F, -1.0F}) {
      glm::vec3 along(0);
      along[axis] = sign;
      colors.push_back(direction_color(along));
    }
  for (std::size_t i = 0; i < colors.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_GT(glm::length(colors[i] - colors[k]), 0.4F) << i << " and " << k;
  for (int axis = 0; axis < 3; ++axis) {
    const glm::vec3 ahead = colors[static_cast<std::size_t>(2 * axis)];
    for (const int other : {(axis + 1) % 3, (axis + 2) % 3})
      EXPECT_GT(ahead[axis], 1.4F * ahead[other]) << "x is red, y green, z blue";
  }
  // Opposite directions have clearly different colours. Adjacent directions have similar colours.
  float least = 2, most = 0;
  for (int i = 0; i < 400; ++i) {
    const float z = 1 - (2 * static_cast<float>(i) + 1) / 400, turn = 2.39996F * static_cast<float>(i),
                r = std::sqrt(1 - z * z);
    const glm::vec3 along(r * std::cos(turn), r * std::sin(turn), z),
        near = glm::normalize(along + glm::vec3(0.01F, -0.01F, 0.01F));
    least = std::min(least, glm::length(direction_color(along) - direction_color(-along)));
    most = std::max(most, glm::length(direction_color(along) - direction_color(near)));
  }
  EXPECT_GT(least, 0.15F);
  EXPECT_LT(most, 0.08F);
  ElementArrows field;
  ViewParams view = accelerations();
  view.vector_color = VectorColor::direction;
  show(field, row_of({Vec3f(0, 1, 0), Vec3f(0, 7, 0), Vec3f(0, -1, 0)}), view);
  ASSERT_EQ(field.arrows().size(), 3U);
  EXPECT_EQ(field.arrows()[0].tail.w, field.arrows()[1].tail.w) << "the colour must not depend on the length";
  EXPECT_NE(field.arrows()[0].tail.w, field.arrows()[2].tail.w);
  EXPECT_EQ(field.legend().color, VectorColor::direction);
}

TEST(RenderArrows, TheKeyOfDirectionsPointsAsTheCameraSeesThem) {
  const std::array<KeyArm, 6> arms = direction_key(glm::mat3(straight_on().view()));
  for (const KeyArm& arm : arms) {
    if (arm.name == nullptr) continue;
    const glm::vec2 wanted = *arm.name == 'x' ? glm::vec2(1, 0) : *arm.name == 'y' ? glm::vec2(0, 1) : glm::vec2(0, 0);
    EXPECT_LT(glm::length(arm.tip - wanted), 1e-6F) << arm.name;
  }
  ASSERT_NE(arms[5].name, nullptr);
  EXPECT_EQ(*arms[5].name, 'z') << "the arm towards the eye must be drawn last";
}

TEST(RenderArrows, AxesOfTurningHaveTwoHeads) {
  SystemSnapshot s = row_of(upwards({1, 1}));
  s.available_vectors = {{"vorticity", "1/s"}};
  s.vectors[0].name = "vorticity";
  ViewParams view = accelerations();
  view.vector_of = "vorticity";
  ElementArrows field;
  show(field, s, view);
  ASSERT_EQ(field.arrows().size(), 4U) << "each arrow has a second, shorter one";
  EXPECT_EQ(field.legend().arrows, 2U);
  EXPECT_TRUE(field.legend().turns);
  // The second arrow of each element is 70 % of a head shorter than the first. Here, a head is 12 pixels long (the
  // maximum), and a pixel is 1 mm wide.
  EXPECT_NEAR(length_of(field.arrows()[0]) - length_of(field.arrows()[2]), 0.7F * 0.012F, 1e-3F);
  EXPECT_EQ(glm::vec3(field.arrows()[0].tail), glm::vec3(field.arrows()[2].tail));
}

TEST(RenderArrows, ValuesBetweenTwoMomentsAreBetweenTheirs) {
  const Snapshot before = of_one(row_of(upwards({1, 2}))), now = of_one(row_of(upwards({3, 2})));
  std::vector<Figure> figures(1);
  place_figure(&before.systems[0], now.systems[0], 0.25F, figures[0]);
  ViewParams view = accelerations();
  view.vector_scale = VectorScale::manual;
  view.vector_seconds = 0.01;
  ElementArrows field;
  const Camera camera = straight_on();
  field.build({&before, now, 0.25F, figures, view, camera, 0, arrow_pixel_m});
  ASSERT_EQ(field.arrows().size(), 2U);
  EXPECT_NEAR(length_of(field.arrows()[0]), 0.015F, 1e-6F);
}

TEST(RenderArrows, HostileVectorsDoNoHarm) {
  const float nan = std::nanf(""), huge = 1e30F;
  ElementArrows field;
  ViewParams view = accelerations();
  for (const VectorLength law : {VectorLength::linear, VectorLength::logarithmic, VectorLength::constant}) {
    view.vector_length = law;
    show(field, row_of({Vec3f(0, 0, 0), Vec3f(0, 0, 0)}), view);
    EXPECT_TRUE(field.arrows().empty()) << "zero vectors must have no arrow";
    show(field, row_of({}), view);
    EXPECT_TRUE(field.arrows().empty());
    show(field, row_of({Vec3f(nan, 0, 0), Vec3f(0, 1, 0), Vec3f(huge, huge, huge)}), view, 5);
    for (const Arrow& arrow : field.arrows()) EXPECT_TRUE(std::isfinite(length_of(arrow)));
    EXPECT_GE(field.arrows().size(), 1U);
    SystemSnapshot lost = row_of(upwards({1, 1, 1}));
    lost.position[1].x() = nan;
    show(field, lost, view, 10);
    EXPECT_EQ(field.arrows().size(), 2U) << "elements at invalid positions must have no arrow";
    show(field, row_of(upwards({0.25F})), view, 20);
    ASSERT_EQ(field.arrows().size(), 1U);
    EXPECT_NEAR(length_of(field.arrows()[0]), 0.14F, 1e-5F) << "scaled by the width of the element";
  }
  SystemSnapshot torn = row_of(upwards({1, 1, 1}));
  torn.vectors[0].values.pop_back();
  show(field, torn, view, 30);
  EXPECT_TRUE(field.arrows().empty()) << "there are fewer values than elements";
  view.vector_of = "nobody_has_this";
  show(field, row_of(upwards({1})), view, 40);
  EXPECT_TRUE(field.arrows().empty());
  EXPECT_FALSE(has_content(field.legend()));
}

TEST(RenderArrows, WhereNearlyAllAreAtRestTheOthersGiveTheScale) {
  std::vector<Vec3f> values(100, Vec3f::Zero());
  values[3] = Vec3f(0, 2, 0);
  SystemSnapshot s = row_of(values);
  s.velocity = values;
  ElementArrows field;
  show(field, s, with_arrows(VectorLength::linear));
  ASSERT_EQ(field.arrows().size(), 1U);
  EXPECT_EQ(field.legend().range, 2);
}

TEST(RenderArrows, DepthsDecideWhichArrowsAreVisible) {
  // A near wall fills the left half of the image. The camera is at z = 1 m and looks along -z.
  constexpr int width = 200, height = 100;
  const Camera camera = straight_on();
  const glm::mat4 clip = camera.projection(2) * camera.view();
  std::vector<float> depth(static_cast<std::size_t>(width * height), 1.0F);
  for (int y = 0; y < height; ++y) std::fill_n(depth.begin() + y * width, width / 2, 0.0F);
  const auto arrow = [](const glm::vec3& tail, const glm::vec3& shift) {
    return Arrow{glm::vec4(tail, 1), glm::vec4(shift, 0)};
  };
  const Arrow left = arrow({-0.2F, 0, 0}, {0.1F, 0, 0}), right = arrow({0.1F, 0, 0}, {0.1F, 0, 0}),
              across = arrow({-0.1F, 0, 0}, {0.2F, 0.1F, 0}), outside = arrow({50, 0, 0}, {0.1F, 0, 0}),
              behind = arrow({0, 0, 3}, {0, 0.1F, 0}), dot = arrow({0.3F, 0, 0}, {1e-6F, 0, 0});
  const std::vector<Arrow> all{left, right, across, outside, behind, dot};
  const auto tails = [](std::span<const Arrow> arrows) {
    std::vector<glm::vec4> places;
    for (const Arrow& one : arrows) places.push_back(one.tail);
    return places;
  };
  ArrowVisibility sight;
  sight.sort(all, clip, depth, width, height);
  EXPECT_THAT(tails(sight.seen()), testing::ElementsAre(right.tail, across.tail, behind.tail, dot.tail));
  EXPECT_THAT(tails(sight.hidden()), testing::ElementsAre(left.tail, across.tail, behind.tail));
  sight.keep_all(all);
  EXPECT_EQ(sight.seen().size(), all.size());
  EXPECT_EQ(sight.hidden().size(), all.size());
}

class RenderArrowPicture : public RenderTest {
 protected:
  /// Returns the first and last column in which the image with arrows differs from the image without them.
  static std::pair<int, int> columns_of(const Image& with, const Image& without) {
    int first = with.width, last = -1;
    for (int y = 0; y < with.height; ++y)
      for (int x = 0; x < with.width; ++x) {
        const glm::ivec3 change = glm::abs(at(with, x, y) - at(without, x, y));
        if (std::max({change.r, change.g, change.b}) < 24) continue;
        first = std::min(first, x);
        last = std::max(last, x);
      }
    return {first, last};
  }
};

TEST_F(RenderArrowPicture, AnArrowIsAsManyPixelsLongAsItsLegendSaysForEachLawWithAndWithoutOpenGL) {
  // The element is in the middle of the image. The arrow points to the right in the plane of the camera's target.
  SystemSnapshot one = row_of({Vec3f(2, 0, 0)});
  one.size[0] = 1e-4F;
  Snapshot s = of_one(one);
  ViewParams view = accelerations();
  view.vector_scale = VectorScale::manual;
  view.vector_seconds = 0.05;
  view.vector_range_auto = false;
  view.vector_range = 4;
  SoftwareRenderer software;
  const Camera camera = straight_on();
  const float pixel_m = pixel_per_distance(camera, 640, 480);
  struct Case {
    VectorLength law;
    float share;
  };
  // The arrow for 4 m/s^2 is 0.2 m long. The arrow for 2 m/s^2 has the fraction 1/2 (linear), 1 (constant) or 1 +
  // log10(0.5) / 2 (logarithmic, two decades) of this length.
  for (const Case& one_case :
       {Case{VectorLength::linear, 0.5F}, {VectorLength::constant, 1.0F}, {VectorLength::logarithmic, 0.84949F}}) {
    view.vector_length = one_case.law;
    const float wanted = 0.2F * one_case.share / pixel_m;
    view.vectors = false;
    const Image plain = shot(s, camera, view, 640, 480);
    const auto soft_plain = software.draw_image({nullptr, &s, 1}, camera, view, {}, 640, 480, LegendOverlay::none);
    view.vectors = true;
    const auto [left, right] = columns_of(shot(s, camera, view, 640, 480), plain);
    EXPECT_NEAR(static_cast<float>(right + 1 - 320), wanted, 2) << "from the element, in the middle";
    EXPECT_NEAR(static_cast<float>(left), 320, 2);
    const auto soft = software.draw_image({nullptr, &s, 1}, camera, view, {}, 640, 480, LegendOverlay::none);
    ASSERT_TRUE(soft && soft_plain);
    const auto [soft_left, soft_right] = columns_of(*soft, *soft_plain);
    EXPECT_NEAR(static_cast<float>(soft_right + 1 - 320), wanted, 2);
    EXPECT_NEAR(static_cast<float>(soft_left), 320, 2);
    // The sample arrow of the legend stands for 4 m/s^2 and therefore has full length.
    EXPECT_EQ(renderer_->vector_legend().speed, 4);
    EXPECT_NEAR(renderer_->vector_legend().arrow_px, 0.2F / pixel_m, 0.01F * wanted);
    EXPECT_NEAR(software.vector_legend().arrow_px, 0.2F / pixel_m, 0.01F * wanted);
  }
}

/// Render target with one sample per pixel, like the window's.
class PlainTarget {
 public:
  static constexpr int width = 320, height = 240;
  Image draw(Renderer& renderer, const Snapshot& snapshot, bool vectors) const {
    Camera camera;
    camera.frame(scene_bounds(snapshot), 4.0F / 3);
    ViewParams view;
    view.quality = Quality::low;
    view.fluid_style = FluidStyle::surface;
    view.vectors = vectors;
    renderer.draw({nullptr, &snapshot, 1}, camera, view, {}, width, height, canvas_.framebuffer(), LegendOverlay::none);
    Image image{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas_.framebuffer());
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    return image;
  }

 private:
  Canvas canvas_{width, height};
};

/// Returns the number of pixels in which a colour component differs by more than `by`.
int count_changed(const Image& a, const Image& b, int by) {
  int count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t c = i; c < i + 3; ++c)
      most = std::max(most, std::abs(static_cast<int>(a.rgba[c]) - static_cast<int>(b.rgba[c])));
    count += most > by ? 1 : 0;
  }
  return count;
}

TEST_F(RenderArrowPicture, ManyArrowsInABodyOrInWaterShowThroughItInATargetOfOneSampleToo) {
  const PlainTarget target;
  Snapshot block;
  block.epoch = 1;
  block.systems = {voxel_block(18, 6, 6, 0.01F, 0, Vec3f::Zero())};
  const Image without = target.draw(*renderer_, block, false), with = target.draw(*renderer_, block, true);
  EXPECT_GT(renderer_->vector_legend().arrows, 300U);
  EXPECT_GT(count_changed(without, with, 12), 1500) << "arrows within the body";
  Snapshot water = pool();
  for (Vec3f& v : water.systems[0].velocity) v = Vec3f(0.3F, 0.1F, 0);
  const Image calm = target.draw(*renderer_, water, false), arrows = target.draw(*renderer_, water, true);
  EXPECT_GT(renderer_->vector_legend().arrows, 300U);
  // Few pixels would differ by 80 if the arrows were only faintly visible through the water.
  EXPECT_GT(count_changed(calm, arrows, 80), 10000) << "arrows in the water";
}

TEST_F(RenderArrowPicture, ArrowsOfEveryModeAreSeenAndComplainOfNothing) {
  Snapshot s = stage_set();
  for (SystemSnapshot& system : s.systems) {
    system.available_vectors = {{"vorticity", "1/s"}};
    system.vectors = {{"vorticity", system.velocity}};
  }
  SoftwareRenderer software;
  for (const char* what : {"velocity", "vorticity"})
    for (const VectorColor color : {VectorColor::magnitude, VectorColor::direction, VectorColor::system}) {
      Camera camera;
      camera.frame(scene_bounds(s), 4.0F / 3);
      ViewParams view;
      const Image plain = shot(s, camera, view, 640, 480, false);
      view.vectors = true;
      view.vector_of = what;
      view.vector_color = color;
      const Image with = shot(s, camera, view, 640, 480, true);
      const auto [left, right] = columns_of(with, plain);
      EXPECT_GT(right - left, 100) << what << static_cast<int>(color);
      const std::string name = std::string(what) + "_" + std::to_string(static_cast<int>(color));
      write_ppm(with, "arrows_" + name);
      const auto soft = software.draw_image({nullptr, &s, 1}, camera, view, {}, 640, 480, LegendOverlay::drawn);
      ASSERT_TRUE(soft);
      write_ppm(*soft, "arrows_software_" + name);
    }
}

}  // namespace
}  // namespace vw
