// Commands and journals: conversion to text and back without loss, and malformed input.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sim/base/files/file.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/world/build_info.h"
#include "tests/support/scratch.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using testing::HasSubstr;

void expect_round_trip(const Command& command) {
  const std::string text = to_json(command);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto back = command_from_json(text);
  ASSERT_TRUE(back) << text << ": " << back.error().message();
  EXPECT_EQ(back->index(), command.index());
  EXPECT_EQ(to_json(*back), text);
  if (const auto* set = std::get_if<SetParameter>(&command)) {
    EXPECT_EQ(std::get<SetParameter>(*back).path, set->path);
    EXPECT_TRUE(same_value(std::get<SetParameter>(*back).value, set->value)) << text;
  }
}

TEST(CommandJson, EveryCommandAndValueReadsBackToTheSameBits) {
  const std::vector<Value> values{true,
                                  std::int64_t{3},
                                  std::int64_t{INT64_MIN},
                                  3.0,
                                  -0.0,
                                  0.1,
                                  5e-324,
                                  1.7976931348623157e308,
                                  Vec3(0, -9.81, 1e-17),
                                  std::string("a \"quoted\"\nline \\ and \xC3\xBC"),
                                  NumberList{},
                                  NumberList{1, 2, 3},
                                  TextList{},
                                  TextList{"110/101", ""}};
  for (const Value& value : values) expect_round_trip(SetParameter{"world.gravity", value});
  expect_round_trip(Grab{"creature", 12, Vec3(0.1, 0.2, 0.3), 12.5});
  expect_round_trip(MoveGrab{Vec3(1, 2, 3)});
  expect_round_trip(Release{});
  expect_round_trip(Push{"creature", 0, Vec3(0, 1, 0), 0.05});
  expect_round_trip(Settle{"creature"});
  expect_round_trip(Reset{});
  EXPECT_EQ(to_json(SetParameter{"world.gravity", Vec3(0, -9.81, 0)}),
            R"({"set":{"path":"world.gravity","value":[0.0,-9.81,0.0]}})");
}

TEST(CommandJson, RandomRealsReadBackToTheSameBits) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto words = random_words({1, 2}, i);
    const double x = std::bit_cast<double>((std::uint64_t{words[0]} << 32) | words[1]);
    if (std::isfinite(x)) expect_round_trip(SetParameter{"p", x});
  }
}

TEST(CommandJson, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "not valid JSON"},
      {"{", "not valid JSON"},
      {"[]", "object with one member"},
      {"{}", "object with one member"},
      {R"({"set":{},"reset":{}})", "object with one member"},
      {R"({"explode":{}})", "\"explode\" is not a command"},
      {R"({"set":{"value":1}})", "\"path\" is missing"},
      {R"({"set":{"path":"p"}})", "\"value\" is missing"},
      {R"({"set":{"path":"p","value":null}})", "value"},
      {R"({"set":{"path":"p","value":[1,2]}})", "three numbers"},
      {R"({"set":{"path":"p","value":[1,2,"x"]}})", "three finite numbers"},
      {R"({"set":{"path":"p","value":1e999}})", "not valid JSON"},
      {R"({"set":{"path":"p","value":NaN}})", "not valid JSON"},
      {R"({"set":{"path":"p","value":99999999999999999999}})", ""},
      {R"({"set":{"path":"p","value":18446744073709551615}})", "whole number"},
      {R"({"set":{"path":"p","value":{"numbers":[1,"2"]}}})", "not a number"},
      {R"({"grab":{"system":"a","element":1.5,"target":[0,0,0],"stiffness":1}})", "\"element\""},
      {R"({"move":[]})", "target"},
      {R"({"push":7})", "system"},
      {std::string(100000, '['), "nested"},
      {"{\"set\":{\"path\":\"p\",\"value\":{\"numbers\":[0" + std::string(3000000, ',') + "]}}}",
       "more than 2097152 values"},
  };
  for (const auto& [text, part] : bad) {
    const auto read = command_from_json(text);
    // If the expected message is empty, the entry need not be an error. For example, a huge integer is read as a real
    // number, which the check of the parameter accepts or rejects later.
    if (part.empty()) continue;
    ASSERT_FALSE(read) << text.substr(0, 80);
    EXPECT_THAT(read.error().message(), HasSubstr(part)) << text.substr(0, 80);
  }
}

/// Runs a headless session with commands of six kinds, which writes its journal to `path`. Returns the final state hash
/// as text.
std::string play_session(const std::string& path) {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "a").set("count", std::int64_t{5000});
  Node& b = mock::add_balls(scene, "fast", "b");
  b.set("count", std::int64_t{5000});
  b.set("position", Vec3(0, 1, 0));
  b.set("stable", 1e-3);
  mock::add_spring(scene);
  auto session = Session::create(scene, "the scene", path, mock::registry());
  EXPECT_TRUE(session);
  const auto steps = [&](int n) {
    for (int i = 0; i < n; ++i) EXPECT_TRUE(session->step());
  };
  steps(10);
  EXPECT_TRUE(session->apply(SetParameter{"interaction.spring.stiffness", 55.5}));
  EXPECT_TRUE(session->apply(Push{"a", 17, Vec3(1, 2, 3), 2.5}));
  steps(7);
  EXPECT_TRUE(session->apply(Grab{"b", 3, Vec3(0, 5, 0), 20}));
  EXPECT_FALSE(session->apply(SetParameter{"nothing", 1.0}));
  steps(5);
  EXPECT_TRUE(session->apply(MoveGrab{Vec3(1, 5, 0)}));
  steps(5);
  EXPECT_TRUE(session->apply(Release{}));
  EXPECT_TRUE(session->apply(SetParameter{"system.a.count", std::int64_t{4000}}));
  steps(3);
  EXPECT_TRUE(session->apply(Reset{}));
  EXPECT_TRUE(session->apply(SetParameter{"world.dt", 0.01}));
  steps(120);
  EXPECT_TRUE(session->finish());
  return hash_text(session->world().hash());
}

std::unique_ptr<World> fresh_world() {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "a").set("count", std::int64_t{5000});
  Node& b = mock::add_balls(scene, "fast", "b");
  b.set("count", std::int64_t{5000});
  b.set("position", Vec3(0, 1, 0));
  b.set("stable", 1e-3);
  mock::add_spring(scene);
  return mock::make_world(scene);
}

TEST(Journal, AReplayGivesTheSameHashAtEveryStepForAnyNumberOfThreads) {
  const test::Scratch scratch;
  const std::string path = scratch.path("replay.journal");
  set_thread_count(2);
  const std::string end = play_session(path);
  const auto journal = read_journal(path);
  ASSERT_TRUE(journal) << journal.error().message();
  EXPECT_TRUE(journal->complete);
  EXPECT_EQ(journal->scene_text, "the scene");
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto world = fresh_world();
    std::vector<std::uint64_t> hashes;
    const auto outcome = replay(*world, *journal, [&](World& w) { hashes.push_back(w.hash()); });
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->steps, 150U);
    EXPECT_EQ(outcome->hashes_checked, 3U);  // at the start, at tick 128 and at the end
    EXPECT_EQ(hash_text(world->hash()), end);
    if (first.empty()) first = hashes;
    EXPECT_EQ(hashes, first) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(Journal, AReplayThatGoesAstraySaysAtWhichTick) {
  const test::Scratch scratch;
  const std::string path = scratch.path("astray.journal");
  play_session(path);
  auto journal = read_journal(path);
  ASSERT_TRUE(journal);
  // `true_hash` is the hash shortly after the push in a correct replay.
  std::uint64_t true_hash = 0;
  ASSERT_TRUE(replay(*fresh_world(), *journal, [&](World& w) {
    if (w.step_count() == 17 && true_hash == 0) true_hash = w.hash();
  }));
  const auto after_push = std::find_if(journal->entries.begin(), journal->entries.end(),
                                       [](const JournalEntry& e) { return e.tick == 17; });
  journal->entries.insert(after_push, JournalEntry{17, JournalEntry::Kind::hash, {}, true_hash});
  EXPECT_TRUE(replay(*fresh_world(), *journal));
  for (auto& entry : journal->entries)
    if (auto* push = std::get_if<Push>(&entry.command)) push->impulse.x() += 1e-9;
  const auto astray = replay(*fresh_world(), *journal);
  ASSERT_FALSE(astray);
  EXPECT_THAT(astray.error().message(), HasSubstr("step 17"));
  EXPECT_THAT(astray.error().message(), HasSubstr(hash_text(true_hash)));
}

TEST(Journal, AnInterruptedSessionLeavesAReadableJournal) {
  const test::Scratch scratch;
  const std::string path = scratch.path("interrupted.journal");
  play_session(path);
  std::string text = *read_file(path, 1 << 20);
  const auto end_line = text.rfind("{\"tick\":", text.size() - 2);
  const auto cut = journal_from_text(std::string_view(text).substr(0, end_line + 5), path);
  ASSERT_TRUE(cut) << cut.error().message();
  EXPECT_FALSE(cut->complete);
  EXPECT_TRUE(replay(*fresh_world(), *cut));
}

TEST(Journal, MalformedLinesAreErrorsWithTheirLine) {
  const std::string head = "{\"voxwake_journal\":1,\"build\":\"b\",\"scene\":\"s\"}\n";
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "is empty"},
      {"hello\n", "is not a Voxwake journal"},
      {"{\"voxwake_journal\":2,\"build\":\"b\",\"scene\":\"s\"}\n", "version"},
      {"{\"voxwake_journal\":1,\"build\":\"b\"}\n", "\"scene\" is missing"},
      {head + "\n", "f:2"},
      {head + "{\"tick\":-1,\"hash\":\"0000000000000000\"}\n", "\"tick\""},
      {head + "{\"tick\":1,\"hash\":\"xyz\"}\n", "16 hexadecimal digits"},
      {head + "{\"tick\":1,\"command\":{\"fly\":{}}}\n", "\"fly\" is not a command"},
      {head + "{\"tick\":5,\"hash\":\"0000000000000000\"}\n{\"tick\":4,\"hash\":\"0000000000000000\"}\n",
       "f:3: tick 4 follows tick 5"},
      {head + "{\"tick\":5,\"end\":true,\"hash\":\"0000000000000000\"}\n{\"tick\":6,\"hash\":\"0000000000000000\"}\n",
       "follows the end"},
      {head + std::string(100000, '[') + "\n", "f:2: the JSON is nested"},
  };
  for (const auto& [text, part] : bad) {
    const auto read = journal_from_text(text, "f");
    ASSERT_FALSE(read) << text.substr(0, 80);
    EXPECT_THAT(read.error().message(), HasSubstr(part));
    EXPECT_EQ(read.error().message().find('\n'), std::string::npos);
  }
  EXPECT_THAT(read_journal("/nowhere/at/all").error().message(), HasSubstr("/nowhere/at/all"));
  EXPECT_FALSE(JournalWriter::open("/nowhere/at/all", "s"));
}

/// Applies one to eight random changes to a valid file. A change replaces a byte, truncates the text, inserts a token
/// that parsers often mishandle, removes a piece or duplicates a piece.
std::string mutate(const std::string& good, std::uint64_t seed) {
  const RandomKey key{seed, 99};
  auto pick = [&, lane = std::uint64_t{0}](std::size_t n) mutable {
    return random_words(key, 0, lane++)[0] % std::max<std::size_t>(1, n);
  };
  static const std::vector<std::string> fears{
      "NaN",          "1e999", "-1",       "null", "{}", "[]", "\"", "\\u0000", "99999999999999999999999",
      "[[[[[[[[[[[[", "\n",    "\xff\xfe", "true"};
  std::string text = good;
  const std::size_t edits = 1 + pick(8);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = pick(text.size());
    switch (pick(5)) {
      case 0: text[at] = static_cast<char>(pick(256)); break;
      case 1: text.resize(at); break;
      case 2: text.insert(at, fears[pick(fears.size())]); break;
      case 3: text.erase(at, pick(40)); break;
      default: text.insert(at, text.substr(pick(text.size()), pick(200))); break;
    }
  }
  return text;
}

TEST(Journal, SurvivesFiveHundredMutations) {
  const test::Scratch scratch;
  const std::string path = scratch.path("hostile.journal");
  play_session(path);
  const std::string good = *read_file(path, 1 << 20);
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto read = journal_from_text(mutate(good, seed), "hostile");
    if (read) continue;
    ++refused;
    EXPECT_FALSE(read.error().message().empty());
    EXPECT_EQ(read.error().message().find('\n'), std::string::npos);
  }
  EXPECT_GT(refused, 250) << "the mutations hardly hurt, so nothing was tested";
}

TEST(Journal, RefusesATickThatNoSessionReaches) {
  const std::string text =
      "{\"voxwake_journal\":1,\"build\":\"b\",\"scene\":\"\"}\n{\"tick\":1000000000000,\"command\":{\"reset\":true}}\n";
  const auto journal = journal_from_text(text, "long.journal");
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().message(), HasSubstr("long.journal:2: tick 1000000000000 exceeds 1000000000"));
}

TEST(BuildInfo, NamesTheInstructionSetThatKernelsRunOn) {
  // The build description reveals that a journal was recorded with another instruction set, although the program file
  // is the same.
  const std::string best = build_description();
  std::set<std::string> names;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    names.insert(build_description());
  }
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_EQ(build_description(), best);
  EXPECT_TRUE(names.contains(best));
  EXPECT_GT(names.size(), 1U) << "one instruction set alone: nothing was tested";
}

}  // namespace
}  // namespace vw
