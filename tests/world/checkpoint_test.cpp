// Checkpoints and reports: a resumed world continues bit for bit, and damaged files are rejected.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/base/files/file.h"
#include "sim/base/random.h"
#include "tests/support/scratch.h"
#include "tests/world/mock_world.h"
#include "tests/world/shape_files.h"

namespace vw {
namespace {

using testing::HasSubstr;

Node scene_of_two() {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "a").set("velocity", Vec3(0.1, 0.2, 0.3));
  Node& b = mock::add_balls(scene, "fast", "b");
  b.set("position", Vec3(0, 1, 0));
  b.set("stable", 1e-3);
  mock::add_spring(scene);
  return scene;
}

TEST(Checkpoint, ResumesBitForBitWithEditsGrabsAndPendingPushes) {
  const test::Scratch scratch;
  const std::string path = scratch.path("resume.vwstate");
  auto session = Session::create(scene_of_two(), "text", {}, mock::registry());
  ASSERT_TRUE(session);
  World& world = session->world();
  for (int i = 0; i < 20; ++i) session->step();
  ASSERT_TRUE(session->apply(SetParameter{"world.gravity", Vec3(0, -1, 0)}));
  ASSERT_TRUE(session->apply(SetParameter{"world.dt", 0.007}));
  ASSERT_TRUE(session->apply(SetParameter{"system.a.gravity", true}));
  ASSERT_TRUE(session->apply(SetParameter{"interaction.spring.stiffness", 77.7}));
  // The edit takes effect at the next reset.
  ASSERT_TRUE(session->apply(SetParameter{"system.b.count", std::int64_t{9}}));
  ASSERT_TRUE(session->apply(Grab{"a", 1, Vec3(1, 1, 1), 5}));
  session->step();
  ASSERT_TRUE(session->apply(Push{"b", 2, Vec3(0, 0, 1), 0}));
  ASSERT_TRUE(session->save_checkpoint(path));

  const auto checkpoint = load_checkpoint(path);
  ASSERT_TRUE(checkpoint) << checkpoint.error().message();
  EXPECT_EQ(checkpoint->scene_text, "text");
  auto resumed = resume_world(scene_of_two(), *checkpoint, mock::registry());
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_TRUE(same_node((*resumed)->scene(), world.scene()));
  EXPECT_EQ((*resumed)->time(), world.time());
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ((*resumed)->hash(), world.hash()) << i;
    world.step();
    (*resumed)->step();
  }
  // The edit that waits for a reset is pending in both worlds.
  ASSERT_TRUE(world.apply(Reset{}));
  ASSERT_TRUE((*resumed)->apply(Reset{}));
  EXPECT_EQ(world.find_system("b")->elements().size(), 9U);
  EXPECT_EQ((*resumed)->hash(), world.hash());
  // A second checkpoint, of the resumed world, still contains all edits.
  EXPECT_EQ((*resumed)->edits().size(), world.edits().size());
}

TEST(Checkpoint, ResumesWhileAnotherFileWaitsForTheReset) {
  const test::Scratch scratch;
  const std::string first = scratch.write("first.obj", test::table_obj()),
                    second = scratch.write("second.obj", test::table_obj() + "# another file\n");
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "mesh", "table").set("source", first);
  auto session = Session::create(scene, "text");
  ASSERT_TRUE(session) << session.error().message();
  ASSERT_TRUE(session->step());
  ASSERT_TRUE(session->apply(SetParameter{"collider.table.source", second}));
  ASSERT_TRUE(session->save_checkpoint(scratch.path("pending.vwstate")));
  const auto checkpoint = load_checkpoint(scratch.path("pending.vwstate"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message();
  const auto resumed = resume_world(scene, *checkpoint);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ((*resumed)->hash(), session->world().hash());
}

TEST(Checkpoint, OfAnotherSceneIsRefusedAndTheWorldStaysAsItWas) {
  const auto world = mock::make_world(scene_of_two());
  world->step();
  Node other = scene_of_two();
  other.children.pop_back();
  const auto stranger = mock::make_world(other);
  StateBlock state;
  stranger->save_state(state);
  const std::uint64_t hash = world->hash();
  const auto loaded = world->load_state(state);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("does not match this scene"));
  EXPECT_EQ(world->hash(), hash);
}

TEST(Checkpoint, SurvivesThreeHundredDamagedFiles) {
  const test::Scratch scratch;
  const std::string path = scratch.path("damaged.vwstate");
  const auto world = mock::make_world(scene_of_two());
  world->step();
  ASSERT_TRUE(save_checkpoint(*world, "text", path));
  const std::string good = *read_file(path, 1 << 20);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::string bad = good;
    const auto words = random_words({seed, 5}, 0);
    if (words[0] % 3 == 0)
      bad.resize(words[1] % bad.size());
    else if (words[0] % 3 == 1)
      bad[words[1] % bad.size()] ^= static_cast<char>(1 + words[2] % 255);
    else
      bad.insert(words[1] % bad.size(), std::string(1 + words[2] % 64, static_cast<char>(words[3])));
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bad;
    const auto read = load_checkpoint(path);
    ASSERT_FALSE(read) << seed;
    EXPECT_THAT(read.error().message(), HasSubstr(path));
  }
}

TEST(Checkpoint, SurvivesStatesWithAValidChecksumAndHostileContent) {
  const auto world = mock::make_world(scene_of_two());
  world->step();
  StateBlock good;
  world->save_state(good);
  const std::uint64_t hash = world->hash();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    StateBlock bad = good;
    const auto words = random_words({seed, 6}, 0);
    auto& entry = bad.entries[words[0] % bad.entries.size()];
    switch (words[1] % 5) {
      case 0: entry.name += "x"; break;
      case 1: entry.element_bytes = words[2]; break;
      case 2: entry.size = entry.size / 2; break;
      case 3: bad.entries.resize(words[2] % bad.entries.size()); break;
      default: std::swap(entry, bad.entries[words[2] % bad.entries.size()]); break;
    }
    const auto loaded = world->load_state(bad);
    if (!loaded)
      EXPECT_EQ(world->hash(), hash) << seed;
    else
      ASSERT_TRUE(world->load_state(good));
  }
}

TEST(Checkpoint, HeadersThatLieAreRefused) {
  const test::Scratch scratch;
  const std::string path = scratch.path("lying.vwstate");
  const auto world = mock::make_world(scene_of_two());
  StateBlock state;
  world->save_state(state);
  for (const char* header : {"", "{", "[]", "{}", R"({"scene":1,"build":"b","edits":[],"in_force":[]})",
                             R"({"scene":"s","build":"b","edits":[1],"in_force":[]})",
                             R"({"scene":"s","build":"b","edits":["{\"reset\":{}}"],"in_force":[]})",
                             R"({"scene":"s","build":"b","edits":[]})"}) {
    ASSERT_TRUE(write_state_file(path, header, state));
    const auto read = load_checkpoint(path);
    ASSERT_FALSE(read) << header;
    EXPECT_THAT(read.error().message(), HasSubstr("is not a valid checkpoint"));
  }
  ASSERT_TRUE(write_state_file(
      path, R"({"scene":"s","build":"b","edits":["{\"set\":{\"path\":\"nothing\",\"value\":1}}"],"in_force":[]})",
      state));
  const auto checkpoint = load_checkpoint(path);
  ASSERT_TRUE(checkpoint);
  EXPECT_FALSE(resume_world(scene_of_two(), *checkpoint, mock::registry()));
}

TEST(Session, RunsToATimeAndReports) {
  auto session = Session::create(scene_of_two(), "text", {}, mock::registry());
  ASSERT_TRUE(session);
  int calls = 0;
  EXPECT_EQ(session->run(1.0, [&](Session&) { return ++calls > 0; }), Session::End::reached);
  EXPECT_EQ(calls, 120);
  EXPECT_EQ(session->run(2.0, [&](Session& s) { return s.tick() < 130; }), Session::End::stopped);
  const auto report = nlohmann::json::parse(session->report("my scene"));
  EXPECT_EQ(report["scene"], "my scene");
  EXPECT_EQ(report["steps"], 130);
  EXPECT_NEAR(report["simulated_s"].get<double>(), 130.0 / 120, 1e-9);
  EXPECT_EQ(report["final_state_hash"], hash_text(session->world().hash()));
  EXPECT_EQ(report["health"]["ok"], true);
  ASSERT_EQ(report["systems"].size(), 2U);
  const auto& b = report["systems"][1];
  EXPECT_EQ(b["name"], "b");
  EXPECT_EQ(b["kind"], "fast");
  EXPECT_EQ(b["count"], 3);
  EXPECT_EQ(b["substeps"], 9);
  EXPECT_GT(b["updates_per_s"].get<double>(), 0);
  for (const char* key : {"substep_dt_s", "wall_s", "kinetic_energy", "potential_energy", "elastic_energy", "mass"})
    EXPECT_TRUE(b[key].is_number()) << key;
  for (const char* key : {"momentum", "angular_momentum", "centre_of_mass"}) EXPECT_EQ(b[key].size(), 3U) << key;
  for (const char* key : {"build", "threads", "wall_s", "realtime_factor"}) EXPECT_TRUE(report.contains(key)) << key;
}

TEST(Session, AHealthFailureEndsARunAndShowsInTheReport) {
  Node scene = scene_of_two();
  ASSERT_TRUE(set_parameter(scene, "system.a.break_time", 0.5));
  auto session = Session::create(scene, "text", {}, mock::registry());
  ASSERT_TRUE(session);
  EXPECT_EQ(session->run(1.0), Session::End::failed);
  const auto report = nlohmann::json::parse(session->report("broken"));
  EXPECT_EQ(report["health"]["ok"], false);
  EXPECT_THAT(report["health"]["sentence"].get<std::string>(), HasSubstr("position is not finite"));
}

}  // namespace
}  // namespace vw
