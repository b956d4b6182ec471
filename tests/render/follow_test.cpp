// A camera that follows an element: it moves with the interpolated position, still accepts user input, and stops if the
// element disappears.
#include <gtest/gtest.h>

#include "render/follow.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

Snapshot follow_moment(const Vec3f& place, std::uint64_t epoch = 1) {
  Snapshot out;
  out.epoch = epoch;
  SystemSnapshot s;
  s.name = "school";
  s.position = {Vec3f(9, 9, 9), place};
  s.id = {3, 17};
  s.center_of_mass = place.cast<double>() + Vec3(1, 0, 0);
  out.systems.push_back(std::move(s));
  return out;
}

TEST(Follow, FindsASystemsCentreOrAnElementBetweenTheTwoMoments) {
  const Snapshot before = follow_moment({0, 0, 0}), after = follow_moment({1, 0, 0});
  EXPECT_EQ(followed_point({&before, &after, 0.25F}, "school.17"), glm::vec3(0.25F, 0, 0));
  EXPECT_EQ(followed_point({&before, &after, 0.25F}, "school"), glm::vec3(1.25F, 0, 0));
  EXPECT_EQ(followed_point({nullptr, &after, 0.25F}, "school.17"), glm::vec3(1, 0, 0));
  for (const char* nothing : {"nobody", "school.4", "school.", "school.x", "school.17x", ""})
    EXPECT_FALSE(followed_point({&before, &after, 1}, nothing)) << nothing;
  const Snapshot reset = follow_moment({5, 0, 0}, 2);
  EXPECT_EQ(followed_point({&before, &reset, 0}, "school.17"), glm::vec3(5, 0, 0))
      << "no interpolation between two runs";
}

TEST(Follow, GoesWithTheNearestImageAcrossAPeriodicSide) {
  Snapshot before = follow_moment({0.9F, 0, 0}), after = follow_moment({0.1F, 0, 0});
  after.systems[0].period = Vec3f(1, 0, 0);
  EXPECT_LT(glm::length(*followed_point({&before, &after, 0.5F}, "school.17") - glm::vec3(0, 0, 0)), 1e-6F);
}

TEST(Follow, MovesEyeAndTargetAlikeSoThatTheUserKeepsTurningAndZooming) {
  Camera camera;
  camera.eye = {0, 1, 4};
  camera.target = {0, 0, 0};
  Follower follower;
  const Snapshot a = follow_moment({0, 0, 0}), b = follow_moment({1, 0, 2}), c = follow_moment({1, 3, 2});
  EXPECT_TRUE(follower.move(camera, {&a, &a, 1}, "school.17"));
  EXPECT_EQ(camera.eye, glm::vec3(0, 1, 4)) << "following must begin without a jump";
  EXPECT_TRUE(follower.move(camera, {&a, &b, 1}, "school.17"));
  EXPECT_EQ(camera.target, glm::vec3(1, 0, 2));
  EXPECT_EQ(camera.eye, glm::vec3(1, 1, 6));
  camera.zoom(0.5F);
  camera.orbit(0.3F, 0);
  const float distance = glm::length(camera.eye - camera.target);
  EXPECT_TRUE(follower.move(camera, {&b, &c, 0.5F}, "school.17"));
  EXPECT_EQ(camera.target, glm::vec3(1, 1.5F, 2));
  EXPECT_NEAR(glm::length(camera.eye - camera.target), distance, 1e-5F);
}

TEST(Follow, LeavesTheCameraWhereItIsWhenTheElementDiesOrAnotherIsFollowed) {
  Camera camera;
  const glm::vec3 eye = camera.eye;
  Follower follower;
  const Snapshot a = follow_moment({0, 0, 0});
  Snapshot gone = follow_moment({5, 0, 0});
  gone.systems[0].id = {3, 18};
  EXPECT_TRUE(follower.move(camera, {nullptr, &a, 1}, "school.17"));
  EXPECT_FALSE(follower.move(camera, {&a, &gone, 1}, "school.17"));
  EXPECT_EQ(camera.eye, eye);
  EXPECT_TRUE(follower.move(camera, {&a, &gone, 1}, "school.18"));
  EXPECT_EQ(camera.eye, eye) << "the camera must not jump to another element";
  const Snapshot reset = follow_moment({7, 0, 0}, 2);
  EXPECT_TRUE(follower.move(camera, {nullptr, &reset, 1}, "school.17"));
  EXPECT_EQ(camera.eye, eye) << "the camera must not move to another run";
  EXPECT_FALSE(follower.move(camera, {nullptr, &reset, 1}, ""));
}

}  // namespace
}  // namespace vw
