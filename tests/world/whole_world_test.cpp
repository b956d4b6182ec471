// Worlds with the program's own systems: a walking block, rain, wind, a moving obstacle and a flock together, and a
// world with every kind of system.
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/world/session.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::hashes_of;
using test::set;

/// Adds gulls and a hawk that hunts the gulls, between the block and the rain. The birds follow the block and stay near
/// their home. New birds appear, and birds leave through an exit.
void add_birds(Node& scene) {
  Node& birds = add_child(scene, "system", "flock", "birds");
  for (const char* species : {"gull", "hawk"}) add_child(birds, "species", "species", species);
  for (const char* swarm : {"gulls", "hawks"}) add_child(birds, "swarm", "ball", swarm);
  add_child(birds, "goal", "body", "block").set("body", std::string("block.5"));
  add_child(birds, "exit", "exit", "door").set("position", Vec3(0.4, 0.2, 0));
  set(scene, "system.birds.capacity", std::int64_t{300});
  set(scene, "system.birds.home_center", Vec3(0, 0.2, 0));
  set(scene, "system.birds.home_size", Vec3(0.8, 0.4, 0.8));
  for (const std::string species : {"system.birds.species.gull.", "system.birds.species.hawk."}) {
    set(scene, species + "medium", std::string("air"));
    set(scene, species + "length", 0.02);
    set(scene, species + "reach", 0.1);
    set(scene, species + "spacing", 0.03);
  }
  set(scene, "system.birds.species.hawk.hunts", TextList{"gull"});
  set(scene, "system.birds.species.hawk.eats", true);
  set(scene, "system.birds.swarm.gulls.rate", 200.0);
  set(scene, "system.birds.swarm.gulls.lifetime", 0.15);
  set(scene, "system.birds.swarm.hawks.species", std::string("hawk"));
  set(scene, "system.birds.swarm.hawks.count", std::int64_t{4});
  for (const std::string swarm : {"system.birds.swarm.gulls.", "system.birds.swarm.hawks."}) {
    set(scene, swarm + "position", Vec3(0, 0.2, 0));
    set(scene, swarm + "radius", 0.15);
  }
}

/// Returns a scene with a block that expands and contracts on the ground, rain in a turbulent wind, a moving sphere,
/// and birds.
Node small_world(bool reversed = false) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft").set("cte", 0.01);
  add_child(scene, "collider", "plane", "ground");
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("position", Vec3(-0.3, 0.05, 0));
  ball.set("velocity", Vec3(0.5, 0, 0));
  add_child(scene, "field", "turbulence", "wind").set("strength", 2.0);
  const auto block = [&] { add_child(scene, "system", "voxel_body", "block"); };
  const auto rain = [&] { add_child(add_child(scene, "system", "particles", "rain"), "emitter", "box", "cloud"); };
  reversed ? rain() : block();
  reversed ? block() : rain();
  set(scene, "system.block.size", Vec3(6, 5, 6));
  set(scene, "system.block.material", std::string("soft"));
  set(scene, "system.block.position", Vec3(-0.03, 0.02, -0.03));
  set(scene, "system.block.temperature_wave", std::string("sine"));
  set(scene, "system.block.temperature_amplitude", 5.0);
  set(scene, "system.block.temperature_period", 0.1);
  set(scene, "system.rain.emitter.cloud.rate", 8000.0);
  set(scene, "system.rain.emitter.cloud.position", Vec3(0, 0.3, 0));
  set(scene, "system.rain.emitter.cloud.direction", Vec3(0, -1, 0));
  add_birds(scene);
  add_default_interactions(scene);
  return scene;
}

/// Returns the scene of small_world() in shallow water, with a raft and fish. It contains every kind of system except a
/// recording, and all default rules.
Node everything() {
  Node scene = small_world();
  add_child(add_child(scene, "system", "fluid", "water"), "fill", "box", "pool");
  set(scene, "system.water.spacing", 0.03);
  set(scene, "system.water.fill.pool.position", Vec3(0, 0.06, 0.2));
  set(scene, "system.water.fill.pool.size", Vec3(0.3, 0.12, 0.2));
  add_child(add_child(scene, "system", "rigid", "things"), "body", "box", "raft");
  set(scene, "system.things.body.raft.size", Vec3(0.08, 0.03, 0.08));
  set(scene, "system.things.body.raft.density", 400.0);
  set(scene, "system.things.body.raft.position", Vec3(0, 0.15, 0.2));
  Node& fish = add_child(scene, "system", "flock", "fish");
  add_child(fish, "species", "species", "herring");
  add_child(fish, "swarm", "box", "school");
  add_child(fish, "goal", "body", "raft").set("body", std::string("things.raft"));
  set(scene, "system.fish.species.herring.medium", std::string("water"));
  set(scene, "system.fish.species.herring.length", 0.02);
  set(scene, "system.fish.swarm.school.count", std::int64_t{20});
  set(scene, "system.fish.swarm.school.position", Vec3(0, 0.06, 0.2));
  set(scene, "system.fish.swarm.school.size", Vec3(0.2, 0.06, 0.1));
  add_default_interactions(scene);
  return scene;
}

std::unique_ptr<World> make(Node scene) { return test::checked(World::create(std::move(scene))); }

TEST(WholeWorld, HasTheSameHashAtEveryStepForAnyNumberOfThreads) {
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto hashes = hashes_of(*make(small_world()), 24);
    if (first.empty()) first = hashes;
    EXPECT_EQ(hashes, first) << threads << " threads";
  }
  set_thread_count(0);
  EXPECT_NE(first.front(), first.back());
}

TEST(WholeWorld, EverythingAtOnceHasTheSameHashForAnyNumberOfThreadsFromASavedStateAndFromItsJournal) {
  const test::Scratch scratch;
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto hashes = hashes_of(*make(everything()), 16);
    if (first.empty()) first = hashes;
    EXPECT_EQ(hashes, first) << threads << " threads";
  }
  set_thread_count(0);
  auto session = Session::create(everything(), "text", scratch.path("all.journal"));
  ASSERT_TRUE(session) << session.error().message();
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(session->step()) << session->world().health().sentence();
  ASSERT_TRUE(session->apply(SetParameter{"system.birds.species.gull.max_speed", 5.0}));
  ASSERT_TRUE(session->apply(SetParameter{"system.birds.goal.block.body", std::string("ball")}));
  ASSERT_TRUE(session->apply(Push{"fish", 3, Vec3(0, 1e-4, 0), 0.02}));
  ASSERT_TRUE(session->apply(Spawn{"birds", "hawk", Vec3(0, 0.3, 0), 3}));
  ASSERT_TRUE(session->apply(Remove{"birds", -1, Vec3(0, 0.2, 0), 0.05}));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(session->step()) << session->world().health().sentence();
  ASSERT_TRUE(session->save_checkpoint(scratch.path("all.vwstate")));
  std::vector<std::uint64_t> after;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(session->step()) << session->world().health().sentence();
    after.push_back(session->world().hash());
  }
  const auto checkpoint = load_checkpoint(scratch.path("all.vwstate"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message();
  auto resumed = Session::resume(everything(), *checkpoint);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(hashes_of(resumed->world(), 4), after);
  ASSERT_TRUE(session->finish());
  const auto journal = read_journal(scratch.path("all.journal"));
  ASSERT_TRUE(journal) << journal.error().message();
  const auto again = make(everything());
  const auto outcome = replay(*again, *journal);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->steps, 16U);
  EXPECT_EQ(again->hash(), after.back());
}

TEST(WholeWorld, GoalsThatNameNobodyAreRefusedWhereverTheyComeFrom) {
  const auto said = [](const std::string& body) {
    Node scene = small_world();
    set(scene, "system.birds.goal.block.body", body);
    const auto world = World::create(std::move(scene));
    return world ? std::string() : world.error().message();
  };
  for (const char* body : {"ball", "ground", "block", "rain", "block.17", "rain.4000000000"})
    EXPECT_EQ(said(body), "") << body;
  for (const char* body :
       {"nobody", "birds", "birds.1", "block.", "block.-1", "block.nose", "block.99999999999999999999", ".", "ball.1"})
    EXPECT_NE(said(body).find("must name a collider, another system"), std::string::npos) << body << ": " << said(body);
  EXPECT_NE(said("bloc").find("did you mean \"block\"?"), std::string::npos) << said("bloc");
  const auto world = make(small_world());
  const std::uint64_t before = world->hash();
  const auto edit = world->apply(SetParameter{"system.birds.goal.block.body", std::string("nobody")});
  ASSERT_FALSE(edit);
  EXPECT_NE(edit.error().message().find("system.birds.goal.block.body = \"nobody\""), std::string::npos)
      << edit.error().message();
  EXPECT_TRUE(same_node(world->scene(), small_world()));
  EXPECT_EQ(world->hash(), before);
}

TEST(WholeWorld, AGoalThatNoRuleTellsTheFlockOfIsNoted) {
  const auto notes_with = [](const std::string& body) {
    Node scene = small_world();
    set(scene, "system.birds.goal.block.body", body);
    return make(std::move(scene))->notes();
  };
  EXPECT_TRUE(notes_with("block").empty());
  EXPECT_TRUE(notes_with("ball").empty());
  const auto rain = notes_with("rain");  // the rule between flock and particles is not among the default rules
  ASSERT_EQ(rain.size(), 1U);
  EXPECT_EQ(rain[0],
            "birds: no member follows the goal block, because no enabled rule couples birds with rain. Add or "
            "enable a rule between the two");
}

TEST(WholeWorld, HasTheSameHashWhicheverSystemIsListedFirst) {
  EXPECT_EQ(hashes_of(*make(small_world()), 12), hashes_of(*make(small_world(true)), 12));
}

/// Returns a scene in which a burst of particles hits a block in free space, without external forces.
Node collision_in_space(bool reversed) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft");
  const auto block = [&] { add_child(scene, "system", "voxel_body", "block").set("size", Vec3(5, 5, 5)); };
  const auto shot = [&] { add_child(add_child(scene, "system", "particles", "shot"), "emitter", "disc", "gun"); };
  reversed ? shot() : block();
  reversed ? block() : shot();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "system.block.position", Vec3(-0.025, -0.025, -0.025));
  set(scene, "system.shot.emitter.gun.burst", std::int64_t{200});
  set(scene, "system.shot.emitter.gun.rate", 0.0);
  set(scene, "system.shot.emitter.gun.lifetime", 0.0);
  set(scene, "system.shot.emitter.gun.position", Vec3(0, 0.1, 0));
  set(scene, "system.shot.emitter.gun.direction", Vec3(0.1, -1, 0));
  set(scene, "system.shot.emitter.gun.speed", 2.0);
  add_default_interactions(scene);
  return scene;
}

TEST(WholeWorld, KeepsTheMomentumOfParticlesThatHitABlockAtTheirOwnRates) {
  const auto world = make(collision_in_space(false));
  const auto other = make(collision_in_space(true));
  const auto momentum = [&] { return Vec3(world->diagnostics(0).momentum + world->diagnostics(1).momentum); };
  ASSERT_TRUE(world->step());
  ASSERT_TRUE(other->step());
  const Vec3 start = momentum();
  ASSERT_GT(start.norm(), 0.1);
  for (int i = 1; i < 24; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    ASSERT_TRUE(other->step());
    ASSERT_LT((momentum() - start).norm(), 1e-9 * start.norm()) << "step " << i;
    ASSERT_EQ(world->hash(), other->hash()) << "step " << i;
  }
  EXPECT_GT(world->diagnostics(0).momentum.norm(), 0.05 * start.norm())
      << "the block was hardly touched, so nothing was tested";
}

TEST(WholeWorld, ResumesFromACheckpointBitForBit) {
  const test::Scratch scratch;
  const std::string path = scratch.path("whole.vwstate");
  auto session = Session::create(small_world(), "text");
  ASSERT_TRUE(session);
  for (int i = 0; i < 10; ++i) session->step();
  ASSERT_TRUE(session->apply(SetParameter{"material.soft.youngs_modulus", 5e5}));
  ASSERT_TRUE(session->apply(SetParameter{"material.soft.density", 1500.0}));
  ASSERT_TRUE(session->apply(SetParameter{"field.wind.strength", 5.0}));
  ASSERT_TRUE(session->apply(SetParameter{"system.rain.emitter.cloud.rate", 5000.0}));
  ASSERT_TRUE(session->apply(Grab{"block", 17, Vec3(0, 0.5, 0), 50}));
  for (int i = 0; i < 3; ++i) session->step();
  ASSERT_TRUE(session->save_checkpoint(path));
  const auto checkpoint = load_checkpoint(path);
  ASSERT_TRUE(checkpoint) << checkpoint.error().message();
  auto resumed = Session::resume(small_world(), *checkpoint);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(hashes_of(resumed->world(), 12), hashes_of(session->world(), 12));
}

TEST(WholeWorld, RollsBackToTheVeryBitsBeforeTheStepThatFailed) {
  const auto world = make(small_world());
  for (int i = 0; i < 5; ++i) world->step();
  const std::uint64_t good = world->hash();
  ASSERT_TRUE(world->apply(Push{"block", 0, Vec3(1e9, 0, 0), 0}));
  const std::uint64_t with_push = world->hash();
  EXPECT_NE(with_push, good);
  EXPECT_FALSE(world->step());
  EXPECT_EQ(world->hash(), with_push);
  EXPECT_NE(world->health().sentence().find("block"), std::string::npos) << world->health().sentence();
}

TEST(WholeWorld, AMovingObstacleIsDrawnWhereItIs) {
  const auto world = make(small_world());
  for (int i = 0; i < 12; ++i) world->step();
  Snapshot picture;
  world->write_snapshot(picture);
  ASSERT_EQ(picture.colliders.size(), 2U);
  EXPECT_EQ(picture.colliders[0].name, "ball");
  EXPECT_NEAR(picture.colliders[0].position.x(), -0.3 + 0.5 * world->time(), 1e-6);
}

TEST(WholeWorld, RandomEditsOfEveryParameterNeverCrashAndUndoAllGivesTheStart) {
  const auto world = make(small_world());
  const Node start = world->scene();
  struct Undo {
    std::string path;
    Value value;
  };
  std::vector<Undo> undo;
  const RandomKey key{11, 11};
  std::uint64_t draw = 0;
  while (undo.size() < 1000) {
    Node tree = world->scene();
    const auto all = all_parameters(tree);
    const ParamRef& ref = all[static_cast<std::size_t>(random_uniform(key, ++draw) * static_cast<double>(all.size()))];
    if (ref.path == "format") continue;
    Value value = ref.value();
    const double x = random_uniform(key, draw, 1);
    const auto within = [&](double wanted) { return std::clamp(wanted, ref.spec->bounds.min, ref.spec->bounds.max); };
    if (auto* real = std::get_if<double>(&value))
      *real = within(*real * (0.8 + 0.4 * x) + 1e-3 * x);
    else if (auto* whole = std::get_if<std::int64_t>(&value))
      *whole = static_cast<std::int64_t>(within(static_cast<double>(*whole) + (x < 0.5 ? 1 : 0)));
    else if (auto* flag = std::get_if<bool>(&value))
      *flag = x < 0.5;
    else if (auto* vec = std::get_if<Vec3>(&value)) {
      for (int k = 0; k < 3; ++k) (*vec)[k] = within((*vec)[k] * (0.8 + 0.4 * x));
    } else if (!ref.spec->choices.empty())
      value = ref.spec->choices[static_cast<std::size_t>(x * static_cast<double>(ref.spec->choices.size()))];
    const Undo before{ref.path, ref.value()};
    if (!world->apply(SetParameter{ref.path, value})) continue;
    undo.push_back(before);
    if (undo.size() % 100 == 0) (void)world->step();
  }
  for (auto it = undo.rbegin(); it != undo.rend(); ++it) {
    const auto good = world->apply(SetParameter{it->path, it->value});
    ASSERT_TRUE(good) << it->path << ": " << good.error().message();
  }
  EXPECT_TRUE(same_node(world->scene(), start));
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_EQ(hashes_of(*world, 3), hashes_of(*make(small_world()), 3));
}

TEST(WholeWorld, StatesWhosePrivateArraysDoNotFitAreRefused) {
  // Each array in turn is made one element shorter, one element longer, or empty. A file with a valid checksum could
  // contain such arrays.
  const auto world = make(small_world());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world->step());
  StateBlock good;
  world->save_state(good);
  const std::uint64_t hash = world->hash();
  std::size_t refused = 0, arrays = 0;
  for (std::size_t i = 0; i < good.entries.size(); ++i) {
    const auto rows = static_cast<std::int64_t>(good.entries[i].size / good.entries[i].element_bytes);
    if (rows < 2) continue;
    ++arrays;
    for (const std::int64_t wanted : {rows - 1, rows + 1, std::int64_t{0}}) {
      StateBlock bad = good;
      auto& entry = bad.entries[i];
      const auto size = static_cast<std::uint64_t>(wanted) * entry.element_bytes;
      const auto end = bad.bytes.begin() + static_cast<std::ptrdiff_t>(entry.offset + entry.size);
      if (size > entry.size)
        bad.bytes.insert(end, size - entry.size, std::byte{});
      else
        bad.bytes.erase(bad.bytes.begin() + static_cast<std::ptrdiff_t>(entry.offset + size), end);
      for (std::size_t j = i + 1; j < bad.entries.size(); ++j) bad.entries[j].offset += size - entry.size;
      entry.size = size;
      const auto loaded = world->load_state(bad);
      EXPECT_FALSE(loaded) << entry.name << " with " << wanted << " rows of " << rows;
      if (!loaded) ++refused;
      ASSERT_EQ(world->hash(), hash);
    }
  }
  EXPECT_GE(arrays, 15U);
  EXPECT_EQ(refused, 3 * arrays);
}

TEST(WholeWorld, APushActsOnItsParticleWhileOthersExpire) {
  Node scene = make_node(scene_schema());
  Node& rain = add_child(scene, "system", "particles", "rain");
  Node& tap = add_child(rain, "emitter", "point", "tap");
  tap.set("rate", 1000.0);
  tap.set("lifetime", 0.1);
  tap.set("lifetime_jitter", 0.0);
  const auto world = test::world_of(scene);
  test::take_steps(*world, 30);  // in every step, about eight of the oldest particles expire
  const Elements& elements = world->find_system("rain")->elements();
  const std::size_t row = elements.size() / 2;
  const std::uint32_t id = elements.id.at(row);
  const Vec3 impulse(50 * elements.mass[row], 0, 0);
  ASSERT_TRUE(world->apply(Push{"rain", static_cast<std::int64_t>(row), impulse, 0}));
  test::take_steps(*world, 1);
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < elements.size(); ++i)
    if (elements.velocity[i].x() > elements.velocity[fastest].x()) fastest = i;
  EXPECT_EQ(elements.id.at(fastest), id);
}

}  // namespace
}  // namespace vw
