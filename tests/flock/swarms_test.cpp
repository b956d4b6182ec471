// Births and deaths of the members of a flock: the positions and times of these events. They must not affect other
// members.
#include "sim/system/flock/swarms.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/hollow.h"

namespace vw {
namespace {

FlockPlan plan_of(SwarmKind kind, std::int64_t count) {
  FlockPlan plan;
  plan.species.resize(2);
  plan.species[1].length_m = 0.4;
  plan.species_names = {"fish", "shark"};
  Swarm swarm;
  swarm.kind = kind;
  swarm.params.count = count;
  swarm.name = "first";
  plan.swarms = {swarm};
  return plan;
}

Swarms begun(const FlockPlan& plan, std::span<const Collider> colliders = {}) {
  Swarms swarms;
  swarms.configure(plan, 7, "flock");
  swarms.begin(colliders);
  return swarms;
}

double least_distance(const std::vector<Vec3>& places) {
  double least = 1e9;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, (places[i] - places[j]).norm());
  return least;
}

std::uint64_t hash_of(Swarms& swarms) {
  StateHasher hasher;
  swarms.visit_state(hasher);
  return hasher.digest();
}

TEST(FlockSwarms, BeginInTheirBallBoxOrPoint) {
  FlockPlan plan = plan_of(SwarmKind::ball, 200);
  plan.swarms[0].params.position = {1, 2, 3};
  plan.swarms[0].params.radius_m = 2;
  Swarms ball = begun(plan);
  ASSERT_EQ(ball.rows.size(), 200u);
  for (const Vec3& x : ball.rows.elements.position) EXPECT_LE((x - Vec3(1, 2, 3)).norm(), 2);
  plan.swarms[0].kind = SwarmKind::box;
  plan.swarms[0].params.size_m = {4, 1, 2};
  for (const Vec3& x : begun(plan).rows.elements.position)
    EXPECT_LE(((x - Vec3(1, 2, 3)).cwiseAbs() - Vec3(2, 0.5, 1)).maxCoeff(), 0);
  plan.swarms[0].kind = SwarmKind::point;
  for (const Vec3& x : begun(plan).rows.elements.position) EXPECT_EQ(x, Vec3(1, 2, 3));
}

TEST(FlockSwarms, BeginAsFarApartAsRoomAllows) {
  FlockPlan plan = plan_of(SwarmKind::box, 400);
  plan.species[0].spacing_m = 0.3;
  plan.swarms[0].params.size_m = {6, 6, 6};
  EXPECT_GE(least_distance(begun(plan).rows.elements.position), 0.3);
  // At a spacing of 0.3 m, 400 members need ten times the volume of this box. They must then be at least 0.35 times the
  // cube root of (volume / count) apart.
  plan.swarms[0].params.size_m = {1, 1, 1};
  EXPECT_GE(least_distance(begun(plan).rows.elements.position), 0.5 * 0.7 * std::cbrt(1.0 / 400));
}

TEST(FlockSwarms, HeadWithinTheirConeAtTheirSpeed) {
  FlockPlan plan = plan_of(SwarmKind::ball, 300);
  plan.swarms[0].params.heading = {0, 0, 2};
  plan.swarms[0].params.spread = 0.3;
  plan.swarms[0].params.speed_mps = 1.2;
  const Swarms swarms = begun(plan);
  for (std::size_t i = 0; i < swarms.rows.size(); ++i) {
    EXPECT_GE(swarms.rows.heading[i].z(), std::cos(0.3) - 1e-12);
    EXPECT_NEAR(swarms.rows.heading[i].norm(), 1, 1e-12);
    EXPECT_NEAR((swarms.rows.elements.velocity[i] - 1.2 * swarms.rows.heading[i]).norm(), 0, 1e-15);
  }
  plan.swarms[0].params.heading.setZero();
  plan.swarms[0].params.speed_mps = -1;
  Vec3 mean = Vec3::Zero();
  const Swarms everywhere = begun(plan);
  for (const Vec3& heading : everywhere.rows.heading) mean += heading / 300;
  EXPECT_LT(mean.norm(), 0.15);  // expected: 1 / sqrt(300) = 0.06 for random directions
  EXPECT_NEAR(everywhere.rows.elements.velocity[0].norm(), plan.species[0].cruise_speed_mps, 1e-12);
}

TEST(FlockSwarms, BeginOutsideObstaclesAndSayWhereThereIsNoPlace) {
  std::vector<Collider> colliders(2);
  colliders[0].shape = SphereShape{0.8};
  colliders[0].position = {0, 1, 0};
  FlockPlan plan = plan_of(SwarmKind::ball, 300);
  plan.swarms[0].params.position = {0, 1, 0};
  plan.swarms[0].params.radius_m = 1;
  const Swarms swarms = begun(plan, colliders);
  ASSERT_EQ(swarms.rows.size(), 300u);
  const double radius = swarms.rows.elements.radius[0];
  for (const Vec3& x : swarms.rows.elements.position) {
    EXPECT_GE((x - Vec3(0, 1, 0)).norm() - 0.8, radius);
    EXPECT_GE(x.y(), radius);  // the other collider is a plane
  }
  // A swarm that lies completely inside an obstacle at the start must be moved outside.
  plan.swarms[0].params.radius_m = 0.3;
  const Swarms out = begun(plan, colliders);
  ASSERT_EQ(out.rows.size(), 300u);
  for (const Vec3& x : out.rows.elements.position) EXPECT_GE((x - Vec3(0, 1, 0)).norm() - 0.8, radius);
  // No position is free between two half-spaces that almost touch.
  colliders[0].position = {0, 0.02, 0};
  colliders[0].shape = PlaneShape{};
  colliders[0].orientation = Quat(Eigen::AngleAxisd(pi, Vec3::UnitX()));
  const Swarms nobody = begun(plan, colliders);
  EXPECT_EQ(nobody.rows.size(), 0u);
  EXPECT_EQ(nobody.refused_ever(), 300u);
}

TEST(FlockSwarms, AreBornAtTheirRateFromStartForItsDuration) {
  FlockPlan plan = plan_of(SwarmKind::ball, 5);
  plan.swarms[0].params.rate = 30;
  plan.swarms[0].params.start_s = 0.5;
  plan.swarms[0].params.duration_s = 2;
  Swarms swarms = begun(plan);
  const double dt = 1.0 / 120;
  for (int k = 0; k < 60; ++k) swarms.begin_step(k * dt, dt, {});
  EXPECT_EQ(swarms.rows.size(), 5u);
  for (int k = 60; k < 180; ++k) swarms.begin_step(k * dt, dt, {});
  EXPECT_EQ(swarms.rows.size(), 35u);
  for (int k = 180; k < 600; ++k) swarms.begin_step(k * dt, dt, {});
  EXPECT_EQ(swarms.rows.size(), 65u);
  EXPECT_NEAR(swarms.rows.born[5], 0.5 + 1.0 / 30, 1e-9);
  EXPECT_NEAR(swarms.rows.born.back(), 2.5, 1e-9);
}

TEST(FlockSwarms, GoByAgeExitAndRemovalInOrderWithLastingIdentities) {
  FlockPlan plan = plan_of(SwarmKind::ball, 20);
  plan.swarms[0].params.radius_m = 0.4;
  plan.swarms.push_back(plan.swarms[0]);
  plan.swarms[1].name = "second";
  plan.swarms[1].params.species = "shark";
  plan.swarms[1].params.count = 10;
  plan.swarms[1].params.lifetime_s = 1;
  plan.swarms[1].params.position = {10, 1, 0};
  Swarms swarms = begun(plan);
  ASSERT_EQ(swarms.rows.size(), 30u);
  const std::vector<std::uint32_t> gone{0, 7, 29, 400};
  swarms.remove(gone);
  EXPECT_EQ(swarms.rows.size(), 30u);  // removed members stay until the beginning of the next step
  swarms.begin_step(0.5, 0.1, {});
  ASSERT_EQ(swarms.rows.size(), 27u);
  EXPECT_EQ(swarms.rows.elements.id[0], 1u);
  EXPECT_EQ(swarms.rows.elements.id[6], 8u);
  EXPECT_EQ(swarms.rows.elements.id.back(), 28u);
  swarms.begin_step(1, 0.1, {});
  EXPECT_EQ(swarms.rows.size(), 18u);
  // This exit for fish covers the range 0 <= x <= 10 m.
  ExitParams exit;
  exit.species = "fish";
  exit.position = {5, 1, 0};
  exit.size_m = {10, 10, 10};
  plan.exits = {exit};
  swarms.configure(plan, 7, "flock");
  const auto& places = swarms.rows.elements.position;
  const auto right =
      static_cast<std::size_t>(std::count_if(places.begin(), places.end(), [](const Vec3& x) { return x.x() >= 0; }));
  swarms.begin_step(1.1, 0.1, {});
  EXPECT_EQ(swarms.rows.size(), 18 - right);
  EXPECT_EQ(swarms.gone_ever(), 12 + right);
  EXPECT_TRUE(std::is_sorted(swarms.rows.elements.id.begin(), swarms.rows.elements.id.end()));
  EXPECT_EQ(swarms.state_problem(), "");
}

TEST(FlockSwarms, ThatAreSwitchedOffGiveBirthToNobodyUntilTheyAreOn) {
  FlockPlan plan = plan_of(SwarmKind::ball, 10);
  plan.swarms[0].params.rate = 100;
  plan.swarms[0].params.enabled = false;
  Swarms swarms = begun(plan);
  swarms.begin_step(0, 0.1, {});
  EXPECT_EQ(swarms.rows.size(), 0u);
  plan.swarms[0].params.enabled = true;
  swarms.configure(plan, 7, "flock");
  swarms.begin_step(0.1, 0.1, {});
  EXPECT_EQ(swarms.rows.size(), 20u);  // ten members at the start and ten by the rate
}

TEST(FlockSwarms, NeverExceedTheCapacity) {
  FlockPlan plan = plan_of(SwarmKind::ball, 1000000000);
  plan.params.capacity = 50;
  plan.swarms[0].params.rate = 1e9;
  Swarms swarms = begun(plan);
  EXPECT_EQ(swarms.rows.size(), 50u);
  swarms.begin_step(0, 0.01, {});
  swarms.spawn(0, Vec3::Zero(), 5);
  swarms.begin_step(0.01, 0.01, {});
  EXPECT_EQ(swarms.rows.size(), 50u);
  EXPECT_GE(swarms.refused_ever(), 1000000000u - 50u + 10000000u);
  EXPECT_EQ(swarms.state_problem(), "");
}

TEST(FlockSwarms, AreBornWhereOneAsks) {
  FlockPlan plan = plan_of(SwarmKind::ball, 0);
  Swarms swarms = begun(plan);
  swarms.spawn(1, {3, 2, 1}, 12);
  swarms.spawn(0, {-3, 2, 1}, 1);
  swarms.begin_step(0, 0.01, {});
  ASSERT_EQ(swarms.rows.size(), 13u);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(swarms.rows.species[i], 1);
    EXPECT_LT((swarms.rows.elements.position[i] - Vec3(3, 2, 1)).norm(), 1);
  }
  EXPECT_EQ(swarms.rows.elements.position[12], Vec3(-3, 2, 1));
  EXPECT_EQ(swarms.rows.species[12], 0);
}

TEST(FlockSwarms, GoOnFromAStateWithTheSameBits) {
  FlockPlan plan = plan_of(SwarmKind::ball, 30);
  plan.swarms[0].params.rate = 77;
  plan.swarms[0].params.lifetime_s = 0.4;
  Swarms swarms = begun(plan);
  const double dt = 1.0 / 120;
  for (int k = 0; k < 40; ++k) swarms.begin_step(k * dt, dt, {});
  swarms.spawn(1, {3, 2, 1}, 2);
  StateBlock block;
  StateWriter writer(block);
  swarms.visit_state(writer);
  Swarms other;
  other.configure(plan, 7, "flock");
  StateReader reader(block);
  other.visit_state(reader);
  EXPECT_EQ(reader.error(), "");
  EXPECT_EQ(other.state_problem(), "");
  set_thread_count(1);
  for (int k = 40; k < 100; ++k) swarms.begin_step(k * dt, dt, {});
  set_thread_count(3);
  for (int k = 40; k < 100; ++k) other.begin_step(k * dt, dt, {});
  set_thread_count(0);
  EXPECT_EQ(hash_of(swarms), hash_of(other));
  EXPECT_GT(swarms.gone_ever(), 30u);
}

TEST(FlockSwarms, SayWhatIsWrongWithAHostileState) {
  const FlockPlan plan = plan_of(SwarmKind::ball, 5);
  const auto problem = [&](auto spoil) {
    Swarms swarms = begun(plan);
    swarms.spawn(0, Vec3::Zero(), 1);
    spoil(swarms.rows);
    return swarms.state_problem();
  };
  EXPECT_EQ(problem([](FlockRows&) {}), "");
  EXPECT_EQ(problem([](FlockRows& rows) { rows.way.pop_back(); }), "the arrays in the state differ in length");
  EXPECT_EQ(problem([](FlockRows& rows) { rows.species[2] = 9; }), "a member's species does not exist");
  EXPECT_EQ(problem([](FlockRows& rows) { rows.elements.mass[1] = 0; }), "a member's mass or radius is not positive");
  EXPECT_EQ(problem([](FlockRows& rows) { rows.heading[3].setZero(); }), "a member's heading is not a unit vector");
  EXPECT_EQ(problem([](FlockRows& rows) { rows.beat[0] = std::nan(""); }),
            "a member's speed, attitude or age is not finite");
  EXPECT_EQ(problem([](FlockRows& rows) { std::swap(rows.elements.id[0], rows.elements.id[1]); }),
            "the element ids are not in ascending order");
}

}  // namespace
}  // namespace vw
