// Commands that add and remove members and particles while a world runs, and the corresponding journal entries.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scene/scene.h"
#include "sim/system/flock/flock.h"
#include "sim/world/session.h"
#include "tests/support/scratch.h"
#include "tests/support/world_of.h"

namespace vw::test {
namespace {

using ::testing::HasSubstr;

Node scene() {
  const auto loaded = read_scene_toml(R"(
[[system]]
kind = "flock"
name = "school"
[[system.species]]
name = "fish"
[[system.species]]
name = "shark"
length = 0.5
[[system.swarm]]
kind = "box"
name = "start"
count = 60
size = [4, 2, 4]
[[system]]
kind = "particles"
name = "dust"
[[system.emitter]]
kind = "sphere"
name = "puff"
burst = 50
rate = 20
[[system]]
kind = "rigid"
name = "rocks"
[[system.body]]
kind = "sphere"
name = "rock"
)",
                                      "commands.toml");
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message());
  return loaded ? loaded->root : make_node(scene_schema());
}

const Elements& rows(World& world, const std::string& name) { return world.find_system(name)->elements(); }

TEST(CensusCommands, RemoveTakesOneOrAllWithinARadius) {
  const auto world = world_of(scene());
  const auto gone = rows(*world, "school").id[7];
  ASSERT_TRUE(world->apply(Remove{"school", 7, Vec3::Zero(), 0}));
  EXPECT_EQ(rows(*world, "school").size(), 60u);
  ASSERT_TRUE(world->step());
  EXPECT_EQ(rows(*world, "school").size(), 59u);
  EXPECT_EQ(std::count(rows(*world, "school").id.begin(), rows(*world, "school").id.end(), gone), 0);
  const Vec3 middle(0.5, 1, 0);
  std::size_t within = 0;
  for (const Vec3& x : rows(*world, "school").position) within += (x - middle).norm() <= 1 ? 1 : 0;
  ASSERT_GT(within, 3u);
  ASSERT_TRUE(world->apply(Remove{"school", -1, middle, 1}));
  ASSERT_TRUE(world->step());
  EXPECT_EQ(rows(*world, "school").size(), 59 - within);
  const std::size_t dust = rows(*world, "dust").size();
  ASSERT_TRUE(world->apply(Remove{"dust", 0, Vec3::Zero(), 0}));
  ASSERT_TRUE(world->step());
  EXPECT_LE(rows(*world, "dust").size(), dust);
  EXPECT_EQ(rows(*world, "dust").id[0], 1u);
}

TEST(CensusCommands, SpawnPutsMembersOfASpeciesAboutAPlace) {
  const auto world = world_of(scene());
  ASSERT_TRUE(world->apply(Spawn{"school", "shark", Vec3(10, 1, 0), 3}));
  ASSERT_TRUE(world->apply(Spawn{"school", "", Vec3(-10, 1, 0), 1}));
  ASSERT_TRUE(world->step());
  const auto& flock = static_cast<const FlockSystem&>(*world->find_system("school"));
  ASSERT_EQ(flock.rows().size(), 64u);
  for (std::size_t i = 60; i < 63; ++i) {
    EXPECT_EQ(flock.rows().species[i], 1);
    EXPECT_LT((flock.rows().elements.position[i] - Vec3(10, 1, 0)).norm(), 1.5);
  }
  EXPECT_EQ(flock.rows().species[63], 0);
}

TEST(CensusCommands, WhatCannotBeDoneIsSaidAndChangesNothing) {
  const auto world = world_of(scene());
  ASSERT_TRUE(world->step());
  const std::uint64_t hash = world->hash();
  const double nan = std::nan("");
  const std::vector<std::pair<Command, std::string>> bad{
      {Remove{"nobody", 0, Vec3::Zero(), 0}, "must name a system"},
      {Remove{"rocks", 0, Vec3::Zero(), 0}, "must name a flock or a particle system"},
      {Remove{"school", 60, Vec3::Zero(), 0}, "of school, in [0, 60)"},
      {Remove{"school", -2, Vec3::Zero(), 0}, "of school, in [0, 60)"},
      {Remove{"school", INT64_MAX, Vec3::Zero(), 0}, "of school, in [0, 60)"},
      {Remove{"school", -1, Vec3(0, nan, 0), 1}, "must have three finite coordinates"},
      {Remove{"school", 0, Vec3::Zero(), -1}, "must be finite and not negative"},
      {Remove{"school", 0, Vec3::Zero(), nan}, "must be finite and not negative"},
      {Spawn{"nobody", "", Vec3::Zero(), 1}, "must name a system"},
      {Spawn{"dust", "", Vec3::Zero(), 1}, "must name a flock"},
      {Spawn{"school", "whale", Vec3::Zero(), 1}, "must be one of fish, shark"},
      {Spawn{"school", "", Vec3::Zero(), 0}, "must lie in [1, "},
      {Spawn{"school", "", Vec3::Zero(), INT64_MAX}, "must lie in [1, "},
      {Spawn{"school", "", Vec3(INFINITY, 0, 0), 1}, "must have three finite coordinates"},
      {Spawn{"school", "", Vec3(0, 1e300, 0), 1}, "must have coordinates in [-1e+12, 1e+12] m"},
  };
  for (const auto& [command, part] : bad) {
    const auto done = world->apply(command);
    ASSERT_FALSE(done) << part;
    EXPECT_THAT(done.error().message(), HasSubstr(part));
    EXPECT_EQ(world->hash(), hash) << part;
  }
}

TEST(CensusCommands, ReadBackFromTheirJson) {
  const auto back = command_from_json(to_json(Remove{"school", -1, Vec3(0.1, 5e-324, -3), 0.7}));
  ASSERT_TRUE(back);
  const auto& remove = std::get<Remove>(*back);
  EXPECT_EQ(remove.system, "school");
  EXPECT_EQ(remove.element, -1);
  EXPECT_EQ(remove.place, Vec3(0.1, 5e-324, -3));
  EXPECT_EQ(remove.radius_m, 0.7);
  const auto again = command_from_json(to_json(Spawn{"school", "shark", Vec3(1, 2, 3), 12}));
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<Spawn>(*again).species, "shark");
  EXPECT_EQ(std::get<Spawn>(*again).count, 12);
  EXPECT_FALSE(command_from_json(R"({"remove":{"system":"a","element":1.5,"place":[0,0,0],"radius":0}})"));
  EXPECT_FALSE(command_from_json(R"({"spawn":{"system":"a","place":[0,0,0],"count":1}})"));
  EXPECT_FALSE(command_from_json(R"({"spawn":[]})"));
}

TEST(CensusCommands, AreJournalledAndReplayToTheSameBits) {
  const Scratch folder;
  const std::string path = folder.path("session.vwj");
  std::uint64_t hash = 0;
  {
    auto session = Session::create(scene(), "the scene", path);
    ASSERT_TRUE(session) << session.error().message();
    const auto steps = [&](int n) {
      for (int i = 0; i < n; ++i) ASSERT_TRUE(session->step());
    };
    steps(10);
    ASSERT_TRUE(session->apply(Remove{"school", 3, Vec3::Zero(), 0.5}));
    ASSERT_TRUE(session->apply(Spawn{"school", "shark", Vec3(1, 1, 0), 5}));
    EXPECT_FALSE(session->apply(Remove{"rocks", 0, Vec3::Zero(), 0}));
    steps(10);
    ASSERT_TRUE(session->apply(Remove{"dust", -1, Vec3(0, 0.5, 0), 0.2}));
    steps(20);
    ASSERT_TRUE(session->finish());
    hash = session->world().hash();
  }
  const auto journal = read_journal(path);
  ASSERT_TRUE(journal) << journal.error().message();
  EXPECT_TRUE(journal->complete);
  const auto world = world_of(scene());
  const auto replayed = replay(*world, *journal);
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_EQ(world->hash(), hash);
}

}  // namespace
}  // namespace vw::test
