// DeformationFilter: the motion of deformable bodies as a fluid feels it.
#include "sim/interaction/fluid/deformation_filter.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sim/base/data/state.h"
#include "sim/base/random.h"

namespace vw::test {
namespace {

constexpr double fluid_dt = 0.004;

/// A block of 3 x 2 x 2 voxels of 2 cm with different masses, at rest.
Elements small_block() {
  Elements e;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z) {
        e.position.push_back(0.02 * Vec3(x, y, z));
        e.mass.push_back(0.008 * (1 + 0.5 * x));
      }
  e.velocity.assign(e.size(), Vec3::Zero());
  e.orientation.assign(e.size(), Quat::Identity());
  e.angular_velocity.assign(e.size(), Vec3::Zero());
  e.radius.assign(e.size(), 0.01);
  return e;
}

std::vector<std::uint32_t> all_of(const Elements& e) {
  std::vector<std::uint32_t> rows(e.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// Returns a body that turns faster and faster about an oblique axis while it accelerates.
Elements block_in_flight(double t) {
  Elements e = small_block();
  const Vec3 axis = Vec3(1, 2, -1).normalized(), middle(0.03, 0.01, 0.01);
  const double angle = 3 * t + 8 * t * t, rate = 3 + 16 * t;
  const Quat turn(Eigen::AngleAxisd(angle, axis));
  for (std::size_t v = 0; v < e.size(); ++v) {
    const Vec3 arm = turn * (e.position[v] - middle);
    e.position[v] = Vec3(0.5 * t, 2 * t * t, 0) + arm;
    e.velocity[v] = Vec3(0.5, 4 * t, 0) + (rate * axis).cross(arm);
    e.orientation[v] = turn;
    e.angular_velocity[v] = rate * axis;
  }
  return e;
}

TEST(DeformationFilter, PassesRigidMotionUnchanged) {
  DeformationFilter filter;
  for (int n = 0; n < 50; ++n) {
    const Elements e = block_in_flight(n * fluid_dt);
    const auto rows = all_of(e);
    filter.follow(e, e.position, std::vector<DeformingPiece>{{rows, {}, 0.1}}, fluid_dt);
    for (std::size_t v = 0; v < e.size(); ++v) {
      EXPECT_LT((filter.center()[v] - e.position[v]).norm(), 1e-12);
      EXPECT_LT((filter.velocity()[v] - e.velocity[v]).norm(), 1e-9);
      EXPECT_LT(filter.orientation()[v].angularDistance(e.orientation[v]), 1e-7);
      EXPECT_LT((filter.spin()[v] - e.angular_velocity[v]).norm(), 1e-7);
    }
  }
}

/// In a steady stretch the filtered velocity is exact, and the filtered position lags behind by 1 / gain - 1 substeps.
TEST(DeformationFilter, FollowsASteadyStretchWithTheLagOfItsGain) {
  constexpr double gain = 0.25, rate = 0.5;
  DeformationFilter filter;
  Elements e = small_block();
  for (double& mass : e.mass) mass = 0.008;
  const auto rows = all_of(e);
  const std::vector<Vec3> start = e.position;
  const Vec3 middle(0.02, 0.01, 0.01);
  for (int n = 0; n < 200; ++n) {
    for (std::size_t v = 0; v < e.size(); ++v) {
      e.velocity[v] = Vec3(rate * (start[v] - middle).x(), 0, 0);
      e.position[v] = start[v] + n * fluid_dt * e.velocity[v];
    }
    filter.follow(e, e.position, std::vector<DeformingPiece>{{rows, {}, gain}}, fluid_dt);
  }
  for (std::size_t v = 0; v < e.size(); ++v) {
    EXPECT_LT((filter.velocity()[v] - e.velocity[v]).norm(), 1e-9);
    const Vec3 lag = e.position[v] - filter.center()[v];
    EXPECT_LT((lag - (1 / gain - 1) * fluid_dt * e.velocity[v]).norm(), 1e-9);
  }
}

/// Gives two voxels opposite velocities of 1 m/s. Returns half of their relative speed [m/s] after 300 substeps. In
/// each substep, the added mass of a fluid acts on each voxel: its velocity changes by minus `ratio` times the last
/// change of its filtered velocity.
double speed_after_kick(double ratio, double gain) {
  DeformationFilter filter;
  Elements e = small_block();
  const std::vector<std::uint32_t> rows{0, 1};
  e.position.resize(2), e.velocity.resize(2), e.mass.assign(2, 0.008), e.radius.resize(2), e.orientation.resize(2),
      e.angular_velocity.resize(2);
  const std::vector<DeformingPiece> pieces{{rows, {}, gain}};
  filter.follow(e, e.position, pieces, fluid_dt);
  e.velocity[0] = Vec3(0, 0, -1), e.velocity[1] = Vec3(0, 0, 1);
  Vec3 before = Vec3::Zero();
  for (int n = 0; n < 300; ++n) {
    filter.follow(e, e.position, pieces, fluid_dt);
    const Vec3 apart = 0.5 * (filter.velocity()[1] - filter.velocity()[0]), gained = -ratio * (apart - before);
    for (std::size_t v = 0; v < 2; ++v) {
      const Vec3 change = (v == 0 ? -1 : 1) * gained;
      e.position[v] += fluid_dt * (e.velocity[v] + 0.5 * change);
      e.velocity[v] += change;
    }
    before = apart;
  }
  return 0.5 * (e.velocity[1] - e.velocity[0]).norm();
}

TEST(DeformationFilter, StaysStableWithAnyAddedMassAtItsGain) {
  for (const double ratio : {0.1, 0.5, 1.0, 3.0, 10.0, 40.0})
    EXPECT_NEAR(speed_after_kick(ratio, gain_for(ratio)), 1 / (1 + ratio), 1e-6) << ratio;
  EXPECT_GT(speed_after_kick(3, 1), 1e3);      // without the filter
  EXPECT_GT(speed_after_kick(10, 0.25), 1e3);  // gain times ratio above 2
}

TEST(DeformationFilter, DampsDeformationAloneAndKeepsMomentum) {
  DeformationFilter filter;
  Elements e = small_block();
  const auto rows = all_of(e);
  const DeformingPiece piece{rows, {}, 0.2};
  filter.follow(e, e.position, std::vector<DeformingPiece>{piece}, fluid_dt);
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.velocity[v] = random_direction({7, 1}, v);
    e.angular_velocity[v] = 9 * random_direction({7, 2}, v);
  }
  filter.damp(e, piece, 1);
  Vec3 push = Vec3::Zero(), turn = Vec3::Zero();
  double power = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    push += e.impulse[v];
    turn += e.position[v].cross(e.impulse[v]) + e.angular_impulse[v];
    power += e.impulse[v].dot(e.velocity[v]) + e.angular_impulse[v].dot(e.angular_velocity[v]);
  }
  EXPECT_LT(push.norm(), 1e-15);
  EXPECT_LT(turn.norm(), 1e-16);
  EXPECT_LT(power, -1e-3);
  Elements flying = block_in_flight(0.1);
  DeformationFilter other;
  other.follow(flying, flying.position, std::vector<DeformingPiece>{piece}, fluid_dt);
  other.damp(flying, piece, 1);
  for (const Vec3& impulse : flying.impulse) EXPECT_LT(impulse.norm(), 1e-15);
}

/// Held voxels move as prescribed, without lag. The other voxels of their piece follow in the frame of the held voxels.
TEST(DeformationFilter, PassesHeldVoxelsAndTheFrameThatTheyDefine) {
  DeformationFilter filter;
  const std::vector<std::uint32_t> held{0, 1, 2, 3};
  for (int n = 0; n < 50; ++n) {
    Elements e = block_in_flight(n * fluid_dt);
    const auto rows = all_of(e);
    filter.follow(e, e.position, std::vector<DeformingPiece>{{rows, held, 0.1}}, fluid_dt);
    for (const std::uint32_t v : held) {
      EXPECT_EQ(filter.center()[v], e.position[v]);
      EXPECT_EQ(filter.velocity()[v], e.velocity[v]);
    }
    for (std::size_t v = 0; v < e.size(); ++v) EXPECT_LT((filter.velocity()[v] - e.velocity[v]).norm(), 1e-9);
  }
}

/// A command can move a body anywhere. The filter then starts from the new place.
TEST(DeformationFilter, StartsAnewIfABodyWasTurned) {
  DeformationFilter filter;
  Elements e = small_block();
  const auto rows = all_of(e);
  const std::vector<DeformingPiece> pieces{{rows, {}, 0.1}};
  filter.follow(e, e.position, pieces, fluid_dt);
  const Quat turn(Eigen::AngleAxisd(2, Vec3::UnitY()));
  for (std::size_t v = 0; v < e.size(); ++v) e.position[v] = turn * e.position[v], e.orientation[v] = turn;
  filter.follow(e, e.position, pieces, fluid_dt);
  for (std::size_t v = 0; v < e.size(); ++v) {
    EXPECT_LT((filter.center()[v] - e.position[v]).norm(), 1e-15);
    EXPECT_LT(filter.velocity()[v].norm(), 1e-12);
  }
}

TEST(DeformationFilter, StartsAnewIfAStateHasTooFewOrientations) {
  DeformationFilter filter;
  Elements e = small_block();
  const auto rows = all_of(e);
  const std::vector<DeformingPiece> pieces{{rows, {}, 0.1}};
  filter.follow(e, e.position, pieces, fluid_dt);
  StateBlock block;
  StateWriter writer(block);
  filter.visit_state(writer);
  writer.finish();
  ASSERT_EQ(block.entries.size(), 2U);
  block.entries[1].size = sizeof(Quat);
  StateReader reader(block, StateSource::file);
  filter.visit_state(reader);
  EXPECT_EQ(reader.error(), "");
  for (Vec3& place : e.position) place += Vec3(0, 1, 0);
  filter.follow(e, e.position, pieces, fluid_dt);
  for (std::size_t v = 0; v < e.size(); ++v) EXPECT_LT((filter.center()[v] - e.position[v]).norm(), 1e-12);
}

}  // namespace
}  // namespace vw::test
