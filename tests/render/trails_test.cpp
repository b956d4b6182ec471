// Paths of centres of mass: each must be complete, bounded in memory, and limited to the current run.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/vectors/trails.h"

namespace vw {
namespace {

/// Returns a snapshot of a body and a particle cloud. The centre of the body moves along a circle.
Snapshot trail_moment(double time_s, std::uint64_t epoch = 1) {
  Snapshot out;
  out.epoch = epoch;
  out.time_s = time_s;
  out.systems.resize(2);
  out.systems[0].use_look<VoxelLook>();
  out.systems[0].center_of_mass = Vec3(std::cos(time_s), std::sin(time_s), 0);
  out.systems[1].use_look<SphereLook>();
  return out;
}

TEST(Trails, KeepTheWholePathOfABodyInBoundedMemory) {
  Trails trails;
  for (int step = 0; step <= 100000; ++step) trails.note(trail_moment(step / 120.0));
  ASSERT_EQ(trails.count(), 2U);
  EXPECT_TRUE(trails.path(1).empty());  // a cloud of particles has no path
  const auto& path = trails.path(0);
  EXPECT_LT(path.size(), Trails::limit);
  EXPECT_GT(path.size(), Trails::limit / 3);
  EXPECT_EQ(path.front(), glm::vec3(1, 0, 0));
  for (const glm::vec3& p : path) EXPECT_NEAR(glm::length(p), 1, 1e-6);
}

TEST(Trails, StartAgainAfterAResetAndForgetWhatWasUndone) {
  Trails trails;
  for (int step = 0; step < 100; ++step) trails.note(trail_moment(step / 120.0));
  EXPECT_EQ(trails.path(0).size(), 100U);
  trails.note(trail_moment(50 / 120.0));  // the session goes back in time within the same run
  EXPECT_EQ(trails.path(0).size(), 51U);
  trails.note(trail_moment(50 / 120.0));  // the same snapshot again
  EXPECT_EQ(trails.path(0).size(), 51U);
  trails.note(trail_moment(0, 2));
  EXPECT_EQ(trails.path(0).size(), 1U);
}

TEST(Trails, SkipInvalidCentres) {
  Trails trails;
  Snapshot lost = trail_moment(0.1);
  lost.systems[0].center_of_mass.setConstant(std::numeric_limits<double>::quiet_NaN());
  trails.note(trail_moment(0));
  trails.note(lost);
  trails.note(trail_moment(0.2));
  for (const glm::vec3& p : trails.path(0)) EXPECT_TRUE(std::isfinite(p.x));
}

}  // namespace
}  // namespace vw
