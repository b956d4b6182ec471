// The acceleration budget that the motives share, and the motion of a member within its limits.
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/system/flock/steering/motion.h"
#include "sim/system/flock/steering/steering.h"

namespace vw {
namespace {

Vec3& of(Motives& motives, Motive which) { return motives[static_cast<std::size_t>(which)]; }
Motives no_motives() {
  Motives none;
  none.fill(Vec3::Zero());
  return none;
}

TEST(FlockBudget, TheMostUrgentTakesWhatItAsksForAndTheRestGetWhatIsLeft) {
  Motives asked = no_motives();
  of(asked, Motive::avoidance) = Vec3(0, 6, 0);
  of(asked, Motive::alignment) = Vec3(8, 0, 0);
  of(asked, Motive::wander) = Vec3(0, 0, 3);
  const Vec3 sum = share_out(asked, Budget::prioritised, 10);
  EXPECT_EQ(of(asked, Motive::avoidance), Vec3(0, 6, 0));
  EXPECT_NEAR((of(asked, Motive::alignment) - Vec3(4, 0, 0)).norm(), 0, 1e-12);
  EXPECT_EQ(of(asked, Motive::wander).norm(), 0);
  EXPECT_NEAR((sum - Vec3(4, 6, 0)).norm(), 0, 1e-12);
}

TEST(FlockBudget, WeightedMotivesAreAllCutByOneFactor) {
  Motives asked = no_motives();
  of(asked, Motive::avoidance) = Vec3(0, 12, 0);
  of(asked, Motive::wander) = Vec3(16, 0, 0);
  const Vec3 sum = share_out(asked, Budget::weighted, 10);
  EXPECT_NEAR((sum - Vec3(8, 6, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((of(asked, Motive::wander) - Vec3(8, 0, 0)).norm(), 0, 1e-12);
}

TEST(FlockBudget, IsNeverExceeded) {
  double most = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Motives asked;
    for (std::size_t k = 0; k < motive_count; ++k)
      asked[k] = 20 * random_uniform({1, k}, i) * random_direction({2, k}, i);
    const Budget budget = i % 2 == 0 ? Budget::prioritised : Budget::weighted;
    Motives given = asked;
    const Vec3 sum = share_out(given, budget, 7);
    most = std::max(most, sum.norm());
    double lengths = 0;
    Vec3 parts = Vec3::Zero();
    for (const Vec3& one : given) lengths += one.norm(), parts += one;
    EXPECT_LE(budget == Budget::prioritised ? lengths : 0, 7 * (1 + 1e-12));
    EXPECT_NEAR((parts - sum).norm(), 0, 1e-12);
  }
  EXPECT_LE(most, 7 * (1 + 1e-12));
  EXPECT_GT(most, 6.9);
}

TEST(FlockMotion, LimitsOfSpeedTurnAndClimbHoldWhateverIsWanted) {
  SpeciesParams species;
  species.climb_deg = 40;
  const double dt = 0.02;
  const MotionLimits limits(species, dt);
  OwnMotion own{Vec3(1, 0, 0), 1};
  double turned_most = 0, steepest = 0, fastest = 0, slowest = 1e9;
  for (std::uint64_t i = 0; i < 50000; ++i) {
    const Vec3 push = i % 97 < 30 ? Vec3(0, 8, 0) : Vec3(10 * random_direction({5, 1}, i / 7));
    const OwnMotion next = turned(own, dt * push * (i % 5 == 0 ? 50 : 1), limits);
    turned_most = std::max(turned_most, std::acos(std::clamp(next.heading.dot(own.heading), -1.0, 1.0)));
    steepest = std::max(steepest, std::asin(std::abs(next.heading.y())));
    fastest = std::max(fastest, next.speed);
    slowest = std::min(slowest, next.speed);
    EXPECT_NEAR(next.heading.norm(), 1, 1e-9);
    own = next;
  }
  EXPECT_LE(turned_most, species.turn_rate_radps * dt + 1e-7);
  EXPECT_GT(turned_most, 0.99 * species.turn_rate_radps * dt);
  EXPECT_LE(steepest, 40 * pi / 180 + 1e-9);
  EXPECT_LE(fastest, species.max_speed_mps);
  EXPECT_GE(slowest, species.min_speed_mps);
}

TEST(FlockMotion, StraightBackIsATurnToTheSide) {
  const MotionLimits limits(SpeciesParams{}, 0.01);
  const OwnMotion next = turned({Vec3(1, 0, 0), 2}, Vec3(-50, 0, 0), limits);
  EXPECT_NEAR(std::acos(next.heading.x()), 0.06, 1e-9);
  EXPECT_EQ(next.heading.y(), 0);
  // If the nose points straight up, no sideways direction is uniquely horizontal. The result must still be a unit
  // vector in a new direction.
  SpeciesParams steep;
  steep.climb_deg = 90;
  const OwnMotion up = turned({Vec3(0, 1, 0), 2}, Vec3(0, -50, 0), MotionLimits(steep, 0.01));
  EXPECT_NEAR(up.heading.norm(), 1, 1e-12);
  EXPECT_NEAR(std::acos(up.heading.y()), 0.06, 1e-7);
}

TEST(FlockMotion, BanksIntoABalancedTurn) {
  // The heading is along x, so the right side is towards z. An acceleration of 9.81 m/s^2 to the right is a turn with a
  // bank angle of 45 degrees, right side down.
  EXPECT_NEAR(balanced_bank(Vec3(1, 0, 0), Vec3(3, 0, 9.81), 9.81, 1), pi / 4, 1e-12);
  EXPECT_EQ(balanced_bank(Vec3(1, 0, 0), Vec3(3, 0, 9.81), 9.81, 0), 0);
  const Mat3 axes = attitude(Vec3(1, 0, 0), pi / 4).toRotationMatrix();
  EXPECT_NEAR((axes.col(0) - Vec3(1, 0, 0)).norm(), 0, 1e-12);
  EXPECT_LT(axes.col(2).y(), -0.7);
  EXPECT_GT(axes.col(1).y(), 0.7);
  for (const Vec3& heading : {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0.6, 0.64, -0.48)})
    EXPECT_NEAR((attitude(heading, 0.3) * Vec3(1, 0, 0) - heading).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace vw
