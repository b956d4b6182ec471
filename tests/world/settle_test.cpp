// The command that moves a voxel body to its static equilibrium. The command is recorded in the journal. If it fails,
// no voxel moves.

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/world/equilibrium.h"
#include "sim/world/registry.h"
#include "sim/world/world.h"
#include "tests/support/two_bodies.h"

namespace vw {
namespace {

using test::two_bodies;

TEST(Settle, ABodyComesToRestAtOnceAndStaysThere) {
  const auto world = World::create(two_bodies());
  ASSERT_TRUE(world) << world.error().message();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*world)->step());
  ASSERT_TRUE((*world)->apply(Settle{"beam"}));
  const std::vector<Vec3> rest = (*world)->find_system("beam")->elements().position;
  EXPECT_LT(rest.back().y(), 1.015 - 1e-5) << "it sags";
  for (int i = 0; i < 24; ++i) ASSERT_TRUE((*world)->step());
  const auto& after = (*world)->find_system("beam")->elements().position;
  // Because the bonds are computed in mixed precision, relative residual loads of about 1e-7 remain.
  for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LT((after[v] - rest[v]).norm(), 1e-6) << v;
}

TEST(Settle, WhatHasNoEquilibriumDoesNotMove) {
  const auto world = World::create(two_bodies());
  ASSERT_TRUE(world);
  for (int i = 0; i < 5; ++i) (*world)->step();
  const std::uint64_t before = (*world)->hash();
  EXPECT_FALSE((*world)->apply(Settle{"loose"}));
  EXPECT_FALSE((*world)->apply(Settle{"nobody"}));
  EXPECT_EQ((*world)->hash(), before);
}

TEST(Settle, GivesTheSameBitsAtAnyThreadCount) {
  std::uint64_t hash[2] = {};
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    const auto world = World::create(two_bodies());
    ASSERT_TRUE(world);
    ASSERT_TRUE((*world)->apply(Settle{"beam"}));
    hash[threads - 1] = (*world)->hash();
  }
  set_thread_count(0);
  EXPECT_EQ(hash[0], hash[1]);
}

TEST(Settle, WhatItFoundIsTold) {
  const auto world = World::create(two_bodies());
  ASSERT_TRUE(world);
  EXPECT_EQ((*world)->settled(), nullptr);
  int calls = 0;
  (*world)->watch_settling([&](double, double) { return ++calls > 0; });
  ASSERT_TRUE((*world)->apply(Settle{"beam"}));
  const Equilibrium* found = (*world)->settled();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->system, "beam");
  EXPECT_EQ(found->voxels, 40U);
  EXPECT_LE(found->solution.relative_residual, 1e-8) << "the solver's tolerance";
  EXPECT_GE(calls, found->solution.newton);
  // The clamp carries the weight of 40 voxels of 1 cm and 1000 kg/m^3, whose mass is 40 g.
  EXPECT_NEAR(found->solution.reaction.y(), 0.04 * 9.81, 1e-7);
  EXPECT_LT(found->displacement.y(), 0);
}

TEST(Settle, WhenStoppedNothingMoves) {
  const auto world = World::create(two_bodies());
  ASSERT_TRUE(world);
  const std::uint64_t before = (*world)->hash();
  (*world)->watch_settling([](double, double) { return false; });
  const auto good = (*world)->apply(Settle{"beam"});
  ASSERT_FALSE(good);
  EXPECT_NE(good.error().message().find("stopped"), std::string::npos) << good.error().message();
  EXPECT_EQ((*world)->hash(), before);
}

}  // namespace
}  // namespace vw
