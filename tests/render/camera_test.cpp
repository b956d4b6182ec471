// Motions of the camera: each test checks the quantity that the motion must preserve.
#include <gtest/gtest.h>

#include "render/camera.h"
#include "render/software/projector.h"

namespace vw {
namespace {

TEST(RenderCamera, OrbitKeepsTheDistanceAndStopsShortOfThePoles) {
  Camera camera;
  const float distance = glm::length(camera.eye - camera.target);
  camera.orbit(1.2F, 10.0F);
  EXPECT_NEAR(glm::length(camera.eye - camera.target), distance, 1e-5F * distance);
  EXPECT_LT(glm::normalize(camera.eye - camera.target).y, 0.99995F);
}

TEST(RenderCamera, TheMiddleRayMeetsTheTarget) {
  const Camera camera;
  const Ray ray = camera.ray(320, 240, 640, 480);
  EXPECT_NEAR(glm::length(glm::cross(camera.target - camera.eye, ray.direction)), 0, 1e-5F);
}

TEST(RenderCamera, PanningByADragMovesTheTargetThatManyPixels) {
  Camera camera;
  const glm::vec3 before = camera.target;
  camera.pan(30, -20, 640, 480);
  const glm::vec4 clip = camera.projection(4.0F / 3) * camera.view() * glm::vec4(before, 1);
  EXPECT_NEAR(clip.x / clip.w * 320, 30, 0.01F);
  EXPECT_NEAR(clip.y / clip.w * 240, 20, 0.01F);
}

TEST(RenderCamera, FramingPutsEveryCornerInThePicture) {
  Camera camera;
  const Bounds3 box{{-1, 0, -3}, {2, 0.5F, 1}};
  for (const float aspect : {0.5F, 1.0F, 2.4F}) {
    camera.frame(box, aspect);
    for (unsigned i = 0; i < 8; ++i) {
      const glm::vec3 corner{(i & 1U) != 0 ? box.max.x : box.min.x, (i & 2U) != 0 ? box.max.y : box.min.y,
                             (i & 4U) != 0 ? box.max.z : box.min.z};
      const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(corner, 1);
      EXPECT_GT(clip.w, 0);
      EXPECT_LE(std::max(std::abs(clip.x), std::abs(clip.y)), clip.w);
    }
  }
}

TEST(RenderCamera, ANarrowPictureShowsAsMuchFromLeftToRightAsAWideOne) {
  const Camera camera;
  const glm::vec3 edge = camera.eye + 2.0F * camera.ray(1, 180, 1280, 720).direction;  // one pixel from the left edge
  for (const auto& [width, height] :
       {std::pair(1280, 720), std::pair(800, 600), std::pair(500, 500), std::pair(360, 640)}) {
    const float w = static_cast<float>(width), h = static_cast<float>(height);
    const glm::vec4 clip = camera.projection(w / h) * camera.view() * glm::vec4(edge, 1);
    EXPECT_NEAR(clip.x / clip.w, -1 + 2.0F / 1280, 1e-5F) << width << " x " << height;
    // The projection matrix, the picking ray and the software renderer's projection agree at this point.
    const float x_px = 0.5F * w * (1 + clip.x / clip.w), y_px = 0.5F * h * (1 - clip.y / clip.w);
    EXPECT_LT(
        glm::length(glm::cross(camera.ray(x_px, y_px, width, height).direction, glm::normalize(edge - camera.eye))),
        1e-5F);
    const soft::Projector projector(camera, width, height);
    const glm::vec3 drawn = projector.to_picture(projector.to_view(edge));
    EXPECT_NEAR(drawn.x, x_px, 0.01F);
    EXPECT_NEAR(drawn.y, y_px, 0.01F);
  }
  // Images wider than 16:9 show more to the left and right and keep the vertical field of view.
  EXPECT_EQ(camera.half_height(16.0F / 9), camera.half_height(4));
}

TEST(RenderCamera, AnEyeFarFromTheOriginKeepsItsDirection) {
  Camera camera;
  camera.eye = {1e8F, 0, 0};  // adding a unit vector does not change this position
  camera.target = {0, 0, 0};
  const glm::vec4 at = camera.view() * glm::vec4(0, 0, 0, 1);
  EXPECT_NEAR(at.x, 0, 1);
  EXPECT_NEAR(at.y, 0, 1);
  EXPECT_NEAR(at.z, -1e8F, 100);
}

/// Returns the position of a point in the picture, in [-1, 1]^2, and its depth.
glm::vec3 shown_at(const Camera& camera, const glm::vec3& point) {
  const glm::vec4 clip = camera.projection(2) * camera.view() * glm::vec4(point, 1);
  return glm::vec3(clip) / clip.w;
}

TEST(RenderCamera, AnOrthographicProjectionShowsTheTargetAsThePerspectiveDoes) {
  Camera perspective;
  perspective.eye = {0, 0, 2};
  perspective.target = {0, 0, 0};
  Camera orthographic = perspective;
  orthographic.is_orthographic = true;
  const glm::vec3 at_target(0.3F, 0.2F, 0), middle = shown_at(orthographic, at_target);
  // Single precision resolves a coordinate of 200 m, where the eye of drawn() is, to 1.5e-5 m.
  EXPECT_NEAR(middle.x, shown_at(perspective, at_target).x, 1e-4F);
  EXPECT_NEAR(middle.y, shown_at(perspective, at_target).y, 1e-4F);
  // The orthographic camera is 100 times as far away. For a point one distance behind the target, sizes fall by 100 /
  // 101.
  EXPECT_NEAR(shown_at(orthographic, at_target - glm::vec3(0, 0, 2)).x, middle.x * 100 / 101, 1e-4F);
  for (const float z : {19.0F, -390.0F})
    EXPECT_LE(std::abs(shown_at(orthographic, {0, 0, z}).z), 1) << "the depth " << z << " must not be clipped";
  EXPECT_EQ(orthographic.drawn().target_distance(), 2);
  EXPECT_EQ(orthographic.drawn().near_eye(), perspective.eye);
}

TEST(RenderCamera, RaysOfAnOrthographicProjectionMeetThePointsThatThePictureShows) {
  Camera camera;
  camera.is_orthographic = true;
  const soft::Projector projector(camera.drawn(), 800, 400);
  for (const glm::vec3& point : {glm::vec3(0.1F, 0.2F, 0.1F), glm::vec3(-0.2F, 0, -0.3F), glm::vec3(0, 0.5F, 0.4F)}) {
    const glm::vec3 at = shown_at(camera, point);
    const float x_px = 400 * (1 + at.x), y_px = 200 * (1 - at.y);
    const Ray ray = camera.ray(x_px, y_px, 800, 400);
    EXPECT_LT(glm::length(glm::cross(ray.direction, point - ray.origin)), 2e-4F);
    EXPECT_GT(glm::dot(ray.direction, point - ray.origin), 0);
    const glm::vec3 drawn = projector.to_picture(projector.to_view(point));
    EXPECT_NEAR(drawn.x, x_px, 0.1F);
    EXPECT_NEAR(drawn.y, y_px, 0.1F);
  }
}

TEST(RenderCamera, ZoomScalesTheDistanceAndLookKeepsTheEye) {
  Camera camera;
  const float distance = glm::length(camera.eye - camera.target);
  const glm::vec3 eye = camera.eye;
  camera.zoom(0.5F);
  EXPECT_NEAR(glm::length(camera.eye - camera.target), 0.5F * distance, 1e-5F);
  camera = Camera();
  camera.look(0.3F, 0.1F);
  EXPECT_EQ(camera.eye, eye);
  EXPECT_NEAR(glm::length(camera.eye - camera.target), distance, 1e-5F);
}

TEST(RenderCamera, ZoomAndFramingReachPartsOfAMicrometre) {
  Camera camera;
  const glm::vec3 half(1e-6F);
  camera.frame({-half, half}, 16.0F / 9);
  const float framed = camera.target_distance();
  EXPECT_LT(framed, 1e-5F);
  for (unsigned i = 0; i < 8; ++i) {
    const glm::vec3 sign((i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F, (i & 4U) != 0 ? 1.0F : -1.0F);
    const glm::vec4 clip = camera.projection(16.0F / 9) * camera.view() * glm::vec4(sign * half, 1);
    EXPECT_GT(clip.w, 0);
    EXPECT_LE(std::abs(clip.z), clip.w) << "the corner must lie between the near and the far plane";
  }
  camera.zoom(0.5F);
  EXPECT_NEAR(camera.target_distance(), 0.5F * framed, 1e-3F * framed);
}

TEST(RenderCamera, ZoomKeepsADistanceThatSinglePrecisionResolves) {
  Camera camera;
  camera.target = {1000, 0, 0};
  camera.eye = {1000, 0, 1};
  camera.zoom(1e-6F);
  EXPECT_NEAR(camera.target_distance(), 0.01F, 1e-6F);
  camera.eye = {1000, 0, 0.005F};
  camera.zoom(0.9F);
  EXPECT_NEAR(camera.target_distance(), 0.005F, 1e-6F) << "zooming in must not move the camera away";
}

}  // namespace
}  // namespace vw
