// Several substep rates in one step: substep counts, rules, and equal bits for any order of the systems in the file.
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/world/step/schedule.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using mock::add_balls;
using mock::add_spring;

TEST(Schedule, CountsAreTheCeilingAndNeverBelowOne) {
  EXPECT_EQ(substeps_for(0.01, 1.0, 100), 1);
  EXPECT_EQ(substeps_for(0.01, std::numeric_limits<double>::infinity(), 100), 1);
  EXPECT_EQ(substeps_for(0.01, 0.003, 100), 4);
  EXPECT_EQ(substeps_for(0.25, 0.125, 100), 2);
}

TEST(Schedule, ImpossibleCountsAreZero) {
  EXPECT_EQ(substeps_for(0.01, 1e-6, 100), 0);
  EXPECT_EQ(substeps_for(0.01, 0.0, 100), 0);
  EXPECT_EQ(substeps_for(0.01, -1.0, 100), 0);
  EXPECT_EQ(substeps_for(0.01, std::nan(""), 100), 0);
  EXPECT_EQ(substeps_for(0.01, 1e-300, 100), 0);
}

TEST(Schedule, EachCountOfAClusterDividesTheNext) {
  SubstepPlan plan;
  plan.count = {7, 300, 4, 1, 9};
  const std::vector<SystemPair> joins{{0, 1}, {3, 0}};
  join_clusters(5, joins, plan);
  round_to_divide(plan);
  EXPECT_EQ(plan.cluster, (std::vector<std::size_t>{0, 0, 2, 0, 4}));
  // In the cluster of the systems 0, 1 and 3, the count 1 divides 7 and 7 divides 301. The other systems are not in a
  // cluster and keep their counts.
  EXPECT_EQ(plan.count, (std::vector<std::int64_t>{7, 301, 4, 1, 9}));
}

/// Returns a scene with a slow system of one substep and a fast system of 300 substeps, joined by springs.
Node spring_scene(bool slow_first, const std::string& rate) {
  Node scene = mock::empty_scene();
  const auto slow = [&] {
    Node& node = add_balls(scene, "slow", "m_slow");
    node.set("mass", 2.5);
    node.set("velocity", Vec3(0.3, -0.2, 0.1));
  };
  const auto fast = [&] {
    Node& node = add_balls(scene, "fast", "a_fast");
    node.set("position", Vec3(0.1, 0.2, 0.3));
    node.set("mass", 0.01);
    node.set("stable", 1.0 / 120 / 299.5);
  };
  if (slow_first) slow();
  fast();
  if (!slow_first) slow();
  add_spring(scene).set("rate", rate);
  return scene;
}

Vec3 momentum(const World& world) { return world.diagnostics(0).momentum + world.diagnostics(1).momentum; }

class SpringRule : public testing::TestWithParam<const char*> {};

TEST_P(SpringRule, KeepsTheMomentumOfAPairAtOneAndThreeHundredSubsteps) {
  const auto world = mock::make_world(spring_scene(true, GetParam()));
  const Vec3 before = momentum(*world);
  double exchanged = 0;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(world->step());
    // The tolerance covers the rounding of 300 * 240 additions with a relative error of 1e-16 each.
    ASSERT_LT((momentum(*world) - before).norm(), 1e-9 * before.norm());
    exchanged = std::max(exchanged, world->diagnostics(0).momentum.norm());
  }
  EXPECT_EQ(world->timing(0).substeps, 300);
  EXPECT_EQ(world->timing(1).substeps, 1);
  EXPECT_GT(exchanged, 0.01) << "the spring did nothing, so nothing was tested";
}

TEST_P(SpringRule, GivesTheSameBitsWhicheverSystemIsListedFirst) {
  const auto one = mock::make_world(spring_scene(true, GetParam()));
  const auto other = mock::make_world(spring_scene(false, GetParam()));
  for (int i = 0; i < 60; ++i) {
    one->step();
    other->step();
    ASSERT_EQ(one->hash(), other->hash()) << "step " << i;
  }
}

TEST_P(SpringRule, SwitchedOffChangesNothingBitForBit) {
  Node with = spring_scene(true, GetParam());
  with.children.back().set("enabled", false);
  Node without = spring_scene(true, GetParam());
  without.children.pop_back();
  const auto one = mock::make_world(with);
  const auto other = mock::make_world(without);
  for (int i = 0; i < 10; ++i) {
    one->step();
    other->step();
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one->system(i).elements().position, other->system(i).elements().position);
    EXPECT_EQ(one->system(i).elements().velocity, other->system(i).elements().velocity);
    EXPECT_EQ(one->timing(i).substeps, other->timing(i).substeps);
  }
}

INSTANTIATE_TEST_SUITE_P(BothRates, SpringRule, testing::Values("finer", "step"));

TEST(Schedule, ASpringOfAFinePairOscillatesAtItsFrequency) {
  // Both systems make 300 substeps. With the stiffness k and the reduced mass mu, the pair oscillates at omega = sqrt(k
  // / mu) and returns to its start after a full period. Symplectic Euler has a phase error of O((omega h)^2) for the
  // substep h.
  Node scene = mock::empty_scene();
  add_balls(scene, "slow", "a").set("stable", 1.0 / 120 / 299.5);
  Node& b = add_balls(scene, "fast", "b");
  b.set("stable", 1.0 / 120 / 299.5);
  b.set("position", Vec3(0, 0.5, 0));
  const double omega = 2 * pi;  // The period is one second, which is 120 steps. The reduced mass is mu = 1/2 kg.
  add_spring(scene).set("stiffness", 0.5 * omega * omega);
  const auto world = mock::make_world(scene);
  for (int i = 0; i < 60; ++i) world->step();
  EXPECT_NEAR(world->find_system("b")->elements().position[0].y(), 0.0, 1e-4);
  for (int i = 0; i < 60; ++i) world->step();
  EXPECT_NEAR(world->find_system("b")->elements().position[0].y(), 0.5, 1e-4);
}

TEST(Schedule, TheCoarserSideIsPredictedAlongItsVelocity) {
  // A slow and a fast ball move side by side at 1 m/s. With the predicted position the gap stays zero, and the spring
  // exerts no force.
  Node scene = mock::empty_scene();
  for (const char* kind : {"slow", "fast"}) add_balls(scene, kind, kind).set("velocity", Vec3(1, 0, 0));
  scene.children.back().set("stable", 1.0 / 120 / 99.5);
  add_spring(scene).set("stiffness", 1000.0);
  const auto world = mock::make_world(scene);
  for (int i = 0; i < 30; ++i) world->step();
  for (const char* name : {"slow", "fast"})
    // The tolerance covers the rounding of positions.
    EXPECT_NEAR(world->find_system(name)->elements().velocity[0].x(), 1.0, 1e-9);
}

TEST(Schedule, CoupledStiffnessEntersBothSidesBounds) {
  Node scene = mock::empty_scene();
  add_balls(scene, "slow", "a");
  add_balls(scene, "fast", "b");
  Node& rule = add_spring(scene);
  rule.set("coupled", 1e6);
  const auto world = mock::make_world(scene);
  world->step();
  // With the mass m and the reported stiffness k, the mock system's step bound is sqrt(m / k) = 1 ms. A step of 8.33 ms
  // therefore has 9 substeps.
  EXPECT_EQ(world->timing(0).substeps, 9);
  EXPECT_EQ(world->timing(1).substeps, 9);
  ASSERT_TRUE(world->apply(SetParameter{"interaction.spring.enabled", false}));
  world->step();
  EXPECT_EQ(world->timing(0).substeps, 1);
}

TEST(Schedule, TheStateIsTheSameForAnyNumberOfThreads) {
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    Node scene = spring_scene(true, "finer");
    for (const char* name : {"m_slow", "a_fast"}) {
      ASSERT_TRUE(set_parameter(scene, "system." + std::string(name) + ".count", std::int64_t{20000}));
      ASSERT_TRUE(set_parameter(scene, "system." + std::string(name) + ".stable", 1e-3));
    }
    const auto world = mock::make_world(scene);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 5; ++i) {
      world->step();
      hashes.push_back(world->hash());
    }
    if (first.empty()) first = hashes;
    EXPECT_EQ(hashes, first) << threads << " threads";
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace vw
