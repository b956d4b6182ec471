// Environments, tone curve, floors, shadows, and the normals of the skins of voxel bodies.
#include <map>
#include <random>

#include "render/labels/figure.h"
#include "render/scene/light/background.h"
#include "render/scene/light/environment.h"
#include "render/software/software_renderer.h"
#include "similarity.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

using RenderEnvironment = RenderTest;

TEST(RenderLight, TheToneCurveKeepsMiddleGreyAndNeverFalls) {
  // The gain is rounded to two digits.
  EXPECT_NEAR(shoulder(glm::vec3(0.18F)).x, 0.18F, 0.003F);
  float before = 0;
  for (float light = 0; light < 20; light += 0.01F) {
    const float displayed = shoulder(glm::vec3(light)).x;
    EXPECT_GE(displayed, before);
    before = displayed;
  }
  EXPECT_EQ(before, 1);
}

TEST(RenderLight, AStopOfExposureDoublesTheLight) {
  for (const EnvironmentKind kind : {EnvironmentKind::sky, EnvironmentKind::studio, EnvironmentKind::overcast,
                                     EnvironmentKind::white, EnvironmentKind::night}) {
    ViewParams view;
    view.environment = kind;
    const LightEnvironment plain = environment_of(view);
    view.exposure = 1;
    const LightEnvironment brighter = environment_of(view);
    EXPECT_EQ(brighter.sun_light, 2.0F * plain.sun_light);
    EXPECT_EQ(brighter.sky_light, 2.0F * plain.sky_light);
  }
}

TEST(RenderLight, AHigherWhiteBalanceIsWarmerAndKeepsTheBrightness) {
  ViewParams view;
  const LightEnvironment neutral = environment_of(view);
  view.white_balance_k = 9000;
  const LightEnvironment warm = environment_of(view);
  view.white_balance_k = 4000;
  const LightEnvironment cool = environment_of(view);
  const auto red_over_blue = [](const LightEnvironment& e) { return e.sky_light.r / e.sky_light.b; };
  EXPECT_GT(red_over_blue(warm), 1.1F * red_over_blue(neutral));
  EXPECT_LT(red_over_blue(cool), 0.9F * red_over_blue(neutral));
}

TEST(RenderLight, LegendsOverAWhiteBackgroundAreLight) {
  ViewParams view;
  EXPECT_FALSE(legend_style(view).light);
  view.matte = Matte::white;  // as in a video of a transparent view
  EXPECT_TRUE(legend_style(view).light);
  view.legend_theme = LegendTheme::dark;
  EXPECT_FALSE(legend_style(view).light);
}

TEST(RenderLight, AFloorHasTheMeanThatLowQualityShows) {
  for (const FloorMaterial floor : {FloorMaterial::checker, FloorMaterial::wood, FloorMaterial::concrete,
                                    FloorMaterial::sand, FloorMaterial::grass}) {
    glm::vec3 sum(0);
    constexpr int side = 200;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        sum += floor_pattern(floor, 0.137F * glm::vec2(static_cast<float>(x), static_cast<float>(y)), 0.001F, 1);
    const glm::vec3 mean = sum / static_cast<float>(side * side), expected = floor_mean(floor);
    // Joints between planks or slabs darken the pattern by a few percent, hence the tolerance.
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(mean[k], expected[k], 0.08F * expected[k]);
    EXPECT_EQ(floor_pattern(floor, {0.3F, 0.7F}, 0.1F, 1), floor_pattern(floor, {0.3F, 0.7F}, 0.1F, 1));
  }
}

/// Returns a block of voxels that stands on the ground.
Snapshot block_on_ground() {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.systems = {voxel_block(8, 8, 8, 0.02F, 0.2F, Vec3f::Zero())};
  return s;
}

TEST_F(RenderEnvironment, EnvironmentsAndFloorsLookAlikeInBothRenderers) {
  const Snapshot s = block_on_ground();
  Camera camera;
  camera.frame(scene_bounds(s), 16.0F / 9);
  SoftwareRenderer software;
  for (const auto& [kind, floor] : {std::pair{EnvironmentKind::sky, FloorMaterial::plain},
                                    {EnvironmentKind::studio, FloorMaterial::sweep},
                                    {EnvironmentKind::overcast, FloorMaterial::wood},
                                    {EnvironmentKind::white, FloorMaterial::plain},
                                    {EnvironmentKind::night, FloorMaterial::checker},
                                    {EnvironmentKind::sky, FloorMaterial::concrete}}) {
    ViewParams view;
    view.environment = kind;
    view.floor = floor;
    view.quality = Quality::high;
    view.legend = false;
    const Image gl = shot(s, camera, view, 640, 360);
    const auto cpu = software.draw_image({nullptr, &s, 1}, camera, view, {}, 640, 360, LegendOverlay::none);
    ASSERT_TRUE(cpu);
    const Similarity found = similarity(gl, *cpu, [](int, int) { return true; });
    const std::string name =
        std::to_string(static_cast<int>(kind)) + " with floor " + std::to_string(static_cast<int>(floor));
    write_ppm(gl, "environment " + name + "_gl");
    write_ppm(*cpu, "environment " + name + "_software");
    EXPECT_GE(found.mean, 0.9) << name;
  }
}

TEST_F(RenderEnvironment, TheWhiteBackgroundIsWhite) {
  const Snapshot s = block_on_ground();
  Camera camera;
  camera.frame(scene_bounds(s), 16.0F / 9);
  ViewParams view;
  view.environment = EnvironmentKind::white;
  view.ground_grid = false;
  view.legend = false;
  for (const Quality quality : {Quality::low, Quality::medium, Quality::high}) {
    view.quality = quality;
    const Image image = shot(s, camera, view, 160, 90);
    for (const auto& [x, y] : {std::pair{1, 1}, {158, 1}, {158, 88}}) {
      const glm::ivec3 c = at(image, x, y);
      EXPECT_GE(std::min({c.r, c.g, c.b}), 254) << x << ", " << y;
    }
  }
}

TEST_F(RenderEnvironment, ShadowsAreSofterFartherFromTheirObject) {
  // A wide board hangs above the ground. The higher the board, the wider the penumbra of its edge.
  const auto penumbra = [&](float height, bool software) {
    Snapshot s;
    s.epoch = 1;
    s.colliders = {ground(),
                   obstacle("board", ColliderSnapshot::Kind::box, {0, height, 0}, Quatf::Identity(),
                            {0.15F, 0.005F, 0.15F}, {0.5F, 0.5F, 0.5F}),
                   obstacle("far", ColliderSnapshot::Kind::box, {0, 0.9F, 0}, Quatf::Identity(),
                            {0.001F, 0.001F, 0.001F}, {0.5F, 0.5F, 0.5F})};
    Camera camera;
    camera.target = {0, 0, -0.1F};
    camera.eye = {-1.0F, 1.6F, 0.8F};
    ViewParams view;
    view.environment = EnvironmentKind::studio;
    // With software OpenGL, this quality has the shadows of high quality but no ambient occlusion, which would also
    // darken.
    view.quality = Quality::automatic;
    view.ground_grid = view.legend = false;
    SoftwareRenderer cpu;
    auto drawn = software ? cpu.draw_image({nullptr, &s, 1}, camera, view, {}, 640, 360, LegendOverlay::none)
                          : renderer_->draw_image({nullptr, &s, 1}, camera, view, {}, 640, 360, LegendOverlay::none);
    EXPECT_TRUE(drawn);
    Snapshot bare = s;
    bare.colliders.resize(1);
    auto empty = software ? cpu.draw_image({nullptr, &bare, 1}, camera, view, {}, 640, 360, LegendOverlay::none)
                          : renderer_->draw_image({nullptr, &bare, 1}, camera, view, {}, 640, 360, LegendOverlay::none);
    EXPECT_TRUE(empty);
    int partly = 0;
    for (int y = 0; y < 360; ++y)
      for (int x = 0; x < 640; ++x) {
        const glm::ivec3 a = at(*drawn, x, y), b = at(*empty, x, y);
        const int darker = b.g - a.g;
        partly += darker > 12 && darker < 45 ? 1 : 0;
      }
    return partly;
  };
  for (const bool software : {false, true}) EXPECT_GT(penumbra(0.25F, software), 2 * penumbra(0.02F, software));
}

TEST(RenderSkin, ACubeHasSharpEdgesAndABentPlateSmoothFaces) {
  Figure figure;
  place_figure(nullptr, voxel_block(3, 3, 3, 0.01F, 0, Vec3f::Zero()), 1, figure);
  ASSERT_EQ(figure.faces.size(), figure.skin->quads.size());
  int sharp = 0;
  for (std::size_t q = 0; q < figure.faces.size(); ++q) {
    glm::vec3 n(0);
    const int face = figure.skin->quads[q].face;
    n[face / 2] = face % 2 == 0 ? -1.0F : 1.0F;
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_LT(glm::distance(glm::vec3(figure.faces[q].corner[c]), n), 1e-4F) << "faces of a cube are flat";
      sharp += glm::vec3(figure.faces[q].beyond[c]) == glm::vec3(0) ? 0 : 1;
    }
  }
  EXPECT_EQ(sharp, 2 * 12 * 3) << "12 edges of 3 voxels, seen from both faces";
  // Neighbouring faces of a bent block share the normals of their corners.
  place_figure(nullptr, voxel_block(12, 2, 2, 0.01F, 0.8F, Vec3f::Zero()), 1, figure);
  std::map<std::pair<int, int>, glm::vec3> seen;
  int shared = 0;
  for (std::size_t q = 0; q < figure.faces.size(); ++q)
    for (std::size_t c = 0; c < 4; ++c) {
      const auto& quad = figure.skin->quads[q];
      if (quad.face / 2 != 1) continue;
      const glm::vec3 n(figure.faces[q].corner[c]);
      const auto [it, is_new] = seen.try_emplace({quad.vertex[c], quad.face}, n);
      if (is_new) continue;
      EXPECT_LT(glm::distance(it->second, n), 1e-5F);
      ++shared;
    }
  EXPECT_GT(shared, 20);
}

/// The water must not flicker if its particles move by a hundredth of their spacing per frame, as they do at rest.
TEST_F(RenderEnvironment, StillWaterDoesNotBoil) {
  constexpr int width = 640, height = 360;
  constexpr float spacing = 0.02F, move_m = 0.01F * spacing;
  Snapshot s = pool(0);
  Camera camera;
  camera.eye = {0.5F, 0.45F, 0.9F};
  camera.target = {0, 0.1F, 0};
  ViewParams view;
  view.legend = false;
  view.fluid_style = FluidStyle::surface;
  const std::vector<Vec3f> rest = s.systems[0].position;
  for (const Quality quality : {Quality::low, Quality::automatic, Quality::high}) {
    view.quality = quality;
    std::mt19937 random(3);
    const auto part = [&random] { return static_cast<float>(random() % 2001) / 1000 - 1; };
    std::vector<Image> frames;
    for (int frame = 0; frame < 3; ++frame) {
      for (std::size_t i = 0; i < rest.size(); ++i)
        s.systems[0].position[i] = rest[i] + move_m * Vec3f(part(), part(), part());
      ++s.systems[0].revision;
      frames.push_back(shot(s, camera, view, width, height));
    }
    double sum = 0, count = 0;
    Snapshot dry = s;
    dry.systems.clear();
    const Image empty = shot(dry, camera, view, width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        if (difference(at(frames[0], x, y), at(empty, x, y)) < 8) continue;  // this pixel shows no water
        for (std::size_t k = 1; k < frames.size(); ++k) {
          const glm::ivec3 d = glm::abs(at(frames[k], x, y) - at(frames[k - 1], x, y));
          sum += (d.r + d.g + d.b) / 3.0;
          ++count;
        }
      }
    EXPECT_GT(count, 10000);
    EXPECT_LT(sum / count, 1) << "quality " << static_cast<int>(quality);
  }
}

TEST_F(RenderEnvironment, TheSkyHasNoBands) {
  Snapshot s;
  s.epoch = 1;
  s.systems = {sphere_cloud(2, 0.01F, 0.001F, {0, -3, 0})};
  Camera camera;
  camera.eye = {0, 0, 2};
  camera.target = {0, 0.9F, 0};
  ViewParams view;
  view.legend = false;
  const Image image = shot(s, camera, view, 640, 360);
  // Means of rows change gradually. Without noise, they would change in steps of one.
  std::vector<double> means;
  for (int y = 20; y < 340; ++y) {
    double sum = 0;
    for (int x = 200; x < 440; ++x) sum += image.rgba[4 * static_cast<std::size_t>(640 * y + x) + 1];
    means.push_back(sum / 240);
  }
  double bend = 0;
  for (std::size_t i = 1; i + 1 < means.size(); ++i)
    bend = std::max(bend, std::abs(means[i - 1] - 2 * means[i] + means[i + 1]));
  std::printf("largest second difference of the rows %.3f\n", bend);
  EXPECT_LT(bend, 0.5);
  EXPECT_GT(std::abs(means.front() - means.back()), 20) << "the sky must change in this picture";
}

TEST_F(RenderEnvironment, PlainEnvironmentsHaveOneColourBehindTheObjects) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.systems = {sphere_cloud(4, 0.2F, 0.04F, {0, 0.2F, 0})};
  Camera camera;
  camera.eye = {0, 0.6F, 1.6F};
  camera.target = {0, 0.2F, 0};
  SoftwareRenderer software;
  for (const auto& [kind, value] : {std::pair{EnvironmentKind::white, 255}, {EnvironmentKind::dark, 22}}) {
    ViewParams view;
    view.environment = kind;
    view.legend = view.ground_grid = false;
    for (const bool gl : {true, false}) {
      const Image image = gl ? shot(s, camera, view, 320, 180)
                             : *software.draw_image({nullptr, &s, 1}, camera, view, {}, 320, 180, LegendOverlay::none);
      for (const auto& [x, y] : {std::pair{5, 5}, {310, 5}, {5, 90}, {5, 170}, {310, 170}})
        EXPECT_NEAR(image.rgba[4 * static_cast<std::size_t>(320 * y + x) + 1], value, 1) << x << " " << y << " " << gl;
    }
  }
}

}  // namespace
}  // namespace vw
