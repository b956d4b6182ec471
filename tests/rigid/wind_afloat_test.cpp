// Wind on floating bodies. The wind acts on the part above the water and causes drift.
#include <cmath>

#include "tests/fluid/fluid_world.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr double rho_air = 1.2;

/// Returns a box of the given density in a tank of 60 x 40 cm with 20 cm of water. The box starts at `height`. The wind
/// along x does not act on the water.
std::unique_ptr<World> tank_with_box(double density, double height, double wind) {
  return world_from(water_text(
      "spacing = 0.02\nwind = false",
      fill_text("box", "all", "position = [0.3, 0.1, 0.2]\nsize = [0.6, 0.2, 0.4]") + tank_text({0.6, 0.5, 0.4}) +
          "[[field]]\nkind = \"uniform\"\nname = \"wind\"\nvelocity = [" + std::to_string(wind) +
          ", 0, 0]\n[[system]]\nkind = \"rigid\"\nname = \"bodies\"\nwind_friction = 0\n[[system.body]]\nkind = "
          "\"box\"\n"
          "name = \"raft\"\nsize = [0.2, 0.1, 0.2]\ndensity = " +
          std::to_string(density) + "\nposition = [0.15, " + std::to_string(height) + ", 0.2]\n"));
}

double wind_on(World& world) {
  std::vector<Total> totals;
  world.find_system("bodies")->totals(totals);
  for (const Total& total : totals)
    if (total.name == "wind_x") return total.value;
  ADD_FAILURE() << "no total wind_x";
  return 0;
}

TEST(WindAfloat, ReachesWhatIsOutOfTheWater) {
  // The wind acts on the part of the box above the water level. The level is measured away from the box. The wind speed
  // is relative to the drifting box. The spacing is two fifths of the height of the part above the water, so the
  // tolerance is wide.
  const auto world = tank_with_box(500, 0.2, 2);
  ASSERT_TRUE(world);
  run_until(*world, 2);
  double sum = 0, expected = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(world->step());
    const Elements& rows = world->find_system("bodies")->elements();
    const double dry = rows.position[0].y() + 0.05 - water_of(*world).surface_height(0.5, 0.2),
                 against = 2 - rows.velocity[0].x();
    sum += wind_on(*world) / 100;
    expected += 0.5 * rho_air * against * against * 0.2 * dry / 100;
  }
  expect_case("rigid", "wind on a box that floats half out of water, over that on what is dry", sum / expected, 1, 0.2);
}

TEST(WindAfloat, ReachesNothingUnderWater) {
  const auto world = tank_with_box(3000, 0.05, 10);
  ASSERT_TRUE(world);
  // Until 0.8 s, the water that the box displaces sloshes over it.
  run_until(*world, 0.8);
  // The box lies on the floor. Samples at its bottom have less water in front of them than other samples, so a tenth of
  // the force on a dry box is allowed.
  double mean = 0;
  for (int i = 0; i < 80; ++i) {
    ASSERT_TRUE(world->step());
    mean += std::abs(wind_on(*world)) / 80;
  }
  EXPECT_LT(mean, 0.1 * 0.5 * rho_air * 100 * 0.2 * 0.1);
}

TEST(WindAfloat, DrivesARaftAlong) {
  const auto still = tank_with_box(300, 0.2, 0), windy = tank_with_box(300, 0.2, 8);
  ASSERT_TRUE(still && windy);
  run_until(*still, 2);
  run_until(*windy, 2);
  const auto place = [](World& world) { return world.find_system("bodies")->elements().position[0].x(); };
  EXPECT_GT(place(*windy), place(*still) + 0.1);
}

}  // namespace
}  // namespace vw::test
