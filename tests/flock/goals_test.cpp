// Goals of members, and the home box that bounds members. The tests use a single member that follows the desired
// acceleration as far as its limits allow.
#include "sim/system/flock/steering/goals.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sim/system/flock/steering/home.h"

namespace vw {
namespace {

/// A point mass that follows the steering, clamped to the limits of the species.
struct Rider {
  FlockPlan plan;
  Goals goals;
  Surroundings around;
  std::vector<Collider> colliders;
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  std::uint32_t way = 0;
  double dt = 1.0 / 120;

  explicit Rider(const Goal& goal) {
    plan.species.resize(1);
    plan.species_names = {"fish"};
    plan.goals = {goal};
    goals.configure(plan);
  }
  void step() {
    const SpeciesParams& species = plan.species[0];
    goals.begin(colliders, around);
    Vec3 pull = goals.pull(species, 0, x, v, way) + home_pull(plan.params, species, x, v);
    if (pull.norm() > species.max_acceleration_mps2) pull *= species.max_acceleration_mps2 / pull.norm();
    v += dt * pull;
    if (v.norm() > species.max_speed_mps) v *= species.max_speed_mps / v.norm();
    x += dt * v;
  }
};

Goal goal_of(GoalKind kind) {
  Goal goal;
  goal.kind = kind;
  goal.params.radius_m = 0.2;
  return goal;
}

TEST(FlockGoals, APointIsReachedAndNotOvershot) {
  Goal goal = goal_of(GoalKind::point);
  goal.params.position = {5, 1, -2};
  Rider rider(goal);
  rider.v = {0, 1, 1};
  double nearest = 1e9, farthest_after = 0;
  for (int k = 0; k < 1200; ++k) {
    rider.step();
    const double far = (rider.x - goal.params.position).norm();
    nearest = std::min(nearest, far);
    if (nearest <= 0.2) farthest_after = std::max(farthest_after, far);
  }
  EXPECT_LE(nearest, 0.2);
  EXPECT_LE(farthest_after, 2 * 0.2);  // the member stays near the goal
}

TEST(FlockGoals, APathIsFollowedInItsOrderAndAgain) {
  Goal goal = goal_of(GoalKind::path);
  goal.params.points = {0, 0, 3, 4, 0, 3, 4, 2, 0};
  Rider rider(goal);
  std::vector<std::uint32_t> order;
  for (int k = 0; k < 3000; ++k) {
    const std::uint32_t before = rider.way;
    rider.step();
    if (rider.way != before) {
      order.push_back(before);
      EXPECT_EQ(rider.way, (before + 1) % 3);
      const Vec3 point(goal.params.points[3 * before], goal.params.points[3 * before + 1],
                       goal.params.points[3 * before + 2]);
      EXPECT_LE((rider.x - point).norm(), 0.2 + rider.dt * rider.plan.species[0].max_speed_mps);
    }
  }
  ASSERT_GE(order.size(), 5u);
  EXPECT_EQ(std::vector<std::uint32_t>(order.begin(), order.begin() + 5), (std::vector<std::uint32_t>{0, 1, 2, 0, 1}));
}

TEST(FlockGoals, APathThatDoesNotLoopEndsAtItsLastPoint) {
  Goal goal = goal_of(GoalKind::path);
  goal.params.points = {0, 0, 3, 4, 0, 3};
  goal.params.loop = false;
  Rider rider(goal);
  for (int k = 0; k < 2000; ++k) rider.step();
  EXPECT_EQ(rider.way, 1u);
  EXPECT_LE((rider.x - Vec3(4, 0, 3)).norm(), 0.4);
}

TEST(FlockGoals, AWayBeyondAPathThatWasCutShortIsItsLastPoint) {
  Goal goal = goal_of(GoalKind::path);
  goal.params.points = {0, 0, 3, 4, 0, 3};
  Rider rider(goal);
  rider.way = 17;
  rider.step();
  EXPECT_EQ(rider.way, 1u);
  goal.params.points.clear();
  Rider nowhere(goal);
  nowhere.step();
  EXPECT_EQ(nowhere.v, Vec3::Zero());
}

TEST(FlockGoals, ABodyIsFollowedAtItsDistanceAndVelocity) {
  Goal goal = goal_of(GoalKind::body);
  goal.params.body = "raft.deck";
  goal.params.radius_m = 0.6;
  Rider rider(goal);
  ASSERT_EQ(rider.goals.wanted().size(), 1u);
  EXPECT_EQ(rider.goals.wanted()[0], "raft.deck");
  rider.step();
  EXPECT_EQ(rider.v, Vec3::Zero());  // the position of the goal is unknown
  FlockMark mark;
  mark.body = "raft.deck";
  mark.position = {3, 0, 0};
  mark.velocity = {0, 0, 1};
  mark.radius = 0.4;
  for (int k = 0; k < 2400; ++k) {
    rider.around.marks = {mark};
    rider.step();
    mark.position += rider.dt * mark.velocity;
  }
  EXPECT_NEAR((rider.x - mark.position).norm(), 1.0, 0.05);
  EXPECT_NEAR((rider.v - mark.velocity).norm(), 0, 0.05);
}

TEST(FlockGoals, AColliderIsABodyToo) {
  Goal goal = goal_of(GoalKind::body);
  goal.params.body = "buoy";
  goal.params.radius_m = 0.5;
  Rider rider(goal);
  rider.colliders.resize(1);
  rider.colliders[0].name = "buoy";
  rider.colliders[0].shape = SphereShape{0.3};
  rider.colliders[0].position = {0, 0, 4};
  for (int k = 0; k < 1200; ++k) rider.step();
  const double bound = 0.3 * std::sqrt(3.0);  // radius of the bounding sphere of the box around the buoy
  EXPECT_NEAR((rider.x - Vec3(0, 0, 4)).norm(), 0.5 + bound, 0.05);
}

TEST(FlockGoals, ANegativeWeightSteersAwayAtAnyDistanceAndSpeed) {
  for (const GoalKind kind : {GoalKind::body, GoalKind::point, GoalKind::path}) {
    Goal goal = goal_of(kind);
    goal.params.body = "buoy";
    goal.params.position = {0, 0, 4};
    goal.params.points = {0, 0, 4};
    goal.params.loop = false;
    goal.params.radius_m = 0.5;
    goal.params.weight = -1;
    Rider rider(goal);
    rider.colliders.resize(1);
    rider.colliders[0].name = "buoy";
    rider.colliders[0].shape = SphereShape{0.3};
    rider.colliders[0].position = {0, 0, 4};
    rider.goals.begin(rider.colliders, rider.around);
    const SpeciesParams& species = rider.plan.species[0];
    for (const double far : {0.1, 0.7, 5.0})
      for (const double speed : {0.0, species.max_speed_mps}) {
        std::uint32_t way = 0;
        const Vec3 pull = rider.goals.pull(species, 0, Vec3(0, 0, 4 - far), Vec3(0, 0, speed), way);
        EXPECT_LT(pull.z(), 0) << far << " " << speed;
        EXPECT_EQ(pull.x(), 0) << far << " " << speed;
      }
  }
}

TEST(FlockGoals, OthersGoalsAndThoseSwitchedOffDoNotPull) {
  Goal goal = goal_of(GoalKind::point);
  goal.params.enabled = false;
  Rider off(goal);
  off.step();
  EXPECT_EQ(off.v, Vec3::Zero());
  goal.params.enabled = true;
  Rider rider(goal);
  rider.plan.species.resize(2);
  rider.plan.species_names = {"fish", "shark"};
  rider.plan.goals[0].params.species = "shark";
  rider.goals.configure(rider.plan);
  std::uint32_t way = 0;
  EXPECT_EQ(rider.goals.pull(rider.plan.species[0], 0, rider.x, rider.v, way), Vec3::Zero());
  EXPECT_GT(rider.goals.pull(rider.plan.species[1], 1, rider.x, rider.v, way).norm(), 0);
}

TEST(FlockGoals, WhoCannotMoveIsPulledByNoMoreThanNumbers) {
  Goal goal = goal_of(GoalKind::point);
  Rider rider(goal);
  SpeciesParams& species = rider.plan.species[0];
  species.min_speed_mps = species.cruise_speed_mps = species.max_speed_mps = 0;
  rider.plan.params.home_size_m = {1, 1, 1};
  for (const Vec3& x : {Vec3(0, 1, 0), Vec3(9, -3, 4)})
    for (const Vec3& v : {Vec3(0, 0, 0), Vec3(1, 2, 3)}) {
      std::uint32_t way = 0;
      EXPECT_LE(rider.goals.pull(species, 0, x, v, way).norm(), species.max_acceleration_mps2 * (1 + 1e-12));
      EXPECT_LE(home_pull(rider.plan.params, species, x, v).norm(), species.max_acceleration_mps2 * (1 + 1e-12));
    }
}

TEST(FlockHome, TurnsBackBeforeItsSidesAndLeavesThoseWellInsideAlone) {
  Rider rider(goal_of(GoalKind::body));
  rider.plan.params.home_center = Vec3::Zero();
  rider.plan.params.home_size_m = {6, 0, 6};
  rider.plan.params.home_margin_m = 0.5;
  rider.v = {1.5, 0.5, 0};
  const SpeciesParams& species = rider.plan.species[0];
  EXPECT_EQ(home_pull(rider.plan.params, species, rider.x, rider.v), Vec3::Zero());
  double farthest = 0;
  for (int k = 0; k < 1200; ++k) {
    rider.step();
    farthest = std::max(farthest, std::abs(rider.x.x()));
    if (rider.v.x() == 0) rider.v.x() = -1;
  }
  EXPECT_GT(farthest, 2.5);
  EXPECT_LT(farthest, 3);
  EXPECT_NEAR(rider.v.y(), 0.5, 1e-12);  // the home has no limits in height
}

TEST(FlockHome, BringsBackWhoIsFarOutside) {
  Rider rider(goal_of(GoalKind::body));
  rider.plan.params.home_size_m = {6, 6, 6};
  rider.plan.params.home_center = {1, 2, 3};
  rider.x = {200, -40, 3};
  rider.v = {3, 0, 0};
  for (int k = 0; k < 120 * 90; ++k) rider.step();
  EXPECT_LE(((rider.x - Vec3(1, 2, 3)).cwiseAbs()).maxCoeff(), 3);
}

}  // namespace
}  // namespace vw
