// Bodies that fall asleep, and events that wake them.
#include "tests/rigid/scenes.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns three stacked boxes, and a fourth box that stands apart.
Node two_islands() {
  Node scene = scene_over_ground();
  for (int i = 0; i < 3; ++i) add_box(scene, "b" + std::to_string(i), Vec3(0.2, 0.2, 0.2), Vec3(0, 0.1 + 0.2 * i, 0));
  add_box(scene, "c", Vec3(0.2, 0.2, 0.2), Vec3(1, 0.1, 0));
  return scene;
}

TEST(RigidRest, WhatRestsSleepsAndStaysWhereItIs) {
  const auto world = world_of(two_islands());
  run(*world, 2);
  EXPECT_EQ(sleepers(*world), 4);
  const Elements then = world->system(0).elements();
  run(*world, 10);
  EXPECT_EQ(farthest_moved(world->system(0).elements(), then), 0);
  EXPECT_EQ(world->diagnostics(0).kinetic, 0);
}

TEST(RigidRest, SleepCanBeSwitchedOffWhileItLives) {
  const auto world = world_of(two_islands());
  run(*world, 2);
  ASSERT_TRUE(world->apply(SetParameter{"system.things.sleep", false}));
  run(*world, 2);
  EXPECT_EQ(sleepers(*world), 0);
}

TEST(RigidRest, NoTimeUntilSleepMeansTheDefault) {
  Node scene = two_islands();
  set(scene, "system.things.sleep_after", 0.0);
  const auto world = world_of(std::move(scene)), usual = world_of(two_islands());
  run(*world, 0.1);
  EXPECT_EQ(sleepers(*world), 0);
  run(*world, 1.9);
  run(*usual, 2);
  EXPECT_EQ(sleepers(*world), 4);
  EXPECT_EQ(world->hash(), usual->hash());
}

TEST(RigidRest, APushWakesAllThatTouchAndNobodyElse) {
  const auto world = world_of(two_islands());
  run(*world, 2);
  ASSERT_TRUE(world->apply(Push{"things", 2, Vec3(0.1, 0, 0), 0.0}));
  run(*world, 0.1);
  EXPECT_EQ(sleepers(*world), 1);
  run(*world, 2);
  EXPECT_EQ(sleepers(*world), 4);
}

TEST(RigidRest, OnlyPushedBodiesOfManySingleOnesWake) {
  Node scene = scene_over_ground();
  for (int i = 0; i < 4; ++i) add_box(scene, "b" + std::to_string(i), Vec3(0.2, 0.2, 0.2), Vec3(i, 0.1, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 2);
  ASSERT_EQ(sleepers(*world), 4);
  for (const std::int64_t row : {0, 2, 3}) ASSERT_TRUE(world->apply(Push{"things", row, Vec3(0, 0, 0.1), 0.0}));
  run(*world, 0.1);
  EXPECT_EQ(sleepers(*world), 1);
  run(*world, 2);
  EXPECT_EQ(sleepers(*world), 4);
}

TEST(RigidRest, TheMouseWakesABodyAndKeepsItAwake) {
  const auto world = world_of(two_islands());
  run(*world, 2);
  ASSERT_TRUE(world->apply(Grab{"things", 3, Vec3(1, 0.5, 0), 2000.0}));
  run(*world, 2);
  EXPECT_EQ(sleepers(*world), 3);
  EXPECT_GT(world->system(0).elements().position[3].y(), 0.3);
}

TEST(RigidRest, OtherGravityWakesEverybody) {
  const auto world = world_of(two_islands());
  run(*world, 2);
  ASSERT_TRUE(world->apply(SetParameter{"world.gravity", Vec3(0, 1, 0)}));
  run(*world, 1);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(world->system(0).elements().velocity[i].y(), 0.9) << i;
}

TEST(RigidRest, ABodyThatIsStruckWakesAndTakesTheMomentum) {
  Node scene = two_islands();
  add_body(scene, "sphere", "ball");
  set(scene, of_body("ball") + "position", Vec3(7, 0.1, 0));
  set(scene, of_body("ball") + "velocity", Vec3(-3, 0, 0));
  set(scene, of_body("ball") + "angular_velocity", Vec3(0, 0, 30));  // the ball rolls
  const auto world = world_of(std::move(scene));
  run(*world, 1.5);
  EXPECT_EQ(sleepers(*world), 4);
  run(*world, 0.6);  // the ball arrives after 1.93 s
  EXPECT_LT(world->system(0).elements().velocity[3].x(), -0.2);
}

TEST(RigidRest, AnObstacleThatComesMovingWakesABody) {
  Node scene = scene_over_ground();
  Node& pusher = add_child(scene, "collider", "box", "pusher");
  pusher.set("size", Vec3(0.2, 0.2, 0.2));
  pusher.set("position", Vec3(-1.5, 0.1, 0));
  pusher.set("velocity", Vec3(0.5, 0, 0));
  add_box(scene, "b", Vec3(0.2, 0.2, 0.2), Vec3(0, 0.1, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 2);
  ASSERT_EQ(sleepers(*world), 1);
  run(*world, 2);  // the obstacle arrives after 2.6 s
  EXPECT_EQ(sleepers(*world), 0);
  EXPECT_NEAR(world->system(0).elements().velocity[0].x(), 0.5, 1e-3);
}

TEST(RigidRest, WhatLosesItsGroundFalls) {
  Node scene = empty_scene();
  Node& table = add_child(scene, "collider", "box", "table");
  table.set("size", Vec3(1, 0.2, 1));
  table.set("position", Vec3(0, -0.1, 0));
  add_box(scene, "b", Vec3(0.2, 0.2, 0.2), Vec3(0, 0.1, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 2);
  ASSERT_EQ(sleepers(*world), 1);
  ASSERT_TRUE(world->apply(SetParameter{"collider.table.position", Vec3(5, -0.1, 0)}));
  run(*world, 0.5);
  EXPECT_LT(world->system(0).elements().velocity[0].y(), -4);
}

TEST(RigidRest, WhatDriftsFreelyDoesNotSleep) {
  Node scene = empty_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_box(scene, "b", Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0));
  set(scene, of_body("b") + "velocity", Vec3(1e-5, 0, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 3);
  EXPECT_EQ(sleepers(*world), 0);
  EXPECT_NEAR(world->system(0).elements().position[0].x(), 3e-5, 1e-9);
}

TEST(RigidRest, WhatDriftsFreelyOnAJointDoesNotSleep) {
  Node scene = empty_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  for (int i = 0; i < 2; ++i) {
    const std::string name = "b" + std::to_string(i);
    add_box(scene, name, Vec3(0.2, 0.2, 0.2), Vec3(0.3 * i, 0, 0));
    set(scene, of_body(name) + "velocity", Vec3(1e-5, 0, 0));
  }
  for (Node& child : scene.children)
    if (child.name == "things") add_child(child, "joint", "ball", "pin");
  set(scene, "system.things.joint.pin.a", std::string("b0"));
  set(scene, "system.things.joint.pin.b", std::string("b1"));
  set(scene, "system.things.joint.pin.anchor", Vec3(0.15, 0, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 3);
  EXPECT_EQ(sleepers(*world), 0);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(world->system(0).elements().position[i].x(), 0.3 * static_cast<double>(i) + 3e-5, 1e-9);
}

TEST(RigidRest, ABallThatBeginsToRollSlowlyDoesNotSleep) {
  Node scene = scene_over_ground();
  set(scene, "world.gravity", Vec3(0.02, -9.81, 0));  // gravity is inclined by 0.002 rad
  add_body(scene, "sphere", "ball");
  set(scene, of_body("ball") + "position", Vec3(0, 0.1, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 4);
  EXPECT_EQ(sleepers(*world), 0);
  EXPECT_NEAR(world->system(0).elements().velocity[0].x(), 5.0 / 7 * 0.02 * 4, 0.002);
}

TEST(RigidRest, ContactsTellTheForcesAwakeAndAsleep) {
  Node scene = two_islands();
  set(scene, "system.things.sleep_after", 1.0);
  const auto world = world_of(std::move(scene));
  for (const double until : {0.6, 2.5}) {
    run(*world, until - world->time());
    EXPECT_EQ(sleepers(*world), until > 1 ? 4 : 0);
    SystemSnapshot shown;
    world->system(0).snapshot(shown);
    std::vector<Vec3f> sum(4, Vec3f::Zero());
    for (const ContactMark& mark : contacts_of(shown)) sum[mark.element] += mark.force_n;
    // The contact forces on each body must balance the weight of 4 kg.
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LT((sum[i] - Vec3f(0, 4 * 9.81F, 0)).norm(), 0.05F) << i << " at " << until;
    EXPECT_EQ(shown.asleep.size(), until > 1 ? 4U : 0U);
  }
}

TEST(RigidRest, ARestoredStateHasTheContactsOfSleepingBodies) {
  const auto one = world_of(two_islands()), two = world_of(two_islands());
  run(*one, 2);
  ASSERT_EQ(sleepers(*one), 4);
  StateBlock block;
  one->save_state(block);
  ASSERT_TRUE(two->load_state(block));
  const auto contacts = [](World& world) {
    std::vector<Total> totals;
    world.system(0).totals(totals);
    return std::ranges::find(totals, "contacts", &Total::name)->value;
  };
  EXPECT_GT(contacts(*one), 0);
  EXPECT_EQ(contacts(*two), contacts(*one));
}

TEST(RigidRest, AStateWithForeignRestIsRefused) {
  const auto one = world_of(two_islands()), two = world_of(two_islands());
  run(*one, 2);
  StateBlock block;
  one->save_state(block);
  for (StateBlock::Entry& entry : block.entries)
    if (entry.name == "system.things.asleep_contact_a")
      std::fill_n(block.bytes.begin() + static_cast<std::ptrdiff_t>(entry.offset), 4, std::byte{0x7f});
  EXPECT_FALSE(two->load_state(block));
}

}  // namespace
}  // namespace vw::test
