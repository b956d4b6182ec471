// Areas, blending, drawing order and clipping of the software renderer. Expected values come from elementary geometry
// and arithmetic, so no reference images are stored.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "render/software/bins.h"
#include "render/software/encode.h"
#include "render/software/overlay.h"
#include "render/software/software_renderer.h"
#include "render/software/splat_set.h"
#include "sim/base/parallel/parallel.h"
#include "stage_set.h"
#include "tests/support/checked.h"
#include "tests/support/validation.h"

namespace vw::soft {
namespace {

constexpr float pi_f = 3.14159265F;

/// Returns a black tile without surfaces.
std::unique_ptr<Tile> dark_tile() {
  auto tile = std::make_unique<Tile>();
  tile->width = tile->height = tile_px;
  tile->red.fill(0);
  tile->green.fill(0);
  tile->blue.fill(0);
  tile->q.fill(0);
  tile->front.fill(0);
  return tile;
}

double light_of(const Tile& tile) {
  double sum = 0;
  for (int y = 0; y < tile_px; ++y)
    for (int x = 0; x < tile_px; ++x) sum += static_cast<double>(tile.red[Tile::cell(x, y)]);
  return sum;
}

TEST(SoftwareDisc, CoverageOfItsPixelsSumsUpToItsArea) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> somewhere(14.0F, 16.0F);
  double worst = 0;
  for (const float radius :
       {0.1F, 0.3F, 0.5F, 0.75F, 0.9F, 1.0F, 1.3F, 1.5F, 2.0F, 2.7F, 3.0F, 3.9F, 4.5F, 6.0F, 9.0F, 13.0F})
    for (int i = 0; i < 200; ++i) {
      const auto tile = dark_tile();
      const ScreenDisc disc = disc_on_picture({somewhere(random), somewhere(random), 1}, radius, glm::vec3(1), 1);
      blend_discs({}, std::span(&disc, 1), *tile);
      worst = std::max(worst, std::abs(light_of(*tile) / static_cast<double>(pi_f * radius * radius) - 1));
    }
  test::expect_case("render", "area of a disc from its pixels' coverage, radius 0.1 to 13 px, worst of 3,200", worst, 0,
                    0.01);
}

TEST(SoftwareDisc, VectorsAndPlainCodeAgree) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> place(-4.0F, 36.0F), share(0.05F, 1.0F), size(0.2F, 9.0F);
  std::vector<ScreenDisc> discs;
  for (int i = 0; i < 300; ++i)
    discs.push_back(disc_on_picture({place(random), place(random), share(random)}, size(random),
                                    {share(random), share(random), share(random)}, share(random)));
  for (ScreenDisc& disc : discs) disc.q += 0.1F;
  const auto fast = dark_tile(), plain = dark_tile();
  for (Tile* tile : {fast.get(), plain.get()}) {
    tile->q[Tile::cell(7, 9)] = beyond_all;
    tile->edge_row[9] = 1U << 7U;
    tile->edges.push_back({{}, {0.0F, 0.4F, 0.7F, 2.0F}, 7, 9});
  }
  const SplatFrame frame{1, 0, 0, {}, true};
  blend_discs(frame, discs, *fast);
  blend_discs_plainly(frame, discs, *plain);
  for (int y = 0; y < tile_px; ++y)
    for (int x = 0; x < tile_px; ++x) {
      EXPECT_NEAR(fast->green[Tile::cell(x, y)], plain->green[Tile::cell(x, y)], 1e-5F)
          << x << ", " << y << ": rounding of coordinates";
      EXPECT_NEAR(fast->front[Tile::cell(x, y)], plain->front[Tile::cell(x, y)], 0.9F);
    }
  for (std::size_t s = 0; s < samples; ++s) EXPECT_NEAR(fast->edges[0].color[s].g, plain->edges[0].color[s].g, 1e-5F);
  EXPECT_EQ(fast->edges[0].color[3].g, 0) << "a surface in front of all discs must stay";
}

TEST(SoftwareBall, VectorsAndPlainCodeAgree) {
  ScreenBall ball;
  ball.a = glm::normalize(glm::vec3(0.1F, -0.05F, 1));
  ball.e = glm::normalize(glm::vec3(1, 0, -0.1F)) * 20.0F;
  ball.f = glm::normalize(glm::vec3(0, 1, 0.05F)) * 20.0F;
  ball.radius = 8;
  ball.q = 0.5F;
  ball.color = {0.8F, 0.4F, 0.1F};
  ball.opacity = 0.7F;
  ball.low = {0, 0};
  ball.high = {31, 31};
  ball.sun = glm::normalize(glm::vec3(0.4F, 0.6F, 0.5F));
  ball.half_way = glm::normalize(ball.sun + glm::vec3(0, 0, 1));
  ball.vertical = {0, 1, 0};
  const SplatFrame frame{160, 0, 8, environment_of({}), false};
  const auto fast = dark_tile(), plain = dark_tile();
  blend_balls(frame, std::span(&ball, 1), *fast);
  blend_balls_plainly(frame, std::span(&ball, 1), *plain);
  EXPECT_GT(light_of(*fast), 20);
  for (int y = 0; y < tile_px; ++y)
    for (int x = 0; x < tile_px; ++x) EXPECT_NEAR(fast->red[Tile::cell(x, y)], plain->red[Tile::cell(x, y)], 2e-5F);
}

TEST(SoftwareBins, TooMuchInAllTilesTogetherStaysOut) {
  Bins<std::uint32_t> bins;
  const auto fill = [&](std::size_t count) {  // each item covers all 512 x 512 tiles
    bins.fill(
        512, 512, count,
        [](std::size_t) {
          return TileRange{0, 0, 511, 511};
        },
        number_of);
  };
  fill(3);
  EXPECT_FALSE(bins.overfull());
  EXPECT_EQ(bins.in(511).size(), 3U);
  fill(257);  // 257 * 2^18 exceeds the limit of 2^26
  EXPECT_TRUE(bins.overfull());
  EXPECT_TRUE(bins.in(511).empty());
}

TEST(SoftwareLight, HalfOfWhiteOverBlackIsSrgb188) {
  const auto tile = dark_tile();
  const ScreenDisc disc = disc_on_picture({16, 16, 1}, 10, glm::vec3(1), 0.5F);
  blend_discs({}, std::span(&disc, 1), *tile);
  test::expect_case("render", "sRGB byte of half a white over black", SrgbEncoder()(tile->red[Tile::cell(16, 16)]), 188,
                    0);
}

TEST(SoftwareLight, BytesAreTheNearestToTheSrgbCurve) {
  const SrgbEncoder encode;
  int wrong = 0;
  for (int i = 0; i <= 100000; ++i) {
    const double c = i / 100000.0, s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
    const double off = std::abs(255 * s - encode(static_cast<float>(c)));
    wrong += off > 0.501 ? 1 : 0;  // above 1/2, because the linear value is rounded to float
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(encode(-1), 0);
  EXPECT_EQ(encode(7), 255);
  EXPECT_EQ(encode(std::numeric_limits<float>::quiet_NaN()), 0);
}

PicturePath straight(const glm::vec2& from, const glm::vec2& to, float half_width) {
  PicturePath path;
  path.pieces.push_back({{from, 1}, {to, 1}});
  path.color = glm::vec3(1);
  path.half_width_px = half_width;
  return path;
}

TEST(SoftwareLine, CoversItsWidthInEveryColumn) {
  const auto tile = dark_tile();
  const PicturePath path = straight({-20, 15.3F}, {60, 15.3F}, 1.3F);
  draw_paths(std::span(&path, 1), *tile);
  for (int x = 0; x < tile_px; ++x) {
    double sum = 0;
    for (int y = 0; y < tile_px; ++y) sum += static_cast<double>(tile->red[Tile::cell(x, y)]);
    EXPECT_NEAR(sum, 2.6, 1e-5) << "the antialiasing ramp must keep the width";
  }
}

TEST(SoftwareLine, SlantedCoversLengthTimesWidth) {
  const auto tile = dark_tile();
  const PicturePath path = straight({6, 7}, {25, 18}, 1.3F);
  draw_paths(std::span(&path, 1), *tile);
  // The ends are half discs of radius r = 1.3 px. Antialiasing widens them, so together they have the area pi (r^2 +
  // 1/12) (see disc_table.h).
  const double length = std::hypot(19.0, 11.0), ends = pi * (1.3 * 1.3 + 1.0 / 12);
  test::expect_case("render", "light of a slanted line, width 2.6 px", light_of(*tile), 2.6 * length + ends, 0.01,
                    "px^2");
}

TEST(SoftwareLine, AJointCountsOnce) {
  const auto whole = dark_tile(), broken = dark_tile();
  PicturePath path = straight({4, 16}, {28, 16}, 1.5F);
  path.opacity = path.hidden_opacity = 0.5F;
  draw_paths(std::span(&path, 1), *whole);
  path.pieces = {{{{4, 16}, 1}, {{15, 16}, 1}}, {{{15, 16}, 1}, {{28, 16}, 1}}};
  draw_paths(std::span(&path, 1), *broken);
  EXPECT_EQ(whole->red, broken->red);
}

// ---- Whole images ----

class SoftwarePicture : public testing::Test {
 protected:
  Image shot(const Snapshot& snapshot, const Camera& camera, const ViewParams& view = {}, int width = 200,
             int height = 150, const Selection& selection = {}) {
    return test::checked(
        renderer_.draw_image({nullptr, &snapshot, 1}, camera, view, selection, width, height, LegendOverlay::none));
  }
  static glm::ivec3 at(const Image& image, int x, int y) {
    const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                             static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2]};
  }
  static ViewParams discs() {
    ViewParams view;
    view.particle_style = ParticleStyle::discs;
    return view;
  }
  static void add(SystemSnapshot& to, const Vec3f& position, float radius, const Vec4f& tint) {
    to.use_look<SphereLook>();
    to.name = "p";
    to.position.push_back(position);
    to.velocity.emplace_back(Vec3f::Zero());
    to.size.push_back(radius);
    to.id.push_back(static_cast<std::uint32_t>(to.id.size()));
    to.material.push_back(0);
    to.tint.push_back(tint);
  }
  SoftwareRenderer renderer_;
};

TEST_F(SoftwarePicture, AnEmptySceneIsASky) {
  const Image image = shot({}, Camera());
  EXPECT_GT(at(image, 10, 5).b, at(image, 10, 5).r + 10);
  EXPECT_EQ(image.rgba.size(), 4U * 200 * 150);
  EXPECT_FALSE(renderer_.draw_image({nullptr, nullptr, 1}, Camera(), {}, {}, 10, 10, LegendOverlay::none));
  const Snapshot none;
  EXPECT_FALSE(renderer_.draw_image({nullptr, &none, 1}, Camera(), {}, {}, 0, 10, LegendOverlay::none));
}

TEST_F(SoftwarePicture, TheNearerOfTwoFaintDiscsLiesOverTheOther) {
  for (const bool nearer_first : {false, true}) {
    Snapshot s;
    s.systems.emplace_back();
    const Vec4f red(1, 0, 0, 0.5F), blue(0, 0, 1, 0.5F), black(0, 0, 0, 1);
    add(s.systems[0], {0, 0, -0.2F}, 0.4F, black);
    add(s.systems[0], {0, 0, nearer_first ? 0.1F : 0.0F}, 0.1F, nearer_first ? red : blue);
    add(s.systems[0], {0, 0, nearer_first ? 0.0F : 0.1F}, 0.1F, nearer_first ? blue : red);
    const glm::ivec3 c = at(shot(s, straight_on(), discs()), 100, 75);
    EXPECT_EQ(c.r, 188) << "half of red";
    EXPECT_EQ(c.b, 137) << "a quarter of the blue light in sRGB";
  }
}

TEST_F(SoftwarePicture, AtOneDepthTheHigherIdLiesOver) {
  for (const bool swapped : {false, true}) {
    Snapshot s;
    s.systems.emplace_back();
    add(s.systems[0], {0, 0, 0}, 0.1F, swapped ? Vec4f(0, 0, 1, 1) : Vec4f(1, 0, 0, 1));
    add(s.systems[0], {0, 0, 0}, 0.1F, swapped ? Vec4f(1, 0, 0, 1) : Vec4f(0, 0, 1, 1));
    s.systems[0].id = swapped ? std::vector<std::uint32_t>{9, 4} : std::vector<std::uint32_t>{4, 9};
    EXPECT_EQ(at(shot(s, straight_on(), discs()), 100, 75), glm::ivec3(0, 0, 255));
  }
}

TEST_F(SoftwarePicture, AHugeDiscCoversAllAndATinyOneAddsItsArea) {
  Snapshot s;
  s.systems.emplace_back();
  add(s.systems[0], {0, 0, -0.5F}, 1e6F, {0, 0, 0, 1});
  const Image dark = shot(s, straight_on(), discs());
  for (int y = 0; y < 150; y += 7)
    for (int x = 0; x < 200; x += 7) EXPECT_EQ(at(dark, x, y), glm::ivec3(0));
  const float pixel = 2 * straight_on().half_height(200.0F / 150) / 150;
  add(s.systems[0], {0.3F * pixel, 0.4F * pixel, 0}, 0.25F * pixel, {1, 1, 1, 1});
  const Image light = shot(s, straight_on(), discs());
  double sum = 0;
  for (int y = 70; y < 80; ++y)
    for (int x = 95; x < 105; ++x) {
      const double c = at(light, x, y).r / 255.0;
      sum += c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
  EXPECT_NEAR(sum, pi * 0.0625, 0.02 * pi * 0.0625) << "rounding to bytes is some per cent of so little light";
}

TEST_F(SoftwarePicture, InvalidPositionsAreLeftOut) {
  for (const ParticleStyle style : {ParticleStyle::discs, ParticleStyle::balls}) {
    Snapshot s;
    s.colliders = {ground()};
    s.systems.emplace_back();
    add(s.systems[0], {0, 0.1F, 0}, 0.05F, {0.8F, 0.2F, 0.1F, 0.8F});
    ViewParams view;
    view.particle_style = style;
    const Image good = shot(s, straight_on(), view);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    add(s.systems[0], {nan, 0, 0}, 0.05F, {1, 1, 1, 1});
    add(s.systems[0], {0, infinite, 0}, 0.05F, {1, 1, 1, 1});
    add(s.systems[0], {0, 0, 0}, nan, {1, 1, 1, 1});
    add(s.systems[0], {0, 0.1F, 0.1F}, 0.05F, {1, 1, 1, nan});
    EXPECT_EQ(shot(s, straight_on(), view).rgba, good.rgba);
  }
}

TEST_F(SoftwarePicture, AnOrthographicProjectionDrawsEqualBallsEqually) {
  Snapshot s;
  s.systems.emplace_back();
  add(s.systems[0], {-0.2F, 0, 0.3F}, 0.1F, {0.9F, 0.05F, 0.05F, 1});
  add(s.systems[0], {0.2F, 0, -0.3F}, 0.1F, {0.9F, 0.05F, 0.05F, 1});
  ViewParams view;
  view.particle_style = ParticleStyle::balls;
  // Ratio of the red areas in the left and the right half of the picture.
  const auto ratio = [&](const Camera& camera) {
    const Image image = shot(s, camera, view);
    std::array<int, 2> red{};
    for (int y = 0; y < 150; ++y)
      for (int x = 0; x < 200; ++x)
        if (const glm::ivec3 c = at(image, x, y); c.r > c.b + 40) ++red[x < 100 ? 0 : 1];
    EXPECT_GT(red[1], 100);
    return static_cast<double>(red[0]) / std::max(red[1], 1);
  };
  Camera camera = straight_on();
  EXPECT_GT(ratio(camera), 2) << "the left ball is at a depth of 0.7 m, the right one at 1.3 m";
  camera.is_orthographic = true;
  // The depths are 99.7 and 100.3 m, so the areas differ by 1.2 %. The pixels on the outline add about 2 %.
  EXPECT_NEAR(ratio(camera), 1, 0.04);
}

TEST_F(SoftwarePicture, FromInsideABoxEveryPixelShowsIt) {
  Snapshot s;
  s.colliders = {obstacle("room", ColliderSnapshot::Kind::box, Vec3f(0, 0, 0.9F),
                          Quatf(Eigen::AngleAxisf(0.3F, Vec3f(1, 2, 3).normalized())), Vec3f(0.2F, 0.2F, 0.2F),
                          {0.9F, 0.05F, 0.05F})};
  // The near plane at 0.01 m cuts the faces beside and behind the eye.
  const Image image = shot(s, straight_on());
  for (int y = 0; y < 150; y += 3)
    for (int x = 0; x < 200; x += 3) EXPECT_GT(at(image, x, y).r, at(image, x, y).b + 20) << x << ", " << y;
}

TEST_F(SoftwarePicture, NeighbouringTrianglesLeaveNoGapAndNoDoubleLine) {
  // A black triangle fan lies in front of a bright sky. A gap between the triangles would show the sky.
  auto mesh = std::make_shared<SurfaceMesh>();
  mesh->position.emplace_back(0.013F, -0.007F, 0.0F);
  constexpr unsigned around = 61;
  for (unsigned i = 0; i < around; ++i) {
    const float angle = 2 * pi_f * static_cast<float>(i) / around;
    mesh->position.emplace_back(5 * std::cos(angle), 5 * std::sin(angle), 0.0F);
    mesh->triangle.push_back({0, 1 + i, 1 + (i + 1) % around});
  }
  mesh->normal.assign(mesh->position.size(), Vec3f(0, 0, 1));
  Snapshot s;
  s.colliders = {
      obstacle("fan", ColliderSnapshot::Kind::mesh, Vec3f::Zero(), Quatf::Identity(), Vec3f::Ones(), {0, 0, 0})};
  s.colliders[0].mesh = mesh;
  const Image image = shot(s, straight_on());
  int least = 255, most = 0;
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < 200; ++x) {
      least = std::min(least, at(image, x, y).b);
      most = std::max(most, at(image, x, y).b);
    }
  EXPECT_LE(most - least, 60) << "gloss varies slowly; a gap would show the sky (200)";
}

TEST_F(SoftwarePicture, AMeshSeenFromBehindIsThereOnlyWhenItHasTwoSides) {
  Snapshot s;
  s.colliders = {red_sheet()};
  const auto red_in_the_middle = [&](const Camera& camera) {
    const glm::ivec3 c = at(shot(s, camera), 100, 75);
    return c.r > c.b + 30;
  };
  Camera front = straight_on(), back = straight_on();
  back.eye = {0, 0, -1};
  EXPECT_TRUE(red_in_the_middle(front));
  EXPECT_FALSE(red_in_the_middle(back));
  s.colliders[0].two_sided = true;
  EXPECT_TRUE(red_in_the_middle(front));
  EXPECT_TRUE(red_in_the_middle(back));
}

TEST_F(SoftwarePicture, ASurfaceHidesWhatIsBehindItRightUpToItsRim) {
  // A black wall is in front of white particles. Along its edge, no pixel may be brighter than the particles or darker
  // than the wall.
  Snapshot s;
  s.systems.emplace_back();
  add(s.systems[0], {0, 0, -0.5F}, 10, {1, 1, 1, 1});
  s.colliders = {obstacle("wall", ColliderSnapshot::Kind::box, Vec3f(0, -0.5F, 0.2F),
                          Quatf(Eigen::AngleAxisf(0.2F, Vec3f::UnitZ())), Vec3f(2, 0.5F, 0.01F), {0, 0, 0})};
  ViewParams view = discs();
  view.quality = Quality::low;
  const Image image = shot(s, straight_on(), view);
  for (int x = 20; x < 180; x += 7) {
    int before = 255, falls = 0;
    for (int y = 5; y < 145; ++y) {
      const int here = at(image, x, y).g;
      EXPECT_LE(here, before + 12) << x << ", " << y << ": the edge must have no halo (gloss may rise a little)";
      falls += here < 250 && here > 90 ? 1 : 0;
      before = here;
    }
    EXPECT_LE(falls, 2) << "the rim is one or two pixels wide";
  }
}

TEST_F(SoftwarePicture, ArrowsAreSeenAlsoInsideOfABall) {
  Snapshot s;
  s.systems.emplace_back();
  add(s.systems[0], {0, 0, 0}, 0.2F, {0.2F, 0.2F, 0.2F, 1});
  s.systems[0].velocity[0] = Vec3f(1, 0, 0);
  ViewParams view;
  const Image without = shot(s, straight_on(), view);
  view.vectors = true;
  view.vector_scale = VectorScale::manual;
  view.vector_seconds = 0.3;
  const Image with = shot(s, straight_on(), view);
  const auto change = [&](int x, int y) { return glm::length(glm::vec3(at(with, x, y) - at(without, x, y))); };
  EXPECT_GT(change(108, 75), 15) << "inside the ball, the arrow must be faint";
  EXPECT_GT(change(138, 75), 60) << "outside the ball, the arrow must be fully visible";
}

TEST_F(SoftwarePicture, OneThreadAndThreeDrawTheSameBytes) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground(), obstacle("slope", ColliderSnapshot::Kind::plane, Vec3f(0, 0, 0),
                                    Quatf(Eigen::AngleAxisf(0.5F, Vec3f::UnitZ())), Vec3f::Ones(), {0.6F, 0.5F, 0.3F})};
  s.systems.push_back(voxel_block(9, 4, 4, 0.01F, 0.5F, Vec3f(0, 0.05F, 0)));
  s.systems.push_back(sphere_cloud(24, 0.1F, 0.004F, Vec3f(0.02F, 0.12F, 0)));
  for (std::size_t i = 0; i < s.systems[1].position.size(); ++i)
    s.systems[1].tint.emplace_back(0.3F, 0.5F, 0.2F, 0.1F + 0.05F * static_cast<float>(i % 17));
  ViewParams view;
  view.vectors = true;
  Camera camera;
  camera.frame(scene_bounds(s), 4.0F / 3);
  set_thread_count(1);
  const Image one =
      SoftwareRenderer().draw_image({nullptr, &s, 1}, camera, view, {}, 333, 222, LegendOverlay::drawn).value();
  set_thread_count(3);
  const Image three =
      SoftwareRenderer().draw_image({nullptr, &s, 1}, camera, view, {}, 333, 222, LegendOverlay::drawn).value();
  set_thread_count(0);
  EXPECT_EQ(one.rgba, three.rgba);
}

TEST_F(SoftwarePicture, WhatLiesBehindATiltedPlaneShowsThroughItAndWhatLiesBeforeItHidesIt) {
  for (const ParticleStyle style : {ParticleStyle::discs, ParticleStyle::balls}) {
    ViewParams view;
    view.particle_style = style;
    view.ground_grid = false;
    Snapshot s;
    s.colliders = {obstacle("slope", ColliderSnapshot::Kind::plane, Vec3f::Zero(),
                            Quatf(Eigen::AngleAxisf(0.9F, Vec3f::UnitX())), Vec3f::Ones(), {0.3F, 0.3F, 0.3F})};
    s.systems.emplace_back();
    add(s.systems[0], {0, 0, 5}, 0.05F, {1, 0, 0, 1});  // behind the eye; the bounding box stays the same
    const glm::ivec3 plane = at(shot(s, straight_on(), view), 100, 75);
    s.systems[0].position[0] = Vec3f(0, 0, -0.2F);
    const glm::ivec3 behind = at(shot(s, straight_on(), view), 100, 75);
    s.systems[0].position[0] = Vec3f(0, 0, 0.2F);
    const glm::ivec3 before = at(shot(s, straight_on(), view), 100, 75);
    EXPECT_GT(before.r, before.g + 60);
    EXPECT_LT(behind.r - behind.g, before.r - before.g - 40);
    EXPECT_GE(behind.r - behind.g, plane.r - plane.g);
  }
}

TEST_F(SoftwarePicture, TheSelectionIsMarked) {
  Snapshot s;
  s.systems.push_back(voxel_block(3, 3, 3, 0.05F, 0, Vec3f(0, -0.075F, 0)));
  s.systems.push_back(sphere_cloud(1, 0, 0.05F, Vec3f(0.3F, 0, 0)));
  const Image plain = shot(s, straight_on());
  const Image voxel = shot(s, straight_on(), {}, 200, 150, {"block", 22});  // the voxel in the middle of the front
  EXPECT_NE(at(voxel, 100, 75), at(plain, 100, 75));
  const Image ball = shot(s, straight_on(), {}, 200, 150, {"cloud", 0});
  int changed = 0;
  for (int x = 130; x < 200; ++x) changed += at(ball, x, 75) != at(plain, x, 75) ? 1 : 0;
  EXPECT_GT(changed, 10);
  EXPECT_EQ(at(ball, 100, 75), at(plain, 100, 75));
}

}  // namespace
}  // namespace vw::soft
