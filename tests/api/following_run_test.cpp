// A second run that follows the time of a first run, so that the two can be compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "sim/api/live/following_run.h"
#include "sim/history/run_history.h"
#include "tests/support/checked.h"
#include "tests/support/waiting.h"

namespace vw::api {
namespace {

class FollowingRuns : public testing::Test {
 protected:
  void SetUp() override {
    first = std::make_unique<LiveRun>(test::checked(Run::create(test::checked(open_scene("jelly-drop")))));
    ASSERT_TRUE(test::in_time([&] { return first->acquire(); }));
  }
  void steps(int count) {
    const std::uint64_t until = first->newest().tick + static_cast<std::uint64_t>(count);
    first->single_step(count);
    ASSERT_TRUE(test::in_time([&] { return first->acquire() && first->newest().tick == until; }));
  }
  void arrive(std::uint32_t branch, std::uint64_t tick) {
    first->seek(branch, tick);
    ASSERT_TRUE(test::in_time([&] {
      if (!first->acquire()) return false;
      const Snapshot& now = first->newest();
      return now.place.branch == branch && now.tick == tick && !now.place.is_seeking;
    }));
  }
  void command(const Command& wanted) {
    const std::uint64_t before = first->newest().commands;
    first->submit(wanted);
    ASSERT_TRUE(test::in_time([&] { return first->acquire() && first->newest().commands > before; }));
  }
  [[nodiscard]] FollowedSession session(std::uint32_t branch = 0, std::vector<SetParameter> values = {}) {
    std::promise<Journal> promise;
    first->branch_journal(branch, [&](Journal journal) { promise.set_value(std::move(journal)); });
    return {.journal = promise.get_future().get(), .values = std::move(values), .dt_s = first->newest().dt_s};
  }
  void start(FollowedSession followed) { second = std::make_unique<FollowingRun>(std::move(followed)); }
  void catch_up() {
    second->follow(first->newest().place.elapsed_s);
    ASSERT_TRUE(test::in_time([&] {
      (void)second->acquire();
      const FollowProgress progress = second->progress();
      return !progress.is_behind && second->newest().sequence > 0 &&
             second->newest().place.elapsed_s == progress.elapsed_s;
    })) << second->progress().failure;
  }
  [[nodiscard]] static std::vector<Vec3f> positions(const Snapshot& snapshot) {
    return snapshot.systems.at(0).position;
  }
  void expect_equal() {
    catch_up();
    EXPECT_EQ(second->newest().tick, first->newest().tick);
    EXPECT_EQ(positions(second->newest()), positions(first->newest()));
  }

  std::unique_ptr<LiveRun> first;
  std::unique_ptr<FollowingRun> second;
};

TEST_F(FollowingRuns, RepeatsTheCommandsOfASession) {
  steps(10);
  command(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  steps(20);
  start(session());
  expect_equal();
}

TEST_F(FollowingRuns, GoesBackWithTheFirstRunAndNeverBeyondIt) {
  steps(40);
  start(session());
  expect_equal();
  arrive(0, 12);
  expect_equal();
  EXPECT_EQ(second->newest().tick, 12U);
  arrive(0, 30);
  expect_equal();
}

TEST_F(FollowingRuns, HasAnotherValueFromTheStart) {
  steps(10);
  command(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  steps(20);
  start(session(0, {{"world.gravity", Vec3(0, -9.81, 0)}}));
  catch_up();
  EXPECT_EQ(second->newest().tick, 30U);
  LiveRun plain(test::checked(Run::create(test::checked(open_scene("jelly-drop")))));
  plain.single_step(30);
  ASSERT_TRUE(test::in_time([&] { return plain.acquire() && plain.newest().tick == 30; }));
  EXPECT_EQ(positions(second->newest()), positions(plain.newest())) << "the edit of gravity is left out";
}

TEST_F(FollowingRuns, HoldsAValueOfANodeThatWasRenamed) {
  steps(5);
  ChangeNodes renaming;
  renaming.changes.push_back({NodeChange::Kind::rename, "", {"collider", {}, "ball", {}, {}}, {}, "globe"});
  command(renaming);
  command(SetParameter{"collider.globe.radius", 0.07});
  steps(5);
  start(session(0, {{"collider.globe.radius", 0.05}}));
  catch_up();
  const std::shared_ptr<const Node> scene = second->scene();
  ASSERT_NE(scene, nullptr);
  const Node* globe = scene->find("collider", "globe");
  ASSERT_NE(globe, nullptr);
  EXPECT_EQ(std::get<double>(globe->value("radius")), 0.05);
}

TEST_F(FollowingRuns, RepeatsABranch) {
  steps(20);
  arrive(0, 10);
  command(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  steps(15);
  const std::vector<Vec3f> in_branch = positions(first->newest());
  start(session(1));
  catch_up();
  EXPECT_EQ(positions(second->newest()), in_branch);
  arrive(0, 20);
  catch_up();
  EXPECT_EQ(second->newest().tick, 20U);
  EXPECT_NE(positions(second->newest()), positions(first->newest()));
}

TEST_F(FollowingRuns, BeginsABranchAtAKeyframeBeforeTheParting) {
  const double dt_s = first->newest().dt_s;
  const auto fork = static_cast<std::uint64_t>(0.55 / dt_s);
  steps(static_cast<int>(fork) + 40);
  const std::vector<Vec3f> in_main = positions(first->newest());
  arrive(0, fork);
  const std::vector<Vec3f> at_fork = positions(first->newest());
  command(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  steps(40);
  std::promise<SharedBranch> promise;
  first->share_branch(0, [&](SharedBranch shared) { promise.set_value(std::move(shared)); });
  SharedBranch shared = promise.get_future().get();
  // On a busy machine, keyframes take too long to write, so there may be no keyframe except that of the start.
  std::uint64_t last_keyframe = 0;
  for (const SavedKeyframe& saved : shared.history->keyframes)
    if (saved.keyframe.tick <= fork) last_keyframe = std::max(last_keyframe, saved.keyframe.tick);
  start({.journal = std::move(shared.journal), .history = std::move(shared.history)});
  ASSERT_TRUE(test::in_time([&] { return second->acquire(); }));
  EXPECT_GE(second->newest().tick, last_keyframe) << "the second run must begin at the keyframe";
  EXPECT_LE(second->newest().tick, fork);
  catch_up();
  EXPECT_EQ(positions(second->newest()), in_main);
  // Moments before the keyframe at which the second run began are reached from earlier keyframes of the first run.
  arrive(1, fork);
  catch_up();
  EXPECT_EQ(positions(second->newest()), at_fork);
  arrive(0, 3);
  expect_equal();
  // The second run can still read the keyframes of the first run after the first run has ended.
  const double late_s = static_cast<double>(fork + 40) * dt_s;
  first.reset();
  second->follow(late_s);
  ASSERT_TRUE(test::in_time([&] {
    (void)second->acquire();
    return second->newest().tick == fork + 40;
  })) << second->progress().failure;
  EXPECT_EQ(positions(second->newest()), in_main);
}

TEST_F(FollowingRuns, TakesOverLaterCommands) {
  steps(10);
  start(session());
  expect_equal();
  command(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  steps(10);
  catch_up();  // the second run has not received the command yet
  EXPECT_NE(positions(second->newest()), positions(first->newest()));
  second->repeat(session());
  expect_equal();
  // A command at an earlier moment begins a new branch. On this branch, the command at step 10 does not exist.
  arrive(0, 5);
  command(SetParameter{"world.gravity", Vec3(0, -1, 0)});
  steps(20);
  second->repeat(session(1));
  expect_equal();
  // The second run has applied a command at step 5. The branch to be repeated has no command there, so the second run
  // must start again.
  arrive(0, 15);
  second->repeat(session(0));
  expect_equal();
}

TEST_F(FollowingRuns, ReportsAParameterThatDoesNotExist) {
  start(session(0, {{"world.gravitas", 1.0}}));
  ASSERT_TRUE(test::in_time([&] { return !second->progress().failure.empty(); }));
  EXPECT_NE(second->progress().failure.find("gravitas"), std::string::npos);
  EXPECT_FALSE(second->progress().is_built);
  second->repeat(session());
  expect_equal();
}

TEST_F(FollowingRuns, ReportsASceneThatCannotBeRead) {
  Journal broken;
  broken.scene_text = "[world\n";
  start({.journal = std::move(broken)});
  ASSERT_TRUE(test::in_time([&] { return !second->progress().failure.empty(); }));
}

TEST_F(FollowingRuns, TheFirstRunWaitsForTheSecond) {
  const double limit_s = 20 * first->newest().dt_s;
  first->hold_after(limit_s);
  first->set_paused(false);
  ASSERT_TRUE(test::in_time([&] { return first->acquire() && first->newest().place.elapsed_s >= limit_s; }));
  first->set_paused(true);
  ASSERT_TRUE(test::in_time([&] { return first->acquire() && first->newest().paused; }));
  EXPECT_EQ(first->newest().tick, 20U);
}

// With a high speed, the next step is due before the previous step is published.
TEST_F(FollowingRuns, TheLastStepBeforeTheWaitIsPublished) {
  first->hold_after(0);
  first->set_speed(10);
  first->set_paused(false);
  const double dt_s = first->newest().dt_s;
  for (int steps = 10; steps <= 100; steps += 10) {
    const double limit_s = steps * dt_s;
    first->hold_after(limit_s);
    ASSERT_TRUE(test::in_time([&] { return first->acquire() && first->newest().place.elapsed_s >= limit_s; })) << steps;
  }
}

}  // namespace
}  // namespace vw::api
