// Estimated cost of a step: if it exceeds the budget, the world stops before the step with the cause and a remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::set;
using test::world_of;
using testing::HasSubstr;
using testing::Not;

TEST(StepCost, OfAStiffBodyStopsTheWorldBeforeTheStepAndNamesTheRemedy) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "steel").set("youngs_modulus", 2e11);
  add_child(scene, "system", "voxel_body", "cube").set("size", Vec3(8, 8, 8));
  set(scene, "world.step_budget", 1e6);
  const auto world = world_of(scene);
  const std::uint64_t before = world->hash();
  EXPECT_FALSE(world->step());
  const std::string sentence = world->health().sentence();
  EXPECT_THAT(sentence, HasSubstr("cube: the step is expected to take"));
  EXPECT_THAT(sentence, HasSubstr("more than world.step_budget = 1e+06"));
  EXPECT_THAT(sentence, HasSubstr("lower youngs_modulus"));
  EXPECT_EQ(world->hash(), before);
  ASSERT_TRUE(world->apply(SetParameter{"material.steel.youngs_modulus", 1e5}));
  EXPECT_TRUE(world->step()) << world->health().sentence();
}

TEST(StepCost, NamesTheInflowThatAsksForManyParts) {
  Node scene = make_node(scene_schema());
  Node& water = add_child(scene, "system", "fluid", "water");
  add_child(water, "fill", "box", "pool").set("size", Vec3(0.3, 0.3, 0.3));
  add_child(water, "inflow", "disc", "tap").set("speed", 100.0);
  set(scene, "world.step_budget", 1e7);
  const auto world = world_of(scene);
  EXPECT_FALSE(world->step());
  EXPECT_THAT(world->health().sentence(),
              HasSubstr("inflow tap moves at 100 m/s; lower that speed, or raise the fluid's spacing"));
}

TEST(StepCost, NamesTheColliderThatAsksForManyParts) {
  Node scene = make_node(scene_schema());
  Node& water = add_child(scene, "system", "fluid", "water");
  add_child(water, "fill", "box", "pool").set("size", Vec3(0.3, 0.3, 0.3));
  Node& wall = add_child(scene, "collider", "box", "ram");
  wall.set("position", Vec3(-30, 0, 0));
  wall.set("velocity", Vec3(1000, 0, 0));
  set(scene, "world.step_budget", 1e7);
  const auto world = world_of(scene);
  EXPECT_FALSE(world->step());
  EXPECT_THAT(world->health().sentence(), HasSubstr("collider ram moves at 1e+03 m/s"));
}

TEST(StepCost, CountsTheSamplesOfObstaclesThatMove) {
  // Each substep moves the two hundred thousand boundary samples of the rotating pipe.
  Node scene = make_node(scene_schema());
  Node& water = add_child(scene, "system", "fluid", "water");
  water.set("domain_size", Vec3(400, 400, 400));
  add_child(water, "fill", "box", "pool").set("size", Vec3(0.2, 0.2, 0.2));
  Node& pipe = add_child(scene, "collider", "cylinder", "pipe");
  pipe.set("radius", 0.1);
  pipe.set("length", 60.0);
  pipe.set("position", Vec3(2, 0, 0));
  pipe.set("angular_velocity", Vec3(0, 1, 0));
  set(scene, "world.step_budget", 2e6);
  const auto world = world_of(scene);
  EXPECT_FALSE(world->step());
  EXPECT_THAT(world->health().sentence(), HasSubstr("sample points on moving obstacles, most of them on pipe"));
  EXPECT_THAT(world->health().sentence(),
              HasSubstr("make pipe smaller, raise the fluid's spacing, or lower its domain_size"));
}

TEST(StepCost, NamesNoMoverWhereEverythingIsAtRest) {
  Node scene = make_node(scene_schema());
  add_child(add_child(scene, "system", "fluid", "water"), "fill", "box", "pool").set("size", Vec3(0.4, 0.4, 0.4));
  set(scene, "world.step_budget", 1e6);
  const auto world = world_of(scene);
  EXPECT_FALSE(world->step());
  EXPECT_THAT(world->health().sentence(),
              HasSubstr("2 substeps per step for 8000 particles; raise the fluid's spacing"));
  EXPECT_THAT(world->health().sentence(), Not(HasSubstr("moves at")));
}

TEST(StepCost, OfALargeSlowSceneIsWithinTheDefaultBudget) {
  // A million particles in twenty substeps, and a rubber cube of 64^3 voxels, must be within the budget.
  EXPECT_GT(world_params().defaults().step_budget, 1e6 * 20 * 300);
  EXPECT_GT(world_params().defaults().step_budget, 64.0 * 64 * 64 * 4 * 20000);
}

}  // namespace
}  // namespace vw
