// Unusual initial states and extreme parameters. Either the fluid runs with bounded speeds, or an error message states
// why the fluid cannot run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/fluid/fluid_world.h"
#include "tests/fluid/spacing.h"

namespace vw {
namespace {

using namespace test;

std::string lid_text(double height_m, const std::string& more = "") {
  return fmt::format(
      "[[collider]]\nkind = \"plane\"\nname = \"lid\"\nposition = [0, {}, 0]\nrotation = [3.141592653589793, 0, 0]\n{}",
      height_m, more);
}

struct Watched {
  double fastest = 0;  ///< highest speed [m/s]
  std::size_t lost = 0;
  std::string stopped;  ///< error message of the step that stopped the world; empty if all steps succeeded
};
/// Runs the world for the given time [s]. Returns the highest particle speed, the number of lost particles and the
/// error message.
Watched watch(World& world, double seconds) {
  Watched seen;
  const std::size_t at_start = water_of(world).elements().size();
  const double until = world.time() + seconds;
  while (world.time() + 0.5 * world.dt() < until && seen.stopped.empty()) {
    if (!world.step()) seen.stopped = world.health().sentence();
    for (const Vec3& v : water_of(world).elements().velocity) seen.fastest = std::max(seen.fastest, v.norm());
  }
  seen.lost = at_start - water_of(world).elements().size();
  return seen;
}

/// Returns two liquids in a box of 8 x 8 spacings. The lower liquid has the given density, the upper liquid has density
/// 1.
std::unique_ptr<World> light_over(double density, const std::string& fluid = "") {
  const std::string parts =
      fmt::format(
          "[[system.phase]]\nname = \"low\"\ndensity = {:.1f}\n[[system.phase]]\nname = \"high\"\ndensity = 1.0\n",
          density) +
      fill_text("box", "low", "position = [0.08, 0.08, 0.08]\nsize = [0.16, 0.16, 0.16]\nphase = \"low\"") +
      fill_text("box", "high", "position = [0.08, 0.24, 0.08]\nsize = [0.16, 0.16, 0.16]\nphase = \"high\"");
  return world_from(water_text(fluid, parts) + tank_text({0.16, 0, 0.16}) + lid_text(0.4));
}

TEST(FluidStarts, ALightLiquidOnOneTenToAThousandTimesAsHeavyStaysThere) {
  for (const double density : {10.0, 100.0, 1000.0}) {
    const auto world = light_over(density);
    const Watched seen = watch(*world, 0.5);
    EXPECT_EQ(seen.stopped, "") << density;
    EXPECT_EQ(seen.lost, 0U) << density;
    // The surface of the heavy liquid may hit single light particles. The speed of such a particle is at most that of a
    // fall over the height of the box.
    EXPECT_LT(seen.fastest, std::sqrt(2 * 9.81 * 0.4)) << density;
    const Elements& e = water_of(*world).elements();
    std::size_t strayed = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const bool low = e.mass[i] > 2 * dx * dx * dx;
      strayed += (low ? e.position[i].y() - 0.16 : 0.16 - e.position[i].y()) > dx ? 1 : 0;
    }
    EXPECT_EQ(strayed, 0U) << density;
  }
}

TEST(FluidStarts, OneParticleFallsAndTwoDoNotDisturbEachOther) {
  for (const double width : {0.02, 0.04}) {
    const auto world = world_from(
        water_text("", fill_text("box", "few", fmt::format("position = [0, 1, 0]\nsize = [{}, 0.02, 0.02]", width))));
    const Elements& e = water_of(*world).elements();
    ASSERT_EQ(e.size(), width > 0.03 ? 2U : 1U);
    run_until(*world, 0.2);
    // Velocities are exact. In symplectic Euler, the distance of the fall is too large by at most g t dt / 2.
    for (const Vec3& v : e.velocity) EXPECT_LT((v - Vec3(0, -9.81 * 0.2, 0)).norm(), 1e-5);
    for (const Vec3& x : e.position) EXPECT_NEAR(x.y(), 1 - 0.5 * 9.81 * 0.04, 0.5 * 9.81 * 0.2 * 0.005 + 1e-6);
  }
}

TEST(FluidStarts, FillsWithoutRoomForAParticleAreRefused) {
  const std::string sentence =
      "system.water.fill.block = no particle: must be at least one particle spacing thick, and a mesh must be closed";
  EXPECT_EQ(refusal(water_text("", fill_text("box", "block", "size = [1e-6, 1e-6, 1e-6]"))), sentence);
  EXPECT_EQ(refusal(water_text("spacing = 1.0", fill_text("box", "block", "size = [0.4, 0.4, 0.4]"))), sentence);
  EXPECT_NE(
      refusal(water_text("", fill_text("box", "block", "size = [0.0, 0.4, 0.4]"))).find("system.water.fill.block.size"),
      std::string::npos);
}

TEST(FluidStarts, WhatIsFilledOutsideOfTheDomainLeavesItCounted) {
  const auto world = world_from(water_text("domain_size = [0.4, 0.4, 0.4]",
                                           fill_text("box", "out", "position = [0.2, 0, 0]\nsize = [0.2, 0.2, 0.2]")));
  // At time 0 and after one step, the totals must count only particles inside the domain.
  for (int steps = 0; steps < 2; ++steps) {
    EXPECT_EQ(water_of(*world).elements().size(), 500U);
    EXPECT_EQ(total_of(*world, "left_domain"), 500);
    ASSERT_TRUE(world->step());
  }
}

TEST(FluidStarts, WhatIsFilledBeyondAPeriodicSideIsPlacedOnceAtTheOppositeSide) {
  const auto filled = [](const char* values) {
    return world_from(
        water_text("gravity_scale = 0\nperiodic = \"x\"\ndomain_size = [0.4, 1, 1]", fill_text("box", "out", values)));
  };
  // Five of ten layers lie beyond the side x = 0.2.
  const auto world = filled("position = [0.2, 0, 0]\nsize = [0.2, 0.2, 0.2]");
  const Elements& e = water_of(*world).elements();
  EXPECT_EQ(e.size(), 1000U);
  EXPECT_EQ(total_of(*world, "not_placed"), 0);
  std::size_t low = 0;
  for (const Vec3& x : e.position) {
    EXPECT_LE(std::abs(x.x()), 0.2);
    low += x.x() < -0.1 ? 1 : 0;
  }
  EXPECT_EQ(low, 500U);
  // The fill has 30 layers. The domain has room for 20 of them.
  const auto full = filled("position = [0, 0, 0]\nsize = [0.6, 0.2, 0.2]");
  EXPECT_EQ(water_of(*full).elements().size(), 2000U);
  EXPECT_EQ(total_of(*full, "not_placed"), 1000);
}

TEST(FluidStarts, TheSameFillTwiceIsPlacedOnce) {
  const std::string twice = fill_text("box", "one", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]") +
                            fill_text("box", "two", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]");
  const auto world = world_from(water_text("", twice) + tank_text({0.2, 0, 0.2}));
  EXPECT_EQ(water_of(*world).elements().size(), 1000U);
  EXPECT_EQ(total_of(*world, "not_placed"), 1000);
  const Watched seen = watch(*world, 0.2);
  EXPECT_EQ(seen.stopped, "");
  EXPECT_LT(seen.fastest, 0.1);
}

/// The lid of a full box descends at 0.2 m/s. After 0.22 s, the box can hold only five sixths of the water.
TEST(FluidStarts, ALidThatLeavesNoRoomIsToldAndNothingExplodes) {
  const auto world =
      world_from(water_text("", fill_text("box", "block", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]")) +
                 tank_text({0.2, 0, 0.2}) + lid_text(0.21, "velocity = [0, -0.2, 0]\n"));
  const Watched seen = watch(*world, 0.9);
  EXPECT_NE(seen.stopped.find("times the rest density; moving obstacles leave too little volume for the fluid"),
            std::string::npos)
      << seen.stopped;
  EXPECT_GT(world->time(), 0.05);
  // The world must stop no later than the step in which the water is compressed to 1.2 times its rest density.
  EXPECT_LT(world->time(), 0.05 + 0.2 / 6 / 0.2 + world->dt());
  EXPECT_EQ(seen.lost, 0U);
  EXPECT_LT(seen.fastest, 2);
}

/// Returns a splash in a small tank.
std::unique_ptr<World> splash(const std::string& fluid = "") {
  return world_from(water_text("spacing = 0.025\n" + fluid,
                               fill_text("box", "block", "position = [0.1, 0.15, 0.1]\nsize = [0.2, 0.3, 0.2]")) +
                    tank_text({0.4, 0, 0.2}) + lid_text(0.6));
}

TEST(FluidStarts, TheEndsOfSubstepsAndSpeedsAreCalm) {
  for (const char* knobs : {"max_dt = 0.02\ncfl = 0.6", "max_dt = 0.02\ncfl = 0.02", "max_dt = 0.0002",
                            "cfl = 0.6\ndivergence_error = 1.0\ndensity_error = 0.1"}) {
    const auto world = splash(knobs);
    const double before = world->diagnostics(0).potential;
    const Watched seen = watch(*world, 0.3);
    EXPECT_EQ(seen.stopped, "") << knobs;
    EXPECT_EQ(seen.lost, 0U) << knobs;
    // The bound is the speed after a fall through twice the height of the box.
    EXPECT_LT(seen.fastest, std::sqrt(2 * 9.81 * 1.2)) << knobs;
    const Diagnostics now = world->diagnostics(0);
    EXPECT_LT(now.potential + now.kinetic, 1.01 * before) << knobs;
  }
}

TEST(FluidStarts, GravityMayVanishTurnAndGrowWhileItRuns) {
  const auto world = splash();
  double most = 9.81;
  for (const Vec3& gravity : {Vec3(0, 0, 0), Vec3(100, 0, 0), Vec3(0, 9.81, 0), Vec3(0, -100, 0), Vec3(-5, 0, 5)}) {
    ASSERT_TRUE(world->apply(SetParameter{"world.gravity", Value(gravity)}));
    most = std::max(most, gravity.norm());
    const Watched seen = watch(*world, 0.15);
    EXPECT_EQ(seen.stopped, "") << gravity.transpose();
    EXPECT_EQ(seen.lost, 0U) << gravity.transpose();
    // The bound is the speed after a fall along twice the diagonal of the box.
    EXPECT_LT(seen.fastest, std::sqrt(2 * most * 1.5)) << gravity.transpose();
  }
}

TEST(FluidStarts, KernelsAndMethodsMayBeExchangedWhileItRuns) {
  const auto world = splash();
  const double before = world->diagnostics(0).potential;
  for (const auto& [kernel, method] :
       {std::pair("cubic", "dfsph"), {"cubic", "wcsph"}, {"wendland", "wcsph"}, {"wendland", "dfsph"}}) {
    ASSERT_TRUE(world->apply(SetParameter{"system.water.kernel", Value(std::string(kernel))}));
    ASSERT_TRUE(world->apply(SetParameter{"system.water.method", Value(std::string(method))}));
    const Watched seen = watch(*world, 0.1);
    EXPECT_EQ(seen.stopped, "") << kernel << " " << method;
    // Another pressure law may accelerate single particles. The bound is twice the speed of a fall through the box.
    EXPECT_LT(seen.fastest, 2 * std::sqrt(2 * 9.81 * 0.6)) << kernel << " " << method;
    const Diagnostics now = world->diagnostics(0);
    EXPECT_LT(now.potential + now.kinetic, 1.02 * before) << kernel << " " << method;
  }
}

}  // namespace
}  // namespace vw
