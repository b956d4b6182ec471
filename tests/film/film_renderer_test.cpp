// Whole pictures in film quality: reproducible bits, picture sizes, empty scenes, budgets, fluids, and the denoiser.
#include <atomic>
#include <cmath>
#include <random>

#include "film_set.h"
#include "render/film/film_water.h"
#include "sim/base/parallel/parallel.h"
#include "tests/render/rigid_set.h"
#include "tests/render/water/water_set.h"

namespace vw::film {
namespace {

FilmSettings few(std::int64_t samples) {
  FilmSettings settings;
  settings.samples = samples;
  return settings;
}

Image film_shot(const Snapshot& snapshot, const FilmSettings& settings, int width, int height,
                const ViewParams& view = {}, Camera camera = straight_on(), FilmPicture* picture = nullptr) {
  auto renderer = FilmRenderer::create(settings);
  if (!renderer) {
    ADD_FAILURE() << renderer.error().message();
    return {};
  }
  auto image = (*renderer)->draw_image({nullptr, &snapshot, 1}, camera, view, width, height, LegendOverlay::none);
  EXPECT_TRUE(image) << image.error().message();
  if (picture != nullptr) *picture = (*renderer)->picture();
  return image ? std::move(*image) : Image{};
}

class FilmRendererTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FilmRays::available()) GTEST_SKIP() << "this build has no Embree";
  }
};

TEST(FilmWithoutEmbree, SaysWhatIsMissing) {
  if (FilmRays::available()) GTEST_SKIP() << "this build has Embree";
  const auto made = FilmRenderer::create({});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message().find("libembree-dev"), std::string::npos);
}

/// Returns a stage with glass, water and smoke.
Snapshot rich_set() {
  Snapshot s = stage_set();
  ColliderSnapshot pane = obstacle("pane", ColliderSnapshot::Kind::box, Vec3f(0, 0.05F, 0.12F), Quatf::Identity(),
                                   Vec3f(0.12F, 0.05F, 0.005F), {0.8F, 0.9F, 0.9F});
  pane.opacity = 0.2F;
  s.colliders.push_back(pane);
  SystemSnapshot water = water_block({0.12F, 0.05F, 0.1F}, 0.01F);
  for (Vec3f& p : water.position) p += Vec3f(0.1F, 0, 0.06F);
  s.systems.push_back(water);
  SystemSnapshot smoke = sphere_cloud(3, 0.03F, 0.02F, Vec3f(-0.1F, 0.15F, 0));
  smoke.use_look<SphereLook>().soft = true;
  s.systems.push_back(smoke);
  return s;
}

TEST_F(FilmRendererTest, SameBitsAtAnyNumberOfThreads) {
  const Snapshot s = rich_set();
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  view.glow = {"cloud"};
  std::vector<std::uint8_t> first;
  for (const int threads : {1, 2, 8}) {
    set_thread_count(threads);
    const Image image = film_shot(s, few(8), 64, 48, view);
    if (first.empty()) first = image.rgba;
    EXPECT_EQ(image.rgba, first) << threads << " threads";
  }
  set_thread_count(0);
  ASSERT_FALSE(first.empty());
}

TEST_F(FilmRendererTest, EqualSeedsGiveEqualBitsAndOtherSeedsOtherNoise) {
  const Snapshot s = stage_set();
  FilmSettings settings = few(4);
  settings.denoise = false;
  const Image a = film_shot(s, settings, 40, 30), b = film_shot(s, settings, 40, 30);
  settings.seed = 1;
  const Image c = film_shot(s, settings, 40, 30);
  EXPECT_EQ(a.rgba, b.rgba);
  EXPECT_NE(a.rgba, c.rgba);
}

TEST_F(FilmRendererTest, MoreSamplesGoOnFromTheSameOnes) {
  // How the 8 samples are divided into passes does not change their mean.
  const Snapshot s = stage_set();
  FilmPicture one, two;
  film_shot(s, few(8), 24, 18, {}, straight_on(), &one);
  FilmSettings noisy;
  noisy.noise = 1;  // any picture meets this limit, so rendering ends after the least number of samples, 8
  film_shot(s, noisy, 24, 18, {}, straight_on(), &two);
  EXPECT_EQ(one.radiance, two.radiance);
}

/// Returns the linear radiances of an exposure over several moments, without the denoiser.
FilmPicture exposed(std::span<const Frame> moments, FilmSettings settings, FilmReport* report = nullptr) {
  settings.denoise = false;
  auto renderer = FilmRenderer::create(settings);
  if (!renderer || !(*renderer)->draw_exposure(moments, straight_on(), {}, 48, 36, LegendOverlay::none)) {
    ADD_FAILURE() << "no picture";
    return {};
  }
  if (report != nullptr) *report = (*renderer)->report();
  return (*renderer)->picture();
}

TEST_F(FilmRendererTest, AnExposureIsTheMeanOfItsMoments) {
  const Snapshot before = stage_set();
  Snapshot after = before;
  for (SystemSnapshot& system : after.systems)
    for (Vec3f& p : system.position) p += Vec3f(0.1F, 0, 0);
  const Frame first{nullptr, &before, 1}, second{nullptr, &after, 1};
  const FilmPicture a = exposed({{first}}, few(256)), b = exposed({{second}}, few(256));
  FilmReport report;
  const Frame moments[] = {first, second};
  const FilmPicture both = exposed(moments, few(512), &report);
  EXPECT_EQ(report.mean_samples, 512);
  ASSERT_EQ(both.radiance.size(), a.radiance.size());
  double error = 0, change = 0;
  for (std::size_t i = 0; i < a.radiance.size(); ++i) {
    const glm::vec3 mean = 0.5F * (a.radiance[i] + b.radiance[i]), off = both.radiance[i] - mean,
                    moved = a.radiance[i] - b.radiance[i];
    error += static_cast<double>(glm::dot(off, off));
    change += static_cast<double>(glm::dot(moved, moved));
  }
  EXPECT_GT(change, 1) << "the scene does not move";
  EXPECT_LT(error, 0.01 * change) << "the difference exceeds the noise";
}

TEST_F(FilmRendererTest, BudgetsOfAnExposureHoldForTheWhole) {
  const Snapshot s = stage_set();
  const std::vector<Frame> moments(8, Frame{nullptr, &s, 1});
  FilmReport report;
  exposed(moments, few(20), &report);
  EXPECT_EQ(report.mean_samples, 20) << "4 moments with 3 samples and 4 with 2";
  exposed(moments, few(3), &report);
  EXPECT_EQ(report.mean_samples, 3) << "three of the moments, with one sample each";
  exposed(moments, {}, &report);
  EXPECT_EQ(report.mean_samples, FilmSettings::default_samples);
  FilmSettings noisy;
  noisy.noise = 0.01;
  exposed(moments, noisy, &report);
  EXPECT_LE(report.noise, 0.01);
  FilmSettings stopped = few(800);
  int calls = 0;
  stopped.keep_going = [&calls](double) { return ++calls < 30; };
  exposed(moments, stopped, &report);
  EXPECT_EQ(report.mean_samples, 120) << "30 passes of 4 samples: one whole moment and part of the second";
}

TEST_F(FilmRendererTest, SmallAndEmptyPictures) {
  const Snapshot empty;
  for (const auto& [width, height] : {std::pair{1, 1}, {16, 16}, {17, 33}, {200, 1}}) {
    const Image image = film_shot(empty, few(2), width, height);
    EXPECT_EQ(image.rgba.size(), 4U * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    film_shot(rich_set(), few(2), width, height);
  }
  auto renderer = FilmRenderer::create(few(1));
  ASSERT_TRUE(renderer);
  for (const int size : {0, -5, 16385})
    EXPECT_FALSE((*renderer)->draw_image({nullptr, &empty, 1}, {}, {}, size, 16, LegendOverlay::none));
  EXPECT_FALSE((*renderer)->draw_image({}, {}, {}, 16, 16, LegendOverlay::none)) << "nothing to draw";
}

TEST_F(FilmRendererTest, PlacesThatAreNotFiniteAreLeftOut) {
  Snapshot s = rich_set();
  const float bad = std::numeric_limits<float>::quiet_NaN();
  for (SystemSnapshot& system : s.systems) system.position[0] = Vec3f(bad, 0, std::numeric_limits<float>::infinity());
  s.colliders[1].position.x() = bad;
  FilmPicture picture;
  film_shot(s, few(4), 32, 24, {}, straight_on(), &picture);
  for (const glm::vec3& c : picture.radiance) EXPECT_TRUE(std::isfinite(c.r + c.g + c.b));
}

TEST_F(FilmRendererTest, NoiseBudgetEndsThePicture) {
  auto renderer = FilmRenderer::create([] {
    FilmSettings settings;
    settings.noise = 0.02;
    return settings;
  }());
  ASSERT_TRUE(renderer);
  const Snapshot s = stage_set();
  ASSERT_TRUE((*renderer)->draw_image({nullptr, &s, 1}, straight_on(), {}, 48, 36, LegendOverlay::none));
  EXPECT_LE((*renderer)->report().noise, 0.02);
  EXPECT_GE((*renderer)->report().samples, 8);
}

TEST_F(FilmRendererTest, LegendsHaveTheThemeOfTheView) {
  auto renderer = FilmRenderer::create(few(1));
  ASSERT_TRUE(renderer);
  const Snapshot s = stage_set();
  // The lower left corner of the plate is 11 pixels from the borders of the picture.
  const auto plate = [&](LegendTheme theme) {
    ViewParams view;
    view.legend_theme = theme;
    const auto image = (*renderer)->draw_image({nullptr, &s, 1}, straight_on(), view, 160, 120, LegendOverlay::drawn);
    return image ? static_cast<int>(image->rgba[4 * (107 * 160 + 12)]) : -1;
  };
  EXPECT_GT(plate(LegendTheme::light), plate(LegendTheme::dark) + 100);
}

TEST_F(FilmRendererTest, RigidBodiesAndFluidsGlowByTheNamesOfTheirSystems) {
  Snapshot s = rigid_set();
  s.systems.push_back(water_block({0.12F, 0.05F, 0.1F}, 0.01F));
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  const Image dark = film_shot(s, few(4), 64, 48, view);
  view.glow = {"boxes"};
  EXPECT_NE(film_shot(s, few(4), 64, 48, view).rgba, dark.rgba);
  view.glow = {s.systems.back().name};
  EXPECT_NE(film_shot(s, few(4), 64, 48, view).rgba, dark.rgba);
}

TEST_F(FilmRendererTest, ACutDoesNotClipParticles) {
  Snapshot s;
  s.epoch = 1;
  s.systems.push_back(sphere_cloud(1, 0.03F, 0.05F, Vec3f(0, 0, 0.03F)));  // one ball near the origin
  ASSERT_EQ(s.systems[0].position.size(), 1U);
  const float z = s.systems[0].position[0].z();
  ViewParams whole, cut;
  cut.cut = Cut::z;
  cut.cut_at_m = static_cast<double>(z) + 0.01;
  EXPECT_EQ(film_shot(s, few(4), 64, 48, cut).rgba, film_shot(s, few(4), 64, 48, whole).rgba);
  cut.cut_at_m = static_cast<double>(z) - 0.01;
  EXPECT_NE(film_shot(s, few(4), 64, 48, cut).rgba, film_shot(s, few(4), 64, 48, whole).rgba);
}

TEST_F(FilmRendererTest, TheGroundHasItsPatternAndThenNoGrid) {
  const Snapshot s = stage_set();
  Camera camera = straight_on();
  camera.eye = {0, 0.5F, 1};
  ViewParams plain, checker;
  plain.ground_grid = false;
  checker.floor = FloorMaterial::checker;
  const Image with_pattern = film_shot(s, few(4), 64, 48, checker, camera);
  EXPECT_NE(with_pattern.rgba, film_shot(s, few(4), 64, 48, plain, camera).rgba);
  checker.ground_grid = false;
  EXPECT_EQ(with_pattern.rgba, film_shot(s, few(4), 64, 48, checker, camera).rgba);
}

TEST_F(FilmRendererTest, ACancelledPictureIsAnErrorAtOnce) {
  FilmSettings settings = few(FilmSettings::most_samples);
  std::atomic<int> asked = 0;
  settings.is_cancelled = [&asked] { return ++asked > 3; };
  auto renderer = FilmRenderer::create(settings);
  ASSERT_TRUE(renderer);
  const Snapshot s = stage_set();
  const auto image = (*renderer)->draw_image({nullptr, &s, 1}, straight_on(), {}, 4000, 4000, LegendOverlay::none);
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().message(), "the picture was cancelled");
}

TEST_F(FilmRendererTest, InterruptionKeepsTheSamplesSoFar) {
  FilmSettings settings = few(1000);
  settings.keep_going = [](double) { return false; };
  auto renderer = FilmRenderer::create(settings);
  ASSERT_TRUE(renderer);
  const Snapshot s = stage_set();
  ASSERT_TRUE((*renderer)->draw_image({nullptr, &s, 1}, straight_on(), {}, 16, 16, LegendOverlay::none));
  EXPECT_EQ((*renderer)->report().samples, 4);
}

TEST_F(FilmRendererTest, LensBlursWhatIsOutOfFocus) {
  Snapshot s;
  s.colliders = {obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f::Zero(), Quatf::Identity(),
                          Vec3f::Constant(0.1F), {0.9F, 0.1F, 0.1F})};
  const auto edge_width = [&](double focus) {
    FilmSettings settings = few(64);
    settings.aperture_m = 0.1;
    settings.focus_m = focus;
    FilmPicture picture;
    film_shot(s, settings, 64, 64, {}, straight_on(), &picture);
    int mixed = 0;
    for (int x = 0; x < 64; ++x) {
      const float red = picture.albedo[32 * 64 + static_cast<std::size_t>(x)].g;
      mixed += red > 0.2F && red < 0.55F ? 1 : 0;
    }
    return mixed;
  };
  EXPECT_LE(edge_width(1), 4);
  EXPECT_GE(edge_width(0.4), 8);
}

/// Only the edges of a block are rounded. The seams between coplanar voxels are flat up to the edge of the block.
TEST_F(FilmRendererTest, VoxelEdgesAreRoundedWithoutSeams) {
  constexpr float edge = 0.1F;
  Snapshot s;
  s.systems.push_back(voxel_block(3, 3, 3, edge, 0, Vec3f::Zero()));
  FrameData set;
  const Camera camera = straight_on();
  set.prepare({nullptr, &s, 1}, {}, camera, {}, 64, 64);
  TracedScene traced;
  traced.scene = build_film_scene(set, s, {}, camera, 64, 64);
  traced.prepare();
  const auto normal_at = [&](float x, float below_top) {
    FilmSampler sampler(1, 7);
    sampler.start(0);
    PathFeatures features;
    (void)traced.tracer->radiance({{x, 3 * edge - below_top, 1}, {0, 0, -1}}, sampler, features);
    return features.normal;
  };
  const float seam = -0.5F * edge;  // the block has its middle at x = 0 and its bottom at y = 0
  for (const float below_top : {0.02F, 0.05F, 0.3F, 0.6F, 0.95F}) {
    const glm::vec3 middle = normal_at(0, below_top * edge);
    for (const float off : {-0.02F, 0.005F, 0.05F})
      EXPECT_LT(glm::distance(normal_at(seam + off * edge, below_top * edge), middle), 1e-4F)
          << below_top << " voxels below the edge of the block, " << off << " voxels from the seam";
    if (below_top > 0.2F) {
      EXPECT_LT(glm::distance(middle, glm::vec3(0, 0, 1)), 1e-4F) << below_top;
    }
  }
  EXPECT_GT(normal_at(0, 0.02F * edge).y, 0.5F) << "the edge of the block is rounded";
}

TEST_F(FilmRendererTest, WaterIsAClosedMeshThatReachesIntoItsWalls) {
  Snapshot s;
  s.colliders = {ground()};
  s.systems.push_back(water_block({0.2F, 0.1F, 0.2F}, 0.01F));
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  FrameData set;
  Camera camera = straight_on();
  camera.eye.y = 0.5F;
  set.prepare({nullptr, &s, 1}, view, camera, {}, 64, 64);
  FilmScene scene = build_film_scene(set, s, view, camera, 64, 64);
  auto rays = FilmRays::create();
  ASSERT_TRUE(rays);
  ASSERT_TRUE((*rays)->add(scene.parts, 0));
  ASSERT_TRUE(add_fluids(set, view, **rays, scene));
  ASSERT_EQ(scene.parts.size(), 1U);
  const FilmPart& water = scene.parts[0];
  EXPECT_EQ(water.material.surface, FilmSurface::dielectric);
  // The mesh must be closed: the vector areas of its triangles add up to zero. Its volume must equal that of the
  // particles.
  glm::dvec3 area(0);
  double volume = 0, low = 1, total = 0;
  for (const auto& t : water.triangle) {
    const glm::dvec3 a(water.position[t[0]]), b(water.position[t[1]]), c(water.position[t[2]]);
    area += glm::cross(b - a, c - a);
    total += glm::length(glm::cross(b - a, c - a));
    volume += glm::dot(a, glm::cross(b, c)) / 6;
  }
  for (const glm::vec3& p : water.position) low = std::min(low, static_cast<double>(p.y));
  EXPECT_LT(glm::length(area), 1e-4 * total);
  EXPECT_NEAR(volume, 0.004, 0.03 * 0.004);
  EXPECT_LT(low, -1e-4) << "the bottom of the mesh must lie below the ground";
  EXPECT_GT(low, -1e-3);
  // The sides of the water go on straight into the ground.
  float at_ground = 0, above = 0;
  for (const glm::vec3& p : water.position) {
    if (p.y < 1e-4F) at_ground = std::max(at_ground, p.x);
    if (p.y > 0.02F && p.y < 0.06F) above = std::max(above, p.x);
  }
  EXPECT_NEAR(at_ground, above, 0.18F * 0.01F) << "the mesh must not curve inwards at the ground";
}

TEST_F(FilmRendererTest, WaterIsFlatAtTheWallsOfATank) {
  const Snapshot s = tank(0.03F);  // walls at x = +-0.3 m, particles 0.02 m apart in disorder
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  FrameData set;
  set.fluid_detail = FluidDetail::images;
  Camera camera = straight_on();
  camera.eye.y = 0.5F;
  set.prepare({nullptr, &s, 1}, view, camera, {}, 64, 64);
  FilmScene scene = build_film_scene(set, s, view, camera, 64, 64);
  auto rays = FilmRays::create();
  ASSERT_TRUE(rays);
  ASSERT_TRUE((*rays)->add(scene.parts, 0));
  const std::size_t before = scene.parts.size();
  ASSERT_TRUE(add_fluids(set, view, **rays, scene));
  ASSERT_EQ(scene.parts.size(), before + 1);
  const FilmPart& water = scene.parts.back();
  // Areas of the triangles in the planes of two walls, and of those near them, well below the surface.
  double flat = 0, askew = 0, outward = 0, total = 0;
  glm::dvec3 sum(0);
  for (const auto& t : water.triangle) {
    const glm::vec3 a = water.position[t[0]], b = water.position[t[1]], c = water.position[t[2]],
                    middle = (a + b + c) / 3.0F, across = 0.5F * glm::cross(b - a, c - a);
    const auto area = static_cast<double>(glm::length(across));
    sum += glm::dvec3(across);
    total += area;
    EXPECT_LT(std::abs(middle.x), 0.3F - 1e-4F)
        << "nothing is behind the walls, nor in a plane in which a pane is drawn";
    const auto off = [](const glm::vec3& p) { return std::abs(std::abs(p.x) - (0.3F - 0.01F * 0.02F)); };
    if (std::abs(middle.x) > 0.29F && std::max({off(a), off(b), off(c)}) < 1e-4F) {
      flat += area;
      outward += static_cast<double>(middle.x > 0 ? across.x : -across.x);
    } else if (std::abs(middle.x) > 0.3F - 0.016F && middle.y > 0.03F && middle.y < 0.14F &&
               std::abs(middle.z) < 0.18F) {
      askew += area;
    }
  }
  EXPECT_NEAR(flat, 2 * 0.2 * 0.4, 0.1 * 2 * 0.2 * 0.4);
  EXPECT_LT(askew, 0.002 * flat);
  EXPECT_NEAR(outward, flat, 1e-4 * flat) << "the face has no folds";
  EXPECT_LT(glm::length(sum), 1e-4 * total) << "the mesh is closed";
}

TEST_F(FilmRendererTest, WaterAbsorbsWithItsColour) {
  Snapshot s;
  s.systems.push_back(water_block({0.4F, 0.4F, 0.1F}, 0.02F));
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  view.fluid_clarity_m = 0.1;
  Camera camera = straight_on();
  camera.eye.y = camera.target.y = 0.2F;
  FilmPicture picture;
  film_shot(s, few(256), 16, 16, view, camera, &picture);
  const glm::vec3 middle = picture.radiance[8 * 16 + 8],
                  sky = film_sky(environment_of({}), {0, 1, 0}).radiance({0, 0, -1});
  // Expected: the palette colour (the colour after 0.1 m of water) times the transmittance 0.98 of each of the two
  // surfaces, plus the reflected light of the sky at the horizon.
  const glm::vec3 color = linear_of(pack_linear({0.16F, 0.42F, 0.78F}));
  const glm::vec3 expected = sky * (color * (0.98F * 0.98F) + 0.02F * (1.0F + color * color));
  // The slightly wavy faces also reflect a little of the sky above the horizon, which is darker. This changes the
  // brightness, so its tolerance is 15 %. The ratios of the colours have a tolerance of 2 %.
  EXPECT_NEAR(middle.g / expected.g, 1, 0.15);
  for (const glm::length_t k : {0, 2}) EXPECT_NEAR(middle[k] / middle.g / (expected[k] / expected.g), 1, 0.02);
}

TEST(FilmDenoiser, RemovesNoiseAndKeepsEdges) {
  FilmPicture picture;
  picture.resize(96, 64);
  std::mt19937 random(5);
  std::normal_distribution<float> noise(0, 0.1F);
  std::vector<glm::vec3> exact;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x) {
      const std::size_t i = exact.size();
      const bool right = x >= 48;
      exact.emplace_back(right ? 0.8F : 0.3F);
      picture.radiance[i] = exact[i] + glm::vec3(noise(random), noise(random), noise(random));
      picture.variance[i] = glm::vec3(0.01F);
      picture.albedo[i] = exact[i];
      picture.normal[i] = {0, 0, 1};
      picture.distance[i] = 1;
    }
  const auto clean = denoised(picture);
  double before = 0, after = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const glm::vec3 a = picture.radiance[i] - exact[i], b = clean[i] - exact[i];
    before += static_cast<double>(glm::dot(a, a));
    after += static_cast<double>(glm::dot(b, b));
  }
  EXPECT_LT(after, before / 10) << "mean square error";
  for (int y = 8; y < 56; ++y)
    EXPECT_GT(clean[static_cast<std::size_t>(y) * 96 + 48].r - clean[static_cast<std::size_t>(y) * 96 + 47].r, 0.3F);
}

TEST(FilmDenoiser, LeavesAnExactPictureUnchanged) {
  FilmPicture picture;
  picture.resize(20, 7);
  for (std::size_t i = 0; i < picture.radiance.size(); ++i) {
    picture.radiance[i] = glm::vec3(static_cast<float>(i % 20));
    picture.normal[i] = {0, 0, 1};
  }
  const auto clean = denoised(picture);
  for (std::size_t i = 0; i < clean.size(); ++i) EXPECT_NEAR(clean[i].r, picture.radiance[i].r, 1e-4F);
}

TEST(FilmSampler, DimensionsAreStratified) {
  FilmSampler sampler(3, 11);
  std::array<int, 16> count{};
  for (std::uint32_t s = 0; s < 64; ++s) {
    sampler.start(s);
    (void)sampler.next();
    const glm::vec2 p = sampler.next();
    EXPECT_TRUE(p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1);
    ++count[static_cast<std::size_t>(p.x * 4) * 4 + static_cast<std::size_t>(p.y * 4)];
  }
  for (const int n : count) EXPECT_EQ(n, 4) << "each cell of a 4 x 4 grid holds as many of 64 points";
}

}  // namespace
}  // namespace vw::film
