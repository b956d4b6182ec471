// Tilted planes, the mouse spring and picking. Expected values are computed by elementary geometry.
#include "render/scene/light/ground_map.h"
#include "stage_set.h"

namespace vw {
namespace {

using RenderObject = RenderTest;

glm::vec2 pixel_of(const Camera& camera, const glm::vec3& p, int width, int height) {
  const glm::vec4 clip =
      camera.projection(static_cast<float>(width) / static_cast<float>(height)) * camera.view() * glm::vec4(p, 1);
  return {(clip.x / clip.w * 0.5F + 0.5F) * static_cast<float>(width),
          (0.5F - clip.y / clip.w * 0.5F) * static_cast<float>(height)};
}

TEST_F(RenderObject, ATiltedPlaneIsSeenFromAboveAndHidesNothingFromBehind) {
  for (const Quality quality : {Quality::low, Quality::medium}) {
    ViewParams view;
    view.quality = quality;
    view.ground_grid = false;
    Snapshot s;
    const Image sky = shot(s, straight_on(), view, 160, 120);
    const Quatf turn(Eigen::AngleAxisf(0.6F, Vec3f::UnitX()));  // the plane's normal leans towards the camera
    s.colliders = {
        obstacle("slope", ColliderSnapshot::Kind::plane, Vec3f::Zero(), turn, Vec3f::Ones(), {0.8F, 0.1F, 0.1F})};
    const Image slope = shot(s, straight_on(), view, 160, 120);
    EXPECT_GT(difference(at(slope, 80, 62), at(sky, 80, 62)), 20);
    EXPECT_GT(at(slope, 80, 62).r, at(slope, 80, 62).b + 20) << "the plane must have its own colour";
    s.colliders[0].orientation = Quatf(Eigen::AngleAxisf(0.6F + static_cast<float>(pi), Vec3f::UnitX()));
    EXPECT_LT(difference(at(shot(s, straight_on(), view, 160, 120), 80, 62), at(sky, 80, 62)), 3);
  }
}

TEST_F(RenderObject, TheGrabSpringRunsFromTheBodyToTheMouse) {
  Snapshot s;
  s.systems.push_back(voxel_block(4, 4, 4, 0.02F, 0, Vec3f(0, -0.04F, 0)));
  const Camera camera = straight_on();
  const Image before = shot(s, camera, {}, 320, 240);
  s.grab = {true, Vec3f(0, 0, 0.04F), Vec3f(0.2F, 0.12F, 0.04F), 1};
  const Image image = shot(s, camera, {}, 320, 240);
  for (const float part : {0.0F, 0.3F, 0.6F, 1.0F}) {
    const glm::vec2 p = pixel_of(camera, part * glm::vec3(0.2F, 0.12F, 0) + glm::vec3(0, 0, 0.04F), 320, 240);
    const glm::ivec3 c = at(image, static_cast<int>(p.x), static_cast<int>(p.y));
    EXPECT_GT(c.r, 200) << part;
    EXPECT_LT(c.b, 130) << part;
  }
  EXPECT_EQ(at(image, 40, 200), at(before, 40, 200)) << "other pixels must not change";
}

TEST_F(RenderObject, PickMeetsSpheresAtTheirNearSide) {
  Snapshot s;
  s.systems.push_back(sphere_cloud(1, 0, 0.1F, Vec3f(0.3F, 0, 0)));
  const auto hit = renderer_->pick(s, {{0.3F, 0, 2}, {0, 0, -1}});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->system, "cloud");
  EXPECT_EQ(hit->element, 0);
  EXPECT_NEAR(hit->distance, 1.9F, 1e-5F);
  EXPECT_FALSE(renderer_->pick(s, {{0.3F, 0.11F, 2}, {0, 0, -1}}));
  EXPECT_FALSE(renderer_->pick(s, {{0.3F, 0, 2}, {0, 0, 1}})) << "behind the camera";
}

TEST_F(RenderObject, PickMeetsCollidersAndTheNearestWins) {
  Snapshot s;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f(0, 1, 0), Quatf::Identity(),
                                 Vec3f::Constant(0.25F), {0.5F, 0.5F, 0.5F}));
  const Quatf turn(Eigen::AngleAxisf(static_cast<float>(pi) / 4, Vec3f::UnitY()));
  s.colliders.push_back(
      obstacle("box", ColliderSnapshot::Kind::box, Vec3f(2, 1, 0), turn, Vec3f::Constant(0.5F), {0.5F, 0.5F, 0.5F}));
  const auto distance = [&](const glm::vec3& from, const glm::vec3& along) {
    const auto hit = renderer_->pick(s, {from, along});
    EXPECT_TRUE(!hit || (hit->system.empty() && hit->element == -1));
    return hit ? hit->distance : -1.0F;
  };
  EXPECT_NEAR(distance({0, 3, 0}, {0, -1, 0}), 1.75F, 1e-5F);
  EXPECT_NEAR(distance({1, 3, 0}, {0, -1, 0}), 3, 1e-5F);
  // The box is rotated by 45 degrees, so the edge is at a distance of sqrt(1/2) from the centre of the box.
  EXPECT_NEAR(distance({2, 1, 3}, {0, 0, -1}), 3 - std::sqrt(0.5F), 1e-4F);
  EXPECT_LT(distance({1, 3, 0}, {0, 1, 0}), 0);
  s.systems.push_back(sphere_cloud(1, 0, 0.1F, Vec3f(0, 2, 0)));
  EXPECT_EQ(renderer_->pick(s, {{0, 3, 0}, {0, -1, 0}})->system, "cloud");
}

TEST(GroundMap, PartsBelowTheGroundDarkenNothing) {
  // The board rises to the right through the ground, which it leaves at x = 0.
  const Quatf turn(Eigen::AngleAxisf(0.5F, Vec3f::UnitZ()));
  const ColliderSnapshot board =
      obstacle("board", ColliderSnapshot::Kind::box, Vec3f::Zero(), turn, {0.5F, 0.002F, 0.2F}, {0.5F, 0.5F, 0.5F});
  GroundMap map;
  const glm::vec4 box = map.draw({}, 0, {&board, 1}, {{-0.5F, -0.3F, -0.2F}, {0.5F, 0.3F, 0.2F}}, 0, nullptr);
  const auto dark_at = [&](float x) {
    const auto column = static_cast<std::size_t>((x - box.x) * box.z * GroundMap::side),
               row = static_cast<std::size_t>((0 - box.y) * box.w * GroundMap::side);
    return static_cast<int>(map.texels()[2 * (row * GroundMap::side + column)]);
  };
  EXPECT_GT(dark_at(0.02F), 40);
  EXPECT_LT(dark_at(-0.15F), 4);
}

}  // namespace
}  // namespace vw
