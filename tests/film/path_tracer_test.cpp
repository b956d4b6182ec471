// Checks the radiances that the path tracer computes against exact values.
#include <cmath>

#include "film_set.h"

namespace vw::film {
namespace {

class PathTracerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FilmRays::available()) GTEST_SKIP() << "this build has no Embree";
  }
};

const FilmMaterial matte{.coated = false};

TEST_F(PathTracerTest, WhiteMatteBallVanishesInAUniformSky) {
  TracedScene set(1);
  set.add_ball({0, 0, 0}, 1, matte, glm::vec3(1));
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.mean(4096, [](const glm::vec2& at) { return onto_disc(at, 0.999F); });
  EXPECT_NEAR(light.g, 1, 1e-4) << "each path ends in the sky after one scattering";
}

TEST_F(PathTracerTest, WhiteCoatedBallReflectsAllLight) {
  for (const float roughness : {0.2F, 0.4F, 0.5F, 0.8F, 1.0F}) {
    TracedScene set(1);
    set.add_ball({0, 0, 0}, 1, {.roughness = roughness}, glm::vec3(1));
    ASSERT_NO_FATAL_FAILURE(set.prepare());
    const glm::dvec3 light = set.mean(65536, [](const glm::vec2& at) { return onto_disc(at, 0.999F); });
    EXPECT_NEAR(light.g, 1, 0.005) << "energy within 0.5 % at roughness " << roughness;
  }
}

TEST_F(PathTracerTest, GlassAndWaterWithoutAbsorptionVanishInAUniformSky) {
  for (const float ior : {1.333F, 1.5F}) {
    TracedScene set(1);
    set.add_ball({0, 0, 0}, 1, {.surface = FilmSurface::dielectric, .medium = {.ior = ior}}, glm::vec3(1));
    ASSERT_NO_FATAL_FAILURE(set.prepare());
    const glm::dvec3 light = set.mean(16384, [](const glm::vec2& at) { return onto_disc(at, 0.999F); });
    EXPECT_NEAR(light.g, 1, 0.005) << "all factors of refraction cancel at ior " << ior;
  }
}

TEST_F(PathTracerTest, MatteBallInTheSunHasItsIntegral) {
  for (const double phase : {0.0, pi / 3, 2 * pi / 3}) {
    TracedScene set;
    constexpr float albedo = 0.6F, irradiance = 2;
    set.add_ball({0, 0, 0}, 1, matte, glm::vec3(albedo));
    set.set_sun({std::sin(phase), 0, std::cos(phase)}, irradiance);
    ASSERT_NO_FATAL_FAILURE(set.prepare());
    const glm::dvec3 light = set.mean(65536, [](const glm::vec2& at) { return onto_disc(at, 1); });
    // Exact: the phase function of a Lambert sphere (J. Lambert, "Photometria", 1760), as a mean over the projected
    // disc.
    const double exact = 2.0 / 3 * static_cast<double>(albedo * irradiance) / pi *
                         (std::sin(phase) + (pi - phase) * std::cos(phase)) / pi;
    EXPECT_NEAR(light.g / exact, 1, 0.005) << "phase " << phase;
  }
}

TEST_F(PathTracerTest, MatteBallUnderHalfASkyHasItsIntegral) {
  TracedScene set(1);
  set.scene.sky.nadir = set.scene.sky.horizon = glm::vec3(0);
  set.scene.sky.zenith = glm::vec3(1);
  // Sky radiance at the sine s of the elevation: sqrt(s), zero below the horizon. A level white surface reflects the
  // integral of 2 s sqrt(s) over 0 < s < 1, which is 0.8. The albedo here is 0.5.
  set.add_ball({0, 0, 0}, 1, matte, glm::vec3(0.5F));
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.along({{0, 10, 0}, {0, -1, 0}}, 65536);
  EXPECT_NEAR(light.g / 0.4, 1, 0.005);
}

TEST_F(PathTracerTest, ShadowOfAPoleHasItsLength) {
  TracedScene set;
  constexpr float height = 1, width = 0.02F;
  set.add_ground(0.8F);
  set.add_box({0, 0.5F * height, 0}, {0.5F * width, 0.5F * height, 0.5F}, matte, glm::vec3(0));
  const glm::vec3 sun = glm::normalize(glm::vec3(-1, 1.2F, 0));
  set.set_sun(sun, 3);
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const double lit = set.along({{10, 1, 0}, {0, -1, 0}}, 64).g;
  EXPECT_NEAR(lit, 0.8 * 3 * static_cast<double>(sun.y) / pi, 1e-3);
  // Length of the shadow: integral of the missing light along the ground.
  constexpr int steps = 4000;
  double shadow = 0;
  for (int i = 0; i < steps; ++i) {
    const float x = 0.5F * width + 2 * (static_cast<float>(i) + 0.5F) / steps;
    shadow += (1 - set.along({{x, 1, 0}, {0, -1, 0}}, 4).g / lit) * 2 / steps;
  }
  const double exact = static_cast<double>(height * -sun.x / sun.y);
  EXPECT_NEAR(shadow / exact, 1, 0.01);
}

/// Returns the distance from the centre of a ball at which a ray crosses the ball's axis behind the ball, by Snell's
/// law. The ray enters the ball parallel to this axis, at the distance `b` from the axis.
double focus_of(double b, double radius, double ior) {
  const double outside = std::asin(b / radius), inside = std::asin(b / radius / ior), exit = 2 * inside - outside;
  return radius * (std::cos(exit) + std::sin(exit) / std::tan(2 * (outside - inside)));
}

TEST_F(PathTracerTest, BallOfWaterOrGlassFocusesAsSnellsLawSays) {
  for (const float ior : {1.333F, 1.5F})
    for (const float b : {0.1F, 0.4F, 0.6F}) {
      // The screen behind the ball glows in red in proportion to the height, and in green uniformly. The ratio of red
      // to green thus gives the height at which a ray arrives.
      const auto height_at = [&](float x) {
        TracedScene set;
        set.add_ball({0, 0, 0}, 1, {.surface = FilmSurface::dielectric, .medium = {.ior = ior}}, glm::vec3(1));
        FilmPart& screen = set.add(FilmShape::triangles, {.coated = false, .glow = 1}, glm::vec3(0));
        for (const float y : {-8.0F, 8.0F})
          for (const float z : {-8.0F, 8.0F}) screen.position.emplace_back(x, y, z);
        screen.triangle = {{0, 1, 3}, {0, 3, 2}};
        screen.color = {{0, 1, 0}, {0, 1, 0}, {1, 1, 0}, {1, 1, 0}};
        set.prepare();
        const glm::dvec3 light = set.along({{-5, b, 0}, {1, 0, 0}}, 256);
        return 16 * (light.r / light.g) - 8;
      };
      const double near = 1.05, far = 2.5, y0 = height_at(1.05F), y1 = height_at(2.5F);
      const double measured = near + (far - near) * y0 / (y0 - y1);
      const double exact = focus_of(static_cast<double>(b), 1, static_cast<double>(ior));
      EXPECT_NEAR(measured / exact, 1, 0.02) << "ior " << ior << ", height " << b;
    }
}

TEST_F(PathTracerTest, AbsorptionFollowsBeerAndLambert) {
  constexpr float thickness = 0.4F;
  const glm::vec3 absorption(0.5F, 2, 6);
  TracedScene set(1);
  set.add_box({0, 0, 0}, {5, 5, 0.5F * thickness},
              {.surface = FilmSurface::dielectric, .medium = {.ior = 1, .absorption_pm = absorption}}, glm::vec3(1));
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.along({{0.1F, 0.2F, 3}, {0, 0, -1}}, 16);
  for (glm::length_t k = 0; k < 3; ++k)
    EXPECT_NEAR(light[k], std::exp(-static_cast<double>(absorption[k] * thickness)), 1e-4) << "no reflection at ior 1";
}

TEST_F(PathTracerTest, SlabOfWaterHasTheColourOfItsThickness) {
  constexpr float thickness = 0.4F;
  const glm::vec3 absorption(0.5F, 2, 6);
  TracedScene set(1);
  set.add_box({0, 0, 0}, {50, 50, 0.5F * thickness},
              {.surface = FilmSurface::dielectric, .medium = {.ior = 1.333F, .absorption_pm = absorption}},
              glm::vec3(1));
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.along({{0.1F, 0.2F, 3}, {0, 0, -1}}, 16384);
  for (glm::length_t k = 0; k < 3; ++k) {
    // Exact: light reflected and transmitted by the slab, including all reflections inside the slab.
    const double f = std::pow(0.333 / 2.333, 2), a = std::exp(-static_cast<double>(absorption[k] * thickness));
    const double exact = f + (1 - f) * (1 - f) * (a + f * a * a) / (1 - f * f * a * a);
    EXPECT_NEAR(light[k] / exact, 1, 0.005);
  }
}

TEST_F(PathTracerTest, ShadowRaysThroughWaterAreAttenuated) {
  constexpr float depth = 0.5F, absorption = 1.5F;
  TracedScene set;
  set.add_ground(0.5F);
  set.add_box({0, 0.5F * depth, 0}, {20, 0.5F * depth + 0.001F, 20},
              {.surface = FilmSurface::dielectric, .medium = {.ior = 1.333F, .absorption_pm = glm::vec3(absorption)}},
              glm::vec3(1));
  set.set_sun({0.1F, 1, 0}, 2);  // the camera looks straight down, so it does not see the sun's reflection
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.along({{0, 2, 0}, {0, -1, 0}}, 4096);
  const double f = std::pow(0.333 / 2.333, 2), a = std::exp(-static_cast<double>(depth * absorption)),
               once = (1 - f) * a;
  // Sunlight crosses the surface and the water, is reflected by the ground, and crosses them again. On leaving the
  // water, the radiance falls by the square of the index of refraction. Light reflected repeatedly between ground and
  // surface adds a few per cent.
  const double direct = 0.5 * 2 / pi * once * once / (1.333 * 1.333);
  EXPECT_GT(light.g, direct * 0.97);
  EXPECT_LT(light.g, direct * 1.3);
}

TEST_F(PathTracerTest, GlowingBallLightsAMatteGround) {
  constexpr float radius = 0.2F, height = 1, glow = 40;
  TracedScene set;
  set.add_ground(0.5F);
  set.add_ball({0, height, 0}, radius, {.coated = false, .glow = glow}, glm::vec3(0.5F));
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  for (const float x : {0.0F, 0.7F}) {
    const glm::dvec3 light = set.along({{x, 0.5F, 0}, {0, -1, 0}}, 16384);
    const double d2 = static_cast<double>(x * x + height * height), cosine = 1 / std::sqrt(d2);
    const double irradiance = pi * static_cast<double>(0.5F * glow * radius * radius) / d2 * cosine;
    EXPECT_NEAR(light.g / (0.5 * irradiance / pi), 1, 0.01) << "light between ball and ground adds below 1 %";
  }
}

TEST_F(PathTracerTest, OverlappingMediaCountByPriority) {
  // The water overlaps glass of higher priority. The ray thus passes air, glass, water, glass and air, and the boundary
  // of the water inside the glass must have no effect.
  TracedScene set(1);
  const FilmMaterial glass{.surface = FilmSurface::dielectric, .medium = {.ior = 1.5F, .priority = 2}},
      water{.surface = FilmSurface::dielectric,
            .medium = {.ior = 1.333F, .absorption_pm = glm::vec3(1), .priority = 1}};
  set.add_box({0, 0, 0.6F}, {9, 9, 0.1F}, glass, glm::vec3(1));
  set.add_box({0, 0, -0.6F}, {9, 9, 0.1F}, glass, glm::vec3(1));
  set.add_box({0, 0, 0}, {9, 9, 0.55F}, water, glm::vec3(1));
  set.scene.sky.sun_irradiance = glm::vec3(0);
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.along({{0.1F, 0.2F, 3}, {0, 0, -1}}, 16384);
  const double absorbed = std::exp(-1.0), outer = 0.04, inner = std::pow((1.5 - 1.333) / (1.5 + 1.333), 2);
  // Exact to first order in the reflectances. The next order is below 0.3 %.
  const double exact = (1 - 2 * outer - 2 * inner) * absorbed + outer + inner + (outer + inner) * absorbed * absorbed;
  EXPECT_NEAR(light.g, exact, 0.01);
}

TEST_F(PathTracerTest, CameraInWaterSeesThroughIt) {
  TracedScene set(1);
  set.add_ball({0, 0, 0}, 2, {.surface = FilmSurface::dielectric, .medium = {.absorption_pm = glm::vec3(1)}},
               glm::vec3(1));
  set.scene.camera.eye = glm::vec3(0);
  ASSERT_NO_FATAL_FAILURE(set.prepare());
  const glm::dvec3 light = set.along({{0, 0, 0}, {0, 0, -1}}, 1024);
  EXPECT_NEAR(light.g, std::exp(-2.0) * 1.333 * 1.333 * (1 - std::pow(0.333 / 2.333, 2)), 0.01);
}

}  // namespace
}  // namespace vw::film
