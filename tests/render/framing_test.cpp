// Automatic framing: camera positions at which a subject fills a given fraction of the picture, and a camera that
// follows its subject.
#include <gtest/gtest.h>

#include "render/framing.h"

namespace vw {
namespace {

constexpr float wide_aspect = 16.0F / 9;

SubjectPoints corners_of(const Vec3f& min, const Vec3f& max) {
  SubjectPoints points;
  for (unsigned i = 0; i < 8; ++i) {
    points.position.emplace_back((i & 1U) != 0 ? max.x() : min.x(), (i & 2U) != 0 ? max.y() : min.y(),
                                 (i & 4U) != 0 ? max.z() : min.z());
    points.radius.push_back(0.01F);
  }
  return points;
}

Snapshot boxes_at(float x) {
  Snapshot snapshot;
  SystemSnapshot& system = snapshot.systems.emplace_back();
  system.mass_kg = 1;
  for (const float dx : {-0.5F, 0.5F})
    for (const float y : {0.0F, 1.0F}) {
      system.position.emplace_back(x + dx, y, 0.0F);
      system.size.push_back(0.05F);
    }
  return snapshot;
}

TEST(Framing, FillsTheShareOfThePictureAndCentresTheSubject) {
  for (const bool is_orthographic : {false, true})
    for (const float aspect : {0.5F, 1.0F, wide_aspect, 3.0F})
      for (const auto& points : {corners_of({-1, 0, -3}, {2, 0.5F, 1}), corners_of({100, 0, 0}, {100.01F, 5, 0.01F})}) {
        Camera camera;
        camera.is_orthographic = is_orthographic;
        const glm::vec3 before = glm::normalize(camera.target - camera.eye);
        frame_points(camera, points, aspect);
        EXPECT_LT(glm::length(glm::normalize(camera.target - camera.eye) - before), 1e-3F) << "the direction remains";
        const auto area = area_in_picture(points, camera, aspect);
        ASSERT_TRUE(area);
        // The eye of an orthographic camera is 100 times as far away. There, single precision has a resolution of 1e-5.
        EXPECT_NEAR(area->longest_share(), subject_share, 0.01F) << aspect << is_orthographic;
        EXPECT_NEAR(area->center().x, 0, 0.01F) << aspect << is_orthographic;
        EXPECT_NEAR(area->center().y, 0, 0.01F) << aspect << is_orthographic;
      }
}

TEST(Framing, ASinglePointAndNoPointLeaveAUsableCamera) {
  Camera camera;
  SubjectPoints points;
  frame_points(camera, points, wide_aspect);
  EXPECT_EQ(camera.eye, Camera().eye);
  EXPECT_FALSE(area_in_picture(points, camera, wide_aspect));
  points.position.emplace_back(1.0F, 2.0F, 3.0F);
  points.radius.push_back(0);
  frame_points(camera, points, wide_aspect);
  EXPECT_TRUE(std::isfinite(camera.eye.x + camera.target.x));
  EXPECT_NE(camera.eye, camera.target);
  frame_subject(camera, Snapshot{}, wide_aspect);
  EXPECT_TRUE(std::isfinite(camera.eye.x + camera.target.x));
}

TEST(Framing, ShowsTheSubjectsOfTwoRunsTogether) {
  const Snapshot first = boxes_at(0), second = boxes_at(6);
  const Snapshot* const both[] = {&first, &second};
  Camera camera;
  frame_subjects(camera, both, wide_aspect);
  for (const Snapshot* one : both) {
    SubjectPoints points;
    subject_points(*one, points);
    const auto area = area_in_picture(points, camera, wide_aspect);
    ASSERT_TRUE(area);
    EXPECT_GT(std::min(area->min.x, area->min.y), -1);
    EXPECT_LT(std::max(area->max.x, area->max.y), 1);
  }
  AutoCamera follower;
  follower.begin(camera);
  EXPECT_FALSE(follower.move(camera, both, wide_aspect, 0.02F)) << "both subjects are well inside the picture";
  EXPECT_TRUE(follower.move(camera, second, wide_aspect, 0.02F)) << "one subject alone is off the middle";
}

TEST(Framing, AStillPictureIsSeenFromAtMostOneAndAHalfTimesTheDistance) {
  const Snapshot near = boxes_at(0), far = boxes_at(100);
  const Snapshot* const one[] = {&near};
  const Snapshot* const both[] = {&near, &far};
  Camera camera;
  frame_subjects(camera, one, wide_aspect);
  const float distance = camera.target_distance();
  Camera still = camera;
  frame_still(still, one, wide_aspect);
  EXPECT_NEAR(still.target_distance(), distance, 0.01F * distance);
  frame_still(still, both, wide_aspect);
  EXPECT_NEAR(still.target_distance(), 1.5F * distance, 0.02F * distance);
}

TEST(AutoCamera, RestsWhileTheSubjectIsWellInsideThePicture) {
  Camera camera;
  frame_subject(camera, boxes_at(0), wide_aspect);
  AutoCamera follower;
  follower.begin(camera);
  EXPECT_FALSE(follower.move(camera, boxes_at(0.1F), wide_aspect, 0.02F));
  EXPECT_TRUE(follower.is_active());
}

TEST(AutoCamera, FollowsWithoutOvershootAndFramesTheSubjectAtTheEnd) {
  Camera camera;
  frame_subject(camera, boxes_at(0), wide_aspect);
  AutoCamera follower;
  follower.begin(camera);
  const Snapshot away = boxes_at(5);
  Camera goal = camera;
  frame_subject(goal, away, wide_aspect);
  float before = camera.target.x, step_before = 0;
  for (int i = 0; i < 200; ++i) {
    follower.move(camera, away, wide_aspect, 0.02F);
    EXPECT_GE(camera.target.x, before - 1e-4F);
    EXPECT_LE(camera.target.x, goal.target.x + 1e-3F);
    if (i == 0) step_before = camera.target.x - before;
    before = camera.target.x;
  }
  EXPECT_LT(step_before, 0.1F) << "the motion must begin slowly";
  SubjectPoints points;
  subject_points(away, points);
  const auto area = area_in_picture(points, camera, wide_aspect);
  ASSERT_TRUE(area);
  EXPECT_NEAR(area->longest_share(), subject_share, 0.02F);
  EXPECT_NEAR(area->center().x, 0, 0.04F);
}

TEST(AutoCamera, MovesTheSameInOneLongStepAsInManyShortOnes) {
  Camera fast, slow;
  frame_subject(fast, boxes_at(0), wide_aspect);
  slow = fast;
  AutoCamera once, often;
  once.begin(fast);
  often.begin(slow);
  const Snapshot away = boxes_at(5);
  once.move(fast, away, wide_aspect, 0.4F);
  for (int i = 0; i < 40; ++i) often.move(slow, away, wide_aspect, 0.01F);
  // The goal depends only on the camera's direction, so one long step equals many short steps.
  EXPECT_LT(glm::length(fast.eye - slow.eye), 1e-2F);
}

TEST(AutoCamera, EndsWhenAnotherPartOfTheProgramMovesTheCamera) {
  Camera camera;
  frame_subject(camera, boxes_at(0), wide_aspect);
  AutoCamera follower;
  follower.begin(camera);
  camera.orbit(0.1F, 0);
  const glm::vec3 eye = camera.eye;
  EXPECT_FALSE(follower.move(camera, boxes_at(50), wide_aspect, 0.1F));
  EXPECT_FALSE(follower.is_active());
  EXPECT_EQ(camera.eye, eye);
}

TEST(AutoCamera, LeavesBehindWhatGoesFarAway) {
  Camera camera;
  frame_subject(camera, boxes_at(0), wide_aspect);
  const float distance = camera.target_distance();
  AutoCamera follower;
  follower.begin(camera);
  Snapshot rolling = boxes_at(0);
  for (int i = 0; i < 3; ++i) {
    rolling.systems[0].position.emplace_back(20.0F + 10 * static_cast<float>(i), 0.0F, 0.0F);
    rolling.systems[0].size.push_back(0.02F);
  }
  for (int i = 0; i < 300; ++i) follower.move(camera, rolling, wide_aspect, 0.02F);
  EXPECT_LE(camera.target_distance(), 3.05F * distance);
  SubjectPoints staying;
  subject_points(boxes_at(0), staying);
  const auto area = area_in_picture(staying, camera, wide_aspect);
  ASSERT_TRUE(area);
  EXPECT_LT(std::max(std::abs(area->center().x), std::abs(area->center().y)), 0.1F);
  EXPECT_GT(area->longest_share(), 0.2F);
}

TEST(AutoCamera, DoesNotComeNearerForAFewParticles) {
  Camera camera;
  frame_subject(camera, boxes_at(0), wide_aspect);
  const float distance = camera.target_distance();
  AutoCamera follower;
  follower.begin(camera);
  Snapshot drop;
  drop.systems.emplace_back().position = {Vec3f(3, 0, 0)};
  for (int i = 0; i < 300; ++i) follower.move(camera, drop, wide_aspect, 0.02F);
  EXPECT_NEAR(camera.target_distance(), distance, 0.02F * distance);
  EXPECT_NEAR(camera.target.x, 3, 0.1F);
}

TEST(AutoCamera, ShowsAMovingSubjectInTheMiddleAfterOneLongStep) {
  // A still picture at the end of a run moves the camera once.
  Camera camera;
  frame_subject(camera, boxes_at(0), wide_aspect);
  AutoCamera follower;
  follower.begin(camera);
  Snapshot moving = boxes_at(4);
  moving.systems[0].velocity.assign(moving.systems[0].position.size(), Vec3f(2, 0, 0));
  SubjectPoints points;
  subject_points(moving, points);
  ASSERT_GT(points.drift_mps.x(), 1.9F);
  follower.move(camera, moving, wide_aspect, 5);
  const auto area = area_in_picture(points, camera, wide_aspect);
  ASSERT_TRUE(area);
  EXPECT_NEAR(area->center().x, 0, 0.02F);
  EXPECT_NEAR(area->longest_share(), subject_share, 0.02F);
}

}  // namespace
}  // namespace vw
