// A live run that goes to past moments, begins branches there, and returns to the present.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "sim/api/live/live_run.h"
#include "tests/support/checked.h"
#include "tests/support/waiting.h"

namespace vw::api {
namespace {

class LiveRunTime : public testing::Test {
 protected:
  void SetUp() override {
    run = std::make_unique<LiveRun>(test::checked(Run::create(test::checked(open_scene("jelly-drop")))));
  }
  template <class Condition>
  void wait_for(Condition condition) {
    ASSERT_TRUE(test::in_time([&] { return run->acquire() && condition(run->newest()); }));
  }
  void steps(int count) {
    run->single_step(count);
    const std::uint64_t until = tick + static_cast<std::uint64_t>(count);
    wait_for([&](const Snapshot& now) { return now.tick == until; });
    tick = until;
  }
  void arrive(std::uint32_t branch, std::uint64_t at) {
    run->seek(branch, at);
    wait_for(
        [&](const Snapshot& now) { return now.place.branch == branch && now.tick == at && !now.place.is_seeking; });
    tick = at;
  }
  [[nodiscard]] std::vector<Vec3f> positions() const { return run->newest().systems.at(0).position; }
  [[nodiscard]] const Timeline::Branch* branch(std::uint32_t number) {
    (void)test::in_time([&] { return (timeline = run->timeline())->find(number) != nullptr; });
    return timeline->find(number);
  }

  std::unique_ptr<LiveRun> run;
  std::shared_ptr<const Timeline> timeline;
  std::uint64_t tick = 0;
};

TEST_F(LiveRunTime, TheFilmShowsPicturesNearTheTargetAtOnce) {
  run->set_paused(false);
  wait_for([](const Snapshot& now) { return now.tick >= 120; });
  run->set_paused(true);
  wait_for([](const Snapshot& now) { return now.paused; });
  for (const std::uint64_t target : {60U, 20U, 100U}) {
    const std::uint64_t before = run->newest().sequence;
    run->seek(0, target);
    wait_for([&](const Snapshot& now) { return now.sequence > before; });
    const double target_s = static_cast<double>(target) * run->newest().dt_s;
    EXPECT_NEAR(run->newest().place.elapsed_s, target_s, 0.25) << "the first picture";
    // The first picture may already show the exact state. In this case, no other picture follows.
    ASSERT_TRUE(test::in_time([&] {
      (void)run->acquire();
      return run->newest().tick == target && !run->newest().place.is_seeking;
    }));
  }
}

TEST_F(LiveRunTime, GoesBackAndForth) {
  steps(20);
  const std::vector<Vec3f> at_20 = positions();
  steps(20);
  const std::vector<Vec3f> at_40 = positions();
  EXPECT_FALSE(run->newest().place.is_past);
  arrive(0, 20);
  EXPECT_TRUE(run->newest().place.is_past);
  EXPECT_EQ(positions(), at_20);
  run->step_back(5);
  wait_for([](const Snapshot& now) { return now.tick == 15 && !now.place.is_seeking; });
  run->step_back(100);
  wait_for([](const Snapshot& now) { return now.tick == 0 && !now.place.is_seeking; });
  run->seek_time(0, 1e9);
  wait_for([](const Snapshot& now) { return now.tick == 40 && !now.place.is_seeking; });
  EXPECT_EQ(positions(), at_40);
  EXPECT_FALSE(run->newest().place.is_past);
}

TEST_F(LiveRunTime, ACommandAtAPastMomentBeginsABranch) {
  steps(40);
  arrive(0, 10);
  run->submit(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  wait_for([](const Snapshot& now) { return now.place.branch == 1; });
  EXPECT_FALSE(run->take_scene()) << "the caller made the edit itself";
  tick = 10;
  steps(10);
  EXPECT_EQ(run->newest().place.branch_time_s, 10 * run->newest().dt_s);
  ASSERT_NE(branch(1), nullptr);
  EXPECT_EQ(branch(1)->begin_tick, 10U);
  EXPECT_EQ(branch(1)->parent, 0U);
  // After the return to branch 0, take_scene() gives the scene of that moment, which does not have the edit.
  arrive(0, 30);
  std::optional<SceneOfMoment> scene;
  ASSERT_TRUE(test::in_time([&] { return (scene = run->take_scene()).has_value(); }));
  EXPECT_EQ(std::get<Vec3>(scene->scene.only("world")->value("gravity")).y(), -9.81);
  EXPECT_TRUE(scene->waiting.empty());
  EXPECT_FALSE(run->take_scene());
}

TEST_F(LiveRunTime, ReportsTheEditsThatWaitAtTheMoment) {
  steps(5);
  run->submit(SetParameter{"world.seed", std::int64_t{77}});
  tick = 5;
  steps(5);
  arrive(0, 2);
  std::optional<SceneOfMoment> scene;
  ASSERT_TRUE(test::in_time([&] { return (scene = run->take_scene()).has_value(); }));
  EXPECT_TRUE(scene->waiting.empty());
  arrive(0, 8);
  ASSERT_TRUE(test::in_time([&] { return (scene = run->take_scene()).has_value(); }));
  EXPECT_EQ(std::get<std::int64_t>(scene->scene.only("world")->value("seed")), 77);
}

TEST_F(LiveRunTime, ReportsTheSceneOfAMomentAfterACommandThatDoesNotChangeIt) {
  steps(5);
  run->submit(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  tick = 5;
  steps(5);
  run->seek(0, 2);
  run->submit(Release{});  // waits until the seek has arrived, and begins a branch
  wait_for([](const Snapshot& now) { return now.place.branch == 1; });
  std::optional<SceneOfMoment> scene;
  ASSERT_TRUE(test::in_time([&] { return (scene = run->take_scene()).has_value(); }));
  EXPECT_EQ(std::get<Vec3>(scene->scene.only("world")->value("gravity")).y(), -9.81);
}

TEST_F(LiveRunTime, ARestartByAChangeOfNodesIsAMomentOfTheTimeline) {
  steps(20);
  const std::vector<Vec3f> before = positions();
  // The edit takes effect at the next reset. Until then, the world needs the material "cherry", so removing this
  // material restarts the world.
  run->submit(SetParameter{"system.cherry.material", std::string("lime")});
  ChangeNodes change;
  change.changes.push_back({NodeChange::Kind::remove, "", {"material", {}, "cherry", {}, {}}});
  std::promise<Result<ChangeOutcome>> taken;
  run->change_or_restart(change, [&](Result<ChangeOutcome> outcome) { taken.set_value(std::move(outcome)); });
  const ChangeOutcome outcome = test::checked(taken.get_future().get());
  EXPECT_TRUE(outcome.restarted);
  EXPECT_NE(outcome.reason.find("cherry"), std::string::npos) << outcome.reason;
  wait_for([](const Snapshot& now) { return now.time_s == 0; });
  steps(20);
  const std::vector<Vec3f> after = positions();
  EXPECT_NE(after, before) << "the restart must give the body its other material";
  arrive(0, 20);
  arrive(0, 15);
  EXPECT_GT(run->newest().time_s, 0);
  arrive(0, 40);
  EXPECT_EQ(positions(), after) << "playing through the restart must give the same bits";
  arrive(0, 10);
  std::optional<SceneOfMoment> scene;
  ASSERT_TRUE(test::in_time([&] { return (scene = run->take_scene()).has_value(); }));
  EXPECT_NE(scene->scene.find("material", "cherry"), nullptr);
  const auto is_restart = [](const Timeline::Mark& mark) {
    return mark.kind == Timeline::Mark::Kind::reset && mark.text == "Removed the material \"cherry\", and reset";
  };
  EXPECT_TRUE(test::in_time([&] { return std::ranges::any_of(run->timeline()->find(0)->marks, is_restart); }));
}

TEST_F(LiveRunTime, BranchesAreNamedPromotedAndRemoved) {
  steps(20);
  arrive(0, 10);
  run->submit(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  wait_for([](const Snapshot& now) { return now.place.branch == 1; });
  run->rename_branch(1, "upwards");
  run->promote_branch(1);
  run->add_bookmark("here");
  ASSERT_TRUE(test::in_time([&] { return run->timeline()->main == 1; }));
  ASSERT_NE(branch(1), nullptr);
  EXPECT_EQ(branch(1)->name, "upwards");
  ASSERT_TRUE(test::in_time([&] {
    timeline = run->timeline();
    return std::ranges::any_of(timeline->find(0)->marks, [](const auto& mark) { return mark.text == "here"; });
  })) << "a bookmark at the beginning of a branch belongs to the moment, which its parent has too";
  run->remove_branch(1);
  wait_for([](const Snapshot& now) { return now.place.branch == 0 && !now.place.is_seeking; });
  EXPECT_EQ(run->newest().tick, 10U);
  run->remove_branch(0);
  std::vector<std::string> messages;
  ASSERT_TRUE(test::in_time([&] { return !(messages = run->take_messages()).empty(); }));
  EXPECT_NE(messages[0].find("first branch cannot be removed"), std::string::npos);
  run->seek(9, 3);
  ASSERT_TRUE(test::in_time([&] { return !(messages = run->take_messages()).empty(); }));
  EXPECT_EQ(messages[0], "branch 9 does not exist");
}

TEST_F(LiveRunTime, ABranchIsRemovedAfterASeekWithinIt) {
  // With few keyframes, many steps lead from the nearest keyframe to the beginning of the branch.
  run = std::make_unique<LiveRun>(test::checked(Run::create(test::checked(open_scene("jelly-drop")))),
                                  LiveRun::Start::running, HistoryLimits{.memory_bytes = 1});
  const auto play_to = [&](std::uint64_t until) {
    run->set_paused(false);
    wait_for([&](const Snapshot& now) { return now.tick >= until; });
    run->set_paused(true);
    wait_for([](const Snapshot& now) { return now.paused; });
  };
  play_to(150);
  arrive(0, 140);
  run->submit(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  wait_for([](const Snapshot& now) { return now.place.branch == 1; });
  play_to(180);
  arrive(1, 170);
  // Pictures of the progress follow only if the last picture is at least 0.1 s old.
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  run->remove_branch(1);
  wait_for([](const Snapshot& now) { return now.place.branch == 0 && now.tick == 140 && !now.place.is_seeking; });
  EXPECT_TRUE(test::in_time([&] { return run->timeline()->find(1) == nullptr; }));
}

TEST_F(LiveRunTime, CommandsWaitUntilTheRunArrives) {
  steps(60);
  run->seek(0, 50);
  run->submit(SetParameter{"world.gravity", Vec3(0, 1, 0)});
  run->single_step(5);
  wait_for([](const Snapshot& now) { return now.place.branch == 1 && now.tick == 55; });
  ASSERT_NE(branch(1), nullptr);
  EXPECT_EQ(branch(1)->begin_tick, 50U);
}

TEST_F(LiveRunTime, CommandsKeepTheirOrderIfASeekIsStopped) {
  steps(60);
  run->seek(0, 20);
  run->submit(SetParameter{"world.gravity", Vec3(0, 1, 0)});
  run->stop_seeking();
  run->submit(SetParameter{"world.gravity", Vec3(0, 2, 0)});
  const auto promise = std::make_shared<std::promise<Journal>>();
  std::future<Journal> arrived = promise->get_future();
  run->journal([promise](Journal journal) { promise->set_value(std::move(journal)); });
  ASSERT_EQ(arrived.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  const Journal journal = arrived.get();
  std::vector<double> set;
  for (const JournalEntry& entry : journal.entries) {
    const auto* command = std::get_if<SetParameter>(&entry.command);
    if (entry.kind == JournalEntry::Kind::command && command != nullptr)
      set.push_back(std::get<Vec3>(command->value).y());
  }
  EXPECT_EQ(set, (std::vector<double>{1, 2}));
}

TEST_F(LiveRunTime, PlaysFromAPastMomentIntoTheFuture) {
  steps(30);
  arrive(0, 5);
  run->set_speed(10);
  run->set_paused(false);
  wait_for([](const Snapshot& now) { return now.tick > 40; });
  run->set_paused(true);
  EXPECT_EQ(run->timeline()->branches.size(), 1U);
}

TEST_F(LiveRunTime, TheJournalIsThatOfThePath) {
  steps(10);
  run->submit(SetParameter{"world.gravity", Vec3(0, 1, 0)});
  tick = 10;
  steps(5);
  arrive(0, 4);
  run->submit(SetParameter{"world.gravity", Vec3(0, 2, 0)});
  std::promise<Journal> promise;
  run->journal([&](Journal journal) { promise.set_value(std::move(journal)); });
  const Journal journal = promise.get_future().get();
  ASSERT_EQ(std::ranges::count(journal.entries, JournalEntry::Kind::command, &JournalEntry::kind), 1);
  EXPECT_EQ(journal.entries.back().tick, 4U);
}

}  // namespace
}  // namespace vw::api
