// Static and modal analysis through the library's interface.
#include "sim/api/analysis/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/api/live/live_run.h"
#include "tests/support/checked.h"
#include "tests/support/two_bodies.h"
#include "tests/support/waiting.h"

namespace vw::api {
namespace {

using test::checked;
using test::two_bodies;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ApiAnalysis, AVoxelBodyIsChosenByNameOrBecauseItIsTheOnlyOne) {
  const Node scene = two_bodies();
  EXPECT_THAT(voxel_body_names(scene), ElementsAre("beam", "loose"));
  EXPECT_EQ(checked(choose_voxel_body(scene, "beam")), "beam");
  EXPECT_THAT(choose_voxel_body(scene, "").error().message(), HasSubstr("choose one of beam, loose"));
  EXPECT_THAT(choose_voxel_body(scene, "beem").error().message(), HasSubstr("did you mean \"beam\""));
  EXPECT_FALSE(BodyAnalysis::create(scene, "beem"));
}

TEST(ApiAnalysis, SettleGivesTheSameStateAsTheCommand) {
  api::Run direct = checked(api::Run::create({"two bodies", two_bodies(), {}, {}}));
  api::Run commanded = checked(api::Run::create({"two bodies", two_bodies(), {}, {}}));
  const Equilibrium found = checked(settle(direct, "beam"));
  EXPECT_EQ(found.system, "beam");
  EXPECT_LE(found.solution.relative_residual, 1e-8) << "the default tolerance";
  ASSERT_TRUE(commanded.apply(Settle{"beam"}));
  EXPECT_EQ(direct.hash(), commanded.hash());
  EXPECT_THAT(settle(direct, "nobody").error().message(), HasSubstr("no system \"nobody\""));
  EXPECT_FALSE(settle(direct, "loose"));
}

TEST(ApiAnalysis, ModesAreThoseOfTheRestShapeUntilTheBodyIsSettled) {
  BodyAnalysis beam = checked(BodyAnalysis::create(two_bodies(), "beam"));
  const std::vector<Vec3> rest = beam.positions();
  EXPECT_EQ(rest.size(), 40U);
  EXPECT_EQ(beam.orientations().size(), 40U);
  EXPECT_GT(beam.voxel_edge_m(), 0);
  const ModalAnalysis free_of_stress = checked(beam.modes({.count = 2}));
  ASSERT_EQ(free_of_stress.modes.size(), 2U);
  EXPECT_GT(free_of_stress.modes[0].hertz, 0);
  ASSERT_TRUE(beam.settle());
  EXPECT_LT(beam.positions().back().y(), rest.back().y()) << "the beam sags";
  // The sag is small, so the geometric stiffness changes the frequency by less than 5 %.
  EXPECT_NEAR(checked(beam.modes({.count = 2})).modes[0].hertz, free_of_stress.modes[0].hertz,
              0.05 * free_of_stress.modes[0].hertz);
}

TEST(LiveRunSettle, TheResultIsKeptUntilItIsTaken) {
  LiveRun run(checked(api::Run::create({"two bodies", two_bodies(), {}, {}})));
  const auto outcome_of = [&](const char* system) {
    run.submit(Settle{system});
    std::optional<Result<Equilibrium>> ended;
    EXPECT_TRUE(test::in_time([&] {
      ended = run.take_settled();
      return ended.has_value();
    }));
    return ended;
  };
  const auto beam = outcome_of("beam");
  ASSERT_TRUE(beam && *beam);
  EXPECT_EQ((*beam)->system, "beam");
  EXPECT_GT(run.settle_progress().iterations, 0);
  EXPECT_FALSE(run.take_settled()) << "the result can be taken only once";
  const auto loose = outcome_of("loose");
  ASSERT_TRUE(loose);
  EXPECT_FALSE(*loose);
  EXPECT_EQ(run.take_messages().size(), 1U);
}

TEST(LiveRunSettle, AStopDoesNotConcernRecordedCommands) {
  LiveRun run(checked(api::Run::create({"two bodies", two_bodies(), {}, {}})));
  const auto wait_for_tick = [&](std::uint64_t tick) {
    ASSERT_TRUE(
        test::in_time([&] { return run.acquire() && run.newest().tick == tick && !run.newest().place.is_seeking; }));
  };
  run.submit(Settle{"beam"});
  run.single_step(3);
  wait_for_tick(3);
  run.stop_settling();
  run.seek(0, 1);
  wait_for_tick(1);
  EXPECT_THAT(run.take_messages(), testing::IsEmpty());
}

}  // namespace
}  // namespace vw::api
