// Fluids drawn as a surface: its position, refraction, foam, glass, rigid bodies in the fluid, and the cut plane.
#include <random>

#include "render/fluid/fluid_cloud.h"
#include "render/gl/gl_object.h"
#include "render/scene/mesh_pick.h"
#include "render/software/software_renderer.h"
#include "tests/render/similarity.h"
#include "tests/render/water/water_set.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

constexpr int fluid_width = 320, fluid_height = 240;

using RenderFluid = RenderTest;

Camera before_the_tank() {
  Camera camera;
  camera.eye = {0.1F, 0.35F, 1.4F};
  camera.target = {0, 0.15F, 0};
  return camera;
}

ViewParams plain(FluidStyle style = FluidStyle::surface) {
  ViewParams view;
  view.legend = false;
  view.fluid_style = style;
  return view;
}

/// Returns the view with a cut plane that hides all elements. Unlike an empty scene, it has the same bounding box and
/// thus the same light and ground.
ViewParams emptied(ViewParams view) {
  view.cut = Cut::y;
  view.cut_at_m = -50;
  return view;
}

/// Returns the pixels whose distance from the image of an element's centre is at most `radius_m` (converted to pixels)
/// + `slack_px`.
std::vector<bool> covered_by(const SystemSnapshot& system, const Camera& camera, float radius_m, float slack_px) {
  std::vector<bool> covered(static_cast<std::size_t>(fluid_width) * fluid_height);
  const glm::mat4 view = camera.view(), clip = camera.projection(static_cast<float>(fluid_width) / fluid_height);
  const float focal = 0.5F * fluid_height * clip[1][1];
  for (const Vec3f& p : system.position) {
    const glm::vec4 at = view * glm::vec4(p.x(), p.y(), p.z(), 1);
    const float x = 0.5F * fluid_width - focal * at.x / at.z, y = 0.5F * fluid_height + focal * at.y / at.z,
                r = radius_m * focal / -at.z + slack_px;
    for (int j = std::max(0, static_cast<int>(y - r)); j <= std::min(fluid_height - 1, static_cast<int>(y + r)); ++j)
      for (int i = std::max(0, static_cast<int>(x - r)); i <= std::min(fluid_width - 1, static_cast<int>(x + r)); ++i)
        if (std::hypot(static_cast<float>(i) + 0.5F - x, static_cast<float>(j) + 0.5F - y) <= r)
          covered[static_cast<std::size_t>(j) * fluid_width + static_cast<std::size_t>(i)] = true;
  }
  return covered;
}

/// Returns the pixels that have no uncovered pixel within `px` pixels in x and y.
std::vector<bool> well_inside(const std::vector<bool>& covered, int px) {
  std::vector<bool> inside(covered.size());
  for (int y = px; y < fluid_height - px; ++y)
    for (int x = px; x < fluid_width - px; ++x) {
      bool all = true;
      for (int j = -px; j <= px; ++j)
        for (int i = -px; i <= px; ++i)
          all = all && covered[static_cast<std::size_t>(y + j) * fluid_width + static_cast<std::size_t>(x + i)];
      inside[static_cast<std::size_t>(y) * fluid_width + static_cast<std::size_t>(x)] = all;
    }
  return inside;
}

TEST_F(RenderFluid, TheSurfaceIsWhereTheFluidIsAndNowhereElse) {
  Snapshot s = pool();
  s.colliders.clear();  // removes the ground, which the water could shade
  const Camera camera = before_the_tank();
  const Image with = shot(s, camera, plain()), without = shot(s, camera, emptied(plain()));
  // The balls have a radius of 3/4 of the particle spacing, which is 0.02 m. Smoothing may move the outline by a pixel,
  // and pixels on the rim are half covered. `may_be` and `must_be` thus differ by 2 and 1 pixels from the outline.
  const auto may_be = covered_by(s.systems[0], camera, 0.75F * 0.02F, 2),
             must_be = well_inside(covered_by(s.systems[0], camera, 0.015F, 0), 1);
  int astray = 0, missing = 0, inside = 0;
  for (int y = 0; y < fluid_height; ++y)
    for (int x = 0; x < fluid_width; ++x) {
      const auto k = static_cast<std::size_t>(y) * fluid_width + static_cast<std::size_t>(x);
      const int d = difference(at(with, x, y), at(without, x, y));
      astray += !may_be[k] && d > 2 ? 1 : 0;
      inside += must_be[k] ? 1 : 0;
      missing += must_be[k] && d <= 2 ? 1 : 0;
    }
  EXPECT_EQ(astray, 0);
  EXPECT_GT(inside, 3000);
  EXPECT_LT(missing, inside / 100);
}

TEST_F(RenderFluid, TheSurfaceIsSmoothWhereTheParticlesAreBalls) {
  const Snapshot s = pool(0);
  Camera camera = before_the_tank();
  camera.eye = {0, 0.1F, 1.2F};
  camera.target = {0, 0.1F, 0};
  const auto roughness = [&](FluidStyle style) {
    const Image image = shot(s, camera, plain(style));
    double sum = 0;
    for (int y = 110; y < 130; ++y)
      for (int x = 130; x < 190; ++x) sum += difference(at(image, x, y), at(image, x + 1, y));
    return sum / (20 * 60);
  };
  const double balls = roughness(FluidStyle::particles), surface = roughness(FluidStyle::surface);
  EXPECT_GT(balls, 5) << "without smoothing, the balls must be visible";
  EXPECT_LT(surface, 0.2 * balls);
}

/// Returns the mean column of the pixels, weighted by the excess of red over blue.
double red_column(const Image& image) {
  double sum = 0, count = 0;
  for (int y = 100; y < 140; ++y)  // rows that show water
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                               static_cast<std::size_t>(x))];
      const double red = std::max(0, p[0] - p[2]);
      sum += red * x;
      count += red;
    }
  return sum / count;
}

/// Returns a wedge of water with a red post behind it. The front face of the wedge is turned to the right.
Snapshot wedge() {
  Snapshot s;
  s.epoch = 1;
  s.systems = {water_block({0.5F, 0.4F, 0.4F}, 0.02F)};
  SystemSnapshot& water = s.systems[0];
  std::vector<Vec3f> kept;
  for (const Vec3f& p : water.position)
    if (p.z() < 0.1F - 0.6F * p.x()) kept.push_back(p);
  water.position = kept;
  water.velocity.resize(kept.size());
  water.size.resize(kept.size());
  water.id.resize(kept.size());
  water.material.resize(kept.size());
  s.colliders = {obstacle("post", ColliderSnapshot::Kind::box, {0, 0.2F, -0.35F}, Quatf::Identity(),
                          {0.02F, 0.5F, 0.02F}, {0.9F, 0.05F, 0.02F})};
  return s;
}

TEST_F(RenderFluid, ObjectsBehindWaterAreSeenWhereRefractionShiftsThem) {
  const Snapshot s = wedge();
  Camera camera;
  camera.eye = {0, 0.2F, 1.5F};
  camera.target = {0, 0.2F, 0};
  ViewParams view = plain();
  view.fluid_clarity_m = 3;  // clear water: the test is about the position of the post
  const double bent = red_column(shot(s, camera, view));
  SoftwareRenderer software;
  const auto drawn =
      software.draw_image({nullptr, &s, 1}, camera, view, {}, fluid_width, fluid_height, LegendOverlay::none);
  ASSERT_TRUE(drawn);
  Snapshot dry = s;
  dry.systems.clear();
  const double alone = red_column(shot(dry, camera, view));
  EXPECT_GT(bent, alone + 4) << "refraction must shift the post";
  EXPECT_NEAR(red_column(*drawn), bent, 2) << "both renderers must refract equally";
}

TEST_F(RenderFluid, DeeperWaterLeavesLessOfWhatIsBehind) {
  Camera camera;
  camera.eye = {0, 0.1F, 1.5F};
  camera.target = {0, 0.1F, 0};
  ViewParams view = plain();
  view.fluid_clarity_m = 0.3;
  const auto red = [&](float depth) {
    Snapshot s;
    s.systems = {water_block({0.5F, 0.2F, depth}, 0.02F)};
    return at(shot(s, camera, view), fluid_width / 2, fluid_height / 2).r;
  };
  const int shallow = red(0.06F), middle = red(0.2F), deep = red(0.6F);
  EXPECT_GT(shallow, middle + 5);
  EXPECT_GT(middle, deep + 5);
}

TEST_F(RenderFluid, ObjectsInFrontOfTheFluidHideIt) {
  Snapshot s = pool();
  s.colliders.push_back(obstacle("board", ColliderSnapshot::Kind::box, {0, 0.15F, 0.5F}, Quatf::Identity(),
                                 {0.12F, 0.1F, 0.01F}, {0.2F, 0.6F, 0.2F}));
  Snapshot dry = s;
  dry.systems[0] = water_block({0.02F, 0.02F, 0.02F}, 0.02F);
  const Image with = shot(s, before_the_tank(), plain()), without = shot(dry, before_the_tank(), plain());
  for (int y = 115; y < 130; ++y)
    for (int x = 145; x < 175; ++x) ASSERT_LE(difference(at(with, x, y), at(without, x, y)), 12) << x << " " << y;
}

TEST_F(RenderFluid, FoamIsWhereTheSurfaceBreaksAndOnlyWhereAsked) {
  Snapshot quiet = pool(0), wild = pool(0);
  for (Snapshot* s : {&quiet, &wild}) add_drops(s->systems[0], 300, {0, 0.1F, 0.4F}, 0.1F, s == &wild ? 4.0F : 0.0F);
  ViewParams foam = plain(), bare = plain();
  bare.foam = false;
  const Camera camera = before_the_tank();
  const auto white = [&](const Snapshot& s, const ViewParams& view) {
    const Image image = shot(s, camera, view);
    double sum = 0;
    for (int y = 0; y < fluid_height; ++y)
      for (int x = 0; x < fluid_width; ++x) sum += at(image, x, y).r + at(image, x, y).g;
    return sum;
  };
  EXPECT_EQ(white(quiet, foam), white(quiet, bare)) << "water at rest must have no foam";
  EXPECT_EQ(white(wild, bare), white(quiet, bare)) << "there must be no foam unless the view has it";
  EXPECT_GT(white(wild, foam), white(wild, bare) + 5000) << "drops that fly apart are white";
}

TEST_F(RenderFluid, AutomaticShowsParticlesWhereAChannelColoursThem) {
  Snapshot s = pool();
  Channel speed{"speed", std::vector<float>(s.systems[0].position.size(), 0.0F)};
  for (std::size_t i = 0; i < speed.values.size(); ++i) speed.values[i] = s.systems[0].position[i].x();
  s.systems[0].channels = {speed};
  const Camera camera = before_the_tank();
  ViewParams by_material = plain(FluidStyle::automatic), by_speed = by_material;
  by_speed.color_by = "speed";
  ViewParams particles = by_speed;
  particles.fluid_style = FluidStyle::particles;
  EXPECT_EQ(shot(s, camera, by_material).rgba, shot(s, camera, plain()).rgba)
      << "in pictures, automatic must show the surface";
  EXPECT_EQ(shot(s, camera, by_speed).rgba, shot(s, camera, particles).rgba);
  ViewParams surface = by_speed;
  surface.fluid_style = FluidStyle::surface;
  const Image image = shot(s, camera, surface);
  const glm::ivec3 left = at(image, 110, 125), right = at(image, 210, 125);
  EXPECT_GT(difference(left, right), 40) << "the surface carries the channel's colours";
}

TEST_F(RenderFluid, ParticlesThatCrossAPeriodicSideDoNotFlyBackThroughTheBox) {
  Snapshot before = pool(0), after = pool(0);
  constexpr float step_m = 0.016F;
  for (Snapshot* s : {&before, &after}) s->systems[0].period = {0.6F, 0, 0};
  for (Vec3f& p : after.systems[0].position) {
    p.x() += step_m;
    if (p.x() >= 0.3F) p.x() -= 0.6F;
  }
  Figure figure;
  place_figure(&before.systems[0], after.systems[0], 0.5F, figure);
  std::size_t crossed = 0;
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    const Vec3f &from = before.systems[0].position[i], &to = after.systems[0].position[i];
    crossed += to.x() < from.x() ? 1 : 0;
    // The figure is halfway between the snapshots. A particle that crossed the periodic boundary must not be drawn on
    // its way back through the box. Positions of about one metre have a rounding error below 1e-6 m.
    EXPECT_NEAR(figure.places[i].x, to.x() - 0.5F * step_m, 1e-6F);
  }
  EXPECT_GT(crossed, 50U) << "some particles must cross the boundary";
}

TEST_F(RenderFluid, TheOrderOfRowsDoesNotShow) {
  Snapshot before = pool(), after = pool();
  for (Vec3f& p : after.systems[0].position) p.x() += 0.01F;
  Snapshot shuffled = after;
  SystemSnapshot& rows = shuffled.systems[0];
  std::mt19937 random(3);
  std::vector<std::size_t> order(rows.position.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  for (std::size_t i = 0; i < order.size(); ++i) {
    rows.position[i] = after.systems[0].position[order[i]];
    rows.id[i] = after.systems[0].id[order[i]];
  }
  rows.revision = 7;
  const auto half_way = [&](const Snapshot& newest) {
    return test::checked(renderer_->draw_image({&before, &newest, 0.5F}, before_the_tank(), plain(), {}, fluid_width,
                                               fluid_height, LegendOverlay::none));
  };
  const Image a = half_way(after), b = half_way(shuffled);
  int most = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) most = std::max(most, std::abs(a.rgba[i] - b.rgba[i]));
  EXPECT_LE(most, 6) << "only the order of summation of the thickness differs";
}

TEST_F(RenderFluid, WindowsDrawAtHalfResolutionWhatPicturesDrawInFull) {
  const Snapshot s = pool();
  ViewParams view = plain();
  view.quality = Quality::low;
  const GlTexture color = make_texture(GL_TEXTURE_2D), depth = make_texture(GL_TEXTURE_2D);
  const GlFramebuffer target = make_framebuffer();
  glTextureStorage2D(color.id(), 1, GL_RGBA8, fluid_width, fluid_height);
  glTextureStorage2D(depth.id(), 1, GL_DEPTH_COMPONENT24, fluid_width, fluid_height);
  glNamedFramebufferTexture(target.id(), GL_COLOR_ATTACHMENT0, color.id(), 0);
  glNamedFramebufferTexture(target.id(), GL_DEPTH_ATTACHMENT, depth.id(), 0);
  renderer_->draw({nullptr, &s, 1}, before_the_tank(), view, {}, fluid_width, fluid_height, target.id(),
                  LegendOverlay::none);
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  std::vector<std::uint8_t> window(static_cast<std::size_t>(4) * fluid_width * fluid_height);
  glReadPixels(0, 0, fluid_width, fluid_height, GL_RGBA, GL_UNSIGNED_BYTE, window.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  const Image picture = shot(s, before_the_tank(), view);
  const auto inside = well_inside(covered_by(s.systems[0], before_the_tank(), 0.015F, 0), 3);
  double sum = 0, count = 0;
  for (int y = 0; y < fluid_height; ++y)
    for (int x = 0; x < fluid_width; ++x) {
      if (!inside[static_cast<std::size_t>(y) * fluid_width + static_cast<std::size_t>(x)]) continue;
      const std::uint8_t* p =
          &window[4 * (static_cast<std::size_t>(fluid_height - 1 - y) * fluid_width + static_cast<std::size_t>(x))];
      sum += difference({p[0], p[1], p[2]}, at(picture, x, y));
      ++count;
    }
  EXPECT_GT(count, 3000);
  EXPECT_LT(sum / count, 12);
}

TEST_F(RenderFluid, LargePicturesHaveNoSeamsBetweenTheirTiles) {
  const Snapshot s = pool();
  const Camera camera = before_the_tank();
  const Image large = shot(s, camera, plain(), 2560, 480);  // the first tile ends at column 2048
  const auto jumps = [&](int x) {
    double sum = 0;
    for (int y = 230; y < 300; ++y) sum += difference(at(large, x - 1, y), at(large, x, y));
    return sum;
  };
  Camera aside = camera;  // the camera is turned, so that water crosses the seam
  aside.target.x -= 1.63F;
  const Image other = shot(s, aside, plain(), 2560, 480);
  const auto jumps_in = [&](const Image& image, int x) {
    double sum = 0;
    for (int y = 0; y < image.height; ++y) sum += difference(at(image, x - 1, y), at(image, x, y));
    return sum;
  };
  double around = 0;
  for (int x = 2040; x < 2056; ++x) around = std::max(around, x == 2048 ? 0.0 : jumps_in(other, x));
  EXPECT_GT(jumps(1280), 0) << "the image must show water in the middle";
  EXPECT_LT(jumps_in(other, 2048), 1.5 * around + 50);
}

TEST_F(RenderFluid, TheSurfaceWithoutOpenGlIsOfTheSameWater) {
  Snapshot s = pool();
  s.systems.push_back(rigid_box({-0.1F, 0.22F, 0.05F}, Quatf(Eigen::AngleAxisf(0.5F, Vec3f(0, 1, 0))),
                                {0.06F, 0.05F, 0.06F}, {0.8F, 0.25F, 0.05F}));
  ColliderSnapshot tank = obstacle("tank", ColliderSnapshot::Kind::box, {0, 0.2F, 0}, Quatf::Identity(),
                                   {0.31F, 0.2F, 0.21F}, {0.6F, 0.8F, 0.9F});
  tank.opacity = 0.08F;
  s.colliders.push_back(tank);
  const Camera camera = before_the_tank();
  SoftwareRenderer software;
  for (const FluidStyle style : {FluidStyle::surface, FluidStyle::particles}) {
    const Image gl = shot(s, camera, plain(style));
    const auto drawn =
        software.draw_image({nullptr, &s, 1}, camera, plain(style), {}, fluid_width, fluid_height, LegendOverlay::none);
    ASSERT_TRUE(drawn);
    const auto covered = covered_by(s.systems[0], camera, 0.02F, 0);
    const auto alike = similarity(gl, *drawn, [&](int x, int y) {
      return covered[static_cast<std::size_t>(y) * fluid_width + static_cast<std::size_t>(x)];
    });
    EXPECT_GT(alike.pixels, 5000U);
    EXPECT_GT(alike.mean, style == FluidStyle::surface ? 0.80 : 0.90);
  }
}

TEST_F(RenderFluid, BothRenderersAgreeFromAboveCloseByAndLow) {
  const Snapshot s = tank();
  SoftwareRenderer software;
  for (const auto& [eye, target] : {std::pair{glm::vec3(0.2F, 1.2F, 0.5F), glm::vec3(0, 0.1F, 0)},
                                    std::pair{glm::vec3(0.4F, 0.32F, 0.5F), glm::vec3(0.1F, 0.15F, 0)},
                                    std::pair{glm::vec3(-0.9F, 0.12F, 0.9F), glm::vec3(0, 0.12F, 0)}}) {
    Camera camera;
    camera.eye = eye;
    camera.target = target;
    const Image gl = shot(s, camera, plain(), 480, 270);
    const auto drawn = software.draw_image({nullptr, &s, 1}, camera, plain(), {}, 480, 270, LegendOverlay::none);
    ASSERT_TRUE(drawn);
    EXPECT_GT(similarity(gl, *drawn, [](int, int) { return true; }).mean, 0.90)
        << "from " << eye.x << " " << eye.y << " " << eye.z;
  }
}

TEST_F(RenderFluid, ASelectedParticleIsSeenThroughTheSurface) {
  const Snapshot s = pool();
  const Camera camera = before_the_tank();
  const Selection middle{s.systems[0].name, static_cast<std::int64_t>(s.systems[0].position.size() / 2)};
  const Vec3f p = s.systems[0].position[static_cast<std::size_t>(middle.element)];
  const glm::vec4 clip = camera.projection(static_cast<float>(fluid_width) / fluid_height) * camera.view() *
                         glm::vec4(p.x(), p.y(), p.z(), 1);
  const int x = static_cast<int>((0.5F + 0.5F * clip.x / clip.w) * fluid_width),
            y = static_cast<int>((0.5F - 0.5F * clip.y / clip.w) * fluid_height);
  SoftwareRenderer software;
  const auto both = [&](const Selection& selection) {
    return std::array{*renderer_->draw_image({nullptr, &s, 1}, camera, plain(), selection, fluid_width, fluid_height,
                                             LegendOverlay::none),
                      *software.draw_image({nullptr, &s, 1}, camera, plain(), selection, fluid_width, fluid_height,
                                           LegendOverlay::none)};
  };
  const auto without = both({}), with = both(middle);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const glm::ivec3 before = at(without[k], x, y), now = at(with[k], x, y);
    EXPECT_GT(before.b, before.r) << "the pixel must show water";
    EXPECT_GT(now.r, now.b + 80) << "the pixel must show the mark of the selection";
    EXPECT_LT(difference(at(without[k], x + 12, y), at(with[k], x + 12, y)), 3) << "no change beside the mark";
  }
}

TEST_F(RenderFluid, ABodyInWaterIsPickedWhereItIsSeen) {
  const Snapshot empty = tank(0);
  Snapshot s = empty;
  s.systems.push_back(rigid_box({0, 0.1F, 0}, Quatf(Eigen::AngleAxisf(0.4F, Vec3f(0, 1, 0))), {0.08F, 0.04F, 0.05F},
                                {1.0F, 0.2F, 0.02F}));
  ViewParams view = plain();
  view.fluid_clarity_m = 0.5;
  Camera camera;
  camera.eye = {0.35F, 0.6F, 0.9F};
  camera.target = {0, 0.12F, 0};
  const Image without = shot(empty, camera, view), with = shot(s, camera, view);
  int seen = 0, picked = 0, straight = 0;
  MeshTrees trees;
  for (int y = 0; y < fluid_height; y += 2)
    for (int x = 0; x < fluid_width; x += 2) {
      if (at(with, x, y).r - at(without, x, y).r < 30) continue;
      ++seen;
      const Ray ray = camera.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, fluid_width, fluid_height);
      const auto pick = renderer_->pick(s, ray), plain_pick = pick_element(s, ray, trees, FluidPick::transparent);
      picked += pick && pick->system == "bodies" ? 1 : 0;
      straight += plain_pick && plain_pick->system == "bodies" ? 1 : 0;
    }
  EXPECT_GT(seen, 200);
  EXPECT_GT(picked, 0.9 * seen);
  EXPECT_LT(straight, 0.8 * seen) << "a ray without refraction must miss the body more often";
}

TEST_F(RenderFluid, WallsOfATankEndWhereOthersBegin) {
  const Snapshot s = tank();
  Snapshot bare = s;
  bare.colliders.resize(1);
  const Camera camera = before_the_tank();
  const Image with = shot(s, camera, emptied(plain())), without = shot(bare, camera, emptied(plain()));
  const glm::mat4 clip = camera.projection(static_cast<float>(fluid_width) / fluid_height) * camera.view();
  const auto seen_at = [&](const glm::vec3& p) {
    const glm::vec4 at = clip * glm::vec4(p, 1);
    const int x = static_cast<int>((0.5F + 0.5F * at.x / at.w) * fluid_width),
              y = static_cast<int>((0.5F - 0.5F * at.y / at.w) * fluid_height);
    return difference(RenderTest::at(with, x, y), RenderTest::at(without, x, y));
  };
  EXPECT_GT(seen_at({0.1F, 0.15F, -0.2F}), 3) << "the back wall must be visible";
  EXPECT_GT(seen_at({-0.3F, 0.15F, 0}), 3) << "the left wall must be visible";
  EXPECT_LE(seen_at({-0.6F, 0.05F, -0.2F}), 1) << "the back wall must end at the left wall";
}

TEST_F(RenderFluid, TheGroundBelowWaterIsInItsShade) {
  const Snapshot s = pool();
  ViewParams view = plain();
  view.ground_grid = false;
  // The sun's direction is (0.46, 0.82, 0.34). The shadow of the water surface thus falls to the left of the pool and
  // behind it.
  const auto brightness = [&](const Image& image) {
    const Camera camera = before_the_tank();
    const glm::vec4 at = camera.projection(static_cast<float>(fluid_width) / fluid_height) * camera.view() *
                         glm::vec4(-0.37F, 0, -0.05F, 1);
    const glm::ivec3 c = RenderTest::at(image, static_cast<int>((0.5F + 0.5F * at.x / at.w) * fluid_width),
                                        static_cast<int>((0.5F - 0.5F * at.y / at.w) * fluid_height));
    return c.r + c.g + c.b;
  };
  EXPECT_LT(brightness(shot(s, before_the_tank(), view)), brightness(shot(s, before_the_tank(), emptied(view))) - 15);
  SoftwareRenderer software;
  const auto drawn = software.draw_image({nullptr, &s, 1}, before_the_tank(), view, {}, fluid_width, fluid_height,
                                         LegendOverlay::none);
  ASSERT_TRUE(drawn);
  EXPECT_NEAR(brightness(*drawn), brightness(shot(s, before_the_tank(), view)), 20);
}

TEST_F(RenderFluid, GlassLetsSeeWhatIsInsideAndShowsItsEdges) {
  Snapshot s;
  s.epoch = 1;
  s.systems = {sphere_cloud(4, 0.05F, 0.02F, Vec3f(0, 0.2F, 0))};
  ColliderSnapshot tank = obstacle("tank", ColliderSnapshot::Kind::box, {0, 0.2F, 0}, Quatf::Identity(),
                                   {0.25F, 0.2F, 0.2F}, {0.02F, 0.05F, 0.1F});
  Camera camera;
  camera.eye = {0, 0.2F, 1.4F};
  camera.target = {0, 0.2F, 0};
  SoftwareRenderer software;
  const auto both = [&](float opacity, int x, int y) {
    tank.opacity = opacity;
    s.colliders = {tank};
    auto drawn =
        software.draw_image({nullptr, &s, 1}, camera, plain(), {}, fluid_width, fluid_height, LegendOverlay::none);
    return std::array<glm::ivec3, 2>{at(shot(s, camera, plain()), x, y), at(*drawn, x, y)};
  };
  const glm::mat4 clip = camera.projection(static_cast<float>(fluid_width) / fluid_height);
  // `edge` is the column of the left edge of the tank's front face.
  const int edge = static_cast<int>(0.5F * fluid_width - 0.5F * fluid_height * clip[1][1] * 0.25F / 1.2F);
  for (const std::size_t renderer : {std::size_t{0}, std::size_t{1}}) {
    const glm::ivec3 none = both(0, 160, 120)[renderer], glass = both(0.1F, 160, 120)[renderer],
                     solid = both(1, 160, 120)[renderer];
    EXPECT_LT(difference(none, glass), 40);
    EXPECT_GT(difference(none, solid), 60);
    int line = 0;
    for (int x = edge - 2; x <= edge + 2; ++x)
      line = std::max(line, difference(both(0, x, 100)[renderer], both(0.1F, x, 100)[renderer]));
    EXPECT_GT(line, 25) << "the edge of the glass must be a line";
  }
}

TEST_F(RenderFluid, TheCutTakesAwayWhatLiesBeyondIt) {
  Snapshot s = pool(0);
  // A red block is inside the water. It is hidden from above and from the front until the cut removes the front half.
  s.systems.push_back(rigid_box({0, 0.1F, -0.05F}, Quatf::Identity(), {0.06F, 0.06F, 0.04F}, {0.9F, 0.05F, 0.02F}));
  s.colliders.push_back(obstacle("lid", ColliderSnapshot::Kind::box, {0, 0.1F, 0.1F}, Quatf::Identity(),
                                 {0.3F, 0.1F, 0.02F}, {0.1F, 0.5F, 0.1F}));
  ViewParams whole = plain(), open = plain(), other = plain();
  open.cut = other.cut = Cut::z;
  open.cut_at_m = other.cut_at_m = 0;
  other.cut_flip = true;
  for (ViewParams* view : {&whole, &open, &other}) view->fluid_clarity_m = 1;
  Camera camera = before_the_tank();
  SoftwareRenderer software;
  const auto middle = [&](const ViewParams& view, bool gl) {
    if (gl) return at(shot(s, camera, view), 160, 135);
    return at(*software.draw_image({nullptr, &s, 1}, camera, view, {}, fluid_width, fluid_height, LegendOverlay::none),
              160, 135);
  };
  for (const bool gl : {true, false}) {
    const glm::ivec3 closed = middle(whole, gl), opened = middle(open, gl), flipped = middle(other, gl);
    EXPECT_GT(closed.g, closed.r) << "without a cut, the green lid must be visible";
    EXPECT_GT(opened.r, opened.g + 40) << "the cut must show the red block";
    EXPECT_GT(flipped.g, flipped.r) << "the front half is kept";
  }
}

TEST_F(RenderFluid, ARigidBodyStandsWhereItsPoseSaysAndIsPicked) {
  Snapshot before, after;
  before.epoch = after.epoch = 1;
  before.systems = {rigid_box({-0.2F, 0, 0}, Quatf::Identity(), {0.1F, 0.02F, 0.02F}, {0.9F, 0.1F, 0.1F})};
  after.systems = {rigid_box({0.2F, 0, 0}, Quatf(Eigen::AngleAxisf(static_cast<float>(pi), Vec3f::UnitZ())),
                             {0.1F, 0.02F, 0.02F}, {0.9F, 0.1F, 0.1F})};
  after.systems[0].look = before.systems[0].look;
  const Camera camera = straight_on();
  ViewParams view = plain();
  SoftwareRenderer software;
  const auto red = [](const glm::ivec3& c) { return c.r > c.b + 60; };
  for (const bool gl : {true, false}) {
    const Frame half{&before, &after, 0.5F};
    auto image = gl ? renderer_->draw_image(half, camera, view, {}, fluid_width, fluid_height, LegendOverlay::none)
                    : software.draw_image(half, camera, view, {}, fluid_width, fluid_height, LegendOverlay::none);
    ASSERT_TRUE(image);
    EXPECT_TRUE(red(at(*image, 160, 120))) << "the body must be at the interpolated position";
    EXPECT_TRUE(red(at(*image, 160, 100))) << "the body must be upright after half of a half turn";
    EXPECT_FALSE(red(at(*image, 130, 120)));
  }
  const auto pick = renderer_->pick(after, {{0.25F, 0, 1}, {0, 0, -1}});
  ASSERT_TRUE(pick);
  EXPECT_EQ(pick->system, "bodies");
  EXPECT_NEAR(pick->distance, 0.98F, 1e-5F);
  EXPECT_FALSE(renderer_->pick(after, {{0.25F, 0.03F, 1}, {0, 0, -1}}));
}

// ---- The fluid cloud, without an image ----

FluidCloud cloud_of(const SystemSnapshot& system, bool foam = true) {
  std::vector<Figure> figures(1);
  place_figure(nullptr, system, 1, figures[0]);
  figures[0].shape = FigureShape::surface;
  figures[0].colors.assign(figures[0].places.size(), 0);
  ViewParams view;
  view.foam = foam;
  FluidCloud cloud;
  cloud.build(figures, 1, view, false);
  return cloud;
}

TEST(FluidCloud, SeparatesInnerParticlesFromTheVisibleShell) {
  const SystemSnapshot water = water_block({0.6F, 0.6F, 0.6F}, 0.02F);  // 30^3 particles
  const FluidCloud cloud = cloud_of(water);
  ASSERT_EQ(cloud.places().size(), water.position.size());
  EXPECT_LT(cloud.shell(), water.position.size() / 2);
  for (std::size_t i = 0; i < cloud.places().size(); ++i) {
    const glm::vec4 p = cloud.places()[i];
    const float to_rim = std::min({0.3F - std::abs(p.x), 0.3F - std::abs(p.z), p.y, 0.6F - p.y});
    if (to_rim < 0.02F) {
      ASSERT_LT(i, cloud.shell()) << "the outer layer may be visible, so it belongs to the shell";
    }
  }
}

TEST(FluidCloud, ADropThatFlewFarCostsNeitherMemoryNorTheSurface) {
  SystemSnapshot water = water_block({0.2F, 0.2F, 0.2F}, 0.02F);
  water.position[0] = Vec3f(1e5F, -1e5F, 1e5F);
  water.position[1] = Vec3f(std::numeric_limits<float>::quiet_NaN(), 0, 0);
  const FluidCloud cloud = cloud_of(water);
  EXPECT_EQ(cloud.places().size(), water.position.size() - 1) << "a particle at an invalid position must not be drawn";
  EXPECT_LT(cloud.shell(), cloud.places().size()) << "the far drop must not coarsen the cells";
}

TEST(FluidCloud, FoamIsOfDropsThatFlyApartNotOfWaterThatFlowsAsOne) {
  SystemSnapshot water = water_block({0.4F, 0.4F, 0.4F}, 0.02F);
  for (Vec3f& v : water.velocity) v = Vec3f(5, 0, 0);
  const auto foaming = [](const FluidCloud& cloud) {
    return std::count_if(cloud.colors().begin(), cloud.colors().end(), [](std::uint32_t c) { return c >> 24U > 30; });
  };
  EXPECT_EQ(foaming(cloud_of(water)), 0);
  add_drops(water, 100, {0, 0.7F, 0}, 0.2F, 4);
  EXPECT_GT(foaming(cloud_of(water)), 60);
  EXPECT_EQ(foaming(cloud_of(water, false)), 0);
}

}  // namespace
}  // namespace vw
