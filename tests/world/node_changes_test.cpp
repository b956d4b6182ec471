// Changes of the nodes of a running world. Parts that a command does not concern keep their state bit for bit. Commands
// can be replayed and resumed. A refused command changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "sim/world/session.h"
#include "sim/world/state/scene_version.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::set;
using test::take_steps;
using test::with_rules;

/// Returns a soft block and a rigid box that rest on the ground, and rain.
Node three_systems() {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "collider", "plane", "ground");
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", Vec3(4, 4, 4));
  set(scene, "system.block.material", std::string("soft"));
  set(scene, "system.block.position", Vec3(0, 0.0201, 0));
  Node& rigid = add_child(scene, "system", "rigid", "boxes");
  add_child(rigid, "body", "box", "crate").set("position", Vec3(0.5, 0.2501, 0));
  Node& rain = add_child(scene, "system", "particles", "rain");
  add_child(rain, "emitter", "box", "cloud").set("rate", 500.0);
  add_default_interactions(scene);
  return scene;
}

NodeChange addition(const Node& scene, std::string_view slot, std::string_view kind, const std::string& name) {
  Node copy = scene;
  return {.node = add_child(copy, slot, kind, name)};
}
NodeChange removal(const Node& scene, std::string_view slot, const std::string& name) {
  return {.kind = NodeChange::Kind::remove, .node = *scene.find(slot, name)};
}
NodeChange renaming(const Node& scene, std::string_view slot, const std::string& name, std::string new_name) {
  return {.kind = NodeChange::Kind::rename, .node = *scene.find(slot, name), .new_name = std::move(new_name)};
}
ChangeNodes command(const World& world, std::vector<NodeChange> changes) {
  return change_command(world.scene(), changes);
}

/// Returns a hash of the positions, orientations and velocities of one system.
std::uint64_t motion_hash(World& world, std::string_view name) {
  StateHasher hasher;
  Elements& elements = world.find_system(name)->elements();
  hasher("position", elements.position);
  hasher("velocity", elements.velocity);
  hasher("orientation", elements.orientation);
  hasher("angular_velocity", elements.angular_velocity);
  return hasher.digest();
}

TEST(NodeChanges, KeepWhatIsNotTouchedToTheBit) {
  const auto changed = with_rules(three_systems()), twin = with_rules(three_systems());
  take_steps(*changed, 30), take_steps(*twin, 30);
  // The names of the new nodes come first in the alphabet, so that the indices of all other parts change.
  NodeChange wall = addition(changed->scene(), "collider", "sphere", "a-far-ball");
  wall.node.set("position", Vec3(0, 50, 0));
  NodeChange far_box = addition(changed->scene(), "system", "rigid", "a-far-box");
  add_child(far_box.node, "body", "box", "stone").set("position", Vec3(80, 90, 0));
  ASSERT_TRUE(changed->apply(command(*changed, {wall, far_box})));
  EXPECT_EQ(changed->step_count(), 30U);
  EXPECT_EQ(changed->system_count(), 4U);
  for (int i = 0; i < 60; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    for (const char* system : {"block", "boxes", "rain"})
      ASSERT_EQ(motion_hash(*changed, system), motion_hash(*twin, system)) << system << " after " << i << " steps";
  }
  // After the removal of the added nodes, the whole state is that of the world without the changes.
  ASSERT_TRUE(changed->apply(command(*changed, {removal(changed->scene(), "system", "a-far-box"),
                                                removal(changed->scene(), "collider", "a-far-ball")})));
  EXPECT_TRUE(same_node(changed->scene(), twin->scene()));
  for (int i = 0; i < 20; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(changed->hash(), twin->hash()) << "after " << i << " steps";
  }
}

TEST(NodeChanges, ARenamedSystemGoesOn) {
  const auto changed = with_rules(three_systems()), twin = with_rules(three_systems());
  take_steps(*changed, 25), take_steps(*twin, 25);
  ASSERT_TRUE(changed->apply(command(*changed, {renaming(changed->scene(), "system", "block", "zebra"),
                                                renaming(changed->scene(), "collider", "ground", "floor")})));
  EXPECT_EQ(changed->find_system("block"), nullptr);
  for (int i = 0; i < 40; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(motion_hash(*changed, "zebra"), motion_hash(*twin, "block")) << "after " << i << " steps";
    ASSERT_EQ(motion_hash(*changed, "boxes"), motion_hash(*twin, "boxes")) << "after " << i << " steps";
  }
}

/// Returns the command that adds a child with default values and the given position to a system.
ChangeNodes child_added(const World& world, const std::string& system, const std::string& slot, const std::string& kind,
                        const std::string& name, const Vec3& position) {
  Node parent = *world.scene().find("system", system);
  NodeChange change{.parent = "system." + system, .node = add_child(parent, slot, kind, name)};
  if (slot != "region") change.node.set("position", position);
  return command(world, {change});
}

TEST(NodeChanges, ReferencesFollowARenamedMaterial) {
  const auto changed = with_rules(three_systems()), twin = with_rules(three_systems());
  take_steps(*changed, 25), take_steps(*twin, 25);
  ChangeNodes renamed = command(*changed, {renaming(changed->scene(), "material", "soft", "rubber")});
  EXPECT_FALSE(changed->apply(renamed)) << "the body still refers to the old name";
  renamed.values.push_back({"system.block.material", Value(std::string("rubber"))});
  const auto good = changed->apply(renamed);
  ASSERT_TRUE(good) << good.error().message();
  for (int i = 0; i < 20; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(changed->hash(), twin->hash()) << "after " << i << " steps";
  }
}

TEST(NodeChanges, AColliderThatAGaugeNeedsStays) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  Node& water = add_child(scene, "system", "fluid", "water");
  water.set("spacing", 0.05);
  Node& pool = add_child(water, "fill", "box", "pool");
  pool.set("position", Vec3(0, 0.1, 0));
  pool.set("size", Vec3(0.3, 0.2, 0.3));
  add_child(water, "gauge", "gauge", "bottom");
  const auto changed = with_rules(scene), twin = with_rules(scene);
  take_steps(*changed, 5), take_steps(*twin, 5);
  const auto refused = changed->apply(command(*changed, {removal(scene, "collider", "ground")}));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("gauge"), std::string::npos) << refused.error().message();
  NodeChange ball = addition(scene, "collider", "sphere", "a-ball");
  ball.node.set("position", Vec3(0, 50, 0));
  ASSERT_TRUE(changed->apply(command(*changed, {ball})));
  for (int i = 0; i < 10; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(motion_hash(*changed, "water"), motion_hash(*twin, "water")) << "after " << i << " steps";
  }
}

TEST(NodeChanges, ABurstOfANewSystemLivesItsWholeLife) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 120);  // 1 s
  NodeChange sparks = addition(world->scene(), "system", "particles", "sparks");
  Node& emitter = add_child(sparks.node, "emitter", "point", "flash");
  emitter.set("rate", 0.0), emitter.set("burst", std::int64_t{10}), emitter.set("lifetime", 0.5);
  emitter.set("position", Vec3(5, 5, 5));
  ASSERT_TRUE(world->apply(command(*world, {sparks})));
  take_steps(*world, 48);  // 0.4 s
  EXPECT_EQ(world->find_system("sparks")->elements().size(), 10U);
  take_steps(*world, 24);
  EXPECT_EQ(world->find_system("sparks")->elements().size(), 0U);
}

TEST(NodeChanges, ABodyMeetsTheFirstColliderAsAResumedOneDoes) {
  Node scene = three_systems();
  std::erase_if(scene.children, [](const Node& node) { return node.name == "ground"; });
  auto session = test::checked(Session::create(scene, "text"));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.step());
  NodeChange ground = addition(session.world().scene(), "collider", "plane", "ground");
  ground.node.set("position", Vec3(0, -0.2, 0));
  ASSERT_TRUE(session.apply(command(session.world(), {ground})));
  const test::Scratch scratch;
  ASSERT_TRUE(session.save_checkpoint(scratch.path("state")));
  const auto resumed = test::checked(resume_world(scene, test::checked(load_checkpoint(scratch.path("state")))));
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(session.step());
    take_steps(*resumed, 1);
    ASSERT_EQ(resumed->hash(), session.world().hash()) << "after " << i << " steps";
  }
}

TEST(NodeChanges, ABodyThatReplacesAnotherOfItsNameIsNew) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 30);
  const Node& crate = *world->scene().find("system", "boxes")->find("body", "crate");
  NodeChange out{.kind = NodeChange::Kind::remove, .parent = "system.boxes", .node = crate};
  NodeChange in{.parent = "system.boxes", .node = crate};
  in.node.set("position", Vec3(3, 4, 5));
  ASSERT_TRUE(world->apply(command(*world, {out, in})));
  EXPECT_EQ(world->find_system("boxes")->elements().position.at(0), Vec3(3, 4, 5));
}

TEST(NodeChanges, BodiesGoOnWhenOneIsAddedOrRemoved) {
  Node scene = three_systems();
  set(scene, "system.boxes.body.crate.position", Vec3(0.5, 1, 0));
  const auto changed = with_rules(scene), twin = with_rules(scene);
  take_steps(*changed, 70), take_steps(*twin, 70);  // the crate has struck the ground
  const ChangeNodes with_ball = child_added(*changed, "boxes", "body", "sphere", "a-ball", Vec3(8, 3, 0));
  EXPECT_TRUE(restarted_systems(changed->scene(), with_ball).empty());
  ASSERT_TRUE(changed->apply(with_ball));
  const auto crate_moves_alike = [&](int steps) {
    const Elements &one = changed->find_system("boxes")->elements(), &other = twin->find_system("boxes")->elements();
    for (int i = 0; i < steps; ++i) {
      take_steps(*changed, 1), take_steps(*twin, 1);
      ASSERT_EQ(one.position[0], other.position[0]) << "after " << i << " steps";
      ASSERT_EQ(one.velocity[0], other.velocity[0]) << "after " << i << " steps";
      ASSERT_EQ(one.angular_velocity[0], other.angular_velocity[0]) << "after " << i << " steps";
    }
  };
  ASSERT_EQ(changed->find_system("boxes")->elements().size(), 2U);
  crate_moves_alike(12);
  ASSERT_TRUE(
      changed->apply(command(*changed, {{.kind = NodeChange::Kind::rename,
                                         .parent = "system.boxes",
                                         .node = *changed->scene().find("system", "boxes")->find("body", "crate"),
                                         .new_name = "z-crate"}})));
  crate_moves_alike(6);
  ASSERT_TRUE(
      changed->apply(command(*changed, {{.kind = NodeChange::Kind::remove,
                                         .parent = "system.boxes",
                                         .node = *changed->scene().find("system", "boxes")->find("body", "a-ball")}})));
  ASSERT_EQ(changed->find_system("boxes")->elements().size(), 1U);
  crate_moves_alike(6);
}

TEST(NodeChanges, ParticlesFlyOnWhenAnEmitterIsAddedOrRemoved) {
  const auto changed = with_rules(three_systems()), twin = with_rules(three_systems());
  take_steps(*changed, 30), take_steps(*twin, 30);
  ASSERT_TRUE(changed->apply(child_added(*changed, "rain", "emitter", "point", "a-tap", Vec3(20, 5, 0))));
  EXPECT_EQ(motion_hash(*changed, "rain"), motion_hash(*twin, "rain"));
  take_steps(*changed, 30), take_steps(*twin, 30);
  EXPECT_GT(changed->find_system("rain")->elements().size(), twin->find_system("rain")->elements().size());
  ASSERT_TRUE(changed->apply(
      command(*changed, {{.kind = NodeChange::Kind::remove,
                          .parent = "system.rain",
                          .node = *changed->scene().find("system", "rain")->find("emitter", "a-tap")}})));
  EXPECT_EQ(motion_hash(*changed, "rain"), motion_hash(*twin, "rain"));
  take_steps(*changed, 10);
}

TEST(NodeChanges, ABodyStaysDeformedWhenARegionIsAdded) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 30);
  const auto positions = world->find_system("block")->elements().position;
  ASSERT_TRUE(world->apply(child_added(*world, "block", "region", "region", "foot", Vec3::Zero())));
  EXPECT_EQ(world->find_system("block")->elements().position, positions);
  take_steps(*world, 10);
}

TEST(NodeChanges, ASystemThatReplacesAnotherOfItsNameStartsAnew) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 30);
  const std::uint64_t block = motion_hash(*world, "block");
  Node boxes = *world->scene().find("system", "boxes");
  add_child(boxes, "joint", "ball", "hook").set("a", std::string("crate"));
  ASSERT_TRUE(world->apply(command(*world, {removal(world->scene(), "system", "boxes"), {.node = boxes}})));
  EXPECT_EQ(motion_hash(*world, "block"), block);
  EXPECT_EQ(world->find_system("boxes")->elements().position[0].y(), 0.2501);
  EXPECT_EQ(world->step_count(), 30U);
  take_steps(*world, 30);
}

TEST(NodeChanges, AreRefusedAsAWhole) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 10);
  const Node before = world->scene();
  const std::uint64_t hash = world->hash();
  const NodeChange good = addition(before, "collider", "sphere", "ball");
  const auto refused = [&](ChangeNodes wrong, const std::string& word) {
    wrong.changes.insert(wrong.changes.begin(), command(*world, {good}).changes.front());
    const auto outcome = world->apply(wrong);
    ASSERT_FALSE(outcome) << word;
    EXPECT_NE(outcome.error().message().find(word), std::string::npos) << outcome.error().message();
    EXPECT_TRUE(same_node(world->scene(), before)) << word;
    EXPECT_EQ(world->hash(), hash) << word;
  };
  using Kind = NodeChange::Kind;
  refused({{{Kind::add, "system.nobody", {"body", "box", "b", {}, {}}}}, {}}, "system.nobody");
  refused({{{Kind::add, "", {"collider", "sphere", "ground", {}, {}}}}, {}}, "exists already");
  refused({{{Kind::add, "", {"collider", "ball", "b", {}, {}}}}, {}}, "unknown kind");
  refused({{{Kind::add, "", {"colliders", "sphere", "b", {}, {}}}}, {}}, "unknown slot");
  refused({{{Kind::add, "", {"collider", "sphere", "b", {{"radius", Value(-1.0)}}, {}}}}, {}}, "radius");
  refused({{{Kind::add, "", {"collider", "sphere", "b", {{"weight", Value(1.0)}}, {}}}}, {}}, "unknown parameter");
  refused({{{Kind::add, "", {"collider", "sphere", "a b", {}, {}}}}, {}}, "letters");
  refused({{{Kind::remove, "", {"material", {}, "soft", {}, {}}}}, {}}, "soft");
  refused({{{Kind::remove, "", {"world", {}, {}, {}, {}}}}, {}}, "cannot be removed");
  refused({{{Kind::rename, "", {"system", {}, "block", {}, {}}, {}, "rain"}}, {}}, "exists already");
  refused({{{Kind::rename, "", {"world", {}, {}, {}, {}}, {}, "planet"}}, {}}, "cannot be renamed");
  refused({{}, {{"system.block.material", Value(std::string("steel"))}}}, "steel");
  take_steps(*world, 5);
}

TEST(NodeChanges, ReplayAndResumeGiveTheSameBits) {
  const test::Scratch scratch;
  const std::string journal = scratch.path("run.jsonl"), state = scratch.path("run.state");
  auto session = test::checked(Session::create(three_systems(), "text", journal));
  const auto change = [&](std::vector<NodeChange> changes) {
    const auto good = session.apply(command(session.world(), std::move(changes)));
    ASSERT_TRUE(good) << good.error().message();
  };
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(session.step()) << session.world().health().sentence();
  };
  steps(10);
  NodeChange ball = addition(session.world().scene(), "collider", "sphere", "ball");
  ball.node.set("position", Vec3(0, 0.1, 0.1));
  change({ball});
  steps(10);
  change({renaming(session.world().scene(), "system", "rain", "drizzle")});
  ASSERT_TRUE(session.apply(SetParameter{"system.drizzle.emitter.cloud.rate", Value(800.0)}));
  ASSERT_TRUE(session.apply(SetParameter{"system.block.size", Value(Vec3(5, 4, 4))}));  // takes effect at a reset
  change({removal(session.world().scene(), "collider", "ground")});
  steps(10);
  ASSERT_TRUE(session.save_checkpoint(state));
  const Checkpoint saved = test::checked(load_checkpoint(state));
  EXPECT_EQ(saved.changes.size(), 3U);
  const auto resumed = test::checked(resume_world(three_systems(), saved));
  EXPECT_TRUE(same_node(resumed->scene(), session.world().scene()));
  EXPECT_EQ(resumed->hash(), session.world().hash());
  for (int i = 0; i < 20; ++i) {
    steps(1);
    take_steps(*resumed, 1);
    ASSERT_EQ(resumed->hash(), session.world().hash()) << "after " << i << " steps";
  }
  // A reset lets the pending edit take effect in both worlds.
  ASSERT_TRUE(session.apply(Reset{}));
  ASSERT_TRUE(resumed->apply(Reset{}));
  EXPECT_EQ(session.world().find_system("block")->elements().size(), 80U);
  EXPECT_EQ(resumed->hash(), session.world().hash());
  steps(5);
  ASSERT_TRUE(session.finish());
  const auto again = test::world_of(three_systems());
  const auto outcome = replay(*again, test::checked(read_journal(journal)));
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(again->hash(), session.world().hash());
}

TEST(NodeChanges, AResettingChangeSucceedsWhereThePresentStateDoesNotAllowIt) {
  const test::Scratch scratch;
  const std::string journal = scratch.path("run.jsonl"), state = scratch.path("run.state");
  auto session = test::checked(Session::create(three_systems(), "text", journal));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session.step());
  World& world = session.world();
  // The edit waits for a reset, so the body in the world still has the material that the next command removes.
  ASSERT_TRUE(session.apply(SetParameter{"system.block.material", Value(std::string())}));
  ChangeNodes change = command(world, {removal(world.scene(), "material", "soft")});
  const std::uint64_t before = world.hash();
  ASSERT_FALSE(session.apply(change));
  EXPECT_EQ(world.hash(), before);
  change.resets = true;
  const auto again = test::checked(command_from_json(to_json(change)));
  EXPECT_TRUE(std::get<ChangeNodes>(again).resets);
  EXPECT_TRUE(restarts_world(again));
  const auto applied = session.apply(again);
  ASSERT_TRUE(applied) << applied.error().message();
  EXPECT_EQ(world.time(), 0);
  Node scene = three_systems();
  set(scene, "system.block.material", std::string());
  std::erase_if(scene.children, [](const Node& node) { return node.name == "soft"; });
  EXPECT_EQ(world.hash(), test::world_of(scene)->hash());
  EXPECT_TRUE(same_node(world.scene(), scene));
  EXPECT_TRUE(same_node(world.scene_version().in_force, scene)) << "the reset puts the waiting edit in force";
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session.step());
  ASSERT_TRUE(session.save_checkpoint(state));
  EXPECT_EQ(test::checked(resume_world(three_systems(), test::checked(load_checkpoint(state))))->hash(), world.hash());
  ASSERT_TRUE(session.finish());
  const auto repeated = test::world_of(three_systems());
  ASSERT_TRUE(replay(*repeated, test::checked(read_journal(journal))));
  EXPECT_EQ(repeated->hash(), world.hash());
}

TEST(NodeChanges, AnObstacleOnAParticleThatWasEmittedLaterIsRestored) {
  const auto world = test::world_of(three_systems());
  take_steps(*world, 30);
  NodeChange lid = addition(world->scene(), "collider", "sphere", "lid");
  lid.node.set("position", Vec3(50, 0, 0));
  lid.node.set("carried_by", std::string("rain"));
  ASSERT_TRUE(world->apply(command(*world, {lid})));
  take_steps(*world, 5);
  const std::uint64_t expected = world->hash();
  const test::Scratch scratch;
  ASSERT_TRUE(save_checkpoint(*world, "text", scratch.path("lid.vwstate")));
  const Checkpoint checkpoint = test::checked(load_checkpoint(scratch.path("lid.vwstate")));
  EXPECT_EQ(test::checked(resume_world(three_systems(), checkpoint))->hash(), expected);
  const SceneVersion version = world->scene_version();
  StateBlock state;
  world->save_state(state);
  ASSERT_TRUE(world->apply(command(*world, {removal(world->scene(), "collider", "lid")})));
  ASSERT_TRUE(world->return_to(version, state));
  EXPECT_EQ(world->hash(), expected);
}

TEST(NodeChanges, TheMouseHoldsItsElement) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 5);
  ASSERT_TRUE(world->apply(Grab{"boxes", 0, Vec3(0.5, 1, 0), 500}));
  ASSERT_TRUE(world->apply(Push{"block", 0, Vec3(0, 0.001, 0), 0}));
  ASSERT_TRUE(world->apply(command(*world, {addition(world->scene(), "system", "particles", "a-dust")})));
  take_steps(*world, 60);
  EXPECT_GT(world->find_system("boxes")->elements().position[0].y(), 0.3);
  ASSERT_TRUE(world->apply(command(*world, {removal(world->scene(), "system", "boxes")})));
  Snapshot snapshot;
  world->write_snapshot(snapshot);
  EXPECT_FALSE(snapshot.grab.active);
  take_steps(*world, 5);
}

TEST(NodeChanges, AStateWithUnknownElementsIsNoDanger) {
  const auto world = with_rules(three_systems());
  take_steps(*world, 5);
  ASSERT_TRUE(world->apply(Grab{"boxes", 0, Vec3(0.5, 1, 0), 500}));
  ASSERT_TRUE(world->apply(Push{"boxes", 0, Vec3(0, 0.001, 0), 0}));
  StateBlock state;
  world->save_state(state);
  const std::int64_t unknown = std::int64_t{1} << 50;
  for (const char* name : {"world.grab_element", "world.push_element"}) {
    const auto entry = std::ranges::find(state.entries, name, &StateBlock::Entry::name);
    ASSERT_NE(entry, state.entries.end());
    ASSERT_EQ(entry->size, sizeof unknown);
    std::memcpy(state.bytes.data() + entry->offset, &unknown, sizeof unknown);
  }
  ASSERT_TRUE(world->load_state(state));
  ASSERT_TRUE(world->apply(child_added(*world, "boxes", "body", "sphere", "ball", Vec3(8, 3, 0))));
  Snapshot snapshot;
  world->write_snapshot(snapshot);
  EXPECT_FALSE(snapshot.grab.active);
  take_steps(*world, 5);
}

TEST(NodeChanges, TheDifferenceOfTwoScenesLeadsFromOneToTheOther) {
  Node from = three_systems(), to = from;
  add_child(to, "collider", "sphere", "ball").set("position", Vec3(1, 2, 3));
  std::erase_if(to.children, [](const Node& node) { return node.name == "rain"; });
  add_child(*const_cast<Node*>(to.find("system", "boxes")), "body", "sphere", "pebble");  // NOLINT: `to` is not const
  set(to, "system.block.material", std::string());
  const ChangeNodes difference = difference_between(from, to);
  EXPECT_EQ(difference.changes.size(), 3U);
  EXPECT_EQ(difference.values.size(), 1U);
  const Command again = test::checked(command_from_json(to_json(difference)));
  ASSERT_TRUE(apply_changes(from, std::get<ChangeNodes>(again)));
  for (const SetParameter& value : std::get<ChangeNodes>(again).values) set(from, value.path, value.value);
  EXPECT_TRUE(same_node(from, to));
  EXPECT_TRUE(difference_between(from, to).changes.empty());
}

TEST(NodeChanges, BadJsonIsNamed) {
  const std::pair<const char*, const char*> bad[] = {
      {R"({"change":{"nodes":[{"what":"paint","parent":"","node":{"slot":"a","name":"b"}}],"values":[]}})", "paint"},
      {R"({"change":{"nodes":[{"what":"add","parent":""}],"values":[]}})", "node"},
      {R"({"change":{"nodes":[{"what":"add","parent":"","node":7}],"values":[]}})", "slot"},
      {R"({"change":{"nodes":[{"what":"rename","parent":"","node":{"slot":"a","name":"b"}}]}})", "new_name"},
      {R"({"change":{"nodes":{},"values":[]}})", "nodes"},
      {R"({"change":{"nodes":[],"values":[{"path":"a"}]}})", "value"},
      {R"({"change":{"nodes":[],"values":[],"resets":1}})", "resets"},
      {R"({"change":7})", "nodes"}};
  for (const auto& [text, word] : bad) {
    const auto command = command_from_json(text);
    ASSERT_FALSE(command) << text;
    EXPECT_NE(command.error().message().find(word), std::string::npos) << command.error().message();
  }
}

}  // namespace
}  // namespace vw
