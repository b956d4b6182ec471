// The position clamp is a hard constraint: at the end of a step, the bounding ball of a member must not be inside an
// obstacle. This holds for any steering.
#include "sim/system/flock/obstacles/obstacle_guard.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/heightfield.h"
#include "sim/collision/shape/hollow.h"
#include "tests/flock/crowd.h"
#include "tests/support/checked.h"

namespace vw::test {
namespace {

/// Tolerance of the penetration: rounding of positions some metres from the origin.
constexpr double rounding = 1e-12;

Shape hollow(Shape hole) { return checked(turned_inside_out(std::move(hole))); }

Collider tank_collider() { return collider_of(hollow(BoxShape{{2, 1, 1.5}})); }

/// Returns members without steering. They fly straight ahead, and only the position clamp keeps them out of obstacles.
Crowd blind() {
  Crowd crowd;
  crowd.steers = false;
  return crowd;
}

TEST(FlockGuard, NobodyLeavesABoxOfWalls) {
  Crowd crowd = blind();
  crowd.colliders = {tank_collider()};
  crowd.fill(Box3(Vec3(-2, -1, -1.5), Vec3(2, 1, 1.5)), 300, 3);
  EXPECT_GE(crowd.run(600), -rounding);
  EXPECT_GT(crowd.counts.met, 1000u);
  EXPECT_EQ(crowd.counts.squeezed, 0u);
}

TEST(FlockGuard, NobodyEntersPillarsBoxesAndBallsOnAFloor) {
  Crowd crowd = blind();
  crowd.colliders = {tank_collider(), collider_of(PlaneShape{}, {0, -0.9, 0}, {0.1, 0, 0.05})};
  for (int k = 0; k < 5; ++k)
    crowd.colliders.push_back(collider_of(CylinderShape{0.15, 1}, {-1.5 + 0.7 * k, 0, 0.4 * (k % 3 - 1)}));
  crowd.colliders.push_back(collider_of(BoxShape{{0.3, 0.2, 0.25}}, {0.2, -0.4, 0.9}, {0.3, 0.5, 0.2}));
  crowd.colliders.push_back(collider_of(SphereShape{0.3}, {-0.8, 0.4, -0.9}));
  crowd.colliders.push_back(collider_of(CapsuleShape{0.1, 0.5}, {1, 0.5, -0.8}, {1, 0.4, 0}));
  crowd.fill(Box3(Vec3(-2, -1, -1.5), Vec3(2, 1, 1.5)), 300, 3);
  EXPECT_GE(crowd.run(600), -rounding);
  EXPECT_GT(crowd.counts.met, 1000u);
  EXPECT_EQ(crowd.counts.squeezed, 0u);
}

TEST(FlockGuard, NobodyLeavesAHollowBall) {
  Crowd crowd = blind();
  crowd.colliders = {collider_of(hollow(SphereShape{1}))};
  crowd.fill(Box3(Vec3(-1, -1, -1), Vec3(1, 1, 1)), 200, 3);
  EXPECT_GE(crowd.run(600), -rounding);
  EXPECT_GT(crowd.counts.met, 1000u);
}

TEST(FlockGuard, NobodyGoesUnderHills) {
  HeightGrid grid;
  grid.columns = grid.rows = 33;
  grid.size_x_m = grid.size_z_m = 4;
  for (std::size_t z = 0; z < grid.rows; ++z)
    for (std::size_t x = 0; x < grid.columns; ++x)
      grid.height_m.push_back(0.3 * std::sin(1.1 * static_cast<double>(x)) * std::cos(0.7 * static_cast<double>(z)));
  auto hills = make_heightfield(grid);
  ASSERT_TRUE(hills);
  Crowd crowd = blind();
  crowd.colliders = {collider_of(*hills), collider_of(hollow(BoxShape{{1.9, 0.6, 1.9}}), {0, 0.2, 0})};
  crowd.fill(Box3(Vec3(-1.9, -0.3, -1.9), Vec3(1.9, 0.8, 1.9)), 120, 3);
  EXPECT_GE(crowd.run(300), -rounding);
  EXPECT_GT(crowd.counts.met, 200u);
}

TEST(FlockGuard, NobodyGoesThroughASheetHoweverThinAndFast) {
  Crowd crowd = blind();
  crowd.colliders = {tank_collider(), collider_of(PlaneShape{}, Vec3::Zero(), {0, 0, 0.5 * pi})};
  crowd.colliders[1].two_sided = true;  // this plane at x = 0 is solid on both sides
  crowd.fastest_mps = 30;
  crowd.fill(Box3(Vec3(-2, -1, -1.5), Vec3(2, 1, 1.5)), 200, 30);
  std::vector<bool> right;
  for (const Vec3& x : crowd.rows.elements.position) right.push_back(x.x() > 0);
  EXPECT_GE(crowd.run(600), -rounding);
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_EQ(crowd.rows.elements.position[i].x() > 0, right[i]) << i;
}

TEST(FlockGuard, APaddleThatTurnsSweepsMembersBeforeIt) {
  Crowd crowd = blind();
  crowd.colliders = {tank_collider(), collider_of(BoxShape{{1.2, 0.8, 0.05}})};
  crowd.colliders[1].angular_velocity = {0, 4, 0};  // the tips of the paddle move at 4.8 m/s
  crowd.fill(Box3(Vec3(-2, -1, -1.5), Vec3(2, 1, 1.5)), 300, 3);
  EXPECT_GE(crowd.run(1200), -rounding);
  EXPECT_GT(crowd.counts.met, 1000u);
}

TEST(FlockGuard, ABallThatFallsFastGoesThroughNobody) {
  Crowd crowd = blind();
  crowd.colliders = {collider_of(SphereShape{0.5}, {0, 12, 0})};
  crowd.colliders[0].velocity = {0, -20, 0};
  crowd.wander_mps2 = 0;
  crowd.fastest_mps = 40;
  crowd.fill(Box3(Vec3(-1, -1, -1), Vec3(1, 1, 1)), 300, 0.5);
  EXPECT_GE(crowd.run(120), -rounding);
  EXPECT_GT(crowd.counts.met, 50u);
}

TEST(FlockGuard, BallsThatFallAreNeverEnteredAndKeepTheirImpulses) {
  Crowd crowd = blind();
  crowd.wander_mps2 = 0;
  FlockBalls block;
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 8; ++z) {
        block.position.emplace_back(0.1 * (x - 3.5), 2 + 0.1 * y, 0.1 * (z - 3.5));
        block.velocity.emplace_back(0, -6, 0);
        block.radius.push_back(0.07);
      }
  crowd.around.balls = {block};
  crowd.fill(Box3(Vec3(-0.6, -1, -0.6), Vec3(0.6, 1, 0.6)), 200, 0.2);
  const std::vector<Vec3> before = crowd.rows.elements.velocity;
  double least = 1e9;
  for (int k = 0; k < 120; ++k) {
    crowd.step();
    const FlockBalls& now = crowd.around.balls[0];
    for (std::size_t i = 0; i < crowd.rows.size(); ++i)
      for (std::size_t b = 0; b < now.position.size(); ++b)
        least = std::min(least, (crowd.rows.elements.position[i] - now.position[b]).norm() - now.radius[b] -
                                    crowd.rows.elements.radius[i]);
  }
  EXPECT_GE(least, -rounding);
  EXPECT_GT(crowd.counts.met, 100u);
  // The clamp leaves velocities unchanged, because the rule exchanges the impulses.
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR((crowd.rows.elements.velocity[i] - before[i]).norm(), 0, 1e-12);
}

TEST(FlockGuard, VelocityLosesWhatPointsInwardsAndNothingElse) {
  Crowd crowd = blind();
  crowd.wander_mps2 = 0;
  crowd.colliders = {collider_of(PlaneShape{})};
  crowd.add({0, 0.051, 0}, {2, -1, 0.5});
  crowd.step();
  EXPECT_NEAR((crowd.rows.elements.velocity[0] - Vec3(2, 0, 0.5)).norm(), 0, 1e-12);
  EXPECT_GE(crowd.rows.elements.position[0].y(), 0.05);
  // Without friction, the speed along the wall is constant.
  EXPECT_NEAR(crowd.rows.elements.position[0].x(), 2.0 / 120, 1e-12);
}

TEST(FlockGuard, WhoBeginsInsideComesOutTheShortWayAtABoundedSpeed) {
  Crowd crowd = blind();
  crowd.wander_mps2 = 0;
  crowd.colliders = {collider_of(BoxShape{{1, 1, 1}})};
  crowd.add({0.8, 0.1, 0}, {0, 0, 0});
  double fastest = 0;
  for (int k = 0; k < 120; ++k) {
    const double before = crowd.rows.elements.position[0].x();
    crowd.step();
    fastest = std::max(fastest, (crowd.rows.elements.position[0].x() - before) / crowd.dt);
  }
  EXPECT_LE(fastest, crowd.fastest_mps * (1 + 1e-9));
  EXPECT_GT(crowd.rows.elements.position[0].x(), 1.05);
  EXPECT_LT(crowd.rows.elements.position[0].x(), 1.06);
  EXPECT_NEAR(crowd.rows.elements.position[0].y(), 0.1, 1e-12);
}

TEST(FlockGuard, WhoIsSqueezedByWallsThatCloseInGivesWay) {
  Crowd crowd = blind();
  crowd.colliders = {collider_of(BoxShape{{0.5, 0.5, 0.5}}, {-0.6, 0, 0}),
                     collider_of(BoxShape{{0.5, 0.5, 0.5}}, {0.6, 0, 0})};
  crowd.colliders[0].velocity = {0.3, 0, 0};
  crowd.colliders[1].velocity = {-0.3, 0, 0};
  crowd.wander_mps2 = 0;
  crowd.add({0, 0.1, 0}, {0, 0, 0}, 0.08);
  for (int k = 0; k < 30; ++k) {  // the gap shrinks from 0.2 to 0.05, less than the width of the member
    crowd.step();
    // The centre of the member must never be inside an obstacle.
    EXPECT_GT(Crowd::room_at(crowd.rows.elements.position[0], crowd.colliders), 0.02) << k;
  }
  EXPECT_GT(crowd.counts.squeezed, 0u);
}

TEST(FlockGuard, WhatFallsOnMembersDoesNotPressThemIntoTheFloor) {
  for (const double radius : {0.01, 0.03}) {
    Crowd crowd = blind();
    crowd.colliders = {collider_of(PlaneShape{})};
    // A block of voxels descends onto the members and continues into the floor.
    FlockBalls& block = crowd.around.balls.emplace_back();
    for (int k = 0; k < 4 * 4 * 3; ++k) {
      block.position.emplace_back(0.1 * (k % 4) - 0.15, 0.25 + 0.1 * (k / 16), 0.1 * (k / 4 % 4) - 0.15);
      block.velocity.emplace_back(0.3, -6, 0);
      block.radius.push_back(0.07);
    }
    crowd.fill(Box3(Vec3(-0.2, 0, -0.2), Vec3(0.2, 0.15, 0.2)), 40, 1, radius);
    EXPECT_GE(crowd.run(30), -rounding) << radius;
    EXPECT_GT(crowd.counts.squeezed, 0u) << radius;
  }
}

TEST(FlockGuard, ACornerOfThreeWallsHoldsWhoPressesIntoIt) {
  Crowd crowd = blind();
  crowd.colliders = {collider_of(PlaneShape{}), collider_of(PlaneShape{}, Vec3::Zero(), {0, 0, -1.2}),
                     collider_of(PlaneShape{}, Vec3::Zero(), {1.4, 0.2, 0})};
  crowd.wander_mps2 = 0;
  crowd.add({1, 1, 1}, {-3, -3, -3});
  EXPECT_GE(crowd.run(240), -rounding);
  EXPECT_EQ(crowd.counts.squeezed, 0u);
  EXPECT_LT(crowd.rows.elements.position[0].norm(), 0.5);  // the member reached the corner
}

TEST(FlockGuard, TheSameBitsAtAnyNumberOfThreads) {
  const auto end = [](int threads) {
    set_thread_count(threads);
    Crowd crowd;
    crowd.colliders = {tank_collider(), collider_of(SphereShape{0.4}),
                       collider_of(BoxShape{{0.6, 0.3, 0.05}}, {0.5, 0, 0.5})};
    crowd.colliders[2].angular_velocity = {0, 3, 1};
    crowd.fill(Box3(Vec3(-2, -1, -1.5), Vec3(2, 1, 1.5)), 2000, 3, 0.02);
    crowd.run(20);
    set_thread_count(0);
    return crowd.rows.elements.position;
  };
  const auto one = end(1);
  EXPECT_EQ(one, end(2));
  EXPECT_EQ(one, end(5));
}

}  // namespace
}  // namespace vw::test
