// Rigid bodies that stand, fall, roll and pile up.
#include <algorithm>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "tests/rigid/scenes.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns ten stacked boxes of 20 cm. The last box has the given density.
Node stack_of_ten(double last_density) {
  Node scene = scene_over_ground();
  set(scene, "system.things.sleep", false);
  for (int i = 0; i < 10; ++i) add_box(scene, "b" + std::to_string(i), Vec3(0.2, 0.2, 0.2), Vec3(0, 0.1 + 0.2 * i, 0));
  set(scene, of_body("b9") + "density", last_density);
  return scene;
}

/// Returns the largest distance [m] of any box from its initial position at any time.
double worst_drift(World& world, double seconds) {
  const Elements start = world.system(0).elements();
  double worst = 0;
  for (int i = 0, n = static_cast<int>(std::lround(seconds * 10)); i < n; ++i) {
    run(world, 0.1);
    worst = std::max(worst, farthest_moved(world.system(0).elements(), start));
  }
  return worst;
}

TEST(RigidPiles, AStackOfTenBoxesStandsAwakeForTenSeconds) {
  const auto world = world_of(stack_of_ten(500));
  EXPECT_LT(worst_drift(*world, 10), 1e-3);
}

TEST(RigidPilesValidation, AStackOfTenBoxesStandsAwakeForAMinute) {
  const auto even = world_of(stack_of_ten(500)), heavy = world_of(stack_of_ten(5000));
  expect_case("rigid", "stack of ten boxes, awake for 60 s: farthest way of a point", worst_drift(*even, 60), 0, 1e-3,
              "m");
  expect_case("rigid", "the same with ten times the mass on top", worst_drift(*heavy, 60), 0, 1e-3, "m");
}

TEST(RigidPiles, AStackWithTenTimesTheMassOnTopStands) {
  const auto world = world_of(stack_of_ten(5000));
  EXPECT_LT(worst_drift(*world, 5), 1e-3);
}

TEST(RigidPiles, AWallOfBricksAndAPyramidStand) {
  Node scene = scene_over_ground();
  set(scene, "system.things.sleep", false);
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < 8 - row % 2; ++i)
      add_box(scene, "w" + std::to_string(10 * row + i), Vec3(0.24, 0.1, 0.12),
              Vec3(0.245 * i + 0.1225 * (row % 2), 0.05 + 0.1 * row, 0));
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < 8 - row; ++i)
      add_box(scene, "p" + std::to_string(10 * row + i), Vec3(0.2, 0.2, 0.2),
              Vec3(0.22 * i + 0.11 * row, 0.1 + 0.2 * row, 2));
  const auto world = world_of(std::move(scene));
  EXPECT_LT(worst_drift(*world, 3), 1e-3);
}

TEST(RigidPiles, ThirtyDominoesFallOneAfterTheOther) {
  Node scene = scene_over_ground();
  for (int i = 0; i < 30; ++i)
    add_box(scene, "d" + std::to_string(100 + i), Vec3(0.02, 0.2, 0.1), Vec3(0.08 * i, 0.1, 0));
  set(scene, of_body("d100") + "angular_velocity", Vec3(0, 0, -3));
  set(scene, of_body("d100") + "velocity", Vec3(0.3, 0, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 0.5);  // no domino falls before a neighbour hits it
  EXPECT_GT((world->system(0).elements().orientation[29] * Vec3::UnitY()).y(), 0.9999);
  std::vector<double> fell(30, -1);
  for (int i = 60; i < 960; ++i) {
    ASSERT_TRUE(world->step());
    for (std::size_t k = 0; k < 30; ++k)
      if (fell[k] < 0 && (world->system(0).elements().orientation[k] * Vec3::UnitY()).y() < 0.9) fell[k] = i;
  }
  for (std::size_t k = 0; k < 30; ++k) EXPECT_GE(fell[k], k > 0 ? fell[k - 1] : 0) << k;
}

TEST(RigidPiles, TwoPlanksThatLeanOnEachOtherStandByFriction) {
  // Each plank leans by 25 degrees. Each plank acts as a ladder against a frictionless wall, so the feet require mu >=
  // tan(25 deg) / 2 = 0.23. The default is 0.6.
  Node scene = scene_over_ground();
  constexpr double lean = 25 * pi / 180, length = 0.6, half_width = 0.01;
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left" : "right";
    // The inner upper edge of each plank lies in the middle plane, and the outer lower edge lies on the ground.
    const Vec3 up(-side * std::sin(lean), std::cos(lean), 0), out(side * std::cos(lean), std::sin(lean), 0);
    const Vec3 middle = Vec3(0, 0, 0) + Vec3(side * (0.5 * length * std::sin(lean) + half_width * std::cos(lean)),
                                             0.5 * length * std::cos(lean) + half_width * std::sin(lean), 0);
    EXPECT_NEAR((middle - 0.5 * length * up - half_width * out).y(), 0, 1e-12);
    add_box(scene, name, Vec3(2 * half_width, length, 0.3), middle);
    set(scene, of_body(name) + "rotation", Vec3(0, 0, side * lean));
  }
  const auto world = world_of(std::move(scene));
  const Elements start = world->system(0).elements();
  run(*world, 4);
  EXPECT_LT(farthest_moved(world->system(0).elements(), start), 5e-3);
  EXPECT_EQ(sleepers(*world), 2);
}

/// Returns a round body of 10 cm radius on a level plane. Inclined gravity takes the place of a slope.
Node on_slope(double slope, const std::string& kind, const std::string& name) {
  Node scene = scene_over_ground();
  set(scene, "world.gravity", Vec3(9.81 * std::sin(slope), -9.81 * std::cos(slope), 0));
  add_body(scene, kind, name);
  set(scene, of_body(name) + "position", Vec3(0, 0.1, 0));
  return scene;
}

TEST(RigidPiles, ABallRollsDownASlopeWithFiveSeventhsOfItsPull) {
  // Rolling without slip requires mu = 2/7 tan(a) (a: slope angle), which is 2/3 of the coefficient in this test.
  constexpr double slope = 0.5;
  Node scene = on_slope(slope, "sphere", "ball");
  for (const std::string& path : {of_body("ball"), std::string("collider.ground.")})
    set_surface(scene, path, 0, 1.5 * 2.0 / 7 * std::tan(slope));
  const auto world = world_of(std::move(scene));
  run(*world, 1);
  const Elements& e = world->system(0).elements();
  expect_case("rigid", "ball that rolls down 0.5 rad at 2/3 of the friction: speed after 1 s", e.velocity[0].x(),
              5.0 / 7 * 9.81 * std::sin(slope), 1e-3, "m/s");
  EXPECT_NEAR(e.angular_velocity[0].z() * -0.1, e.velocity[0].x(), 1e-3 * e.velocity[0].x());
}

TEST(RigidPiles, ACylinderRollsDownASlopeWithTwoThirdsOfItsPull) {
  constexpr double slope = 0.2;
  Node scene = on_slope(slope, "cylinder", "roll");
  set(scene, of_body("roll") + "rotation", Vec3(pi / 2, 0, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 1);
  expect_case("rigid", "cylinder that rolls down 0.2 rad: speed after 1 s", world->system(0).elements().velocity[0].x(),
              2.0 / 3 * 9.81 * std::sin(slope), 0.01, "m/s");
}

TEST(RigidPiles, ACylinderRollsOnABoxAsOnAPlane) {
  for (const double speed : {1.0, 3.0}) {
    Node scene = empty_scene();
    add_child(scene, "collider", "box", "slab");
    set(scene, "collider.slab.size", Vec3(40, 0.2, 2));
    set(scene, "collider.slab.position", Vec3(0, -0.1, 0));
    set(scene, "system.things.sleep", false);
    add_body(scene, "cylinder", "roll");
    set(scene, of_body("roll") + "position", Vec3(-3, 0.1, 0.05));
    set(scene, of_body("roll") + "rotation", Vec3(pi / 2, 0, 0));
    set(scene, of_body("roll") + "velocity", Vec3(speed, 0, 0));
    set(scene, of_body("roll") + "angular_velocity", Vec3(0, 0, -speed / 0.1));
    const auto world = world_of(std::move(scene));
    run(*world, 2);
    const Elements& e = world->system(0).elements();
    expect_case("rigid", fmt::format("cylinder that rolls on a box at {:g} m/s: speed after 2 s", speed),
                e.velocity[0].x(), speed, 1e-3, "m/s");
    EXPECT_NEAR(e.position[0].y(), 0.1, 1e-4) << "it does not hop";
    EXPECT_NEAR(e.position[0].z(), 0.05, 1e-3) << "it goes straight";
  }
}

TEST(RigidPiles, ABallBouncesToTheSquareOfItsRestitution) {
  Node scene = scene_over_ground();
  add_body(scene, "sphere", "ball");
  set(scene, of_body("ball") + "position", Vec3(0, 1.1, 0));
  for (const std::string& path : {of_body("ball"), std::string("collider.ground.")}) set_surface(scene, path, 0.6, 0.5);
  set(scene, "system.things.longest_dt", 1.0 / 960);
  const auto world = world_of(std::move(scene));
  double highest = 0;
  bool bounced = false;
  for (int i = 0; i < 110; ++i) {
    ASSERT_TRUE(world->step());
    bounced = bounced || world->system(0).elements().velocity[0].y() > 0;
    if (bounced) highest = std::max(highest, world->system(0).elements().position[0].y());
  }
  // The ball reverses its velocity within one substep of the impact. At 4.4 m/s, the ball moves 5 mm in a substep of
  // 1/960 s. The tolerance allows for this error.
  expect_case("rigid", "ball of restitution 0.6 from 1 m: height after a bounce", highest - 0.1, 0.36, 0.02, "m");
}

TEST(RigidPiles, ACoinThatSpinsOnItsEdgeKeepsSpinning) {
  Node scene = scene_over_ground();
  add_body(scene, "cylinder", "coin");
  set(scene, of_body("coin") + "radius", 0.05);
  set(scene, of_body("coin") + "length", 0.01);
  set(scene, of_body("coin") + "rotation", Vec3(pi / 2, 0, 0));
  set(scene, of_body("coin") + "position", Vec3(0, 0.05, 0));
  set(scene, of_body("coin") + "angular_velocity", Vec3(0, 30, 0));
  set_surface(scene, "collider.ground.", 0, 0.0);  // the contact at the rim is a line, so friction would slow the spin
  const auto world = world_of(std::move(scene));
  const double before = energy(*world);
  run(*world, 1);
  EXPECT_NEAR(world->system(0).elements().angular_velocity[0].y(), 30, 0.3);
  EXPECT_LE(energy(*world), before * (1 + 1e-3));
  EXPECT_NEAR(world->system(0).elements().position[0].y(), 0.05, 1e-3);
}

/// Returns a scene with bricks in random orientations that fall into a pit with vertical walls.
Node pit(double along, double across, double layers, double half) {
  Node scene = scene_over_ground();
  const auto wall = [&](const std::string& name, const Vec3& at, const Vec3& rotation) {
    add_child(scene, "collider", "plane", name);
    set(scene, "collider." + name + ".position", at);
    set(scene, "collider." + name + ".rotation", rotation);
  };
  wall("left", Vec3(-half, 0, 0), Vec3(0, 0, -pi / 2));
  wall("right", Vec3(half, 0, 0), Vec3(0, 0, pi / 2));
  wall("back", Vec3(0, 0, -half), Vec3(pi / 2, 0, 0));
  wall("front", Vec3(0, 0, half), Vec3(-pi / 2, 0, 0));
  add_box(scene, "brick", Vec3(0.08, 0.06, 0.1), Vec3(-0.0575 * (along - 1), 0.2, -0.0575 * (across - 1)));
  set(scene, of_body("brick") + "repeat", Vec3(along, layers, across));
  set(scene, of_body("brick") + "repeat_step", Vec3(0.115, 0.14, 0.115));
  set(scene, of_body("brick") + "repeat_turn", 1.0);
  set(scene, of_body("brick") + "repeat_jitter", 0.003);
  return scene;
}

/// Returns the largest penetration [m] of any corner of a brick into the ground or a wall.
double deepest(const Elements& e, double half) {
  double most = 0;
  for (std::size_t i = 0; i < e.size(); ++i)
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at = e.position[i] + e.orientation[i] * Vec3(corner & 1 ? 0.04 : -0.04, corner & 2 ? 0.03 : -0.03,
                                                              corner & 4 ? 0.05 : -0.05);
      most = std::max({most, -at.y(), std::abs(at.x()) - half, std::abs(at.z()) - half});
    }
  return most;
}

TEST(RigidPiles, BoxesThatFallIntoAPitRestAndSleep) {
  constexpr double half = 0.25;
  const auto world = world_of(pit(4, 4, 5, half));
  ASSERT_EQ(world->system(0).elements().size(), 80U);
  for (int i = 0; i < 80 && sleepers(*world) < 80; ++i) {
    run(*world, 0.1);
    EXPECT_LT(deepest(world->system(0).elements(), half), 5e-3) << i;
  }
  EXPECT_EQ(sleepers(*world), 80);
  EXPECT_LT(deepest(world->system(0).elements(), half), 1e-3);
}

TEST(RigidPiles, WhatLiesBelowATallPileStaysInThePit) {
  constexpr double half = 0.3;
  const auto world = world_of(pit(4, 4, 14, half));
  for (int i = 0; i < 15; ++i) {
    run(*world, 0.1);
    EXPECT_LT(deepest(world->system(0).elements(), half), 5e-3) << i;
  }
}

TEST(RigidPilesValidation, AThousandBoxesThatFallIntoAPitRestAndSleep) {
  constexpr double half = 0.6;
  const auto world = world_of(pit(10, 10, 10, half));
  double worst = 0;
  for (int i = 0; i < 100 && sleepers(*world) < 1000; ++i) {
    run(*world, 0.1);
    worst = std::max(worst, deepest(world->system(0).elements(), half));
  }
  expect_case("rigid", "1,000 boxes in a pit: those that sleep after 10 s", sleepers(*world), 1000, 0);
  expect_case("rigid", "the same: deepest that a corner went into a wall", worst, 0, 5e-3, "m");
}

TEST(RigidPiles, TheSameBitsOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto world = world_of(pit(4, 4, 5, 0.25));
    run(*world, 0.5);
    hashes.push_back(world->hash());
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(RigidPiles, AnIslandThatThreadsShareHasTheSameBitsOnAnyNumberOfThem) {
  Node scene = scene_over_ground();
  for (int row = 0; row < 12; ++row)
    for (int i = 0; i < 16 - row % 2; ++i)
      add_box(scene, "w" + std::to_string(100 * row + i), Vec3(0.24, 0.1, 0.12),
              Vec3(0.245 * i + 0.1225 * (row % 2), 0.05 + 0.1 * row, 0));
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto world = world_of(scene);
    ASSERT_TRUE(world->apply(Push{"things", 100, Vec3(0.5, 0, 8), 0.0}));
    run(*world, 0.1);
    // The total counts each contact once for each of its two bodies. The contacts of an island with more than 600
    // contacts are solved in parallel by graph colouring.
    EXPECT_GT(total(*world, "contacts"), 1200);
    hashes.push_back(world->hash());
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(RigidPiles, APileGoesOnBitForBitFromASavedState) {
  for (const double seconds : {0.7, 3.0}) {  // at 0.7 s the pile is in motion; at 3 s it is mostly asleep
    const auto one = world_of(pit(3, 3, 3, 0.25)), two = world_of(pit(3, 3, 3, 0.25));
    run(*one, seconds);
    StateBlock block;
    one->save_state(block);
    ASSERT_TRUE(two->load_state(block));
    for (World* world : {one.get(), two.get()}) {
      ASSERT_TRUE(world->apply(Push{"things", 4, Vec3(0.3, 0.5, 0), 0.0}));
      run(*world, 0.5);
    }
    EXPECT_EQ(one->hash(), two->hash()) << seconds;
  }
}

TEST(RigidPiles, ManySmallBodiesRestOnALargeOne) {
  Node scene = scene_over_ground();
  add_box(scene, "floor", Vec3(20, 0.5, 20), Vec3(0, 0.25, 0));
  add_box(scene, "brick", Vec3(0.2, 0.1, 0.2), Vec3(-4, 0.55, -4));
  set(scene, of_body("brick") + "repeat", Vec3(10, 1, 10));
  set(scene, of_body("brick") + "repeat_step", Vec3(0.9, 1, 0.9));
  const auto world = world_of(std::move(scene));
  const Elements start = world->system(0).elements();
  run(*world, 2);
  EXPECT_LT(farthest_moved(world->system(0).elements(), start), 1e-3);
  EXPECT_EQ(sleepers(*world), 101);
}

}  // namespace
}  // namespace vw::test
