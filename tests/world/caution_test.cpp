// What a run tells once.
#include <gtest/gtest.h>

#include "sim/world/caution.h"

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

}  // namespace
}  // namespace vw
