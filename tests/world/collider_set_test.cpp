// Colliders that move by keyframes or are carried by a voxel or a particle: contacts, replays and snapshots.
#include <filesystem>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/world/session.h"
#include "sim/world/step/collider_set.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"
#include "tests/world/shape_files.h"

namespace vw {
namespace {

using test::expect_case;
using test::hashes_of;
using test::set;
using test::world_of;

/// Adds a system with a single ball at rest. An emitter creates the ball at the given position by a burst of one.
void add_ball(Node& scene, const std::string& name, const Vec3& at, double radius = 0.01) {
  Node& system = add_child(scene, "system", "particles", name);
  system.set("radius", radius);
  Node& gun = add_child(system, "emitter", "point", "gun");
  gun.set("position", at);
  gun.set("speed", 0.0);
  gun.set("rate", 0.0);
  gun.set("burst", std::int64_t{1});
  gun.set("lifetime", 0.0);
}

/// Returns a scene with a tray that a block carries over the ground, rain that falls on the block and the tray, and a
/// paddle that is moved by keyframes.
Node carried_scene() {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft").set("cte", 0.01);
  add_child(scene, "collider", "plane", "ground");
  Node& tray = add_child(scene, "collider", "box", "tray");
  tray.set("position", Vec3(0, 0.12, 0));
  tray.set("size", Vec3(0.1, 0.005, 0.1));
  tray.set("carried_by", std::string("block"));
  Node& paddle = add_child(scene, "collider", "capsule", "paddle");
  paddle.set("position", Vec3(0.1, 0.05, 0));
  for (const auto& [time, turn] : {std::pair{0.0, -0.5}, {0.2, 0.5}, {0.4, -0.5}}) {
    Node& key = add_child(paddle, "key", "key", "k" + std::to_string(static_cast<int>(10 * time)));
    key.set("time", time);
    key.set("rotation", Vec3(0, 0, turn));
  }
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", Vec3(4, 5, 4));
  set(scene, "system.block.material", std::string("soft"));
  set(scene, "system.block.position", Vec3(-0.02, 0.03, -0.02));
  set(scene, "system.block.temperature_wave", std::string("sine"));
  set(scene, "system.block.temperature_amplitude", 5.0);
  set(scene, "system.block.temperature_period", 0.1);
  add_child(add_child(scene, "system", "particles", "rain"), "emitter", "box", "cloud");
  set(scene, "system.rain.emitter.cloud.rate", 4000.0);
  set(scene, "system.rain.emitter.cloud.position", Vec3(0.02, 0.25, 0));
  set(scene, "system.rain.emitter.cloud.direction", Vec3(0, -1, 0));
  add_default_interactions(scene);
  return scene;
}

const ColliderSnapshot& seen(const Snapshot& picture, const std::string& name) {
  for (const ColliderSnapshot& one : picture.colliders)
    if (one.name == name) return one;
  ADD_FAILURE() << name;
  return picture.colliders.front();
}

TEST(ColliderSet, CarriedAndKeyedOnesReplayBitForBitOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    const auto hashes = hashes_of(*world_of(carried_scene()), 30);
    if (first.empty()) first = hashes;
    EXPECT_EQ(hashes, first) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(ColliderSet, ACheckpointKeepsWhatIsCarried) {
  const test::Scratch scratch;
  const std::string path = scratch.path("carried.vwstate");
  const auto world = world_of(carried_scene());
  hashes_of(*world, 15);
  // The edit comes after the tray was attached. A world created from the edited scene would attach the tray to another
  // voxel.
  ASSERT_TRUE(world->apply(SetParameter{"collider.tray.position", Vec3(0.3, 0.12, 0)}));
  hashes_of(*world, 2);
  ASSERT_TRUE(save_checkpoint(*world, "text", path));
  const auto checkpoint = load_checkpoint(path);
  ASSERT_TRUE(checkpoint);
  auto other = resume_world(carried_scene(), *checkpoint);
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_EQ((*other)->hash(), world->hash());
  EXPECT_EQ(hashes_of(**other, 10), hashes_of(*world, 10));
}

TEST(ColliderSet, ACarriedOneFollowsItsCarrier) {
  // A rotating block in free flight carries a tray 0.1 m beside it.
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  Node& tray = add_child(scene, "collider", "sphere", "tray");
  tray.set("position", Vec3(0.1, 0, 0));
  tray.set("carried_by", std::string("block"));
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", Vec3(2, 2, 2));
  set(scene, "system.block.material", std::string("soft"));
  set(scene, "system.block.position", Vec3(-0.01, -0.01, -0.01));
  const auto world = world_of(scene);
  System& block = world->system(0);
  for (std::size_t v = 0; v < block.elements().size(); ++v) {
    block.elements().velocity[v] = Vec3(0.5, 0, 0) + Vec3(0, 0, 3).cross(block.elements().position[v]);
    block.elements().angular_velocity[v] = Vec3(0, 0, 3);
  }
  const Elements& e = block.elements();
  const auto nearest =
      static_cast<std::size_t>(std::min_element(e.position.begin(), e.position.end(),
                                                [](const Vec3& a, const Vec3& b) {
                                                  return (a - Vec3(0.1, 0, 0)).norm() < (b - Vec3(0.1, 0, 0)).norm();
                                                }) -
                               e.position.begin());
  const Vec3 arm = Vec3(0.1, 0, 0) - e.position[nearest];
  Snapshot picture;
  double worst = 0;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world->step());
    world->write_snapshot(picture);
    worst = std::max(
        worst,
        (picture.colliders[0].position.cast<double>() - (e.position[nearest] + e.orientation[nearest] * arm)).norm());
  }
  // The carried collider moves with the velocity at the start of the step. The error of the position is half the
  // centripetal acceleration of 3^2 * 0.1 m/s^2 times dt^2, which is 3e-5 m, plus the vibration of the block.
  expect_case("collision", "a collider carried by a turning block: farthest from its place on it", worst, 0, 2e-4, "m");
  EXPECT_GT((picture.colliders[0].position.cast<double>() - Vec3(0.1, 0, 0)).norm(), 0.15);
}

TEST(ColliderSet, ACarrierDoesNotMeetItsPassenger) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_ball(scene, "mule", Vec3(0, 0, 0));
  add_ball(scene, "other", Vec3(0, 0, 0.004));
  Node& load = add_child(scene, "collider", "sphere", "load");
  load.set("carried_by", std::string("mule"));
  load.set("radius", 0.1);
  const auto world = world_of(scene);
  world->find_system("mule")->elements().velocity[0] = Vec3(1, 0, 0);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world->step());
  EXPECT_EQ(world->find_system("mule")->elements().velocity[0], Vec3(1, 0, 0));
  EXPECT_GT(world->find_system("other")->elements().position[0].norm(), 0.1)
      << "the other ball was inside and is pushed along";
}

TEST(ColliderSet, WhatLosesItsCarrierStaysWhereItIs) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_ball(scene, "mule", Vec3(0, 0, 0));
  set(scene, "system.mule.emitter.gun.speed", 1.0);
  set(scene, "system.mule.emitter.gun.lifetime", 0.25);
  Node& load = add_child(scene, "collider", "capsule", "load");
  load.set("position", Vec3(0, 0.5, 0));
  load.set("carried_by", std::string("mule"));
  const auto world = world_of(scene);
  Snapshot picture;
  std::vector<double> heights;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world->step());
    world->write_snapshot(picture);
    heights.push_back(static_cast<double>(picture.colliders[0].position.y()));
  }
  EXPECT_EQ(world->system(0).elements().size(), 0U);
  EXPECT_GT(heights[20], 0.6);
  EXPECT_EQ(heights[40], heights[59]);
  EXPECT_NEAR(heights[59], 0.75, 0.02);
}

TEST(ColliderSet, SettlingACarrierThrowsNothing) {
  Node scene = make_node(scene_schema());
  Node& beam = add_child(scene, "system", "voxel_body", "beam");
  beam.set("size", Vec3(12, 2, 2));
  beam.set("position", Vec3(0, 1, 0));
  add_child(beam, "region", "region", "clamp").set("max", Vec3(0.01, 1, 1));
  Node& tray = add_child(scene, "collider", "box", "tray");
  tray.set("position", Vec3(0.12, 1.03, 0.01));
  tray.set("size", Vec3(0.1, 0.01, 0.1));
  tray.set("restitution", 0.0);
  tray.set("carried_by", std::string("beam"));
  add_ball(scene, "ball", Vec3(0.12, 1.04501, 0.01));
  set(scene, "system.ball.restitution", 0.0);
  const auto world = world_of(scene);
  ASSERT_TRUE(world->step());
  ASSERT_TRUE(world->apply(Settle{"beam"}));
  Snapshot picture;
  world->write_snapshot(picture);
  EXPECT_LT(picture.colliders[0].position.y(), 1.03F - 1e-3F) << "the beam sags, and the tray with it";
  double fastest = 0;
  for (int i = 0; i < 24; ++i) {
    ASSERT_TRUE(world->step());
    fastest = std::max(fastest, world->find_system("ball")->elements().velocity[0].norm());
  }
  EXPECT_LT(fastest, 0.5) << "the ball falls after the tray";
}

TEST(ColliderSet, AKeyedFloorLiftsWhatRestsOnIt) {
  Node scene = make_node(scene_schema());
  Node& lift = add_child(scene, "collider", "box", "lift");
  lift.set("size", Vec3(1, 0.1, 1));
  lift.set("key_end", std::string("hold"));
  for (const auto& [time, height] : {std::pair{0.2, 0.0}, {1.2, 0.5}}) {
    Node& key = add_child(lift, "key", "key", height > 0 ? "up" : "down");
    key.set("time", time);
    key.set("position", Vec3(0, height, 0));
  }
  add_ball(scene, "ball", Vec3(0, 0.06, 0));
  set(scene, "system.ball.restitution", 0.0);
  set(scene, "collider.lift.restitution", 0.0);
  const auto world = world_of(scene);
  const Elements& ball = world->system(0).elements();
  while (world->time() < 0.7 - 1e-9) ASSERT_TRUE(world->step());
  // A cubic motion from rest to rest reaches 1.5 times its mean speed in the middle.
  EXPECT_NEAR(ball.velocity[0].y(), 0.75, 0.01);
  while (world->time() < 2) ASSERT_TRUE(world->step());
  expect_case("collision", "a ball on a keyed lift, at the top: height", ball.position[0].y(), 0.56, 1e-6, "m");
  EXPECT_LT(ball.velocity[0].norm(), 1e-9);
}

TEST(ColliderSet, AnEditedPoseThrowsNothing) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  add_ball(scene, "ball", Vec3(0, 0.01, 0));
  set(scene, "system.ball.restitution", 0.0);
  set(scene, "collider.ground.restitution", 0.0);
  const auto world = world_of(scene);
  hashes_of(*world, 5);
  ASSERT_TRUE(world->apply(SetParameter{"collider.ground.position", Vec3(0, 0.004, 0)}));
  ASSERT_TRUE(world->step());
  EXPECT_LT(world->system(0).elements().velocity[0].norm(), 1e-6);
}

TEST(ColliderSet, APictureShowsRoundOnesAsMeshesMadeOnce) {
  const auto world = world_of(carried_scene());
  Snapshot first, second;
  world->write_snapshot(first);
  ASSERT_TRUE(world->step());
  ASSERT_TRUE(world->apply(SetParameter{"collider.ground.color", Vec3(1, 0, 0)}));
  world->write_snapshot(second);
  EXPECT_EQ(seen(first, "ground").kind, ColliderSnapshot::Kind::plane);
  EXPECT_EQ(seen(first, "tray").kind, ColliderSnapshot::Kind::box);
  EXPECT_EQ(seen(first, "paddle").kind, ColliderSnapshot::Kind::mesh);
  ASSERT_NE(seen(first, "paddle").mesh, nullptr);
  EXPECT_EQ(seen(second, "tray").mesh, nullptr);
  EXPECT_FALSE(seen(first, "paddle").two_sided);
  EXPECT_NEAR(seen(first, "paddle").orientation.angularDistance(Quatf(Eigen::AngleAxisf(-0.5F, Vec3f::UnitZ()))), 0,
              1e-6);
}

TEST(ColliderSet, AnEditDoesNotReadAFileAgain) {
  Node scene = make_node(scene_schema());
  {
    const test::Scratch scratch;
    const std::string file = scratch.write("table.obj", test::table_obj());
    for (const char* name : {"one", "two"}) add_child(scene, "collider", "mesh", name).set("source", file);
    ASSERT_TRUE(ColliderSet::build(scene));
    auto set_of = ColliderSet::build(scene);
    ASSERT_TRUE(set_of);
    EXPECT_EQ(set_of->files_read(), 1U);
    const auto shape = [&](std::size_t i) {
      return std::get<std::shared_ptr<const Geometry>>(set_of->as_declared()[i].shape);
    };
    EXPECT_EQ(shape(0), shape(1));
    const auto world = world_of(scene);
    std::filesystem::remove(file);
    ASSERT_TRUE(world->apply(SetParameter{"collider.one.color", Vec3(1, 0, 0)}));
    ASSERT_TRUE(world->apply(SetParameter{"collider.one.friction", std::string("wet")}));
    ASSERT_TRUE(world->apply(Reset{}));
    ASSERT_TRUE(world->step());
  }
  scene.children.back().line = 7;
  const auto gone = World::create(scene);
  ASSERT_FALSE(gone);
}

TEST(ColliderSet, FilesThatLeaveSomethingToSayAreTold) {
  const test::Scratch scratch;
  const std::string open = scratch.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n");
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "mesh", "sheet").set("source", open);
  const auto world = world_of(scene);
  ASSERT_EQ(world->notes().size(), 1U);
  EXPECT_EQ(world->notes()[0].find(open + ": "), 0U) << world->notes()[0];
  ASSERT_TRUE(world->apply(SetParameter{"collider.sheet.color", Vec3(1, 0, 0)}));
  EXPECT_EQ(world->notes().size(), 1U);
}

TEST(ColliderSet, WhatCannotBeReadOrTiedIsOneSentence) {
  Node scene = make_node(scene_schema());
  Node& mesh = add_child(scene, "collider", "mesh", "jug");
  mesh.line = 9;
  const auto nameless = World::create(scene);
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().line, 9);
  EXPECT_EQ(nameless.error().message(),
            "collider.jug.source = \"\": must name a mesh file (.obj, .stl, .ply, .gltf, .glb)");
  mesh.set("source", std::string("/nowhere/jug.obj"));
  const auto absent = World::create(scene);
  ASSERT_FALSE(absent);
  const std::string sentence = absent.error().message();
  EXPECT_EQ(sentence, "collider.jug.source: /nowhere/jug.obj: cannot be opened: No such file or directory");
  EXPECT_EQ(absent.error().line, 9);
  EXPECT_EQ(absent.error().file, "");  // The line number refers to the scene file, not to the mesh.

  Node tied = make_node(scene_schema());
  Node& lid = add_child(tied, "collider", "box", "lid");
  lid.line = 4;
  lid.set("carried_by", std::string("craeture"));
  add_ball(tied, "creature", Vec3(0, 0, 0));
  const auto unknown = World::create(tied);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message(),
            "collider.lid.carried_by = \"craeture\": must name a system of this scene (did you mean \"creature\"?)");
  set(tied, "collider.lid.carried_by", std::string("creature"));
  set(tied, "collider.lid.carried_element", std::int64_t{1});
  const auto beyond = World::create(tied);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().line, 4);
  EXPECT_EQ(beyond.error().message(),
            "collider.lid.carried_element = 1: must be -1 or the index of an element of creature, in [0, 1)");
}

}  // namespace
}  // namespace vw
