// Warnings that a run reports once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/world/health/run_warnings.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

/// Returns a scene whose only system has this kind and name.
Node scene_with(const std::string& kind, const std::string& name) {
  Node scene = make_node(scene_schema());
  add_child(scene, "system", kind, name);
  return scene;
}

/// Returns the totals of the only system of the scene, in which the total `name` has the value `value`.
std::vector<Total> totals_with(const Node& scene, std::string_view name, double value) {
  std::vector<Total> totals;
  test::world_of(scene)->system(0).totals(totals);
  const auto found = std::ranges::find(totals, name, &Total::name);
  if (found == totals.end())
    ADD_FAILURE() << "no total " << name;
  else
    found->value = value;
  return totals;
}

TEST(RunWarnings, AreToldOncePerSystem) {
  RunWarnings cautions;
  const Node dust = scene_with("particles", "dust");
  EXPECT_TRUE(cautions.note("dust", totals_with(dust, "emitted", 7)).empty());
  const std::vector<Total> wild = totals_with(dust, "fast", 3);
  EXPECT_EQ(cautions.note("dust", wild),
            std::vector<std::string>{
                "dust: 3 particles moved by more than half the thickness of a nearby obstacle in one step, so "
                "collisions may have been missed. Set detection = \"swept\" or shorten collision_dt"});
  const auto warnings = cautions.note("dust", totals_with(dust, "stiff", 1));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("dust: 1 particle approached an obstacle")) << warnings[0];
  EXPECT_TRUE(cautions.note("dust", wild).empty());
  EXPECT_EQ(cautions.note("sparks", wild).size(), 1U);
}

TEST(RunWarnings, CallMembersOfFlocksSo) {
  Node scene = scene_with("flock", "birds");
  add_child(scene.children.back(), "species", "species", "bird");
  EXPECT_EQ(RunWarnings().note("birds", totals_with(scene, "refused", 200)),
            std::vector<std::string>{"birds: 200 members could not be added, because obstacles or other members were "
                                     "too near or the capacity was reached. "
                                     "Enlarge the region of the swarm, or raise capacity"});
}

TEST(RunWarnings, WarnOfJointsThatCameApart) {
  Node scene = scene_with("rigid", "bars");
  add_child(scene.children.back(), "body", "box", "bar");
  add_child(scene.children.back(), "joint", "ball", "pivot").set("a", std::string("bar"));
  EXPECT_EQ(RunWarnings().note("bars", totals_with(scene, "separated_joints", 1)),
            std::vector<std::string>{"bars: 1 joint separated by more than 5 % of the rod length or of the distance "
                                     "from the joint to the bodies' centres. "
                                     "Use mass ratios below 10,000, "
                                     "lower speeds or a shorter longest_dt"});
}

TEST(RunWarnings, SayWhyParticlesOfAFillAreMissing) {
  const Node scene = scene_with("fluid", "water");
  EXPECT_EQ(RunWarnings().note("water", totals_with(scene, "not_placed", 165)),
            std::vector<std::string>{"water: 165 particles were left out of the fills or removed, because an obstacle, "
                                     "a body or another fill occupies the same place. This "
                                     "is usual if bodies start in liquid"});
  EXPECT_TRUE(RunWarnings().note("water", totals_with(scene, "not_placed", 1))[0].starts_with(
      "water: 1 particle was left out of the fills"));
}

TEST(RunWarnings, TellOfATemperatureThatLeavesNoLength) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "gel").set("cte", 1.0);
  Node& body = add_child(scene, "system", "voxel_body", "cube");
  body.set("size", Vec3(2, 2, 2));
  body.set("temperature_wave", std::string("constant"));
  body.set("temperature_amplitude", -2.0);
  EXPECT_THAT(
      test::world_of(scene)->notes(),
      testing::Contains("cube: the temperature would cause a strain of -2, but voxels keep at least 0.1 of their "
                        "size. Lower cte or temperature_amplitude"));
  test::set(scene, "material.gel.cte", 0.01);
  EXPECT_TRUE(test::world_of(scene)->notes().empty());
}

TEST(RunWarnings, TellOfARegionThatTouchesNoVoxel) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "gel");
  Node& body = add_child(scene, "system", "voxel_body", "cube");
  body.set("size", Vec3(4, 4, 4));
  body.set("palette", TextList{"gel"});
  body.set("shape", std::string("layers"));
  body.set("layers",
           TextList{"0000/0110/0110/0000", "0000/0110/0110/0000", "0000/0110/0110/0000", "0000/0000/0000/0000"});
  Node& clamp = add_child(body, "region", "region", "clamp");
  const auto notes = [&] { return test::world_of(scene)->notes(); };
  EXPECT_TRUE(notes().empty());
  clamp.set("max", Vec3(0.25, 1, 1));
  EXPECT_THAT(
      notes(),
      testing::ElementsAre(
          "cube: region clamp contains no voxel: the box from (0, 0, 0) to (0.25, 1, 1) overlaps none of the voxels, "
          "which extend from (0.25, 0, 0.25) to (0.75, 0.75, 0.75) (as fractions of the edge lengths of the lattice)"));
  clamp.set("shape", std::string("sphere"));
  clamp.set("radius", 0.1);  // The sphere lies between the centres of the voxels.
  EXPECT_THAT(notes(), testing::ElementsAre(testing::HasSubstr(
                           "the sphere of radius 0.1 about (0.5, 0.5, 0.5) contains the centre of none of the ")));
  clamp.set("shape", std::string("cylinder"));
  EXPECT_THAT(notes(), testing::ElementsAre(testing::HasSubstr(
                           "the cylinder of radius 0.1 from (0.5, 0.5, 0.5) to (0.5, 1.5, 0.5) contains")));
  clamp.set("fixed", false);
  EXPECT_TRUE(notes().empty()) << "it waits for an edit";
  clamp.set("torque", Vec3(0, 1, 0));
  EXPECT_EQ(notes().size(), 1U);
  // The radius is 0.2 of 4 voxels, which is 0.8 voxels. The nearest centres are 0.71 voxels from the axis.
  clamp.set("radius", 0.2);
  EXPECT_TRUE(notes().empty());
}

}  // namespace
}  // namespace vw
