// What a run tells once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/world/caution.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

TEST(Cautions, AreToldOncePerSystem) {
  Cautions cautions;
  const std::vector<Total> calm{{"fast", "", 0}, {"emitted", "", 7}}, wild{{"fast", "", 3}, {"stiff", "", 1}};
  EXPECT_TRUE(cautions.note("dust", calm).empty());
  const auto told = cautions.note("dust", wild);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0],
            "dust: 3 particles moved past an obstacle by more than half its width in one step, so that a collision may have been missed. Set "
            "detection = \"swept\" or a shorter collision_dt");
  EXPECT_TRUE(told[1].starts_with("dust: 1 particle met a repulsion")) << told[1];
  EXPECT_TRUE(cautions.note("dust", wild).empty());
  EXPECT_EQ(cautions.note("sparks", wild).size(), 2U);
}

TEST(Cautions, CallMembersOfFlocksSo) {
  EXPECT_EQ(Cautions().note("birds", std::vector<Total>{{"refused", "", 200}}),
            std::vector<std::string>{
                "birds: 200 members could not be added, because obstacles or other members were too near or the capacity was reached"});
}

TEST(Cautions, SayWhyParticlesOfAFillAreMissing) {
  EXPECT_EQ(Cautions().note("water", std::vector<Total>{{"not_placed", "", 165}}),
            std::vector<std::string>{
                "water: 165 particles were left out of the fills, because an obstacle, a body or another fill is already there. This is "
                "usual where bodies begin in liquid"});
}

TEST(Cautions, TellOfATemperatureThatLeavesNoLength) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "gel").set("cte", 1.0);
  Node& body = add_child(scene, "system", "voxel_body", "cube");
  body.set("size", Vec3(2, 2, 2));
  body.set("temperature_wave", std::string("constant"));
  body.set("temperature_amplitude", -2.0);
  EXPECT_THAT(test::world_of(scene)->notes(), testing::Contains("cube: the temperature asks for a strain of -2, and voxels keep 0.1 of their size at "
                                                                "least: lower cte or temperature_amplitude"));
  test::set(scene, "material.gel.cte", 0.01);
  EXPECT_TRUE(test::world_of(scene)->notes().empty());
}

}  // namespace
}  // namespace vw
