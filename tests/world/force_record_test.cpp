// Forces of rules on both sides, as recorded for snapshots.
#include <gtest/gtest.h>

#include "sim/world/recording/force_record.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

/// Returns two rows of three balls of 1e9 kg, one row 2 m above the other. Two rules join the rows in pairs. Each
/// spring of the rule `spring` (10 N/m) exerts 20 N and each spring of `weaker` (1 N/m) exerts 2 N, because the balls
/// hardly move.
Node two_rows(const std::string& rate) {
  Node scene = mock::empty_scene();
  for (const char* kind : {"slow", "fast"}) mock::add_balls(scene, kind, kind).set("mass", 1e9);
  Node& above = *const_cast<Node*>(scene.all("system")[1]);
  above.set("position", Vec3(0, 2, 0));
  above.set("stable", 1.0 / 500);
  mock::add_spring(scene, "spring").set("rate", rate);
  mock::add_spring(scene, "weaker").set("stiffness", 1.0);
  return scene;
}

Snapshot after_steps(World& world, int steps) {
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(world.step());
  Snapshot picture;
  world.write_snapshot(picture);
  return picture;
}

TEST(ForceRecord, SaysTheMeanForceOnEachElementOfBothSides) {
  for (const char* rate : {"finer", "step"}) {
    const auto world = mock::make_world(two_rows(rate));
    world->subscribe({.rules = {"spring"}});
    const Snapshot picture = after_steps(*world, 3);
    ASSERT_EQ(picture.rules.size(), 2U);
    const RuleSnapshot& rule = picture.rules[0];
    EXPECT_EQ(rule.node, "spring");
    EXPECT_EQ(rule.kind, "balls_springs");
    EXPECT_EQ(picture.systems[rule.a].name, "slow");
    EXPECT_EQ(picture.systems[rule.b].name, "fast");
    ASSERT_EQ(rule.force_a.size(), 3U) << rate;
    ASSERT_EQ(rule.force_b.size(), 3U) << rate;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LT((rule.force_a[i] - Vec3f(0, 20, 0)).norm(), 1e-5F) << rate;
      EXPECT_EQ(rule.force_b[i], Vec3f(-rule.force_a[i])) << rate;
    }
    EXPECT_EQ(rule.touching, 6U);
    EXPECT_NEAR(rule.force_n, 60, 1e-4);
  }
}

TEST(ForceRecord, MeasuresOnlyWhatWasAskedFor) {
  const auto world = mock::make_world(two_rows("finer"));
  EXPECT_TRUE(after_steps(*world, 1).rules[0].force_a.empty());
  world->subscribe({.rules = {"weaker", "nobody"}});
  const Snapshot picture = after_steps(*world, 1);
  EXPECT_TRUE(picture.rules[0].force_a.empty());
  EXPECT_EQ(picture.rules[0].force_n, 0);
  EXPECT_NEAR(picture.rules[1].force_n, 6, 1e-5);
  world->subscribe({});
  EXPECT_TRUE(after_steps(*world, 1).rules[1].force_a.empty());
}

TEST(ForceRecord, ChangesNoBitOfTheState) {
  for (const char* rate : {"finer", "step"}) {
    const auto plain = mock::make_world(two_rows(rate)), watched = mock::make_world(two_rows(rate));
    watched->subscribe({.rules = {"spring", "weaker"}});
    (void)after_steps(*plain, 20);
    EXPECT_GT(after_steps(*watched, 20).rules[1].force_n, 0);
    EXPECT_EQ(plain->hash(), watched->hash()) << rate;
  }
}

TEST(ForceRecord, GoesOnAfterAResetAndIsSilentOfRulesThatAreOff) {
  const auto world = mock::make_world(two_rows("finer"));
  world->subscribe({.rules = {"spring"}});
  EXPECT_GT(after_steps(*world, 1).rules[0].force_n, 0);
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_TRUE(after_steps(*world, 0).rules[0].force_a.empty());
  EXPECT_GT(after_steps(*world, 1).rules[0].force_n, 0);
  ASSERT_TRUE(world->apply(SetParameter{"interaction.spring.enabled", false}));
  const Snapshot off = after_steps(*world, 1);
  EXPECT_FALSE(off.rules[0].enabled);
  EXPECT_TRUE(off.rules[0].force_a.empty());
}

TEST(ForceRecord, FollowsElementsWhoseRowsMove) {
  auto parts = build_parts(two_rows("finer"), mock::registry());
  ASSERT_TRUE(parts);
  Elements& slow = parts->systems[1]->elements();
  slow.id = {4, 7, 9};
  slow.impulse = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  ForceRecord record;
  record.ask({"spring"});
  record.begin_step(*parts);
  const auto give = [&](double each) {
    record.before(*parts, 0);
    for (Vec3& impulse : slow.impulse) impulse.y() += each;
    record.after(*parts, 0);
  };
  give(0.5);
  // The middle element is removed, and a new element is added.
  slow.id = {4, 9, 12};
  slow.impulse.assign(3, Vec3::Zero());
  give(0.25);
  std::vector<RuleSnapshot> out;
  record.write(*parts, 0.5, out);
  ASSERT_EQ(out[0].force_a.size(), 3U);
  EXPECT_EQ(out[0].force_a[0], Vec3f(0, 1.5F, 0));
  EXPECT_EQ(out[0].force_a[1], Vec3f(0, 1.5F, 0));
  EXPECT_EQ(out[0].force_a[2], Vec3f(0, 0.5F, 0));
  // The first element is removed before the snapshot is taken.
  slow.id = {9, 12};
  slow.position.resize(2);
  slow.impulse.resize(2);
  record.write(*parts, 0.5, out);
  ASSERT_EQ(out[0].force_a.size(), 2U);
  EXPECT_EQ(out[0].force_a[0], Vec3f(0, 1.5F, 0));
  EXPECT_EQ(out[0].force_a[1], Vec3f(0, 0.5F, 0));
}

}  // namespace
}  // namespace vw
