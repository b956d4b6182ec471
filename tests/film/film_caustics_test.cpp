// Light on the floor below the waves of a fluid in film quality.
#include <cmath>

#include "film_set.h"
#include "render/scene/light/caustics.h"

namespace vw::film {
namespace {

class FilmCausticsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FilmRays::available()) GTEST_SKIP() << "this build has no Embree";
  }
};

/// Returns particles in 0.8 x 0.8 m whose surface is a wave of 0.02 m along x about a height of 0.2 m.
Caustics caustics_of_wave(float per_m) {
  constexpr float spacing = 0.01F;
  std::vector<Figure> figures(1);
  Figure& water = figures[0];
  water.shape = FigureShape::surface;
  water.spacing_m = spacing;
  for (int z = -40; z < 40; ++z)
    for (int x = -40; x < 40; ++x)
      for (int layer = 0; layer < 2; ++layer) {
        const float at = spacing * (static_cast<float>(x) + 0.5F);
        const float high = 0.2F + 0.02F * std::cos(per_m * at) - spacing * (0.5F + static_cast<float>(layer));
        water.places.emplace_back(at, high, spacing * (static_cast<float>(z) + 0.5F), 0.5F * spacing);
      }
  water.velocity.assign(water.places.size(), glm::vec3(0));
  water.colors.assign(water.places.size(), 0);
  water.id.resize(water.places.size());
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false);
  Caustics caustics;
  caustics.draw(cloud, 0, {0, 1, 0});
  return caustics;
}

TEST_F(FilmCausticsTest, TheFloorIsBrighterBelowCrestsAsTheMapSays) {
  constexpr float per_m = 15.7F, irradiance = 2, albedo = 0.5F;
  TracedScene traced;
  traced.add_ground(albedo);
  traced.set_sun({0, 1, 0}, irradiance);
  traced.scene.caustics = caustics_of_wave(per_m);
  ASSERT_NO_FATAL_FAILURE(traced.prepare());
  for (const float x : {0.0F, 0.1F, 3.14159F / per_m}) {
    // A Lambert floor in the sun has the radiance albedo / pi times the irradiance.
    const float light = traced.scene.caustics.light_at({x, 0, 0});
    const double expected = static_cast<double>(albedo / film_pi_test * irradiance * light);
    const glm::vec3 eye(x, 0.15F, 0.02F);
    EXPECT_NEAR(traced.along({eye, glm::normalize(glm::vec3(x, 0, 0) - eye)}, 256).g, expected, 0.01 * expected) << x;
  }
  const auto light = [&](float x) { return traced.scene.caustics.light_at({x, 0, 0}); };
  EXPECT_GT(light(0), 1.3F * light(3.14159F / per_m));
}

}  // namespace
}  // namespace vw::film
