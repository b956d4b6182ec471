// Light in and below a fluid with waves: caustics and spray.
#include <cmath>

#include "render/fluid/refraction.h"
#include "render/scene/frame_data.h"
#include "render/scene/light/caustics.h"
#include "render/scene/splats.h"
#include "render/software/software_renderer.h"
#include "tests/render/similarity.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

constexpr float caustic_spacing = 0.01F;

using RenderWaterLight = RenderTest;

/// Returns water of 0.8 m x 0.8 m with a wave of amplitude `amplitude_m` along x. The mean height of its surface is
/// `high_m`.
Caustics below_wave(float amplitude_m, float per_m, float high_m, const glm::vec3& sun) {
  std::vector<Figure> figures(1);
  Figure& water = figures[0];
  water.shape = FigureShape::surface;
  water.spacing_m = caustic_spacing;
  const int half = 40;
  for (int z = -half; z < half; ++z)
    for (int x = -half; x < half; ++x) {
      const glm::vec2 at = caustic_spacing * (glm::vec2(static_cast<float>(x), static_cast<float>(z)) + 0.5F);
      // Two layers, so that no particle counts as an isolated drop. The surface lies half a spacing above the upper
      // layer.
      for (int layer = 0; layer < 2; ++layer)
        water.places.emplace_back(
            at.x, high_m + amplitude_m * std::cos(per_m * at.x) - caustic_spacing * (0.5F + static_cast<float>(layer)),
            at.y, 0.5F * caustic_spacing);
    }
  const std::size_t n = water.places.size();
  water.velocity.assign(n, glm::vec3(0));
  water.colors.assign(n, 0);
  water.id.resize(n);
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false);
  Caustics caustics;
  caustics.draw(cloud, 0, sun);
  return caustics;
}

TEST(Caustics, ALevelSurfaceLeavesTheLightAsItIs) {
  const Caustics caustics = below_wave(0, 10, 0.2F, glm::normalize(glm::vec3(0.3F, 1, 0.2F)));
  ASSERT_TRUE(caustics.any());
  for (const float x : {-0.2F, -0.05F, 0.0F, 0.13F, 0.2F}) {
    EXPECT_NEAR(caustics.light_at({x, 0, 0.1F}), 1, 0.02F) << x;
    EXPECT_NEAR(caustics.light_at({x, 0.1F, 0.1F}), 1, 0.02F) << x;
  }
  EXPECT_EQ(caustics.light_at({5, 0, 0}), 1) << "beside the water";
  EXPECT_EQ(caustics.light_at({0, 0.3F, 0}), 1) << "above the water";
}

TEST(Caustics, ACrestFocusesAsALensOfItsCurvature) {
  // Below a spherical surface of radius R, parallel light is focused at the depth f = n R / (n - 1) (E. Hecht,
  // "Optics", 5.2.2, refraction at a spherical surface). Focused in one direction only, light at the depth d is
  // brighter by 1 / (1 - d / f). The wave a cos(k x) has R = 1 / (a k^2) at a crest and -1 / (a k^2) in a trough.
  constexpr float per_m = 15.7F, high_m = 0.2F, amplitude_m = 0.02F;
  const Caustics caustics = below_wave(amplitude_m, per_m, high_m, {0, 1, 0});
  const float radius = 1 / (amplitude_m * per_m * per_m), focus = water_index * radius / (water_index - 1);
  const float crest = 1 / (1 - (high_m + amplitude_m) / focus), trough = 1 / (1 + (high_m - amplitude_m) / focus);
  ASSERT_GT(crest, 1.3F);
  const auto focused = [](float light) { return 1 + Caustics::focused_share * (light - 1); };
  // Smoothing over 1.2 spacings reduces the amplitude by 2 %, and beams away from the crest miss its focus. The
  // tolerance allows for both.
  EXPECT_NEAR(caustics.light_at({0, 0, 0}), focused(crest), 0.06F);
  EXPECT_NEAR(caustics.light_at({3.14159F / per_m, 0, 0}), focused(trough), 0.04F);
}

TEST(Caustics, AFluidShadesWhatStandsBesideIt) {
  const Caustics caustics = below_wave(0, 10, 0.2F, glm::normalize(glm::vec3(0.8F, 1, 0)));
  const float beside = 40 * caustic_spacing + 0.04F;
  EXPECT_NEAR(caustics.shade_at({-beside, 0.05F, 0}), 1 - Caustics::shade, 0.01F) << "the water is before the sun";
  EXPECT_EQ(caustics.shade_at({beside, 0.05F, 0}), 1) << "the water is on the other side";
  EXPECT_EQ(caustics.shade_at({-beside, 0.3F, 0}), 1) << "above the water";
  EXPECT_EQ(caustics.shade_at({0, 0.05F, 0}), 1) << "in the water, whose light is light_at()";
}

TEST(Spray, IsPuffsAboutDropsThatFlyApart) {
  Snapshot s = tank(0);
  add_drops(s.systems[0], 50, {0, 0.5F, 0}, 0.15F, 4);
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  Camera camera;
  camera.frame(scene_bounds(s), 16.0F / 9);
  const auto puffs_of = [&](bool foam, bool full) {
    FrameData set;
    set.fluid_detail = full ? FluidDetail::images : FluidDetail::particles;
    view.foam = foam;
    set.prepare({nullptr, &s, 1}, view, camera, {}, 640, 360);
    std::size_t puffs = 0;
    for (std::size_t f = 0; f < set.count; ++f) {
      if (!set.figures[f].is_spray) continue;
      puffs += set.figures[f].places.size();
      EXPECT_TRUE(is_blended(set.figures[f], view.particle_style));
      for (const glm::vec4& place : set.figures[f].places) {
        EXPECT_LT(place.w, 0.5F * spacing_of_fluid(s.systems[0]));
        EXPECT_LT(std::max(std::abs(place.x) - 0.3F, std::abs(place.z) - 0.2F), 0) << "inside the glass";
      }
    }
    return puffs;
  };
  EXPECT_GT(puffs_of(true, true), 100U);
  EXPECT_EQ(puffs_of(false, true), 0U);
  EXPECT_EQ(puffs_of(true, false), 0U) << "simple tiers and film quality must have no spray";
}

TEST_F(RenderWaterLight, ATankWithWavesLooksAlikeInBothRenderers) {
  const Snapshot wavy = tank(0.03F);
  Camera camera;
  camera.eye = {0.1F, 0.9F, 0.6F};
  camera.target = {0, 0.05F, 0};
  ViewParams view;
  view.legend = view.ground_grid = false;
  view.fluid_style = FluidStyle::surface;
  SoftwareRenderer software;
  const Image gl = shot(wavy, camera, view, 640, 360);
  const auto cpu = software.draw_image({nullptr, &wavy, 1}, camera, view, {}, 640, 360, LegendOverlay::none);
  ASSERT_TRUE(cpu);
  EXPECT_GE(similarity(gl, *cpu, [](int, int) { return true; }).mean, 0.9);
}

}  // namespace
}  // namespace vw
