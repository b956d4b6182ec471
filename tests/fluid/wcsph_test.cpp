// Weakly compressible SPH (WCSPH) on the SPH workspace alone, without a fluid system: columns at rest, duplicated
// particles, and the warning about a low stiffness.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fluid/fluid_world.h"
#include "tests/support/fluid_tank.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;
using test::FluidTank;
using test::TankSetup;

TankSetup weak(std::array<int, 3> cells) {
  TankSetup setup;
  setup.cells = cells;
  setup.weakly = true;
  setup.smoothing = 0.02;
  return setup;
}

TEST(Wcsph, AColumnAtRestPressesAsItsDepthSays) {
  FluidTank tank(weak({6, 30, 6}));
  tank.setup.smoothing = 0.05;
  tank.fill({0, 0, 0}, {6, 16, 6});
  double pressure = 0, expected = 0, surface = 0, samples = 0;
  while (tank.time_s < 0.8) {
    tank.step();
    if (tank.time_s < 0.5) continue;
    surface += tank.surface(), samples += 1;
    for (std::size_t i = 0; i < tank.x.size(); ++i) {
      const double depth = 0.32 - tank.x[i].y();
      if (depth > 0.1) pressure += tank.pressure(i), expected += 9810 * depth;
    }
  }
  ASSERT_TRUE(tank.finite());
  // The tolerance is wide, because the walls in this test do not continue the pressure gradient.
  expect_case("fluid", "WCSPH column of 16 layers at rest: mean pressure inside over rho g h", pressure / expected, 1,
              0.15);
  expect_case("fluid", "WCSPH column of 16 layers at rest: surface over filled height", surface / samples / 0.32, 1,
              0.03);
}

TEST(Wcsph, EnergyDoesNotGrowWhenADamBreaks) {
  FluidTank tank(weak({30, 24, 6}));
  tank.fill({0, 0, 0}, {8, 12, 6});
  const double first = tank.energy();
  double most = first;
  while (tank.time_s < 0.5) {
    tank.step();
    most = std::max(most, tank.energy());
  }
  ASSERT_TRUE(tank.finite());
  EXPECT_LT(most, 1.01 * first);
  EXPECT_LT(tank.mean_excess(), 0.03);
}

TEST(Wcsph, MomentumWithoutWallsIsConserved) {
  TankSetup setup = weak({2, 2, 2});
  setup.walled = false;
  setup.gravity.setZero();
  FluidTank tank(setup);
  tank.fill({0, 0, 0}, {6, 6, 6}, Vec3(2, 0, 0));
  tank.fill({8, 2, 1}, {14, 8, 7}, Vec3(-2, 0, 0.1));
  const Vec3 before = tank.momentum();
  const double scale = tank.momentum_scale();
  for (int i = 0; i < 1000; ++i) tank.step();
  expect_case("fluid", "WCSPH: momentum of two drops that collide, 1,000 steps, over sum m |v|",
              (tank.momentum() - before).norm() / scale, 0, 1e-6);
}

TEST(Wcsph, DoubledParticlesComeApartWithoutAnExplosion) {
  FluidTank tank(weak({8, 30, 8}));
  tank.fill({0, 0, 0}, {8, 6, 8});
  tank.fill({0, 0, 0}, {8, 6, 8});
  for (std::size_t i = 0; i < tank.x.size(); ++i)
    tank.x[i] += 1e-4 * Vec3(std::sin(1.0 * static_cast<double>(i)), 0, std::cos(2.0 * static_cast<double>(i)));
  double fastest = 0;
  while (tank.time_s < 0.5) {
    tank.step();
    for (const Vec3& v : tank.v) fastest = std::max(fastest, v.norm());
  }
  ASSERT_TRUE(tank.finite());
  // With the linear equation of state, a fluid at twice its rest density has an energy per volume of about 14 times the
  // stiffness of 50 kPa. If all of this energy e became motion in one direction, the speed would be sqrt(2 e / rho) =
  // 37 m/s.
  EXPECT_LT(fastest, 37);
}

TEST(Wcsph, TheStableStepFollowsTheSpeedOfSound) {
  const SphScale scale{SphKernel::wendland, 0.05};
  const TaitLaw law;
  EXPECT_NEAR(sound_speed(law, 1000), std::sqrt(350.0), 1e-12);
  EXPECT_NEAR(stable_step(scale, law, 1000, 0), 0.4 * 0.05 / std::sqrt(350.0), 1e-12);
  EXPECT_LT(stable_step(scale, law, 100, 0), stable_step(scale, law, 1000, 0));
}

TEST(FluidWcsph, AStiffnessThatDoesNotBearTheWeightIsTold) {
  const auto notes_at = [](double stiffness) {
    const auto world = test::world_from(
        test::water_text(fmt::format("method = \"wcsph\"\nstiffness = {}\nstiffness_exponent = 1", stiffness),
                         test::fill_text("box", "pool", "position = [0, 0.1, 0]\nsize = [0.2, 0.2, 0.2]")));
    return world->notes();
  };
  // Between the top layer and the bottom layer, nine spacings of water cause a pressure of rho g h = 1766 Pa.
  EXPECT_TRUE(notes_at(1e6).empty());
  ASSERT_EQ(notes_at(1e4).size(), 1U);
  EXPECT_TRUE(notes_at(1e4)[0].starts_with("water: the weight of the fluid compresses it by about 18 % at the bottom"))
      << notes_at(1e4)[0];
  EXPECT_NE(notes_at(10)[0].find("to less than half its volume"), std::string::npos);
}

}  // namespace
}  // namespace vw
