// Bounding boxes of a snapshot's content.
#include "sim/snapshot/extent.h"

#include <gtest/gtest.h>

namespace vw {
namespace {

TEST(SubjectExtent, LeavesOutLightSystemsAndStrays) {
  Snapshot snapshot;
  SystemSnapshot tank, birds;
  tank.mass_kg = 10;
  for (int i = 0; i < 1000; ++i) tank.position.emplace_back(0.001F * static_cast<float>(i), 0.0F, 0.0F);
  tank.position.emplace_back(50.0F, 50.0F, 50.0F);  // a stray drop far away
  birds.mass_kg = 0.05;
  birds.position = {Vec3f(0, 20, 0), Vec3f(9, 20, 0)};
  snapshot.systems = {tank, birds};
  EXPECT_GT(extent_of(snapshot).max().y(), 49);
  const Box3f subject = subject_extent(snapshot);
  EXPECT_LT(subject.max().y(), 0.1F);
  EXPECT_GT(subject.max().x(), 0.95F);
  EXPECT_LT(subject.max().x(), 1.1F);
}

TEST(SubjectExtent, FollowsWhereTheSubjectWent) {
  Snapshot snapshot;
  SystemSnapshot body;
  body.mass_kg = 1;
  body.position = {Vec3f(100, 0, 0), Vec3f(101, 0, 0)};
  snapshot.systems = {body};
  ColliderSnapshot stage;
  stage.kind = ColliderSnapshot::Kind::box;
  stage.half_extent = Vec3f::Constant(1);
  snapshot.colliders = {stage};
  EXPECT_GT(subject_extent(snapshot).min().x(), 99);
  snapshot.systems.clear();
  EXPECT_FLOAT_EQ(subject_extent(snapshot).max().x(), 1) << "colliders count where there is nothing else";
}

}  // namespace
}  // namespace vw
