// Fish in water: exchange of momentum, advection by currents, and buoyancy. Fish outside the water must fall.
#include <gtest/gtest.h>

#include "tests/interaction/flock_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr double flock_spacing = 0.04;

/// Returns a school in a cube of water that is periodic on all sides.
Node school_in_endless_water(std::int64_t count) {
  Node scene = endless_water(flock_spacing, 10);
  FlockSetup school;
  school.medium = "water";
  school.count = count;
  school.size = Vec3(0.35, 0.35, 0.35);
  add_flock(scene, school);
  set_species(scene, "school", "length", 0.08);
  set_species(scene, "school", "spacing", 0.08);
  set(scene, "system.school.home_center", Vec3(0, 0, 0));
  set(scene, "system.school.home_size", Vec3(0.4, 0.4, 0.4));
  set(scene, "system.school.home_margin", 0.1);
  return scene;
}

TEST(FlockFluidValidation, FishAndWaterKeepTheirMomentum) {
  const auto world = with_rules(school_in_endless_water(100));
  ASSERT_TRUE(world->step());
  const Motion before = motion_of(*world);
  double most = before.size;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    most = std::max(most, motion_of(*world).size);
  }
  const double error = (motion_of(*world).momentum - before.momentum).norm() / most;
  expect_case(flock_subject, "100 fish in water without end: momentum after 1,000 steps, of sum m|v|", error, 0, 1e-6);
}

TEST(FlockFluid, WhatTheyPushThemselvesWithTheWaterGains) {
  Node scene = school_in_endless_water(60);
  make_listless(scene, "school");
  set_species(scene, "school", "min_speed", 0.0);
  set(scene, "system.school.swarm.start.speed", 0.0);
  const auto world = with_rules(scene);
  run(*world, 0.5);
  const Vec3 fish = momentum_of(*world, "school"), water = momentum_of(*world, "water");
  EXPECT_GT(mean_velocity(*world, "school").x(), 0.5);
  EXPECT_LT((fish + water).norm(), 1e-5 * fish.norm());
}

TEST(FlockFluid, SchoolStirsTheWaterAndLetsItRestWhereTheRuleIsOff) {
  for (const bool on : {true, false}) {
    Node scene = school_in_endless_water(100);
    add_default_interactions(scene);
    set(scene, "interaction.flock_fluid.enabled", on);
    const auto world = world_of(scene);
    run(*world, 0.5);
    const double kinetic = world->diagnostics(1).kinetic;
    if (on)
      EXPECT_GT(kinetic, 1e-3);
    else
      EXPECT_EQ(kinetic, 0);
  }
}

/// Returns the speed [m/s] of passive fish 0.25 s after the start in a current of 0.5 m/s.
double carried(double carry, double longest_substep_of_water) {
  Node scene = endless_water(flock_spacing, 10, Vec3(0.5, 0, 0));
  set(scene, "system.water.max_dt", longest_substep_of_water);
  FlockSetup school;
  school.medium = "water";
  school.count = 5;
  school.size = Vec3(0.3, 0.3, 0.3);
  add_flock(scene, school);
  make_still(scene, "school");
  set_species(scene, "school", "length", 0.05);
  set_species(scene, "school", "carry", carry);
  const auto world = with_rules(scene);
  run(*world, 0.25);
  return mean_velocity(*world, "school").x();
}

TEST(FlockFluidValidation, StillFishIsCarriedByACurrentInItsCarryTime) {
  // The fish are so light that they do not slow the current. The implicit steps lag by half a step, so the tolerance is
  // 3 %. `carry` is the time constant [s] with which a fish takes up the velocity of the water.
  const auto expected = [](double carry) { return 0.5 * (1 - std::exp(-0.25 / carry)); };
  expect_case(flock_subject, "still fish in a current of 0.5 m/s, carry = 0.2 s: speed after 0.25 s",
              carried(0.2, 0.01), expected(0.2), 0.03, "m/s");
  expect_case(flock_subject, "still fish in a current of 0.5 m/s, carry = 1 s: speed after 0.25 s", carried(1, 0.01),
              expected(1), 0.03, "m/s");
  expect_case(flock_subject,
              "still fish in a current of 0.5 m/s, carry = 0.2 s, water in 9 substeps: speed after 0.25 s",
              carried(0.2, 0.001), expected(0.2), 0.03, "m/s");
}

TEST(FlockFluid, CrowdAtOnePlaceIsBrakedWithoutGainingEnergyHoweverStiffTheDrag) {
  for (const double carry : {1e-3, 0.3}) {
    Node scene = endless_water(flock_spacing, 10);
    FlockSetup school;
    school.medium = "water";
    school.count = 300;
    school.size = Vec3(0.01, 0.01, 0.01);
    add_flock(scene, school);
    make_still(scene, "school");
    set_species(scene, "school", "length", 0.05);
    set_species(scene, "school", "carry", carry);
    const auto world = with_rules(scene);
    for (Vec3& v : rows_of(*world, "school").velocity) v = Vec3(1, 0, 0);
    const auto kinetic = [&] { return world->diagnostics(0).kinetic + world->diagnostics(1).kinetic; };
    const double start = kinetic();
    double before = start;
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      EXPECT_LT(kinetic(), before + 1e-3 * start) << carry << ", step " << i;
      before = kinetic();
    }
    EXPECT_LT(before, 0.9 * start);
  }
}

TEST(FlockFluid, FlocksOfNobodyAndFishWithoutWaterAreNoTrouble) {
  for (const std::int64_t count : {0, 1, 2}) {
    Node scene = tank(flock_spacing, Vec3(0.4, 0.2, 0.4));
    add_flock(scene, {"school", "water", count, Vec3(0, 0.1, 0), Vec3::Zero()});
    add_flock(scene, {"birds", "none", count, Vec3(0, 0.5, 0), Vec3::Zero()});
    add_rigid(scene, "box");
    set(scene, thing + "position", Vec3(0, 0.6, 0));
    add_voxels(scene, "creature", Vec3(3, 3, 3), Vec3(0.1, 0.4, 0.1), 1e5);
    const auto world = with_rules(scene);
    EXPECT_TRUE(world->notes().empty());
    run(*world, 0.1);
    EXPECT_EQ(rows_of(*world, "school").size(), static_cast<std::size_t>(count));
  }
  Node dry = make_node(scene_schema());
  add_flock(dry, {"school", "water", 3});
  const auto notes = with_rules(dry)->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "school: species fish has medium = \"water\", but no enabled rule couples school with a fluid, so its "
            "members fall. Add a fluid, or set medium "
            "= \"none\" or \"air\"");
}

/// Returns one passive fish in a tank.
Node still_fish_in_tank(double density, double height) {
  Node scene = tank(flock_spacing, Vec3(0.4, 0.4, 0.4));
  FlockSetup school;
  school.medium = "water";
  school.count = 1;
  school.middle = Vec3(0, height, 0);
  school.size = Vec3::Zero();
  add_flock(scene, school);
  make_still(scene, "school");
  set_species(scene, "school", "length", 0.06);
  set_species(scene, "school", "density", density);
  return scene;
}

TEST(FlockFluid, WaterBearsWhatIsAsDenseAsItself) {
  double height[3];
  const double density[3] = {900, 1000, 1100};
  for (int i = 0; i < 3; ++i) {
    const auto world = with_rules(still_fish_in_tank(density[i], 0.2));
    run(*world, 0.4);
    height[i] = rows_of(*world, "school").position[0].y();
  }
  EXPECT_GT(height[0], height[1] + 0.01);
  EXPECT_NEAR(height[1], 0.2, 0.02);
  EXPECT_LT(height[2], height[1] - 0.01);
}

TEST(FlockFluid, OneAsLightAsAirRisesNoFasterThanTheWaterLetsIt) {
  const auto world = with_rules(still_fish_in_tank(1, 0.1));
  for (int i = 0; i < 20 && !world->health().failed; ++i) {
    world->step();
    EXPECT_LT(rows_of(*world, "school").velocity[0].norm(), 2.0 * 9.81 * world->time() + 0.1)
        << "twice the weight of the water it displaces, at most";
  }
  EXPECT_FALSE(world->health().failed) << world->health().sentence();
}

TEST(FlockFluid, WhoLeapsFallsBack) {
  Node scene = still_fish_in_tank(1000, 0.36);
  make_listless(scene, "school");
  set_species(scene, "school", "cruise_speed", 2.0);
  set_species(scene, "school", "max_speed", 3.0);
  set_species(scene, "school", "climb", 90.0);
  set(scene, "system.school.swarm.start.heading", Vec3(0, 1, 0));
  set(scene, "system.school.swarm.start.speed", 2.0);
  const auto world = with_rules(scene);
  double highest = 0;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    highest = std::max(highest, rows_of(*world, "school").position[0].y());
  }
  // The fish leaves the surface at up to 2 m/s and rises by at most v^2 / 2 g.
  EXPECT_GT(highest, 0.45);
  EXPECT_LT(highest, 0.4 + 2 * flock_spacing + 2 * 2 / (2 * 9.81));
  EXPECT_LT(rows_of(*world, "school").position[0].y(), 0.45);
}

TEST(FlockFluid, OneThatIsMuchLargerThanTheSpacingPushesMuchWaterGently) {
  Node scene = school_in_endless_water(1);
  make_listless(scene, "school");
  set_species(scene, "school", "min_speed", 0.0);
  set_species(scene, "school", "length", 0.4);
  set_species(scene, "school", "max_acceleration", 20.0);
  set(scene, "system.school.swarm.start.speed", 0.0);
  const auto world = with_rules(scene);
  double fastest = 0;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    for (const Vec3& v : rows_of(*world, "water").velocity) fastest = std::max(fastest, v.norm());
  }
  EXPECT_GT(fastest, 0.1);
  EXPECT_LT(fastest, 1.5);  // the wake must be slower than the fish
}

TEST(FlockFluid, BirdsTurnUpBeforeTheSurface) {
  double lowest[2];
  for (const bool on : {false, true}) {
    Node scene = tank(flock_spacing, Vec3(1.6, 0.2, 0.8));
    FlockSetup birds;
    birds.count = 10;
    birds.middle = Vec3(-0.7, 0.8, 0);
    birds.size = Vec3(0.1, 0.1, 0.4);
    birds.heading = Vec3(2, -1, 0);
    add_flock(scene, birds);
    make_listless(scene, "school");
    set_species(scene, "school", "avoidance", 3.0);
    add_default_interactions(scene);
    set(scene, "interaction.flock_fluid.enabled", on);
    const auto world = world_of(scene);
    lowest[on ? 1 : 0] = 1;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      for (const Vec3& x : rows_of(*world, "school").position) lowest[on ? 1 : 0] = std::min(lowest[on ? 1 : 0], x.y());
    }
  }
  EXPECT_GT(lowest[1], 0.2);
  EXPECT_GT(lowest[1], lowest[0] + 0.02);
}

TEST(FlockFluid, SameBitsOnAnyNumberOfThreadsAndFromASavedState) {
  EXPECT_EQ(ends_of(school_in_endless_water(600), 0.1, 0.1, {1, 2, 3, 8}).size(), 1U);
}

}  // namespace
}  // namespace vw::test
