// Session files: a saved session is read back equal, and the intact part of a damaged or incomplete file is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/base/files/file.h"
#include "sim/history/run_history.h"
#include "sim/scene/scene.h"
#include "tests/support/checked.h"
#include "tests/support/dice.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using testing::HasSubstr;
constexpr std::uint64_t any_size = std::uint64_t{1} << 30;
constexpr auto any_command = std::numeric_limits<std::uint64_t>::max();

/// A session with branches, bookmarks, edits, a reset and changes of nodes.
class SessionFile : public testing::Test {
 protected:
  SessionFile()
      : scene(test::packaged_scene("jelly-drop")),
        session(test::checked(Session::create(scene, write_scene_toml(scene)))) {}

  void play(RunHistory& history, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(history.step());
  }
  void go(RunHistory& history, const RunMoment& to) {
    ASSERT_TRUE(history.seek(to));
    while (history.continue_seek()) {
    }
  }
  void make_branches(RunHistory& history) {
    play(history, 140);
    ASSERT_TRUE(history.apply(SetParameter{"world.gravity", Vec3(0, -3, 0)}));
    play(history, 60);
    ASSERT_TRUE(history.add_bookmark({history.now().tick, "a \"name\"\nof two lines"}));
    history.wait_until_packed();
    go(history, {0, 100, any_command});
    ASSERT_TRUE(history.apply(Reset{}));
    play(history, 30);
    ASSERT_TRUE(history.apply(
        ChangeNodes{.changes = {{.parent = {}, .node = {"collider", "sphere", "added", {}, {}}}}, .values = {}}));
    play(history, 10);
    ASSERT_TRUE(history.rename(1, "after the reset"));
    ASSERT_TRUE(history.promote(1));
    history.wait_until_packed();
  }
  /// Saves the history, and returns the content of the file.
  std::string saved(RunHistory& history, std::uint64_t limit = any_size) {
    history.set_display("[view]\n");
    EXPECT_TRUE(history.saver(path, limit)());
    return test::checked(read_file(path, any_size));
  }
  Result<SessionContents> read(const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return read_session_file(path);
  }
  [[nodiscard]] Result<BranchTree> tree_of(SessionContents& contents) const {
    return BranchTree::restore(std::move(contents.tree), SceneVersion{scene, scene, scene, {}});
  }

  test::Scratch scratch;
  std::string path = scratch.path("session.vwj");
  Node scene;
  Session session;
};

TEST_F(SessionFile, HoldsTheWholeTree) {
  RunHistory history(session);
  make_branches(history);
  SessionContents contents = test::checked(read(saved(history)));
  EXPECT_TRUE(contents.is_complete);
  EXPECT_EQ(contents.damaged_bytes, 0U);
  EXPECT_EQ(contents.present, history.now());
  EXPECT_EQ(contents.display, "[view]\n");
  // The number of keyframes depends on the speed of the machine.
  EXPECT_GT(contents.keyframes.size(), 0U);
  EXPECT_EQ(contents.keyframes.size(), history.keyframes().all().size());
  EXPECT_EQ(contents.start.journal.scene_text, write_scene_toml(scene));
  const BranchTree tree = test::checked(tree_of(contents));
  EXPECT_EQ(tree.main(), 1U);
  EXPECT_EQ(tree.next(), 2U);
  ASSERT_EQ(tree.branches().size(), history.tree().branches().size());
  for (const auto& [number, branch] : history.tree().branches()) {
    const BranchTree::Branch& read = tree.branch(number);
    EXPECT_EQ(read.name, branch.name);
    EXPECT_EQ(read.parent, branch.parent);
    EXPECT_EQ(read.bookmarks, branch.bookmarks);
    EXPECT_EQ(tree.end(number), history.tree().end(number));
    EXPECT_EQ(tree.elapsed_s(number, read.end_tick), history.tree().elapsed_s(number, branch.end_tick));
    EXPECT_EQ(read.hashes.size(), branch.hashes.size());
    for (std::uint64_t commands = branch.fork_commands; commands <= branch.commands(); ++commands)
      EXPECT_EQ(write_scene_toml(tree.scene_at(number, commands)->scene),
                write_scene_toml(history.tree().scene_at(number, commands)->scene));
  }
}

TEST_F(SessionFile, IsWrittenWhileTheSessionRuns) {
  {
    RunHistory history(session, {.recording = path});
    make_branches(history);
    history.update_recording();
    ASSERT_TRUE(history.remove(1));
  }
  SessionContents contents = test::checked(read_session_file(path));
  EXPECT_TRUE(contents.is_complete);
  EXPECT_EQ(contents.tree.branches.size(), 2U) << "the last update was before the removal";
  EXPECT_TRUE(tree_of(contents));
}

TEST_F(SessionFile, ARemovedBranchIsNotReadAgain) {
  {
    RunHistory history(session, {.recording = path});
    make_branches(history);
    history.update_recording();
    ASSERT_TRUE(history.remove(1));
    while (history.continue_seek()) {
    }
    history.update_recording();
  }
  SessionContents contents = test::checked(read_session_file(path));
  EXPECT_EQ(contents.tree.branches.size(), 1U);
  EXPECT_EQ(test::checked(tree_of(contents)).next(), 2U) << "numbers are not used again";
}

TEST_F(SessionFile, AFileCutAnywhereHoldsWhatComesBefore) {
  std::string bytes;
  {
    RunHistory history(session, {.recording = path});
    for (int i = 0; i < 40; ++i) {
      play(history, 3);
      if (i % 4 == 0) {
        ASSERT_TRUE(history.apply(SetParameter{"world.gravity", Vec3(0, -i, 0)}));
      }
      history.update_recording();
    }
    history.wait_until_packed();
  }
  bytes = test::checked(read_file(path, any_size));
  test::Dice dice(3);
  std::uint64_t most = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = dice.below(bytes.size() + 1);
    auto contents = read(bytes.substr(0, size));
    if (!contents) {
      EXPECT_LT(size, 20'000U) << contents.error().message();  // only an incomplete start is an error
      continue;
    }
    EXPECT_EQ(contents->is_complete, size == bytes.size());
    if (contents->tree.branches.empty()) continue;
    const auto tree = tree_of(*contents);
    ASSERT_TRUE(tree) << tree.error().message();
    most = std::max(most, tree->end(0).tick);
  }
  EXPECT_GT(most, 100U);
}

TEST_F(SessionFile, FlippedBytesNeverCrash) {
  RunHistory history(session);
  make_branches(history);
  const std::string bytes = saved(history);
  test::Dice dice(5);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k < 3; ++k) damaged[dice.below(damaged.size())] = static_cast<char>(dice.below(256));
    auto contents = read(damaged);
    if (!contents) {
      EXPECT_THAT(contents.error().message(), HasSubstr(path));
      continue;
    }
    (void)tree_of(*contents);
    std::vector<std::byte> packed;
    for (const SavedKeyframe& keyframe : contents->keyframes) (void)contents->file->read(keyframe, packed);
  }
}

TEST_F(SessionFile, ADamagedKeyframeIsReplacedByAnEarlierOne) {
  std::vector<std::uint64_t> hashes{session.world().hash()};
  std::string bytes;
  {
    RunHistory history(session);
    for (int i = 0; i < 200; ++i) play(history, 1), hashes.push_back(session.world().hash());
    history.wait_until_packed();
    bytes = saved(history);
  }
  SessionContents contents = test::checked(read(bytes));
  for (std::size_t i = 1; i < contents.keyframes.size(); ++i) bytes[contents.keyframes[i].offset + 60] ^= 1;
  contents = test::checked(read(bytes));
  auto tree = tree_of(contents);
  Session again = test::checked(Session::create(scene, write_scene_toml(scene)));
  RunHistory history(again, {},
                     {.tree = std::move(*tree),
                      .present = contents.present,
                      .earlier = {},
                      .display = {},
                      .keyframes = contents.keyframes,
                      .file = contents.file});
  for (const std::uint64_t tick : {200U, 50U, 120U}) {
    // Each search gives up after it has found three damaged keyframes. These are removed from the list, so the next
    // search tries others.
    for (int i = 0; i < 20 && !history.seek({0, tick, any_command}); ++i) {
    }
    while (history.continue_seek()) {
    }
    EXPECT_EQ(history.now().tick, tick);
    EXPECT_EQ(again.world().hash(), hashes[tick]);
  }
}

TEST_F(SessionFile, WithoutItsFirstStateAHistoryTakesNoStep) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.step());
  std::string bytes;
  {
    RunHistory history(session);
    play(history, 3);
    history.wait_until_packed();
    bytes = saved(history);
  }
  SessionContents contents = test::checked(read(bytes));
  ASSERT_FALSE(contents.keyframes.empty());
  for (const SavedKeyframe& one : contents.keyframes) bytes[one.offset + 60] ^= 1;
  contents = test::checked(read(bytes));
  auto tree = tree_of(contents);
  ASSERT_TRUE(tree);
  Session again = test::checked(Session::create(scene, write_scene_toml(scene)));
  RunHistory history(again, {},
                     {.tree = std::move(*tree),
                      .present = contents.present,
                      .earlier = {},
                      .display = {},
                      .keyframes = contents.keyframes,
                      .file = contents.file});
  EXPECT_FALSE(history.seek({0, 8, any_command}));
  EXPECT_FALSE(history.step());
  EXPECT_FALSE(history.apply(SetParameter{"world.gravity", Vec3(0, 1, 0)}));
  EXPECT_EQ(again.tick(), 0U);
}

TEST_F(SessionFile, WhatIsWrongIsSaidInOneSentence) {
  const auto message = [&](const std::string& bytes) { return read(bytes).error().message(); };
  EXPECT_THAT(message(""), HasSubstr("is not a Voxwake session"));
  EXPECT_THAT(message("\x89PNG\r\n\x1a\n"), HasSubstr("is not a Voxwake session"));
  EXPECT_THAT(message("\x89VWJ\r\n\x1a\n"), HasSubstr("its scene is missing"));
  EXPECT_THAT(read_session_file(scratch.path("nothing")).error().message(), HasSubstr("nothing"));
  EXPECT_THAT(read_session_file(scratch.folder()).error().message(), HasSubstr("is not a Voxwake session"));
  RunHistory history(session);
  std::string bytes = saved(history);
  bytes[8 + 24 + 2] ^= 1;
  EXPECT_THAT(message(bytes), HasSubstr("is a damaged session"));
}

TEST_F(SessionFile, AnInconsistentTreeIsRefused) {
  RunHistory history(session);
  make_branches(history);
  const SessionContents good = test::checked(read(saved(history)));
  const auto message = [&](const std::function<void(BranchTree::Stored&)>& change) {
    SessionContents contents = good;
    change(contents.tree);
    const auto tree = tree_of(contents);
    return tree ? std::string() : tree.error().message();
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_THAT(message([](auto& tree) { tree.branches.erase(0); }), HasSubstr("the first branch is missing"));
  EXPECT_THAT(message([](auto& tree) { tree.main = 9; }), HasSubstr("branch 9 does not exist"));
  EXPECT_THAT(message([](auto& tree) {
                for (BranchNumber i = 2; i <= BranchTree::most_branches; ++i) tree.branches[i] = tree.branches[1];
              }),
              HasSubstr("it has 10001 branches: expected at most 10000"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[1].parent = 1; }), HasSubstr("branch 1"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[1].parent = 7; }), HasSubstr("branch 1"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[0].parent = 1; }), HasSubstr("branch 0"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[1].fork_tick = 5000; }), HasSubstr("branch 1"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[1].fork_commands = 40; }), HasSubstr("branch 1"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[0].entries[0].tick = 5000; }), HasSubstr("a command at step"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[0].step_lengths.clear(); }), HasSubstr("no step length"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[0].step_lengths[0].dt_s = -1; }), HasSubstr("step length"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[0].name.clear(); }), HasSubstr("no name"));
  EXPECT_THAT(message([](auto& tree) { tree.branches[0].end_tick = std::uint64_t{1} << 60U; }), HasSubstr("ends at"));
  EXPECT_THAT(message([](auto& tree) {
                tree.branches[0].entries[0].command = SetParameter{"world.nonsense", 1.0};
              }),
              HasSubstr("does not fit its scene"));
}

TEST_F(SessionFile, AFullDiskIsReportedOnceAndTheRunGoesOn) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no device that is always full";
  RunHistory history(session, {.recording = "/dev/full"});
  play(history, 200);
  history.update_recording();
  history.wait_until_packed();
  std::vector<std::string> messages;
  for (int i = 0; i < 200 && messages.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    history.update_recording();
    messages = history.take_messages();
  }
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_THAT(messages[0], HasSubstr("/dev/full"));
  play(history, 10);
  EXPECT_EQ(history.take_messages(), std::vector<std::string>());
}

TEST_F(SessionFile, KeyframesBecomeRareWhenTheFileIsFull) {
  {
    RunHistory history(session, {.recording = path, .recording_bytes = 180'000});
    play(history, 1000);
    history.wait_until_packed();
    history.update_recording();
  }
  const std::uint64_t size = std::filesystem::file_size(path);
  const SessionContents contents = test::checked(read_session_file(path));
  ASSERT_GT(contents.keyframes.size(), 2U);
  EXPECT_LT(size, 250'000U);
  const double first = contents.keyframes[1].keyframe.elapsed_s - contents.keyframes[0].keyframe.elapsed_s;
  const std::size_t n = contents.keyframes.size();
  EXPECT_LE(first, contents.keyframes[n - 1].keyframe.elapsed_s - contents.keyframes[n - 2].keyframe.elapsed_s);
}

}  // namespace
}  // namespace vw
