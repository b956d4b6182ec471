// Acceleration and net force of elements, as recorded for snapshots.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/world/recording/motion_record.h"
#include "sim/world/state/scene_version.h"
#include "tests/support/world_of.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using test::set;
using test::take_steps;

Snapshot snapshot_of(World& world) {
  Snapshot picture;
  world.write_snapshot(picture);
  return picture;
}

/// Returns the values of a vector channel of a system. The list is empty if the snapshot does not contain the channel.
std::vector<Vec3f> values_of(const Snapshot& picture, const std::string& name, std::size_t system = 0) {
  for (const VectorChannel& one : picture.systems[system].vectors)
    if (one.name == name) return one.values;
  return {};
}

/// Returns a row of three balls of 2 kg in free fall.
Node falling() {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "balls").set("gravity", true);
  const_cast<Node*>(scene.all("system")[0])->set("mass", 2.0);
  set(scene, "world.gravity", Vec3(0, -9.81, 0));
  return scene;
}

TEST(MotionRecord, AFallingBallHasTheAccelerationOfGravityAndItsWeightAsNetForce) {
  const auto world = mock::make_world(falling());
  world->subscribe({.vectors = {"acceleration", "net_force"}});
  EXPECT_TRUE(snapshot_of(*world).systems[0].vectors.empty()) << "nothing is known before the first step";
  take_steps(*world, 3);
  const Snapshot picture = snapshot_of(*world);
  ASSERT_EQ(values_of(picture, "acceleration").size(), 3U);
  for (const Vec3f& a : values_of(picture, "acceleration")) EXPECT_LT((a - Vec3f(0, -9.81F, 0)).norm(), 1e-4F);
  for (const Vec3f& f : values_of(picture, "net_force")) EXPECT_LT((f - Vec3f(0, -19.62F, 0)).norm(), 2e-4F);
  const auto& available = picture.systems[0].available_vectors;
  ASSERT_EQ(available.size(), 2U);
  EXPECT_EQ(available[0].name + " " + available[0].unit, "acceleration m/s^2");
  EXPECT_EQ(available[1].name + " " + available[1].unit, "net_force N");
}

TEST(MotionRecord, ACirclingBallIsPulledInwardsWithVSquaredOverR) {
  // A light ball of mass m circles at the distance r = 1 m about a ball of a billion times its mass. A spring of k = 40
  // N/m joins the balls. The speed v of the circular motion satisfies v^2 = k r^2 / m.
  Node scene = mock::empty_scene();
  const double k = 40, m = 0.1, v = std::sqrt(k / m), dt = 1e-3;
  mock::add_balls(scene, "slow", "sun").set("mass", m * 1e9);
  mock::add_balls(scene, "fast", "planet").set("mass", m);
  for (const Node* ball : scene.all("system")) const_cast<Node*>(ball)->set("count", std::int64_t{1});
  Node& planet = *const_cast<Node*>(scene.all("system")[1]);
  planet.set("position", Vec3(0, 1, 0));
  planet.set("velocity", Vec3(v, 0, 0));
  mock::add_spring(scene).set("stiffness", k);
  set(scene, "world.dt", dt);
  const auto world = mock::make_world(scene);
  world->subscribe({.vectors = {"acceleration"}});
  for (int step = 0; step < 200; ++step) {
    take_steps(*world, 1);
    const Vec3 out = world->system(0).elements().position[0];  // Systems are ordered by name: planet, sun.
    const Vec3 a = values_of(snapshot_of(*world), "acceleration")[0].cast<double>();
    // The acceleration is the change of velocity in the past step, so its direction lags by half the rotation of a
    // step, which is 0.01 rad.
    EXPECT_NEAR(a.norm(), v * v / 1.0, 0.02 * v * v) << step;
    EXPECT_LT(a.normalized().dot(out.normalized()), -0.999) << step;
  }
}

TEST(MotionRecord, CostsNothingAndShowsNothingUnlessItIsAskedForAndChangesNoBit) {
  const auto plain = mock::make_world(falling()), watched = mock::make_world(falling());
  watched->subscribe({.vectors = {"acceleration", "net_force", "nobody_has_this"}});
  take_steps(*plain, 5);
  take_steps(*watched, 5);
  EXPECT_TRUE(snapshot_of(*plain).systems[0].vectors.empty());
  EXPECT_EQ(snapshot_of(*watched).systems[0].vectors.size(), 2U);
  EXPECT_EQ(plain->hash(), watched->hash());
  watched->subscribe({});
  EXPECT_TRUE(snapshot_of(*watched).systems[0].vectors.empty());
  watched->subscribe({.vectors = {"acceleration"}});
  EXPECT_TRUE(snapshot_of(*watched).systems[0].vectors.empty()) << "not until the next step";
  take_steps(*watched, 1);
  EXPECT_EQ(snapshot_of(*watched).systems[0].vectors.size(), 1U);
}

TEST(MotionRecord, AResetAndALoadedStateForgetIt) {
  const auto world = mock::make_world(falling());
  world->subscribe({.vectors = {"acceleration"}});
  take_steps(*world, 2);
  StateBlock state;
  world->save_state(state);
  ASSERT_TRUE(world->load_state(state));
  EXPECT_TRUE(values_of(snapshot_of(*world), "acceleration").empty());
  take_steps(*world, 1);
  EXPECT_EQ(values_of(snapshot_of(*world), "acceleration").size(), 3U);
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_TRUE(values_of(snapshot_of(*world), "acceleration").empty());
}

TEST(MotionRecord, AStepThatIsTakenBackLeavesWhatTheLastGoodOneGave) {
  Node scene = falling();
  const_cast<Node*>(scene.all("system")[0])->set("break_time", 0.0501);
  set(scene, "world.dt", 0.01);
  const auto world = mock::make_world(scene);
  world->subscribe({.vectors = {"acceleration"}});
  take_steps(*world, 5);
  const auto before = values_of(snapshot_of(*world), "acceleration");
  EXPECT_FALSE(world->step());
  EXPECT_EQ(values_of(snapshot_of(*world), "acceleration"), before);
  EXPECT_LT((before[0] - Vec3f(0, -9.81F, 0)).norm(), 1e-4F);
}

TEST(MotionRecord, ElementsAreKnownByTheirIdentitiesAndTheNewbornHaveNone) {
  auto parts = build_parts(falling(), mock::registry());
  ASSERT_TRUE(parts);
  Elements& balls = parts->systems[0]->elements();
  balls.id = {4, 7, 9};
  balls.velocity = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  MotionRecord record;
  record.ask({"acceleration", "net_force"});
  record.begin_step(*parts);
  // The middle element is removed, and a new element is added.
  balls.id = {4, 9, 12};
  balls.velocity = {{1, 1, 0}, {3, 0, 2}, {5, 5, 5}};
  record.end_step(0.5);
  SystemSnapshot out;
  record.write(*parts->systems[0], 0, out);
  ASSERT_EQ(out.vectors.size(), 2U);
  EXPECT_THAT(out.vectors[0].values, testing::ElementsAre(Vec3f(0, 2, 0), Vec3f(0, 0, 4), Vec3f(0, 0, 0)));
  EXPECT_THAT(out.vectors[1].values, testing::ElementsAre(Vec3f(0, 4, 0), Vec3f(0, 0, 8), Vec3f(0, 0, 0)));
}

/// Returns a scene with a box of 2 x 1 x 1 m and 500 kg at rest on the ground.
Node resting_box() {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  Node& rigid = add_child(scene, "system", "rigid", "box");
  Node& body = add_child(rigid, "body", "box", "box");
  body.set("size", Vec3(2, 1, 1));
  body.set("position", Vec3(0, 0.5, 0));
  body.set("mass", 500.0);
  rigid.set("sleep", false);
  return scene;
}

TEST(MotionRecord, ABodyAtRestOnTheGroundHasNoNetForceThoughItsContactsBearItsWeight) {
  const auto world = test::world_of(resting_box());
  world->subscribe({.vectors = {"acceleration", "net_force", "angular_velocity"}});
  take_steps(*world, 120);
  const Snapshot picture = snapshot_of(*world);
  ASSERT_EQ(values_of(picture, "net_force").size(), 1U);
  EXPECT_LT(values_of(picture, "net_force")[0].norm(), 1e-3F * 500 * 9.81F);
  Vec3f borne = Vec3f::Zero();
  for (const ContactMark& contact : contacts_of(picture.systems[0])) borne += contact.force_n;
  EXPECT_LT((borne - Vec3f(0, 500 * 9.81F, 0)).norm(), 1e-3F * 500 * 9.81F);
  EXPECT_EQ(values_of(picture, "angular_velocity").size(), 1U);
}

TEST(MotionRecord, ATurningBodyShowsItsAngularVelocityAndTwiceThatAsVorticity) {
  Node scene = resting_box();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "system.box.body.box.position", Vec3(0, 5, 0));
  set(scene, "system.box.body.box.angular_velocity", Vec3(0, 0, 3));
  const auto world = test::world_of(scene);
  world->subscribe({.vectors = {"vorticity", "angular_velocity"}});
  take_steps(*world, 10);
  const Snapshot picture = snapshot_of(*world);
  EXPECT_LT((values_of(picture, "angular_velocity")[0] - Vec3f(0, 0, 3)).norm(), 1e-4F);
  EXPECT_LT((values_of(picture, "vorticity")[0] - Vec3f(0, 0, 6)).norm(), 2e-4F);
}

std::string refusal(const std::string& path, const Value& value) {
  Node scene = resting_box();
  set(scene, path, value);
  const auto world = World::create(std::move(scene));
  return world ? "" : world.error().message();
}

TEST(MotionRecord, AViewThatAsksForWhatNobodyHasIsRefusedInASentence) {
  using testing::HasSubstr;
  EXPECT_EQ(refusal("view.vector_of", std::string("net_force")), "");
  EXPECT_EQ(refusal("view.vector_of", std::string("angular_velocity")), "");
  EXPECT_THAT(refusal("view.vector_of", std::string("netforce")),
              HasSubstr("view.vector_of = \"netforce\": must be one of velocity, acceleration"));
  EXPECT_THAT(refusal("view.vector_of", std::string("drag")), HasSubstr("view.vector_of"));
  EXPECT_THAT(refusal("view.vector_of", std::string()), HasSubstr("view.vector_of"));
  for (const char* good : {"material", "speed", ""}) EXPECT_EQ(refusal("view.color_by", std::string(good)), "") << good;
  EXPECT_THAT(refusal("view.color_by", std::string("sped")),
              HasSubstr("view.color_by = \"sped\": must be one of material, speed"));
  EXPECT_THAT(refusal("view.color_by", std::string("strain")), HasSubstr("in this scene")) << "of voxel bodies alone";
  EXPECT_EQ(refusal("view.vector_systems", TextList{"box"}), "");
  EXPECT_EQ(refusal("view.hidden", TextList{"box"}), "");
  EXPECT_THAT(refusal("view.hidden", TextList{"bax"}), HasSubstr("must name a system or a collider of this scene"));
  EXPECT_EQ(refusal("view.locked", TextList{"box"}), "");
  EXPECT_THAT(refusal("view.locked", TextList{"bax"}), HasSubstr("must name a system or a collider of this scene"));
  EXPECT_EQ(refusal("view.camera_2", NumberList{1, 2, 3, 4, 5, 6}), "");
  EXPECT_THAT(refusal("view.camera_2", NumberList{1, 2}), HasSubstr("view.camera_2 = 2 numbers: must hold 6 numbers"));
  EXPECT_THAT(refusal("view.vector_systems", TextList{"bax"}), HasSubstr("must name a system of this scene"));
  EXPECT_THAT(refusal("view.trail_systems", TextList{"box", "cloud"}), HasSubstr("view.trail_systems = \"cloud\""));
  EXPECT_EQ(refusal("view.follow", std::string("box.0")), "");
  EXPECT_EQ(refusal("view.follow", std::string("box")), "");
  for (const char* bad : {"bax", "box.", "box.x", "box.-1", "box.0.1", ".", "box.99999999999"})
    EXPECT_THAT(refusal("view.follow", std::string(bad)), HasSubstr("view.follow")) << bad;
  EXPECT_THAT(refusal("view.air_glyph_of", std::string("pressure")),
              HasSubstr("must be one of velocity, acceleration, vorticity"));
}

TEST(MotionRecord, LiveEditsOfTheViewAreCheckedAsInAFile) {
  const auto world = test::world_of(resting_box());
  const Node before = world->scene();
  const std::vector<SetParameter> edits{{"view.follow", std::string("bax")},
                                        {"view.vector_of", std::string("netforce")},
                                        {"view.color_by", std::string("sped")},
                                        {"view.hidden", TextList{"bax"}},
                                        {"view.camera_2", NumberList{1, 2}}};
  for (const SetParameter& edit : edits) {
    const auto refused = world->apply(edit);
    ASSERT_FALSE(refused) << edit.path;
    EXPECT_EQ(refused.error().message(), refusal(edit.path, edit.value));
    EXPECT_TRUE(same_node(world->scene(), before)) << edit.path;
    EXPECT_TRUE(same_node(world->scene_version().in_force, before)) << edit.path;
  }
  ASSERT_TRUE(world->apply(SetParameter{"view.follow", std::string("box.0")}));
  EXPECT_TRUE(world->apply(Reset{}));
}

}  // namespace
}  // namespace vw
