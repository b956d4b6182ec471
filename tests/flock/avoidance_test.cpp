// Avoidance: members steer around obstacles before the position clamp has to act.
#include "sim/system/flock/steering/avoidance.h"

#include <cmath>

#include <gtest/gtest.h>

#include <hwy/targets.h>

#include "sim/collision/shape/hollow.h"
#include "tests/flock/crowd.h"

namespace vw::test {
namespace {

/// Returns a single member that would fly straight ahead without obstacles.
Crowd lone(const Vec3& position, const Vec3& velocity) {
  Crowd crowd;
  crowd.wander_mps2 = 0;
  crowd.cruises = velocity.norm() > 0;
  if (crowd.cruises) crowd.plan.species[0].min_speed_mps = 0.5;
  crowd.add(position, velocity);
  return crowd;
}

TEST(FlockAvoidance, LeavesAloneWhoMeetsNothing) {
  Crowd crowd = lone({0, 1, 0}, {1.5, 0, 0});
  crowd.colliders = {collider_of(PlaneShape{}), collider_of(SphereShape{0.3}, {2, 3, 0}),
                     collider_of(BoxShape{{0.5, 0.5, 0.5}}, {-2, 1, 0})};
  crowd.look();
  EXPECT_EQ(crowd.avoidance.avoid()[0], Vec3::Zero());
  // The free distance is at most the height above the floor and more than the motion of the member in a substep.
  EXPECT_LE(crowd.avoidance.free_m()[0], 1);
  EXPECT_GT(crowd.avoidance.free_m()[0], crowd.rows.elements.radius[0] + 1.5 / 60);
}

TEST(FlockAvoidance, TurnsAsideBeforeAWallAndKeepsItsSpeed) {
  for (const Vec3& velocity : {Vec3(1.5, 0, 0), Vec3(1.2, 0.3, 0.8), Vec3(1.49, 0, 0.1)}) {
    Crowd crowd = lone({0, 0, 0}, velocity);
    crowd.colliders = {collider_of(PlaneShape{}, {2.5, 0, 0}, {0, 0, 0.5 * pi})};  // solid beyond x = 2.5
    const double room = crowd.run(480);
    EXPECT_EQ(crowd.counts.met, 0u) << velocity.transpose();
    EXPECT_GT(room, 0.5 * crowd.plan.species[0].clearance_m) << velocity.transpose();
    EXPECT_GT(crowd.rows.elements.velocity[0].norm(), 0.5) << velocity.transpose();
  }
}

TEST(FlockAvoidance, PassesAPillarAndGoesOn) {
  Crowd crowd = lone({0, 0, 0}, {1.5, 0, 0});
  crowd.colliders = {collider_of(CylinderShape{0.3, 3}, {2.5, 0, 0.02})};
  EXPECT_GT(crowd.run(360), 0.5 * crowd.plan.species[0].clearance_m);
  EXPECT_EQ(crowd.counts.met, 0u);
  EXPECT_GT(crowd.rows.elements.position[0].x(), 3);
}

TEST(FlockAvoidance, KnowsWhereAnObstacleThatMovesWillBe) {
  // The member is at rest and the obstacle approaches. In the second case below, a ball moves alongside the member and
  // must be ignored.
  Crowd crowd = lone({0, 0, 0}, Vec3::Zero());
  crowd.colliders = {collider_of(SphereShape{0.4}, {2, 0, 0.1})};
  crowd.colliders[0].velocity = {-2.5, 0, 0};
  crowd.look();
  EXPECT_GT(crowd.avoidance.avoid()[0].norm(), 0);
  EXPECT_GT(crowd.run(240), 0);
  EXPECT_EQ(crowd.counts.met, 0u);
  Crowd other = lone({0, 0, 0}, {1, 0, 0});
  other.colliders = {collider_of(SphereShape{0.2}, {0.8, 0, 2})};
  other.colliders[0].velocity = {1, 0, 0};  // the ball moves alongside the member
  other.look();
  EXPECT_EQ(other.avoidance.avoid()[0], Vec3::Zero());
}

TEST(FlockAvoidance, FindsTheWayOutOfACornerAndOfADeadEnd) {
  // The lane is 1 m wide. It has walls on both sides and a closed far end. The near side is open.
  Crowd crowd = lone({-1, 0, 0.05}, {1.5, 0, 0});
  crowd.colliders = {collider_of(BoxShape{{2, 1, 0.1}}, {0, 0, 0.6}), collider_of(BoxShape{{2, 1, 0.1}}, {0, 0, -0.6}),
                     collider_of(BoxShape{{0.1, 1, 0.7}}, {2, 0, 0}),
                     collider_of(BoxShape{{2.2, 0.1, 0.7}}, {0, 0.6, 0}),
                     collider_of(BoxShape{{2.2, 0.1, 0.7}}, {0, -0.6, 0})};
  EXPECT_GT(crowd.run(600), 0);
  EXPECT_LT(crowd.rows.elements.velocity[0].x(), 0);  // the member has left the lane or is returning
  EXPECT_LT(crowd.rows.elements.position[0].x(), 0.5);
}

TEST(FlockAvoidance, GoesThroughALaneNarrowerThanItsClearance) {
  Crowd crowd = lone({-3, 0, 0.03}, {1.5, 0, 0});
  crowd.plan.species[0].clearance_m = 0.5;
  crowd.colliders = {collider_of(BoxShape{{2, 1, 0.1}}, {0, 0, 0.35}),
                     collider_of(BoxShape{{2, 1, 0.1}}, {0, 0, -0.35})};
  crowd.rows.elements.position[0].x() = -1.5;
  EXPECT_GT(crowd.run(360), 0.05);
  EXPECT_GT(crowd.rows.elements.position[0].x(), 1);
}

TEST(FlockAvoidance, SeesThinSheetsFromBothSides) {
  for (const double side : {-1.0, 1.0}) {
    Crowd crowd = lone({2.5 * side, 0, 0}, {-1.5 * side, 0, 0});
    crowd.colliders = {collider_of(PlaneShape{}, Vec3::Zero(), {0, 0, 0.5 * pi})};
    crowd.colliders[0].two_sided = true;
    crowd.run(480);
    EXPECT_EQ(crowd.counts.met, 0u);
    EXPECT_GT(side * crowd.rows.elements.position[0].x(), 0);
  }
}

TEST(FlockAvoidance, KeepsACrowdInATankOffItsWallsMostOfTheTime) {
  auto hole = turned_inside_out(Shape(BoxShape{{3, 2, 3}}));
  ASSERT_TRUE(hole);
  Crowd crowd;
  crowd.colliders = {collider_of(*hole), collider_of(CylinderShape{0.3, 2}),
                     collider_of(SphereShape{0.5}, {1.5, 0, 1})};
  crowd.fill(Box3(Vec3(-2.8, -1.8, -2.8), Vec3(2.8, 1.8, 2.8)), 200, 1.5);
  crowd.run(120);
  crowd.counts = {};
  EXPECT_GE(crowd.run(480), -1e-12);
  // In 96,000 member steps, at most 1 % may have a contact. Without avoidance, about one in five would.
  EXPECT_LT(crowd.counts.met, 960u);
}

TEST(FlockAvoidance, GoesRoundBallsThatAreNoObstacleOneByOne) {
  Crowd crowd = lone({-2.5, 0, 0.01}, {1.5, 0, 0});
  FlockBalls wall;
  for (int y = -5; y <= 5; ++y)
    for (int z = -5; z <= 5; ++z) {
      wall.position.emplace_back(0, 0.1 * y, 0.1 * z);
      wall.velocity.push_back(Vec3::Zero());
      wall.radius.push_back(0.06);
    }
  wall.solid = false;  // the position clamp ignores this wall
  crowd.around.balls = {wall};
  double least = 1e9;
  for (int k = 0; k < 480; ++k) {
    crowd.step();
    for (const Vec3& ball : wall.position)
      least = std::min(least, (crowd.rows.elements.position[0] - ball).norm() - 0.06 - 0.05);
  }
  EXPECT_GT(least, 0);
  EXPECT_EQ(crowd.counts.met, 0u);
}

TEST(FlockAvoidance, EveryInstructionSetGivesTheSameBits) {
  // The obstacles are pillars and balls. Some of the obstacles move.
  Crowd start;
  const RandomKey key{3, stream_id("obstacles")};
  for (std::uint64_t k = 0; k < 60; ++k) {
    const Vec3 at(4 * random_uniform(key, k, 0) - 2, 2 * random_uniform(key, k, 1) - 1,
                  4 * random_uniform(key, k, 2) - 2);
    start.colliders.push_back(k % 2 == 0 ? collider_of(SphereShape{0.1}, at) : collider_of(CylinderShape{0.08, 1}, at));
    if (k % 3 == 0) start.colliders.back().velocity = 0.5 * random_direction(key, k, 3);
  }
  start.fill(Box3(Vec3(-2, -1, -2), Vec3(2, 1, 2)), 300, 1.5);
  ASSERT_EQ(start.rows.size(), 300u);
  Crowd best = start;
  best.run(60);
  int compared = 0;
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_SCALAR}) {
    if ((hwy::SupportedTargets() & target) == 0 && target != HWY_SCALAR) continue;
    hwy::SetSupportedTargetsForTest(target);
    Crowd crowd = start;
    crowd.run(60);
    hwy::SetSupportedTargetsForTest(0);
    EXPECT_EQ(crowd.rows.elements.position, best.rows.elements.position) << hwy::TargetName(target);
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

TEST(FlockAvoidance, TurnsRoundWhereItHeadsAsSteeplyAsItCan) {
  SpeciesParams species;
  species.climb_deg = 60;
  const MotionLimits limits(species, 1.0 / 120);
  const Vec3 steep(std::cos(pi / 3), std::sin(pi / 3), 0);
  for (const Vec3& wanted : {Vec3(-1, 0, 0.05), Vec3(-0.5, -0.3, 0.1), Vec3(0, 1, -1), Vec3(-1, 2, 0.05)}) {
    OwnMotion motion{steep, 1};
    for (int k = 0; k < 240; ++k) {  // the turn limit allows 12 rad in this time
      const OwnMotion before = motion;
      motion = turned(before, 10 * (2 * wanted.normalized() - before.velocity()) / 120, limits);
      EXPECT_GE(motion.heading.dot(before.heading), limits.cos_turn - 1e-12);
      EXPECT_LE(std::abs(motion.heading.y()), limits.sin_climb + 1e-9);
    }
    EXPECT_GT(motion.heading.dot(level_to(wanted.normalized(), limits)), 0.99) << wanted.transpose();
  }
}

TEST(FlockAvoidance, WhoCannotMoveIsCarriedByNumbersAndComesOutAllTheSame) {
  Crowd crowd;
  SpeciesParams& species = crowd.plan.species[0];
  species.min_speed_mps = species.cruise_speed_mps = species.max_speed_mps = 0;
  crowd.fastest_mps = 0;
  crowd.colliders = {collider_of(SphereShape{0.5})};
  crowd.add({0.4, 0, 0}, {0, 0, 0});
  crowd.add({0.58, 0, 0}, {-1, 0, 0});
  for (int k = 0; k < 120; ++k) {
    crowd.step();
    for (const Vec3& a : crowd.avoidance.avoid()) EXPECT_TRUE(a.allFinite());
  }
  EXPECT_GE(crowd.least_room(), -1e-12);
}

TEST(FlockFlight, GoesAcrossTheWayOfWhatComesAndAwayFromWhatDoesNot) {
  const SpeciesParams species;
  FlockStranger hunter;
  hunter.position = {-1, 0, 0.1};
  hunter.velocity = {3, 0, 0};
  const Vec3 across = flight_from(species, Vec3::Zero(), Vec3::Zero(), hunter);
  EXPECT_LT(across.z(), -0.5 * across.norm());  // the member flees towards the side of the path on which it already is
  hunter.velocity = {-1, 0, 0};
  const Vec3 away = flight_from(species, Vec3::Zero(), Vec3::Zero(), hunter);
  EXPECT_GT(away.x(), 0.99 * away.norm());
  hunter.position = {-3, 0, 0};
  EXPECT_EQ(flight_from(species, Vec3::Zero(), Vec3::Zero(), hunter), Vec3::Zero());  // the hunter is out of reach
  hunter.position = Vec3::Zero();
  EXPECT_TRUE(flight_from(species, Vec3::Zero(), Vec3::Zero(), hunter).allFinite());
}

TEST(FlockFlight, FleesASolidThatFallsAndNotOneThatStands) {
  Crowd crowd = lone({0.1, 0, 0}, {0.5, 0, 0});
  FlockSolid raft;
  raft.shape = BoxShape{{0.5, 0.1, 0.5}};
  raft.position = {0, 1.5, 0};
  raft.fright_m = 2;
  raft.fright_mps = 1;
  crowd.around.solids = {raft};
  crowd.look();
  EXPECT_EQ(crowd.avoidance.flight()[0], Vec3::Zero());
  crowd.around.solids[0].velocity = {0, -2, 0};
  crowd.look();
  EXPECT_GT(crowd.avoidance.flight()[0].norm(), 1);
  EXPECT_GT(crowd.avoidance.flight()[0].x(), 0);  // the member flees along its direction of motion
  for (int k = 0; k < 120; ++k) {
    crowd.step();
    crowd.around.solids[0].position += crowd.dt * raft.velocity;
    crowd.around.solids[0].velocity = {0, -2, 0};
    crowd.around.solids[0].position.y() -= 2 * crowd.dt;
  }
  EXPECT_EQ(crowd.counts.met, 0u);
}

TEST(FlockFlight, FleesNothingThatFrightensNobodyNotEvenFromInside) {
  Crowd crowd = lone({0.1, 0, 0}, {0.5, 0, 0});
  FlockBalls surface;  // a set of balls that does not frighten, such as a water surface above the member
  surface.position = {Vec3::Zero()};
  surface.velocity = {Vec3(2, 0, 0)};
  surface.radius = {1};
  surface.solid = false;
  FlockSolid raft;
  raft.shape = SphereShape{1};
  raft.velocity = {2, 0, 0};
  crowd.around.balls = {surface};
  crowd.around.solids = {raft};
  for (int step = 0; step < 3; ++step) {
    crowd.look();
    EXPECT_EQ(crowd.avoidance.flight()[0], Vec3::Zero()) << step;
  }
}

TEST(FlockFlight, ManyThreatsAreFoundAsFewAre) {
  Crowd crowd;
  crowd.fill(Box3(Vec3(-5, -5, -5), Vec3(5, 5, 5)), 300, 1);
  for (std::uint64_t k = 0; k < 40; ++k) {
    FlockStranger threat;
    threat.position = 5 * random_direction({3, 4}, k);
    threat.velocity = 2 * random_direction({3, 4}, k, 1);
    threat.radius = 0.3;
    crowd.around.threats.push_back(threat);
  }
  crowd.look();
  const SpeciesParams& species = crowd.plan.species[0];
  for (std::size_t i = 0; i < crowd.rows.size(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (const FlockStranger& threat : crowd.around.threats)
      sum += flight_from(species, crowd.rows.elements.position[i], crowd.rows.elements.velocity[i], threat);
    EXPECT_NEAR((crowd.avoidance.flight()[i] - sum).norm(), 0, 1e-12 * (1 + sum.norm()));
  }
}

}  // namespace
}  // namespace vw::test
