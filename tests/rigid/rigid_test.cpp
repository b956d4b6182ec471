// Rigid bodies in a world: flight, rest, sliding, bouncing and collisions.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/rigid/scenes.h"
#include "tests/support/validation.h"

namespace vw {
using test::add_body;
using test::empty_scene;
using test::energy;
using test::expect_case;
using test::record_case;
using test::run;
using test::set;
using test::world_of;
namespace {

const std::string thing = "system.things.body.thing.";

Node box_over_ground(const Vec3& size, double height) {
  Node scene = empty_scene();
  add_child(scene, "collider", "plane", "ground");
  add_body(scene, "box", "thing");
  set(scene, thing + "size", size);
  set(scene, thing + "position", Vec3(0, height, 0));
  return scene;
}

TEST(RigidWorld, TheMousesSpringIsDampedByTheBodyAloneNotByItsNeighbours) {
  Node scene = empty_scene();
  add_body(scene, "sphere", "thing");
  add_body(scene, "sphere", "heavy");
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "system.things.body.heavy.position", Vec3(5, 0, 0));
  set(scene, "system.things.body.heavy.density", 20000.0);
  const auto world = world_of(std::move(scene));
  const std::vector<double>& mass = world->system(0).elements().mass;
  ASSERT_GT(mass[1], 10 * mass[0]);
  ASSERT_TRUE(world->apply(Grab{"things", 0, Vec3(0, 0.5, 0), 25 * mass[0]}));  // spring of angular frequency w = 5 1/s
  run(*world, 2);
  // With critical damping, (1 + w t) e^-wt = 5e-4 of the distance remains after t = 2 s. If the masses of both bodies
  // determined the damping, more than a tenth would remain.
  EXPECT_NEAR(world->system(0).elements().position[0].y(), 0.5, 1e-3);
}

TEST(RigidWorld, TumblingBodyKeepsMomentumAndEnergyForTenSeconds) {
  Node scene = empty_scene();
  add_body(scene, "box", "thing");
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, thing + "size", Vec3(0.1, 0.3, 0.6));
  set(scene, thing + "angular_velocity", Vec3(1, 8, 3));
  set(scene, thing + "velocity", Vec3(0.5, 0, 0));
  const auto world = world_of(std::move(scene));
  const Diagnostics before = world->diagnostics(0);
  run(*world, 10);
  const Diagnostics after = world->diagnostics(0);
  EXPECT_LT(std::abs(after.kinetic / before.kinetic - 1), 1e-3);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-9 * before.momentum.norm());
  record_case("rigid", "body tumbling in a world for 10 s: change of energy",
              std::abs(after.kinetic / before.kinetic - 1), 0, 1e-3);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-9 * before.angular_momentum.norm());
}

TEST(RigidWorld, ABoxThatIsSetDownStaysWhereItIs) {
  const auto world = world_of(box_over_ground(Vec3(0.3, 0.2, 0.4), 0.1));
  run(*world, 5);
  const Elements& e = world->system(0).elements();
  record_case("rigid", "box at rest for 5 s: way that it has gone, of its height",
              (e.position[0] - Vec3(0, 0.1, 0)).norm() / 0.2, 0, 1e-3);
  EXPECT_LT((e.position[0] - Vec3(0, 0.1, 0)).norm(), 2e-4);
  EXPECT_LT(e.velocity[0].norm(), 1e-6);
  EXPECT_LT(e.angular_velocity[0].norm(), 1e-6);
}

TEST(RigidWorld, ABoxThatFallsOnAnEdgeComesToRestAndNeverGainsEnergy) {
  Node scene = box_over_ground(Vec3(0.3, 0.2, 0.4), 0.6);
  set(scene, thing + "rotation", Vec3(0.5, 0.3, 0.9));
  set(scene, thing + "restitution", 0.4);
  set(scene, "collider.ground.restitution", 0.4);
  const auto world = world_of(std::move(scene));
  double least = energy(*world);
  const double start = least;
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    // In symplectic Euler, the energy oscillates by the work of gravity in half a substep.
    EXPECT_LT(energy(*world), least + 0.01 * start) << i;
    least = std::min(least, energy(*world));
  }
  EXPECT_LT(world->diagnostics(0).kinetic, 1e-6 * start);
  const double height = world->system(0).elements().position[0].y();
  const double nearest = std::min({std::abs(height - 0.15), std::abs(height - 0.1), std::abs(height - 0.2)});
  EXPECT_LT(nearest, 1e-3);  // a face of the body lies flat on the ground
}

TEST(RigidWorld, ABallOfRestitutionOneRisesToWhereItFellFrom) {
  Node scene = empty_scene();
  add_child(scene, "collider", "plane", "ground");
  add_body(scene, "sphere", "thing");
  set(scene, thing + "radius", 0.1);
  set(scene, thing + "position", Vec3(0, 1.1, 0));
  set(scene, thing + "restitution", 1.0);
  const auto world = world_of(std::move(scene));
  double highest = 0;
  for (int i = 0; i < 1200; ++i) {
    ASSERT_TRUE(world->step());
    if (i > 960) highest = std::max(highest, world->system(0).elements().position[0].y());
  }
  // The ball reverses its velocity within one substep of the impact. At 4.4 m/s, the ball moves 0.02 m in a substep of
  // 1/240 s. The tolerance allows for this error.
  expect_case("rigid", "ball of restitution 1: height after 10 bounces", highest - 0.1, 1.0, 0.03, "m");
}

TEST(RigidWorld, ABoxOnASlopeHoldsOrSlidesByTheCone) {
  for (const double slope : {0.4, 0.8}) {
    Node scene = box_over_ground(Vec3(0.3, 0.1, 0.3), 0.05);
    set(scene, "world.gravity", Vec3(9.81 * std::sin(slope), -9.81 * std::cos(slope), 0));
    for (const std::string& side : {std::string("collider.ground."), thing}) {
      set(scene, side + "mu_static", 0.6);
      set(scene, side + "mu_dynamic", 0.5);
      set(scene, side + "restitution", 0.0);
    }
    const auto world = world_of(std::move(scene));
    run(*world, 1);
    const double speed = world->system(0).elements().velocity[0].x();
    // At 0.4 rad, tan = 0.42 < 0.6, and the box sticks. At 0.8 rad, tan = 1.03, and the box slides with the
    // acceleration g (sin - mu_d cos), where mu_d is the coefficient of dynamic friction.
    const double expected = std::tan(slope) < 0.6 ? 0 : 9.81 * (std::sin(slope) - 0.5 * std::cos(slope));
    expect_case("rigid", "box on a slope of " + std::string(slope < 0.6 ? "0.4" : "0.8") + " rad: speed after 1 s",
                speed, expected, 0.01, "m/s");
  }
}

TEST(RigidWorld, ASlidingBallBeginsToRollWithFiveSeventhsOfItsSpeed) {
  Node scene = empty_scene();
  add_child(scene, "collider", "plane", "ground");
  add_body(scene, "sphere", "thing");
  set(scene, thing + "radius", 0.1);
  set(scene, thing + "position", Vec3(0, 0.1, 0));
  set(scene, thing + "velocity", Vec3(2, 0, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 3);
  const Elements& e = world->system(0).elements();
  expect_case("rigid", "ball that slid at 2 m/s: speed when it rolls", e.velocity[0].x(), 10.0 / 7, 0.01, "m/s");
  EXPECT_NEAR(e.angular_velocity[0].z() * -0.1, e.velocity[0].x(), 1e-3);
}

TEST(RigidWorld, BodiesThatCollideKeepTheirMomentum) {
  Node scene = empty_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_body(scene, "box", "left");
  add_body(scene, "sphere", "right");
  add_body(scene, "capsule", "top");
  set(scene, "system.things.body.left.position", Vec3(-0.5, 0, 0));
  set(scene, "system.things.body.left.velocity", Vec3(1, 0, 0));
  set(scene, "system.things.body.left.rotation", Vec3(0.2, 0.4, 0));
  set(scene, "system.things.body.right.position", Vec3(0.3, 0.05, 0));
  set(scene, "system.things.body.right.velocity", Vec3(-1, 0, 0));
  set(scene, "system.things.body.top.position", Vec3(0, 0.9, 0));
  set(scene, "system.things.body.top.velocity", Vec3(0, -2, 0));
  const auto world = world_of(std::move(scene));
  const Diagnostics before = world->diagnostics(0);
  const Vec3 left = world->system(0).elements().velocity[0];
  run(*world, 2);
  const Diagnostics after = world->diagnostics(0);
  EXPECT_GT((world->system(0).elements().velocity[0] - left).norm(), 0.3);  // the bodies collided
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-9 * before.mass);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-9 * before.mass);
  EXPECT_LE(after.kinetic, before.kinetic * (1 + 1e-9));
}

TEST(RigidWorld, AStackOfThreeBoxesStandsForFiveSeconds) {
  Node scene = empty_scene();
  add_child(scene, "collider", "plane", "ground");
  for (int i = 0; i < 3; ++i) {
    const std::string name = "b" + std::to_string(i);
    add_body(scene, "box", name);
    set(scene, "system.things.body." + name + ".position", Vec3(0, 0.1 + 0.2 * i, 0));
  }
  const auto world = world_of(std::move(scene));
  run(*world, 5);
  const Elements& e = world->system(0).elements();
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT((e.position[i] - Vec3(0, 0.1 + 0.2 * static_cast<double>(i), 0)).norm(), 2e-3) << i;
}

TEST(RigidWorld, AFastBallDoesNotGoThroughAThinWall) {
  Node scene = empty_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  Node& wall = add_child(scene, "collider", "box", "wall");
  wall.set("size", Vec3(0.002, 2, 2));
  add_body(scene, "sphere", "thing");
  set(scene, thing + "radius", 0.02);
  set(scene, thing + "position", Vec3(-1, 0, 0));
  set(scene, thing + "velocity", Vec3(40, 0, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 0.5);
  EXPECT_LT(world->system(0).elements().position[0].x(), -0.02);
}

TEST(RigidWorld, GoesOnBitForBitFromASavedState) {
  Node scene = box_over_ground(Vec3(0.3, 0.2, 0.4), 0.5);
  set(scene, thing + "rotation", Vec3(0.5, 0.3, 0.9));
  const auto one = world_of(scene), two = world_of(scene);
  run(*one, 0.5);
  StateBlock block;
  one->save_state(block);
  ASSERT_TRUE(two->load_state(block));
  // The expected cost decides whether a step is refused. The contacts of the last substep are part of it.
  const double cost = one->system(0).step_cost(StepContext{}, 1);
  EXPECT_GT(cost, 100) << "the box has contacts";
  EXPECT_EQ(two->system(0).step_cost(StepContext{}, 1), cost);
  run(*one, 0.5);
  run(*two, 0.5);
  EXPECT_EQ(one->hash(), two->hash());
}

TEST(RigidWorld, AStateOfOtherBodiesIsRefused) {
  Node one = box_over_ground(Vec3(0.3, 0.2, 0.4), 0.5), two = one;
  add_body(two, "sphere", "more");
  const auto a = world_of(one), b = world_of(two);
  StateBlock block;
  b->save_state(block);
  EXPECT_FALSE(a->load_state(block));
}

TEST(RigidWorld, AMeshThatHoldsNoVolumeIsRefusedWithOneSentence) {
  Node scene = empty_scene();
  add_body(scene, "mesh", "thing");
  const auto world = World::create(std::move(scene));
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().message().find("system.things.body.thing.source"), std::string::npos)
      << world.error().message();
}

TEST(RigidWorld, MoreThanTwoMillionBodiesAreRefusedBeforeTheyAreMade) {
  Node scene = empty_scene();
  for (int i = 1; i <= 21; ++i) {
    const std::string name = "row" + std::to_string(i);
    add_body(scene, "box", name);
    set(scene, test::of_body(name) + "repeat", Vec3(100000, 1, 1));
    set(scene, test::of_body(name) + "repeat_step", Vec3(1, 0, 0));
  }
  const auto world = World::create(std::move(scene));
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().message().find("system.things.body.row21.repeat"), std::string::npos)
      << world.error().message();
}

}  // namespace
}  // namespace vw
