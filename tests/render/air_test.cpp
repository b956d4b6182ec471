// Display of the air (planes, arrows, lines) and of smoke: positions, occlusion and colours. Both renderers must give
// the same result.
#include <limits>

#include "air_set.h"
#include "render/air/air.h"
#include "render/scene/frame_data.h"
#include "render/scene/puffs.h"
#include "render/software/software_renderer.h"
#include "similarity.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using RenderAir = RenderTest;

Snapshot with_air(FieldPicture air) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f(0.12F, 0.12F, 0.1F), Quatf::Identity(),
                                 Vec3f::Constant(0.07F), {0.42F, 0.45F, 0.40F}));
  s.field = std::move(air);
  return s;
}

Camera looking(const glm::vec3& eye, const glm::vec3& target = {0, 0.3F, 0}) {
  Camera camera;
  camera.eye = eye;
  camera.target = target;
  return camera;
}

TEST_F(RenderAir, LooksAlikeWithAndWithoutOpenGl) {
  SoftwareRenderer software;
  const auto everywhere = [](int, int) { return true; };
  struct Case {
    const char* name;
    AirWanted wanted;
    bool smoke;
  };
  for (const auto& [name, wanted, smoke] :
       {Case{"planes", {true, false, 0, "speed"}, false},
        Case{"signed planes with arrows", {true, true, 0, "velocity_x"}, false},
        Case{"streamlines", {false, false, 120, "speed"}, false}, Case{"arrows", {false, true, 0, "speed"}, false},
        Case{"smoke", {false, false, 0, "speed"}, true},
        Case{"planes, lines and smoke", {true, false, 60, "speed"}, true}}) {
    Snapshot s = with_air(swirl_picture(wanted));
    if (smoke) s.systems.push_back(smoke_column(900));
    const Camera camera = looking({0.9F, 0.75F, 1.1F});
    const Image gl = shot(s, camera, {}, 960, 540, true);
    auto twin = software.draw_image({nullptr, &s, 1}, camera, {}, {}, 960, 540, LegendOverlay::drawn);
    ASSERT_TRUE(twin) << twin.error().message();
    write_ppm(gl, std::string(name) + "_gl");
    write_ppm(*twin, std::string(name) + "_software");
    const Similarity found = similarity(gl, *twin, everywhere);
    test::record_case("render", std::string("software beside OpenGL, air: ") + name, found.mean, 1, 0.05,
                      "structural similarity");
    EXPECT_GE(found.mean, 0.95) << name;
  }
}

/// Returns a square slice perpendicular to the view direction, with the same value at all samples.
FieldSlice even_slice(float z, float side, float value) {
  FieldSlice slice = slice_of("speed", {0, 0, z}, 0, 1, side, 4);
  slice.value.assign(16, value);
  return slice;
}

ViewParams with_range(float low, float high, double opacity = 1) {
  ViewParams view;
  view.air_range_auto = false;
  view.air_range_min = static_cast<double>(low);
  view.air_range_max = static_cast<double>(high);
  view.air_opacity = opacity;
  return view;
}

glm::ivec3 air_pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                           static_cast<std::size_t>(x))];
  return {p[0], p[1], p[2]};
}

/// Draws the image with each renderer and calls check(image, renderer name).
template <class Shot, class Check>
void with_both(const Shot& gl, const Snapshot& s, const Camera& camera, const ViewParams& view, const Check& check) {
  check(gl(s, camera, view), "OpenGL");
  SoftwareRenderer software;
  const auto image = software.draw_image({nullptr, &s, 1}, camera, view, {}, 320, 240, LegendOverlay::none);
  ASSERT_TRUE(image);
  check(*image, "software");
}

TEST_F(RenderAir, ASheetHasExactlyTheColoursOfItsLegend) {
  Snapshot s;
  s.field.quantity = "speed";
  s.field.slices = {even_slice(0, 0.4F, 3)};
  for (const float high : {4.0F, 6.0F, 30.0F}) {
    const glm::ivec3 wanted =
        glm::ivec3(glm::round(255.0F * magnitude_map()[static_cast<std::size_t>(255 * 3 / high + 0.5F)]));
    with_both([&](auto&&... a) { return shot(a...); }, s, straight_on(), with_range(0, high),
              [&](const Image& image, const char* who) {
                const glm::ivec3 found = air_pixel(image, 150, 130);
                for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], wanted[k], 2) << who << ", highest " << high;
              });
  }
}

TEST_F(RenderAir, ASheetIsMixedInLinearLightAndHiddenByWhatStandsBeforeIt) {
  Snapshot s;
  s.field.quantity = "speed";
  s.field.slices = {even_slice(0, 0.4F, 1)};
  ColliderSnapshot red = red_sheet();
  red.position.z() = 0.3F;
  red.half_extent = Vec3f::Ones();
  Snapshot hidden = s;
  hidden.colliders = {red};
  with_both([&](auto&&... a) { return shot(a...); }, hidden, straight_on(), with_range(0, 1),
            [&](const Image& image, const char* who) {
              EXPECT_GT(air_pixel(image, 160, 120).r, air_pixel(image, 160, 120).g + 60)
                  << who << ": the red wall stands before the plane";
            });
  Snapshot empty;
  for (const double opacity : {0.5, 1.0}) {
    const ViewParams view = with_range(0, 1, opacity);
    std::vector<Image> bare;
    with_both([&](auto&&... a) { return shot(a...); }, empty, straight_on(), view,
              [&](const Image& image, const char*) { bare.push_back(image); });
    std::size_t which = 0;
    with_both([&](auto&&... a) { return shot(a...); }, s, straight_on(), view,
              [&](const Image& image, const char* who) {
                const glm::vec3 behind = linear_of(pack_color(glm::vec3(air_pixel(bare[which++], 160, 120)) / 255.0F));
                const glm::vec3 over = linear_of(pack_color(magnitude_map().back())),
                                wanted = srgb_of(glm::mix(behind, over, static_cast<float>(opacity)));
                for (int k = 0; k < 3; ++k)
                  EXPECT_NEAR(air_pixel(image, 160, 120)[k], 255 * wanted[k], 3) << who << " at opacity " << opacity;
              });
  }
}

TEST_F(RenderAir, ASheetOnTheGroundIsSeenWithoutFlicker) {
  Snapshot s;
  s.colliders = {ground()};
  s.field.quantity = "speed";
  s.field.slices = {slice_of("speed", {0, 0, 0}, 2, 0, 0.8F, 4)};
  s.field.slices[0].value.assign(16, 1);
  const glm::ivec3 wanted = glm::ivec3(glm::round(255.0F * magnitude_map().back()));
  with_both([&](auto&&... a) { return shot(a...); }, s, looking({0.3F, 0.4F, 0.9F}, {0, 0, 0}), with_range(0, 1),
            [&](const Image& image, const char* who) {
              int other = 0;
              for (int y = 110; y < 130; ++y)
                for (int x = 140; x < 180; ++x)
                  other += glm::any(glm::greaterThan(glm::abs(air_pixel(image, x, y) - wanted), glm::ivec3(4))) ? 1 : 0;
              EXPECT_EQ(other, 0) << who;
            });
}

/// Returns the parameter t > 0 at which the ray eye + t (p - eye) intersects the piece. Returns -1 if the ray does not
/// intersect the piece.
float meets_piece(const AirSheets& sheets, const AirPiece& piece, const glm::vec3& eye, const glm::vec3& p) {
  const AirSheet& sheet = sheets.sheets()[piece.sheet];
  const float share = (sheet.level - glm::dot(sheet.normal, eye)) / glm::dot(sheet.normal, p - eye);
  const glm::vec3 at = eye + share * (p - eye), off = at - sheet.corner;
  const float u = glm::dot(off, sheet.u) / glm::dot(sheet.u, sheet.u),
              v = glm::dot(off, sheet.v) / glm::dot(sheet.v, sheet.v);
  const bool inside = share > 0 && u >= 0 && u <= 1 && v >= 0 && v <= 1 && sheets.is_in(piece, at);
  return inside ? share : -1;
}

TEST(AirSheets, PiecesAndLayersAreInTheOrderInWhichTheyHideEachOther) {
  const FieldPicture picture = swirl_picture({});
  AirSheets sheets;
  std::mt19937 random(11);
  std::uniform_real_distribution<float> anywhere(-1, 1);
  int before = 0, behind = 0, piles = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const glm::vec3 eye = glm::vec3(anywhere(random), 0.3F + anywhere(random), anywhere(random)) * 1.2F;
    sheets.build(nullptr, picture, 1, {0, 1}, eye, {});
    ASSERT_EQ(sheets.sheets().size(), 3U);
    EXPECT_EQ(sheets.pieces().size(), 7U) << "one whole, one cut in two, one in four";
    for (int k = 0; k < 200; ++k) {
      const glm::vec3 p =
          glm::vec3(0, 0.3F, 0) + 0.4F * glm::vec3(anywhere(random), anywhere(random), anywhere(random));
      const std::size_t layer = sheets.layer_of(p);
      float last = 1e9F;
      for (const AirPiece& piece : sheets.pieces()) {
        const float share = meets_piece(sheets, piece, eye, p);
        if (share < 0) continue;
        EXPECT_LT(share, last) << "pieces on a line of sight must be ordered from back to front";
        piles += last < 1e9F ? 1 : 0;
        last = share;
        share < 1 ? ++before : ++behind;
        EXPECT_EQ(share<1, piece.layer> layer) << "pieces in front of a place must be drawn after it";
      }
    }
  }
  EXPECT_GT(std::min(before, behind), 300);
  EXPECT_GT(piles, 300);
}

TEST(AirSheets, ValuesAreThoseOfTheSamplesBetweenTheTwoMoments) {
  FieldPicture before = swirl_picture({}), after = before;
  for (float& v : after.slices[0].value) v += 2;
  for (const int at :
       {4 * 48 + 6, 4 * 48 + 7, 4 * 48 + 8, 5 * 48 + 6, 5 * 48 + 7, 5 * 48 + 8, 6 * 48 + 6, 6 * 48 + 7, 6 * 48 + 8})
    after.slices[0].value[static_cast<std::size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
  AirSheets sheets;
  sheets.build(&before, after, 0.25F, {0, 2}, {1, 1, 1}, {});
  const AirSheet& sheet = sheets.sheets()[0];
  for (int k = 0; k < 48; ++k) {
    const glm::vec2 found = sheet.at({static_cast<float>(k) / 47, static_cast<float>((3 * k) % 48) / 47});
    EXPECT_NEAR(found.x, 0.5F * (before.slices[0].value[static_cast<std::size_t>((3 * k) % 48 * 48 + k)] + 0.5F),
                1e-4F);
    EXPECT_NEAR(found.y, 1, 1e-5F);
  }
  EXPECT_NEAR(sheet.at({7.0F / 47, 5.0F / 47}).y, 0, 1e-5F) << "transparent where the value is not a number";
  EXPECT_NEAR(sheet.at({6.0F / 47, 5.0F / 47}).y, 1, 1e-5F)
      << "but coloured next to samples with values, so that colours reach obstacles";
  EXPECT_NEAR(sheet.at({8.6F / 47, 5.0F / 47}).y, 1, 1e-5F);
  EXPECT_GT(sheet.nu, 100) << "finer than the samples, so that no facets are visible";
}

TEST(Air, OneBarSaysWhatPlanesAndLinesMeanWhereBothShowSpeed) {
  FrameData set;
  const auto titles = [&](const AirWanted& wanted) {
    Snapshot s = with_air(swirl_picture(wanted));
    set.prepare({nullptr, &s, 1}, {}, looking({1, 1, 1}), {}, 320, 240);
    std::string out;
    for (const Legend& legend : set.legends) out += legend.title + " [" + legend.unit + "]; ";
    return out;
  };
  EXPECT_EQ(titles({true, false, 10, "speed"}), "air: speed [m/s]; ");
  EXPECT_EQ(titles({true, false, 10, "velocity_x"}), "air: velocity x [m/s]; streamlines: speed [m/s]; ");
  EXPECT_EQ(titles({false, false, 10, "speed"}), "streamlines: speed [m/s]; ");
  EXPECT_EQ(titles({false, true, 0, "speed"}), "") << "arrows have their own scale";
  EXPECT_TRUE(set.air.arrow_legend().shown);
  EXPECT_GT(set.air.arrow_legend().speed, 0);
}

TEST(Air, TheRangeFollowsSlowlySoThatColoursDoNotFlicker) {
  FrameData set;
  Snapshot s;
  s.epoch = 1;
  s.field.quantity = "speed";
  s.field.slices = {slice_of("speed", {0, 0.3F, 0}, 0, 1, 0.6F, 16)};
  set.prepare({nullptr, &s, 1}, {}, looking({1, 1, 1}), {}, 320, 240);
  const float before = set.legends.back().max;
  for (float& v : s.field.slices[0].value) v *= 3;
  s.time_s += 0.02;
  set.prepare({nullptr, &s, 1}, {}, looking({1, 1, 1}), {}, 320, 240);
  EXPECT_GT(set.legends.back().max, before);
  EXPECT_LT(set.legends.back().max, 1.3F * before) << "after one frame, the range must have changed little";
  for (int k = 0; k < 100; ++k) {
    s.time_s += 0.02;
    set.prepare({nullptr, &s, 1}, {}, looking({1, 1, 1}), {}, 320, 240);
  }
  EXPECT_NEAR(set.legends.back().max, 3 * before, 0.01F * before);
}

TEST(Air, AirThatIsAlmostTheSameEverywhereIsOneColour) {
  FrameData set;
  Snapshot s;
  s.field.quantity = "speed";
  s.field.slices = {slice_of("speed", {0, 0.3F, 0}, 0, 1, 0.6F, 16)};
  for (std::size_t i = 0; i < s.field.slices[0].value.size(); ++i)
    s.field.slices[0].value[i] = 5 + 0.01F * static_cast<float>(i % 3);
  set.prepare({nullptr, &s, 1}, {}, looking({1, 1, 1}), {}, 320, 240);
  EXPECT_EQ(set.legends.back().min, 0);
  EXPECT_NEAR(set.legends.back().max, 5.02F, 0.02F);
}

/// Returns two lines that cross in the picture. The nearer line has the lower speed, so the two have different colours.
FieldPicture crossing() {
  FieldPicture air;
  air.box_min = Vec3f::Constant(-2);  // the width of lines grows with the box
  air.box_max = Vec3f::Constant(2);
  for (const bool near : {true, false}) {
    air.streamlines.start.push_back(static_cast<std::uint32_t>(air.streamlines.point.size()));
    for (int k = -20; k <= 20; ++k) {
      const float t = 0.01F * static_cast<float>(k);
      air.streamlines.point.push_back(near ? Vec3f(t, 0, 0.2F) : Vec3f(0, t, 0));
      air.streamlines.speed.push_back(near ? 0.0F : 1.0F);
    }
  }
  air.streamlines.start.push_back(static_cast<std::uint32_t>(air.streamlines.point.size()));
  return air;
}

TEST_F(RenderAir, OfTwoLinesThatCrossTheNearerOneIsSeen) {
  Snapshot s;
  s.field = crossing();
  // In the second run, the two lines exchange the speeds of their outer ends. The point where the lines cross must look
  // the same.
  for (const bool turned : {false, true}) {
    if (turned) std::swap(s.field.streamlines.speed.front(), s.field.streamlines.speed.back());
    with_both([&](auto&&... a) { return shot(a...); }, s, straight_on(), with_range(0, 1),
              [&](const Image& image, const char* who) {
                const glm::ivec3 found = air_pixel(image, 160, 120);
                EXPECT_GT(found.b, found.g) << who << ": violet, not yellow";
              });
  }
}

TEST(AirLines, CornersAreRoundedThroughTheirPoints) {
  FieldPicture air;
  air.box_max = Vec3f::Ones();
  for (int k = 0; k <= 12; ++k) {  // a circle in steps of 30 degrees
    const float angle = 0.5235988F * static_cast<float>(k);
    air.streamlines.point.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  air.streamlines.start = {0, 13};
  air.streamlines.speed.assign(13, 1);
  AirSheets none;
  AirLines lines;
  lines.build({nullptr, air, 1, none, magnitude_map(), {0, 1}, {0, 0, 3}, 1e-3F, {}});
  EXPECT_GE(lines.bands().size(), 60U);
  float most = 0;
  for (const AirBand& band : lines.bands()) most = std::max(most, std::abs(glm::length(glm::vec3(band.from)) - 1));
  EXPECT_LT(most, 0.006F) << "straight chords would deviate by 0.034";
}

TEST(AirLines, AStreamlineIsBetweenWhatItWasAndIsUnlessItIsAnother) {
  FieldPicture before, after;
  before.box_max = after.box_max = Vec3f::Ones();
  for (int k = 0; k <= 10; ++k) before.streamlines.point.emplace_back(0.1F * static_cast<float>(k), 0, 0);
  for (int k = 0; k <= 7; ++k) after.streamlines.point.emplace_back(static_cast<float>(k) / 7, 0.1F, 0);
  for (FieldPicture* air : {&before, &after}) {
    air->streamlines.start = {0, static_cast<std::uint32_t>(air->streamlines.point.size())};
    air->streamlines.speed.assign(air->streamlines.point.size(), 1);
  }
  AirSheets none;
  const auto height = [&](float blend) {
    AirLines lines;
    lines.build({&before, after, blend, none, magnitude_map(), {0, 1}, {0.3F, 0, 3}, 1e-3F, {}});
    float low = 1, high = -1;
    for (const AirBand& band : lines.bands()) low = std::min(low, band.from.y), high = std::max(high, band.from.y);
    EXPECT_NEAR(low, high, 1e-5F);
    return low;
  };
  for (const float blend : {0.0F, 0.25F, 1.0F}) EXPECT_NEAR(height(blend), 0.1F * blend, 1e-5F);
  for (Vec3f& p : after.streamlines.point) p.y() = 0.5F;
  EXPECT_NEAR(height(0.25F), 0.5F, 1e-5F) << "a line that has jumped must not be interpolated";
}

TEST(AirLines, AMarkersWayIsTrimmedToWhereItIsBetweenTwoPictures) {
  FieldPicture before, after;
  before.box_min = after.box_min = Vec3f::Zero();
  before.box_max = after.box_max = Vec3f::Ones();
  for (int k = 0; k <= 4; ++k) before.pathlines.point.emplace_back(0.1F * static_cast<float>(k), 0, 0);
  after.pathlines.point = before.pathlines.point;
  after.pathlines.point.emplace_back(0.5F, 0, 0);
  for (FieldPicture* air : {&before, &after}) {
    air->pathlines.start = {0, static_cast<std::uint32_t>(air->pathlines.point.size())};
    air->pathlines.speed.assign(air->pathlines.point.size(), 1);
  }
  AirSheets none;
  for (const float blend : {0.0F, 0.25F, 0.75F, 1.0F}) {
    AirLines lines;
    lines.build({&before, after, blend, none, magnitude_map(), {0, 1}, {0.3F, 0, 3}, 1e-3F, {}});
    float head = 0;
    for (const AirBand& band : lines.bands()) head = std::max(head, band.to.x);
    EXPECT_NEAR(head, 0.4F + 0.1F * blend, 1e-5F);
  }
}

Snapshot one_puff(const Vec3f& place, float radius, float opacity) {
  Snapshot s;
  s.systems.push_back(smoke_column(1));
  s.systems[0].position = {place};
  s.systems[0].size = {radius};
  s.systems[0].tint = {Vec4f(0.02F, 0.02F, 0.02F, opacity)};
  return s;
}

TEST_F(RenderAir, APuffIsDenseInItsMiddleAndEndsWithoutAnEdge) {
  const Snapshot s = one_puff(Vec3f::Zero(), 0.2F, 0.9F), none;
  std::vector<Image> bare;
  with_both([&](auto&&... a) { return shot(a...); }, none, straight_on(), {},
            [&](const Image& image, const char*) { bare.push_back(image); });
  std::size_t which = 0;
  with_both([&](auto&&... a) { return shot(a...); }, s, straight_on(), {},
            [&](const Image& image, const char* who) {
              const Image& sky = bare[which++];
              const auto darker = [&](int x) { return air_pixel(sky, x, 120).g - air_pixel(image, x, 120).g; };
              EXPECT_GT(darker(160), 100) << who;
              EXPECT_EQ(darker(20), 0) << who;
              int largest = 0;
              for (int x = 21; x <= 160; ++x) {
                largest = std::max(largest, std::abs(darker(x) - darker(x - 1)));
                EXPECT_GE(darker(x), darker(x - 1) - 3) << who << ": denser towards the middle, up to shading";
              }
              EXPECT_LT(largest, 8) << who << ": the brightness must have no step";
            });
}

TEST_F(RenderAir, SmokeIsSortedAmongPlanesAndFadesIntoTheGround) {
  // A black puff in front of the sheet darkens the sheet. A puff behind the sheet is invisible.
  for (const bool before : {true, false}) {
    Snapshot s = one_puff({0, 0, before ? 0.2F : -0.2F}, 0.1F, 0.95F), bare;
    s.field.quantity = bare.field.quantity = "speed";
    s.field.slices = bare.field.slices = {even_slice(0, 0.6F, 1)};
    std::vector<int> plain;
    with_both([&](auto&&... a) { return shot(a...); }, bare, straight_on(), with_range(0, 1),
              [&](const Image& image, const char*) { plain.push_back(air_pixel(image, 160, 120).g); });
    std::size_t which = 0;
    with_both([&](auto&&... a) { return shot(a...); }, s, straight_on(), with_range(0, 1),
              [&](const Image& image, const char* who) {
                const int found = air_pixel(image, 160, 120).g, clear = plain[which++];
                EXPECT_EQ(found < clear - 80, before) << who;
                EXPECT_EQ(std::abs(found - clear) <= 1, !before) << who;
              });
  }
  Snapshot low = one_puff({0, 0, 0}, 0.1F, 0.9F), floor;
  low.colliders = floor.colliders = {ground()};
  const Camera camera = looking({0, 0.25F, 1}, {0, 0, 0});
  with_both([&](auto&&... a) { return shot(a...); }, low, camera, {},
            [&](const Image& image, const char* who) {
              int largest = 0;
              for (int y = 60; y < 180; ++y)
                largest = std::max(largest, std::abs(air_pixel(image, 160, y).g - air_pixel(image, 160, y - 1).g));
              EXPECT_LT(largest, 26) << who << ": the puff must meet the ground without an edge";
            });
}

TEST(Puffs, ShadePuffsBelowThem) {
  std::vector<Figure> figures(1);
  const SystemSnapshot smoke = smoke_column(400);
  place_figure(nullptr, smoke, 1, figures[0]);
  ASSERT_TRUE(figures[0].soft);
  ViewParams view;
  SmoothRange range;
  std::vector<float> scratch;
  Legend legend;
  color_figure(smoke, view, 0, range, scratch, figures[0], legend);
  PuffShade shade;
  shade.build(figures, sun_direction());
  shade.apply(figures);
  double above = 0, below = 0;
  int tops = 0, bottoms = 0;
  for (std::size_t i = 0; i < figures[0].places.size(); ++i) {
    const double share = static_cast<double>(figures[0].colors[i] >> 24U) / 255;
    const float along = glm::dot(glm::vec3(figures[0].places[i]), sun_direction());
    along > 0.35F ? (above += share, ++tops) : along < 0.15F ? (below += share, ++bottoms) : 0;
  }
  ASSERT_GT(std::min(tops, bottoms), 30);
  EXPECT_GT(above / tops, 1.3 * below / bottoms);
  EXPECT_FALSE(casts_shadow(figures[0], 0)) << "puffs must not cast the shadow of a ball";
}

TEST(Puffs, AreTheSameWithVectorsAndInPlainCode) {
  Snapshot s = with_air({});
  s.systems.push_back(smoke_column(300));
  const Camera camera = looking({0.9F, 0.75F, 1.1F});
  SoftwareRenderer vectors, plain;
  plain.use_plain_code(true);
  const auto a = vectors.draw_image({nullptr, &s, 1}, camera, {}, {}, 320, 200, LegendOverlay::none),
             b = plain.draw_image({nullptr, &s, 1}, camera, {}, {}, 320, 200, LegendOverlay::none);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->rgba, b->rgba);
}

}  // namespace
}  // namespace vw
