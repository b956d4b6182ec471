// The world's own behaviour: clock, commands, health, roll-back, snapshots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using mock::add_balls;
using testing::HasSubstr;

Node one_system(const std::string& name = "balls") {
  Node scene = mock::empty_scene();
  add_balls(scene, "slow", name).set("velocity", Vec3(0.5, 0, 0));
  return scene;
}

TEST(World, TimeDoesNotDriftOverAMillionSteps) {
  Node scene = mock::empty_scene();
  add_balls(scene, "slow", "balls").set("count", std::int64_t{1});
  const auto world = mock::make_world(scene);
  for (int i = 0; i < 1000000; ++i) world->step();
  EXPECT_EQ(world->time(), 1000000 * (1.0 / 120));  // The time is the product of the step count and dt, not a sum.
}

TEST(World, ANewStepLengthTakesEffectFromNowOn) {
  const auto world = mock::make_world(one_system());
  for (int i = 0; i < 12; ++i) world->step();
  ASSERT_TRUE(world->apply(SetParameter{"world.dt", 0.25}));
  world->step();
  EXPECT_DOUBLE_EQ(world->time(), 12.0 / 120 + 0.25);
  EXPECT_NEAR(world->system(0).elements().position[0].x(), 0.5 * world->time(), 1e-12);
}

TEST(World, NamesTheMistakeInAScene) {
  Node twice = one_system();
  add_balls(twice, "fast", "balls");
  EXPECT_THAT(World::create(twice, mock::registry()).error().message(), HasSubstr("must be unique"));
  Node lost = one_system();
  mock::add_spring(lost).set("a", "bals");
  const std::string message = World::create(lost, mock::registry()).error().message();
  EXPECT_THAT(message, HasSubstr("interaction.spring.a"));
  EXPECT_THAT(message, HasSubstr("did you mean \"balls\""));
  Node bad = one_system();
  bad.children.back().set("label", "impossible");
  EXPECT_THAT(World::create(bad, mock::registry()).error().message(), HasSubstr("system.balls"));
}

TEST(World, DefaultRulesJoinPresentKindsThatTheSceneDoesNotMention) {
  Node scene = one_system();
  add_default_interactions(scene, mock::registry());
  EXPECT_TRUE(scene.all("interaction").empty());
  add_balls(scene, "fast", "others");
  add_default_interactions(scene, mock::registry());
  ASSERT_EQ(scene.all("interaction").size(), 1U);
  EXPECT_EQ(scene.all("interaction")[0]->name, "balls_springs");
  add_default_interactions(scene, mock::registry());
  EXPECT_EQ(scene.all("interaction").size(), 1U);
}

TEST(World, InvalidCommandsChangeNothing) {
  const auto world = mock::make_world(one_system());
  world->step();
  const Node before = world->scene();
  const std::uint64_t hash = world->hash();
  const double nan = std::nan("");
  const std::vector<Command> bad{
      SetParameter{"system.balls.stabel", 1.0},
      SetParameter{"system.bals.stable", 1.0},
      SetParameter{"", 1.0},
      SetParameter{"system.balls.stable", -1.0},
      SetParameter{"system.balls.stable", nan},
      SetParameter{"system.balls.stable", std::string("fast")},
      SetParameter{"system.balls.stable", 0.0625},  // the mock system rejects this value
      SetParameter{"world.gravity", Vec3(0, nan, 0)},
      Grab{"nobody", 0, Vec3::Zero(), 10},
      Grab{"balls", 3, Vec3::Zero(), 10},
      Grab{"balls", -1, Vec3::Zero(), 10},
      Grab{"balls", 0, Vec3(nan, 0, 0), 10},
      Grab{"balls", 0, Vec3(0, 1e13, 0), 10},  // a checkpoint with this target could not be loaded
      Grab{"balls", 0, Vec3::Zero(), nan},
      MoveGrab{Vec3(nan, 0, 0)},
      Push{"balls", 99, Vec3::Zero(), 0},
      Push{"balls", 0, Vec3(0, nan, 0), 0},
      Push{"balls", 0, Vec3::Zero(), -1},
  };
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_FALSE(world->apply(bad[i])) << i;
    EXPECT_TRUE(same_node(world->scene(), before)) << i;
    EXPECT_EQ(world->hash(), hash) << i;
  }
}

TEST(World, AnEditThatIsNotLiveWaitsForTheReset) {
  const auto world = mock::make_world(one_system());
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.count", std::int64_t{7}}));
  // A live edit of the same system must not apply the edit of `count`, which is pending until the reset.
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.gravity", true}));
  world->step();
  EXPECT_EQ(world->system(0).elements().size(), 3U);
  EXPECT_EQ(std::get<std::int64_t>(world->scene().find("system", "balls")->value("count")), 7);
  ASSERT_EQ(world->in_force().size(), 1U);
  EXPECT_EQ(world->in_force()[0].path, "system.balls.count");
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_EQ(world->system(0).elements().size(), 7U);
  EXPECT_EQ(world->step_count(), 0U);
  EXPECT_EQ(world->time(), 0.0);
  EXPECT_TRUE(world->in_force().empty());
}

TEST(World, ResetIsAFreshWorldBitForBit) {
  const auto world = mock::make_world(one_system());
  const auto fresh = mock::make_world(one_system());
  for (int i = 0; i < 30; ++i) world->step();
  ASSERT_TRUE(world->apply(Grab{"balls", 1, Vec3(0, 1, 0), 10}));
  ASSERT_TRUE(world->apply(Push{"balls", 1, Vec3(0, 1, 0), 0}));
  ASSERT_TRUE(world->apply(Reset{}));
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(world->hash(), fresh->hash());
    world->step();
    fresh->step();
  }
}

TEST(World, AResetThatCannotBeBuiltLeavesTheRunningWorld) {
  const auto world = mock::make_world(one_system());
  world->step();
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.label", std::string("impossible")}));
  const std::uint64_t hash = world->hash();
  EXPECT_FALSE(world->apply(Reset{}));
  EXPECT_EQ(world->hash(), hash);
  EXPECT_TRUE(world->step());
}

TEST(World, APushGivesItsImpulseOnceAndSharesItByMass) {
  Node scene = mock::empty_scene();
  Node& balls = add_balls(scene, "slow", "balls");
  balls.set("spacing", 0.1);
  balls.set("mass", 2.0);
  const auto world = mock::make_world(scene);
  ASSERT_TRUE(world->apply(Push{"balls", 0, Vec3(0, 0, 6), 0.15}));
  for (int i = 0; i < 3; ++i) world->step();
  const auto& v = world->system(0).elements().velocity;
  EXPECT_DOUBLE_EQ(v[0].z(), 1.5);
  EXPECT_DOUBLE_EQ(v[1].z(), 1.5);
  EXPECT_EQ(v[2].z(), 0.0);  // This ball is 0.2 m away.
}

TEST(World, AGrabBringsAFreeBallToRestAtItsTargetWithoutOvershoot) {
  const auto world = mock::make_world([] {
    Node scene = mock::empty_scene();
    add_balls(scene, "slow", "balls");
    return scene;
  }());
  const Vec3 target(0, 0.5, 0);
  // A stiffness of 25 N/m and a mass of 1 kg give a time constant of 0.2 s.
  ASSERT_TRUE(world->apply(Grab{"balls", 0, target, 25}));
  double highest = 0;
  for (int i = 0; i < 360; ++i) {
    world->step();
    highest = std::max(highest, world->system(0).elements().position[0].y());
  }
  // The spring is critically damped, so the ball overshoots only by the integration error. After 15 time constants
  // about e^-15 of the distance remains.
  EXPECT_LT(highest, 0.5 + 1e-4);
  EXPECT_NEAR(world->system(0).elements().position[0].y(), 0.5, 1e-4);
  EXPECT_EQ(world->system(0).elements().position[1].y(), 0.0);
  ASSERT_TRUE(world->apply(Release{}));
  const double before = world->system(0).elements().position[0].y();
  world->step();
  EXPECT_NEAR(world->system(0).elements().position[0].y(), before, 1e-4);
}

TEST(World, AnAbsurdlyStiffGrabStaysStable) {
  Node scene = mock::empty_scene();
  add_balls(scene, "slow", "balls").set("mass", 1e-6);
  const auto world = mock::make_world(scene);
  ASSERT_TRUE(world->apply(Grab{"balls", 0, Vec3(1, 1, 1), 1e12}));
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
  EXPECT_NEAR((world->system(0).elements().position[0] - Vec3(1, 1, 1)).norm(), 0, 1e-6);
}

TEST(World, StopsAtTheLastGoodStateAndSaysWhatWhereWhenAndWhy) {
  Node scene = one_system();
  scene.children.back().set("break_time", 0.496);
  scene.children.back().set("stable", 0.003);
  const auto world = mock::make_world(scene);
  std::uint64_t good = 0;
  while (world->step()) good = world->hash();
  EXPECT_EQ(world->step_count(), 59U);  // The step from 59/120 = 0.4917 s to 0.5 s fails.
  EXPECT_EQ(world->hash(), good);
  const std::string sentence = world->health().sentence();
  for (const char* part : {"step 59", "balls", "element 2", "position is not finite", "substep", "last good state"})
    EXPECT_THAT(sentence, HasSubstr(part));
  EXPECT_EQ(sentence.find('\n'), std::string::npos);
  EXPECT_FALSE(world->step());
  EXPECT_EQ(world->hash(), good);
}

TEST(World, GoesOnAfterALiveRemedyOrAReset) {
  Node scene = one_system();
  scene.children.back().set("break_time", 0.1);
  const auto world = mock::make_world(scene);
  while (world->step()) {
  }
  const std::uint64_t steps = world->step_count();
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.break_time", -1.0}));
  EXPECT_TRUE(world->step());
  EXPECT_EQ(world->step_count(), steps + 1);
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.break_time", 0.0}));
  EXPECT_FALSE(world->step());
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.break_time", 0.1}));
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_FALSE(world->health().failed);
  EXPECT_TRUE(world->step());
}

TEST(World, AnEnergyExplosionIsCaughtWhileAllIsFinite) {
  const auto world = mock::make_world(one_system());
  world->step();
  ASSERT_TRUE(world->apply(SetParameter{"system.balls.kick", 1e6}));
  const std::uint64_t good = world->hash();
  EXPECT_FALSE(world->step());
  EXPECT_EQ(world->hash(), good);
  EXPECT_THAT(world->health().sentence(), HasSubstr("kinetic energy grew"));
}

TEST(World, MotionFromRestIsNoExplosion) {
  Node scene = mock::empty_scene();
  add_balls(scene, "slow", "balls").set("gravity", true);
  const auto world = mock::make_world(scene);
  ASSERT_TRUE(world->apply(Push{"balls", 0, Vec3(100, 0, 0), 0}));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
}

TEST(World, TooManySubstepsAreAHealthFailureNotASilentCap) {
  Node scene = one_system();
  scene.children.back().set("stable", 1e-9);
  const auto world = mock::make_world(scene);
  EXPECT_FALSE(world->step());
  EXPECT_EQ(world->step_count(), 0U);
  const std::string sentence = world->health().sentence();
  for (const char* part : {"balls", "substeps", "world.max_substeps = 100000", "1e-09 s"})
    EXPECT_THAT(sentence, HasSubstr(part));
}

TEST(World, AThousandRandomEditsAndUndoAllGiveTheStartingValues) {
  Node scene = one_system();
  add_balls(scene, "fast", "others");
  add_default_interactions(scene, mock::registry());
  const auto world = mock::make_world(scene);
  const Node start = world->scene();
  struct Undo {
    std::string path;
    Value value;
  };
  std::vector<Undo> undo;
  const RandomKey key{7, 7};
  for (std::uint64_t i = 0; undo.size() < 1000; ++i) {
    Node tree = world->scene();
    const auto all = all_parameters(tree);
    const ParamRef& ref = all[static_cast<std::size_t>(random_uniform(key, i) * static_cast<double>(all.size()))];
    Value value = ref.value();
    const double x = random_uniform(key, i, 1);
    if (auto* real = std::get_if<double>(&value))
      *real = std::clamp(*real * (0.5 + x), ref.spec->bounds.min, ref.spec->bounds.max);
    else if (auto* whole = std::get_if<std::int64_t>(&value))
      *whole += x < 0.5 ? 1 : 0;
    else if (auto* flag = std::get_if<bool>(&value))
      *flag = x < 0.5;
    else if (auto* vec = std::get_if<Vec3>(&value))
      *vec *= 0.5 + x;
    else if (!ref.spec->choices.empty())
      value = ref.spec->choices[static_cast<std::size_t>(x * static_cast<double>(ref.spec->choices.size()))];
    const Value old = ref.value();
    const std::string path = ref.path;
    if (!world->apply(SetParameter{path, value})) continue;  // rejected values, for example format = 2
    undo.push_back({path, old});
    if (i % 50 == 0) (void)world->step();
  }
  EXPECT_FALSE(same_node(world->scene(), start));
  for (auto it = undo.rbegin(); it != undo.rend(); ++it) ASSERT_TRUE(world->apply(SetParameter{it->path, it->value}));
  EXPECT_TRUE(same_node(world->scene(), start));
  EXPECT_TRUE(world->edits().empty());
}

TEST(World, ASnapshotHoldsWhatAPictureNeeds) {
  Node scene = one_system();
  add_balls(scene, "fast", "others");
  const auto world = mock::make_world(scene);
  world->step();
  ASSERT_TRUE(world->apply(Grab{"balls", 1, Vec3(1, 2, 3), 10}));
  Snapshot picture;
  world->subscribe({.channels = {"speed", "unknown"}});
  world->write_snapshot(picture);
  ASSERT_EQ(picture.systems.size(), 2U);
  EXPECT_EQ(picture.systems[0].name, "balls");
  EXPECT_EQ(picture.systems[0].kind, "slow");
  EXPECT_EQ(picture.systems[0].available.size(), 2U);
  ASSERT_EQ(picture.systems[0].channels.size(), 1U);
  EXPECT_EQ(picture.systems[0].channels[0].values, std::vector<float>(3, 0.5F));
  EXPECT_DOUBLE_EQ(picture.systems[0].kinetic_j, 3 * 0.5 * 0.25);
  EXPECT_EQ(picture.step, 1U);
  EXPECT_DOUBLE_EQ(picture.time_s, 1.0 / 120);
  EXPECT_TRUE(picture.grab.active);
  EXPECT_EQ(picture.grab.target, Vec3f(1, 2, 3));
  ASSERT_EQ(picture.stages.size(), 4U);  // two systems, the rules, and the rest ("world")
  const std::uint64_t epoch = picture.epoch;
  ASSERT_TRUE(world->apply(Reset{}));
  world->subscribe({});
  world->write_snapshot(picture);
  EXPECT_NE(picture.epoch, epoch);
  EXPECT_FALSE(picture.grab.active);
  EXPECT_TRUE(picture.systems[0].channels.empty());
}

}  // namespace
}  // namespace vw
