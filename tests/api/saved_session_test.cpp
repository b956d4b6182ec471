// Sessions of a live run that are saved, recorded and opened again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "sim/api/live/live_run.h"
#include "sim/api/saved_session.h"
#include "sim/base/files/file.h"
#include "sim/history/session_file.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/waiting.h"

namespace vw::api {
namespace {

using testing::HasSubstr;
constexpr std::uint64_t any_size = std::uint64_t{1} << 30;

class SavedSessions : public testing::Test {
 protected:
  void begin(HistoryLimits limits = {}) {
    run = std::make_unique<LiveRun>(test::checked(Run::create(test::checked(open_scene("jelly-drop")))),
                                    LiveRun::Start::paused, std::move(limits));
  }
  template <class Condition>
  void wait_for(Condition condition) {
    ASSERT_TRUE(test::in_time([&] { return run->acquire() && condition(run->newest()); }));
  }
  void wait_for_tick(std::uint64_t tick) {
    wait_for([&](const Snapshot& now) { return now.tick == tick && !now.place.is_seeking; });
  }
  [[nodiscard]] std::uint64_t hash() {
    std::promise<Journal> told;
    run->journal([&](Journal journal) { told.set_value(std::move(journal)); });
    return told.get_future().get().entries.back().hash;
  }
  /// Goes from a first branch of 60 steps back to step 30 and plays another branch of 30 steps.
  void make_branches() {
    run->single_step(60);
    wait_for_tick(60);
    run->seek(0, 30);
    wait_for_tick(30);
    run->submit(SetParameter{"world.gravity", Vec3(0, 4, 0)});
    run->single_step(30);
    wait_for([&](const Snapshot& now) { return now.tick == 60 && now.place.branch == 1; });
    run->add_bookmark("up");
  }
  void save(std::uint64_t limit = any_size) {
    std::promise<Result<void>> done;
    run->save_session(path, limit, [&](Result<void> good) { done.set_value(std::move(good)); });
    const auto good = done.get_future().get();
    ASSERT_TRUE(good) << good.error().message();
  }
  void open() {
    run.reset();
    OpenedSession opened = test::checked(open_session(path));
    EXPECT_EQ(opened.notes, std::vector<std::string>());
    run = std::make_unique<LiveRun>(std::move(opened));
  }

  test::Scratch scratch;
  std::string path = scratch.path("session.vwj");
  std::unique_ptr<LiveRun> run;
};

TEST_F(SavedSessions, OpenAtTheMomentThatWasShown) {
  for (const std::uint64_t limit : {any_size, std::uint64_t{0}}) {
    begin();
    make_branches();
    run->seek(1, 45);
    wait_for_tick(45);
    const std::uint64_t at_45 = hash();
    save(limit);
    run->seek(0, 60);
    wait_for_tick(60);
    const std::uint64_t end_of_main = hash();
    open();
    wait_for_tick(45);
    EXPECT_EQ(run->newest().place.branch, 1U);
    EXPECT_EQ(hash(), at_45);
    EXPECT_FALSE(run->take_scene()) << "the caller already has the scene of the file";
    run->seek(0, 60);
    wait_for([&](const Snapshot& now) { return now.tick == 60 && now.place.branch == 0 && !now.place.is_seeking; });
    EXPECT_EQ(hash(), end_of_main);
    EXPECT_TRUE(test::in_time([&] { return run->take_scene().has_value(); }));
    const auto timeline = run->timeline();
    ASSERT_EQ(timeline->branches.size(), 2U);
    // The run goes on with new steps and new branches.
    run->single_step(10);
    wait_for_tick(70);
    EXPECT_EQ(run->take_messages(), std::vector<std::string>());
  }
}

TEST_F(SavedSessions, ASessionOfAResumedRunHoldsItsStart) {
  begin();
  run->single_step(20);
  wait_for_tick(20);
  std::promise<Result<void>> done;
  run->save_checkpoint(scratch.path("a.state"), [&](Result<void> good) { done.set_value(std::move(good)); });
  ASSERT_TRUE(done.get_future().get());
  run = std::make_unique<LiveRun>(test::checked(Run::resume(test::checked(open_checkpoint(scratch.path("a.state"))))));
  std::filesystem::remove(scratch.path("a.state"));
  run->submit(SetParameter{"world.gravity", Vec3(0, 4, 0)});
  run->single_step(20);
  wait_for_tick(20);
  const std::uint64_t expected = hash();
  save();
  open();
  wait_for_tick(20);
  EXPECT_EQ(hash(), expected);
  save(0);
  open();
  wait_for_tick(20);
  EXPECT_EQ(hash(), expected);
}

TEST_F(SavedSessions, ASessionThatBeganAtAMomentOpensWithAndWithoutKeyframes) {
  auto first = test::checked(Run::create(test::checked(open_scene("jelly-drop"))));
  ASSERT_TRUE(first.step(10));
  ASSERT_TRUE(first.set("world.gravity", Value(Vec3(0, 2, 0))));
  ASSERT_TRUE(first.step(10));
  run = std::make_unique<LiveRun>(std::move(first));
  run->single_step(20);
  wait_for_tick(40);
  const std::uint64_t expected = hash();
  for (const std::uint64_t limit : {any_size, std::uint64_t{0}}) {
    save(limit);
    open();
    wait_for_tick(40);
    EXPECT_EQ(hash(), expected);
    run->seek(0, 25);
    wait_for_tick(25);
    run->seek(0, 0);
    wait_for_tick(20);
    run->seek(0, 40);
    wait_for_tick(40);
    EXPECT_EQ(hash(), expected);
    EXPECT_EQ(run->take_messages(), std::vector<std::string>());
  }
}

TEST_F(SavedSessions, ADamagedFirstKeyframeIsComputedAgain) {
  auto first = test::checked(Run::create(test::checked(open_scene("jelly-drop"))));
  ASSERT_TRUE(first.step(20));
  run = std::make_unique<LiveRun>(std::move(first));
  const std::uint64_t at_20 = hash();
  run->single_step(20);
  wait_for_tick(40);
  const std::uint64_t at_40 = hash();
  save();
  std::string bytes = test::checked(read_file(path, any_size));
  const std::vector<SavedKeyframe> keyframes = test::checked(read_session_file(path)).keyframes;
  std::size_t damaged = 0;
  for (const SavedKeyframe& one : keyframes) {
    if (one.keyframe.tick != 20) continue;
    bytes[one.offset + 60] ^= 1;
    ++damaged;
  }
  ASSERT_EQ(damaged, 1U);
  std::ofstream(path, std::ios::binary) << bytes;
  open();
  wait_for_tick(40);
  EXPECT_EQ(hash(), at_40);
  run->seek(0, 20);
  wait_for_tick(20);
  EXPECT_EQ(hash(), at_20);
  EXPECT_EQ(run->take_messages(), std::vector<std::string>());
}

/// The test copies the growing file. The copy equals the file that would remain if the process were killed at this
/// moment. The requirement is a loss of at most half a second. The test allows a longer time, because machines that run
/// tests are busy.
TEST_F(SavedSessions, AKilledSessionLosesOnlyItsEnd) {
  begin({.recording = path});
  run->set_paused(false);
  std::vector<std::pair<std::uint64_t, std::chrono::steady_clock::time_point>> seen;
  const std::string copy = scratch.path("copy.vwj");
  for (int i = 0; i < 40; ++i) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
    while (std::chrono::steady_clock::now() < until) {
      if (run->acquire()) seen.emplace_back(run->newest().tick, std::chrono::steady_clock::now());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (i % 5 == 2) run->submit(SetParameter{"world.gravity", Vec3(0, -i, 0)});
    const auto now = std::chrono::steady_clock::now();
    std::filesystem::remove(copy);  // the copy_file of gcc 12 replaces no file on Windows
    std::filesystem::copy_file(path, copy);
    const SessionFacts facts = test::checked(session_facts(copy));
    ASSERT_EQ(facts.branches.size(), 1U);
    EXPECT_FALSE(facts.is_complete);
    std::uint64_t due = 0;
    for (const auto& [tick, when] : seen)
      if (now - when > std::chrono::milliseconds(1500)) due = tick;
    const double dt = run->newest().dt_s;
    EXPECT_GE(facts.branches[0].end_s + 0.5 * dt, static_cast<double>(due) * dt);
  }
  // The last copy can be opened and continued.
  ReopenedMoment reached = test::checked(reach(test::checked(open_session(copy))));
  EXPECT_TRUE(reached.agrees);
  EXPECT_GT(reached.run.tick(), 0U);
  const std::uint64_t hash = reached.run.hash();
  ReopenedMoment repeated = test::checked(repeat_session(copy));
  EXPECT_TRUE(repeated.agrees);
  EXPECT_EQ(repeated.run.hash(), hash);
}

TEST_F(SavedSessions, BranchesAreReachedByNameAndNumber) {
  begin();
  make_branches();
  run->rename_branch(1, "upwards");
  save();
  const SessionFacts facts = test::checked(session_facts(path));
  ASSERT_EQ(facts.branches.size(), 2U);
  EXPECT_EQ(facts.branches[1].name, "upwards");
  EXPECT_TRUE(facts.branches[1].is_present);
  EXPECT_TRUE(facts.branches[0].is_main);
  EXPECT_TRUE(facts.is_complete);
  EXPECT_TRUE(is_session_file(path));
  std::vector<std::uint64_t> hashes;
  for (const char* branch : {"Main", "0", "upwards", "1", ""}) {
    ReopenedMoment reached = test::checked(reach(test::checked(open_session(path)), branch));
    EXPECT_EQ(reached.run.tick(), 60U);
    hashes.push_back(reached.run.hash());
    ReopenedMoment repeated = test::checked(repeat_session(path, branch));
    EXPECT_EQ(repeated.run.hash(), hashes.back());
    EXPECT_EQ(repeated.run.commands(), reached.run.commands());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[2], hashes[3]);
  EXPECT_EQ(hashes[2], hashes[4]);
  EXPECT_NE(hashes[0], hashes[2]);
  const auto missing = reach(test::checked(open_session(path)), "sideways");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), HasSubstr("has no branch \"sideways\"; its branches are Main, upwards"));
}

TEST_F(SavedSessions, KeyframesOfAnotherBuildAreNotUsed) {
  begin();
  make_branches();
  const std::uint64_t expected = hash();
  save();
  // The first record of the file describes the build that saved the file. The test replaces this record, as if another
  // build had saved the file.
  SessionContents contents = test::checked(read_session_file(path));
  std::string bytes = test::checked(read_file(path, any_size));
  const std::string old_head = session_head(contents.start);
  ASSERT_TRUE(bytes.starts_with(old_head));
  contents.start.journal.build = "an older build";
  bytes.replace(0, old_head.size(), session_head(contents.start));
  std::ofstream(path, std::ios::binary) << bytes;
  OpenedSession opened = test::checked(open_session(path));
  ASSERT_EQ(opened.notes.size(), 1U);
  EXPECT_THAT(opened.notes[0], HasSubstr("an older build"));
  run = std::make_unique<LiveRun>(std::move(opened));
  wait_for_tick(60);
  EXPECT_EQ(hash(), expected);
}

TEST_F(SavedSessions, AFileWhoseJournalHasNoEntriesContinues) {
  begin();
  save();
  SessionContents contents = test::checked(read_session_file(path));
  std::string bytes = test::checked(read_file(path, any_size));
  const std::string old_head = session_head(contents.start);
  ASSERT_TRUE(bytes.starts_with(old_head));
  contents.start.journal.entries.clear();
  bytes.replace(0, old_head.size(), session_head(contents.start));
  std::ofstream(path, std::ios::binary) << bytes;
  run.reset();
  run = std::make_unique<LiveRun>(test::checked(open_session(path)));
  run->single_step(2);
  wait_for_tick(2);
}

}  // namespace
}  // namespace vw::api
