// Outlines of selected elements, and systems that the view hides.
#include "render/scene/silhouette.h"

#include "render/scene/frame_data.h"
#include "render/scene/mesh_pick.h"
#include "render/software/software_renderer.h"
#include "rigid_set.h"

namespace vw {
namespace {

using Points = std::vector<glm::vec3>;

FrameData prepared_for_silhouette(const Snapshot& snapshot, const ViewParams& view, const Selection& selection) {
  Camera camera;
  camera.frame(scene_bounds(snapshot), 4.0F / 3);
  FrameData set;
  set.prepare({nullptr, &snapshot, 1}, view, camera, selection, 320, 240);
  return set;
}

Points outline_of_box(const glm::vec3& eye) {
  Figure figure;
  figure.shape = FigureShape::bodies;
  figure.places = {{0, 0, 0, 1}};
  figure.turns = {{0, 0, 0, 1}};
  Points points;
  Silhouette().add_element(figure, 0, box_mesh(Vec3f(1, 2, 3)), eye, points);
  return points;
}

TEST(Silhouette, ABoxHasFourEdgesFromTheFrontAndSixFromACorner) {
  EXPECT_EQ(outline_of_box({0, 0, 50}).size(), 2U * 4U);
  EXPECT_EQ(outline_of_box({50, 60, 70}).size(), 2U * 6U) << "vertices that several faces share must be joined";
  for (const glm::vec3& p : outline_of_box({0, 0, 50})) EXPECT_EQ(p.z, 3) << "outline of the visible side";
}

TEST(Silhouette, ABoxObstacleHasTheSameOutlineAsAMesh) {
  ColliderSnapshot box;
  box.kind = ColliderSnapshot::Kind::box;
  box.half_extent = Vec3f(1, 2, 3);
  for (const glm::vec3& eye : {glm::vec3(50, 60, 70), glm::vec3(-9, 1, 4), glm::vec3(0, -8, 0.5F)}) {
    Points points;
    Silhouette().add_collider(box, eye, points);
    EXPECT_EQ(points.size(), outline_of_box(eye).size());
  }
}

TEST(Silhouette, ABallIsOutlinedWhereRaysFromTheEyeTouchIt) {
  Figure figure;
  figure.places = {{0.3F, 1, -2, 0.5F}};
  const glm::vec3 middle(0.3F, 1, -2), eye(1, 2, 1);
  Points points;
  Silhouette().add_element(figure, 0, nullptr, eye, points);
  ASSERT_GE(points.size(), 64U);
  for (const glm::vec3& p : points) {
    EXPECT_NEAR(glm::length(p - middle), 0.5F, 1e-5F);
    EXPECT_NEAR(glm::dot(p - middle, p - eye), 0, 1e-4F);
  }
  points.clear();
  Silhouette().add_element(figure, 0, nullptr, middle, points);
  EXPECT_TRUE(points.empty()) << "there is no outline from inside the ball";
}

/// Returns the number of line segments in all marks. The tests turn other marks off, so these segments are the outline
/// of the selection.
std::size_t outlined(const FrameData& set) {
  std::size_t segments = 0;
  for (const MarkGroup& group : set.marks.groups()) segments += group.points.size() / 2;
  return segments;
}

TEST(Silhouette, AVoxelBodyIsOutlinedAsAWhole) {
  Snapshot s;
  s.systems.push_back(voxel_block(6, 3, 2, 0.02F, 0, Vec3f::Zero()));
  ViewParams view;
  view.joints = JointStyle::none;
  EXPECT_EQ(outlined(prepared_for_silhouette(s, view, {})), 0U);
  const FrameData set = prepared_for_silhouette(s, view, {"block", 0});
  // The outline of the block consists of six of its edges, two along each axis. Each segment is one voxel long.
  EXPECT_EQ(outlined(set), 2U * (6 + 3 + 2));
  glm::vec3 low(1), high(-1);
  for (const glm::vec3& p : set.marks.groups()[0].points) low = glm::min(low, p), high = glm::max(high, p);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR((high - low)[k], (glm::vec3(0.12F, 0.06F, 0.04F))[k], 1e-5F);
}

TEST(Silhouette, ASelectedObstacleIsOutlinedUnlessItIsHidden) {
  Snapshot s;
  s.colliders = {ground()};
  ColliderSnapshot& ball = s.colliders.emplace_back();
  ball.name = "ball";
  ball.kind = ColliderSnapshot::Kind::sphere;
  ViewParams view;
  const Selection selection{.system = {}, .element = -1, .obstacle = "ball"};
  EXPECT_EQ(outlined(prepared_for_silhouette(s, view, selection)), 64U);
  view.hidden = {"ball"};
  EXPECT_EQ(outlined(prepared_for_silhouette(s, view, selection)), 0U);
  view.hidden.clear();
  EXPECT_EQ(outlined(prepared_for_silhouette(s, view, {.system = {}, .element = -1, .obstacle = "ground"})), 0U)
      << "planes have no outline";
}

TEST(Silhouette, EverySelectedObjectIsOutlined) {
  Snapshot s = rigid_set();
  ColliderSnapshot& ball = s.colliders.emplace_back();
  ball.name = "ball";
  ball.kind = ColliderSnapshot::Kind::sphere;
  ViewParams view;
  view.joints = JointStyle::none;
  const std::size_t box = outlined(prepared_for_silhouette(s, view, {"boxes", 1}));
  ASSERT_GT(box, 0U);
  Selection both{"boxes", 1};
  both.others = {{"boxes", 0}, {.system = {}, .obstacle = "ball"}};
  EXPECT_EQ(outlined(prepared_for_silhouette(s, view, both)),
            box + outlined(prepared_for_silhouette(s, view, {"boxes", 0})) + 64U);
}

TEST(HiddenInView, NothingOfAHiddenSystemIsDrawnOrPicked) {
  Snapshot s = rigid_set();
  s.rules[0].a = s.rules[0].b = 0;
  ViewParams view;
  view.vectors = view.contacts = view.mass_centers = view.body_frames = true;
  view.joints = JointStyle::all;
  view.forces = {"lift"};
  const FrameData seen = prepared_for_silhouette(s, view, {"boxes", 1});
  EXPECT_FALSE(seen.solids.empty());
  EXPECT_FALSE(seen.marks.groups().empty());
  EXPECT_FALSE(seen.arrows.empty());
  view.hidden = {"boxes"};
  const FrameData set = prepared_for_silhouette(s, view, {"boxes", 1});
  EXPECT_TRUE(set.solids.empty());
  EXPECT_TRUE(set.marks.groups().empty());
  EXPECT_TRUE(set.arrows.empty());
  MeshTrees trees;
  const Ray ray{{0, 1, 0}, {0, -1, 0}};
  EXPECT_EQ(pick_element(s, ray, trees)->system, "boxes");
  const auto below = pick_element(s, ray, trees, FluidPick::opaque, view.hidden);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->system, "");
  EXPECT_EQ(below->obstacle, s.colliders[0].name);
  const TextList both{"boxes", s.colliders[0].name};
  EXPECT_FALSE(pick_element(s, ray, trees, FluidPick::opaque, both));
}

/// Checks that an image with hidden systems equals an image without these systems. `draw` is one of the renderers.
template <class Draw>
void expect_as_if_not_there(const Draw& draw) {
  Snapshot with, without;
  with.epoch = without.epoch = 1;
  with.colliders = without.colliders = {ground()};
  without.systems = {voxel_block(6, 3, 2, 0.02F, 0, Vec3f(0.3F, 0, 0))};
  with.systems = without.systems;
  SystemSnapshot bent = voxel_block(6, 3, 2, 0.02F, 0.5F, Vec3f::Zero());
  bent.name = "other";
  with.systems.push_back(bent);
  SystemSnapshot row = box_row(3);
  with.systems.push_back(row);
  ViewParams view;
  view.hidden = {"other", "boxes"};
  Camera camera;
  camera.eye = {0.3F, 0.5F, 1};
  camera.target = {0.1F, 0.05F, 0};
  // The resolution of shadows depends on the bounding box of the world. This collider gives both images the same
  // bounding box.
  ColliderSnapshot far_box;
  far_box.name = "far";
  far_box.kind = ColliderSnapshot::Kind::box;
  far_box.half_extent = Vec3f(0.9F, 0.01F, 0.9F);
  with.colliders.push_back(far_box), without.colliders.push_back(far_box);
  const auto different = [](const Image& a, const Image& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) count += std::abs(int{a.rgba[i]} - int{b.rgba[i]}) > 24 ? 1 : 0;
    return count;
  };
  const Image hidden = draw(with, camera, view), absent = draw(without, camera, view);
  EXPECT_LT(different(hidden, absent), 200U) << "of " << hidden.rgba.size();
  view.hidden.clear();
  EXPECT_GT(different(draw(with, camera, view), absent), 2000U);
}

TEST(HiddenInView, ASoftwarePictureIsAsIfTheSystemsWereNotThere) {
  SoftwareRenderer renderer;
  expect_as_if_not_there([&](const Snapshot& s, const Camera& camera, const ViewParams& view) {
    return *renderer.draw_image({nullptr, &s, 1}, camera, view, {}, 320, 240, LegendOverlay::none);
  });
}

TEST_F(RenderTest, AnOpenGlPictureIsAsIfHiddenSystemsWereNotThere) {
  expect_as_if_not_there([&](const Snapshot& s, const Camera& camera, const ViewParams& view) {
    return *renderer_->draw_image({nullptr, &s, 1}, camera, view, {}, 320, 240, LegendOverlay::none);
  });
}

}  // namespace
}  // namespace vw
