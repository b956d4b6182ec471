// The history of a run: moments are reached again bit for bit, and commands at past moments begin branches.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sim/history/run_history.h"
#include "sim/history/timeline_builder.h"
#include "tests/support/checked.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

/// A running session of a packaged scene with its history.
struct Past {
  explicit Past(const std::string& scene, const std::string& journal = {}, HistoryLimits limits = {})
      : session(test::checked(Session::create(test::packaged_scene(scene), "", journal))),
        history(session, std::move(limits)) {}
  void play(int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(history.step());
  }
  void go(BranchNumber branch, std::uint64_t tick) {
    history.wait_until_packed();
    const auto good = history.seek({branch, tick, std::numeric_limits<std::uint64_t>::max()});
    ASSERT_TRUE(good) << good.error().message();
    while (history.continue_seek()) {
    }
    EXPECT_EQ(history.take_messages(), std::vector<std::string>());
  }
  [[nodiscard]] std::uint64_t hash() { return session.world().hash(); }
  Session session;
  RunHistory history;
};

SetParameter gravity(double y) { return {"world.gravity", Vec3(0, y, 0)}; }

TEST(RunHistory, ReachesPastMomentsBitForBit) {
  Past past("jelly-drop");
  std::vector<std::uint64_t> hashes{past.hash()};
  for (int i = 0; i < 60; ++i) past.play(1), hashes.push_back(past.hash());
  for (const std::uint64_t tick : {30U, 31U, 29U, 0U, 60U, 59U, 1U, 45U}) {
    past.go(0, tick);
    EXPECT_EQ(past.history.now().tick, tick);
    EXPECT_EQ(past.hash(), hashes[tick]) << "tick " << tick;
  }
  // Playing on repeats the recorded steps and then takes new ones.
  EXPECT_FALSE(past.history.at_end());
  past.play(15);
  EXPECT_TRUE(past.history.at_end());
  EXPECT_EQ(past.hash(), hashes[60]);
  past.play(1);
  EXPECT_EQ(past.history.now().tick, 61U);
  EXPECT_EQ(past.history.tree().branches().size(), 1U);
}

TEST(RunHistory, ACommandAtAPastMomentBeginsABranch) {
  Past past("jelly-drop");
  past.play(40);
  const std::uint64_t old_end = past.hash();
  past.go(0, 20);
  ASSERT_TRUE(past.history.apply(gravity(5)));
  EXPECT_EQ(past.history.now().branch, 1U);
  past.play(20);
  const std::uint64_t new_end = past.hash();
  EXPECT_NE(new_end, old_end);
  past.go(0, 40);
  EXPECT_EQ(past.hash(), old_end);
  EXPECT_EQ(std::get<Vec3>(past.session.world().scene().only("world")->value("gravity")).y(), -9.81);
  past.go(1, 40);
  EXPECT_EQ(past.hash(), new_end);
  EXPECT_EQ(std::get<Vec3>(past.session.world().scene().only("world")->value("gravity")).y(), 5);
  const BranchTree& tree = past.history.tree();
  EXPECT_EQ(tree.branch(1).fork_tick, 20U);
  EXPECT_EQ(tree.commands_through(1, 19), 0U);
  EXPECT_EQ(tree.commands_through(1, 20), 1U);
}

TEST(RunHistory, ARefusedCommandBeginsNoBranch) {
  Past past("jelly-drop");
  past.play(10);
  past.go(0, 5);
  EXPECT_FALSE(past.history.apply(SetParameter{"world.gravity", std::string("down")}));
  EXPECT_EQ(past.history.tree().branches().size(), 1U);
  EXPECT_FALSE(past.history.at_end());
}

TEST(RunHistory, ThePlaybackSpeedBeginsNoBranchAndStays) {
  Past past("jelly-drop");
  past.play(10);
  past.go(0, 5);
  ASSERT_TRUE(past.history.apply(SetParameter{"world.speed", 0.25}));
  EXPECT_EQ(past.history.tree().branches().size(), 1U);
  past.go(0, 2);
  EXPECT_EQ(past.session.world().params().speed, 0.25);
}

TEST(RunHistory, ARecordedPlaybackSpeedDoesNotReplaceThePresentOne) {
  Past past("jelly-drop");
  past.play(4);
  ASSERT_TRUE(past.history.apply(SetParameter{"world.speed", 0.5}));
  past.play(4);
  ASSERT_TRUE(past.history.apply(SetParameter{"world.speed", 2.0}));
  past.play(4);
  past.go(0, 2);
  EXPECT_EQ(past.session.world().params().speed, 2);
  past.go(0, 6);
  EXPECT_EQ(past.session.world().params().speed, 2);
}

TEST(RunHistory, ResetsAndChangesOfNodesArePointsOfTheTree) {
  Past past("floating-boxes");
  past.play(12);
  const std::uint64_t before_reset = past.hash();
  const std::uint64_t first_run = past.history.run_number();
  ASSERT_TRUE(past.history.apply(Reset{}));
  const std::uint64_t after_reset = past.hash();
  EXPECT_NE(past.history.run_number(), first_run);
  past.play(12);
  ChangeNodes addition;
  addition.changes.push_back({.parent = {}, .node = {"collider", "sphere", "extra", {}, {}}});
  ASSERT_TRUE(past.history.apply(addition));
  past.play(12);
  const std::uint64_t end = past.hash();
  past.go(0, 11);
  EXPECT_EQ(past.history.run_number(), first_run);
  past.play(1);
  EXPECT_EQ(past.hash(), before_reset);  // the state before the reset, which is applied at the same step
  past.go(0, 12);
  EXPECT_EQ(past.hash(), after_reset);
  EXPECT_EQ(past.session.world().time(), 0);
  past.go(0, 23);
  EXPECT_EQ(past.session.world().scene().find("collider", "extra"), nullptr);
  past.go(0, 36);
  EXPECT_EQ(past.hash(), end);
  EXPECT_NE(past.session.world().scene().find("collider", "extra"), nullptr);
  EXPECT_DOUBLE_EQ(past.history.elapsed_s(), 36 * past.session.world().dt());
}

TEST(RunHistory, TheSceneOfAMomentHasTheChangesOfNodesUpToIt) {
  Past past("jelly-drop");
  constexpr std::uint64_t count = 20;  // more than 16, after which the tree stores the scene
  for (std::uint64_t i = 0; i < count; ++i) {
    ChangeNodes addition;
    addition.changes.push_back({.parent = {}, .node = {"collider", "sphere", "extra" + std::to_string(i), {}, {}}});
    ASSERT_TRUE(past.history.apply(addition));
  }
  for (std::uint64_t n = 0; n <= count; ++n) {
    const SceneVersion scene = test::checked(past.history.tree().scene_at(0, n));
    ASSERT_EQ(scene.changes.size(), n);
    for (std::uint64_t i = 0; i < n; ++i)
      EXPECT_EQ(scene.changes[i].changes.at(0).node.name, "extra" + std::to_string(i));
  }
}

TEST(RunHistory, TheJournalIsThatOfThePresentMoment) {
  const test::Scratch scratch;
  std::uint64_t end = 0;
  {
    Past past("jelly-drop", scratch.path("journal"));
    past.play(200);
    ASSERT_TRUE(past.history.apply(gravity(3)));
    past.play(20);
    past.go(0, 150);
    ASSERT_TRUE(past.history.apply(gravity(-20)));
    past.play(30);
    end = past.hash();
    ASSERT_TRUE(past.session.finish());
  }
  const Journal journal = test::checked(read_journal(scratch.path("journal")));
  EXPECT_TRUE(journal.complete);
  EXPECT_EQ(std::ranges::count(journal.entries, JournalEntry::Kind::command, &JournalEntry::kind), 1);
  // The journal contains the hashes of steps 0 and 128.
  EXPECT_EQ(std::ranges::count(journal.entries, JournalEntry::Kind::hash, &JournalEntry::kind), 2);
  auto session = test::checked(Session::create(test::packaged_scene("jelly-drop"), ""));
  const auto outcome = replay(session, journal);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->steps, 180U);
  EXPECT_EQ(session.world().hash(), end);
}

TEST(RunHistory, RemovingTheBranchOfThePresentGoesToItsBeginning) {
  Past past("jelly-drop");
  past.play(20);
  past.go(0, 10);
  const std::uint64_t at_fork = past.hash();
  ASSERT_TRUE(past.history.apply(gravity(1)));
  past.play(5);
  past.go(1, 12);
  ASSERT_TRUE(past.history.apply(gravity(2)));  // begins a branch of the branch
  past.play(2);
  EXPECT_EQ(past.history.tree().branches().size(), 3U);
  past.history.wait_until_packed();
  ASSERT_TRUE(past.history.remove(1));
  while (past.history.continue_seek()) {
  }
  EXPECT_EQ(past.history.tree().branches().size(), 1U);
  EXPECT_EQ(past.history.now().branch, 0U);
  EXPECT_EQ(past.history.now().tick, 10U);
  EXPECT_EQ(past.hash(), at_fork);
  EXPECT_FALSE(past.history.remove(0));
  EXPECT_FALSE(past.history.remove(7));
}

TEST(RunHistory, AFailedHealthCheckIsAPointOfTheTree) {
  Past past("jelly-drop");
  past.play(10);
  ASSERT_TRUE(past.history.apply(SetParameter{"world.max_substeps", std::int64_t{1}}));
  for (int i = 0; i < 50 && past.history.step(); ++i) {
  }
  EXPECT_FALSE(past.history.tree().branch(0).failure.empty());
  const auto last = static_cast<int>(past.history.now().tick);
  past.go(0, 5);
  EXPECT_FALSE(past.session.world().health().failed);
  past.play(last - 5);
  EXPECT_FALSE(past.history.step());
  past.go(0, 5);
  ASSERT_TRUE(past.history.apply(gravity(-1)));
  past.play(10);
  EXPECT_TRUE(past.history.tree().branch(1).failure.empty());
}

TEST(RunHistory, TheTimelineNamesBranchesMarksAndKeyframes) {
  Past past("jelly-drop");
  past.play(30);
  ASSERT_TRUE(past.history.apply(gravity(3)));
  ASSERT_TRUE(past.history.apply(gravity(4)));  // the timeline shows one mark for both edits
  past.play(10);
  ASSERT_TRUE(past.history.add_bookmark({past.history.now().tick, "here"}));
  past.go(0, 10);
  ASSERT_TRUE(past.history.apply(Reset{}));
  ASSERT_TRUE(past.history.rename(1, "from anew"));
  past.play(1);
  past.history.wait_until_packed();
  const Timeline timeline = TimelineBuilder().build(past.history);
  ASSERT_EQ(timeline.branches.size(), 2U);
  ASSERT_EQ(timeline.branches[0].marks.size(), 2U);
  EXPECT_EQ(timeline.branches[0].marks[0].text, "world.gravity = [0.0, 4.0, 0.0]");
  EXPECT_EQ(timeline.branches[0].marks[1].text, "here");
  EXPECT_EQ(timeline.branches[1].name, "from anew");
  EXPECT_EQ(timeline.branches[1].begin_tick, 10U);
  EXPECT_EQ(timeline.branches[1].marks[0].kind, Timeline::Mark::Kind::reset);
  EXPECT_GE(timeline.branches[0].keyframes.size(), 1U);  // the number depends on the speed of copying
  EXPECT_EQ(timeline.path(1).size(), 2U);
  EXPECT_GT(timeline.memory_bytes, 0U);
}

}  // namespace
}  // namespace vw
