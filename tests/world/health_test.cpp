// Health reports state the position, the element, the objects near it and the speed of these objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/world/health/health.h"
#include "tests/support/world_of.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using test::set;
using test::world_of;
using testing::HasSubstr;
using testing::Not;

TEST(Health, NamesTheObstacleThatStruckABodyItsSpeedAndThePlace) {
  Node scene = make_node(scene_schema());
  add_child(scene, "system", "voxel_body", "block").set("size", Vec3(3, 3, 3));
  Node& ram = add_child(scene, "collider", "plane", "ground");
  ram.set("position", Vec3(0, -0.001, 0));
  ram.set("velocity", Vec3(0, 1000, 0));
  set(scene, "world.gravity", Vec3(0, 0, 0));
  const auto world = world_of(scene);
  for (int i = 0; i < 20 && world->step(); ++i) {
  }
  ASSERT_TRUE(world->health().failed);
  const std::string sentence = world->health().sentence();
  EXPECT_THAT(sentence, HasSubstr("collider ground, which moves at 1e+03 m/s"));
  EXPECT_THAT(sentence, HasSubstr("lower its speed or world.dt"));
}

TEST(Health, SaysWhereTheElementWas) {
  Node scene = make_node(scene_schema());
  Node& body = add_child(add_child(scene, "system", "rigid", "things"), "body", "sphere", "ball");
  body.set("position", Vec3(0.5, 0.25, -1));
  set(scene, "world.gravity", Vec3(0, 0, 0));
  const auto world = world_of(scene);
  ASSERT_TRUE(world->apply(Push{"things", 0, Vec3(1e30, 0, 0), 0}));
  EXPECT_FALSE(world->step());
  EXPECT_THAT(world->health().sentence(), HasSubstr("element 0 at (0.5, 0.25, -1) m with a speed of 0 m/s: "));
}

TEST(Health, NeverBlamesAStepThatIsAsShortAsTheStableOne) {
  EXPECT_THAT(likely_cause(1.0 / 120, 1.0 / 120), Not(HasSubstr("too large")));
  EXPECT_THAT(likely_cause(1.0 / 120, std::numeric_limits<double>::infinity()), Not(HasSubstr("inf")));
  EXPECT_THAT(likely_cause(2e-4, 1e-4), HasSubstr("the substep is 0.0002 s, but the longest stable one is 0.0001 s"));
}

/// Returns the health report of a world in which balls of 1 kg fly at `speed` [m/s] and receive an unexplained velocity
/// change `kick` [m/s] in the seventh step. The report is empty if the world does not fail.
std::string said_of_a_kick(double speed, double kick) {
  Node scene = mock::empty_scene();
  Node& balls = mock::add_balls(scene, "slow", "balls");
  balls.set("velocity", Vec3(speed, 0, 0));
  balls.set("kick", kick);
  balls.set("kick_time", 6.0 / 120);
  const auto world = mock::make_world(std::move(scene));
  for (int i = 0; i < 7 && world->step(); ++i) {
  }
  return world->health().failed ? world->health().sentence() : "";
}

TEST(Health, StopsAtEnergyThatNothingExplains) {
  EXPECT_THAT(said_of_a_kick(40, 1000), HasSubstr("kinetic energy grew from 2.4e+03 J to 1.62e+06 J in one step"));
  EXPECT_EQ(said_of_a_kick(40, 200), "");  // The energy grows 36-fold. A stiff collision may have the same effect.
  EXPECT_THAT(said_of_a_kick(0, 60), HasSubstr("kinetic energy grew from 0 J"));
  EXPECT_EQ(said_of_a_kick(0, 25), "");  // a released element may start at this speed
}

}  // namespace
}  // namespace vw
