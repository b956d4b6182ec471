// A collider that is given as a triangle mesh must be drawn, picked, bounded and shaded like a collider of the same
// shape that is given by its dimensions.
#include <random>

#include "render/scene/collider_drawing.h"
#include "render/scene/mesh_pick.h"
#include "stage_set.h"

namespace vw {
namespace {

using RenderMesh = RenderTest;

/// Returns a mesh collider with the surface of the given collider. The vertices are in metres.
ColliderSnapshot as_mesh(const ColliderSnapshot& collider) {
  auto mesh = std::make_shared<SurfaceMesh>(*surface_of(collider));
  const bool ball = collider.kind == ColliderSnapshot::Kind::sphere;
  for (Vec3f& p : mesh->position)
    p = p.cwiseProduct(ball ? Vec3f(Vec3f::Constant(collider.half_extent.x())) : collider.half_extent);
  ColliderSnapshot out = collider;
  out.kind = ColliderSnapshot::Kind::mesh;
  out.mesh = mesh;
  out.half_extent = Vec3f::Ones();
  return out;
}

ColliderSnapshot box() {
  return obstacle("box", ColliderSnapshot::Kind::box, Vec3f(0.02F, 0.06F, 0),
                  Quatf(Eigen::AngleAxisf(0.5F, Vec3f(1, 2, 0).normalized())), Vec3f(0.06F, 0.04F, 0.05F),
                  {0.6F, 0.3F, 0.2F});
}

Camera looking_on() {
  Camera camera;
  camera.eye = {0.2F, 0.25F, 0.4F};
  camera.target = {0, 0.03F, 0};
  return camera;
}

/// Returns the number of bytes that differ by more than the rounding error.
int different_bytes(const Image& a, const Image& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) count += std::abs(a.rgba[i] - b.rgba[i]) > 3 ? 1 : 0;
  return count;
}

TEST_F(RenderMesh, ABoxGivenAsAMeshLooksLikeABox) {
  for (const Quality quality : {Quality::medium, Quality::high}) {
    ViewParams view;
    view.quality = quality;
    view.ground_grid = false;
    Snapshot s;
    s.colliders = {box()};
    const Image shape = shot(s, looking_on(), view);
    s.colliders = {as_mesh(box())};
    EXPECT_LE(different_bytes(shape, shot(s, looking_on(), view)), 60)
        << "corners are rounded once more, so samples on an edge may differ";
  }
}

TEST_F(RenderMesh, AMeshCastsItsShadowOnEveryTier) {
  for (const Quality quality : {Quality::low, Quality::medium, Quality::high}) {
    ViewParams view;
    view.quality = quality;
    view.ground_grid = false;
    Snapshot s;
    s.colliders = {ground()};
    s.colliders.push_back(as_mesh(box()));
    const Image with = shot(s, looking_on(), view);
    s.colliders[1].mesh = nullptr;
    s.colliders[1].kind = ColliderSnapshot::Kind::sphere;  // hides the mesh but keeps the size of the scene
    s.colliders[1].half_extent = Vec3f::Constant(1e-3F);
    s.colliders[1].position = Vec3f(0.02F, 0.12F, 0);
    const Image without = shot(s, looking_on(), view);
    int darker = 0;
    for (int y = 0; y < 240; ++y)
      for (int x = 0; x < 320; ++x)
        darker +=
            at(with, x, y).g + 20 < at(without, x, y).g && std::abs(at(with, x, y).r - at(with, x, y).b) < 40 ? 1 : 0;
    EXPECT_GT(darker, 300) << static_cast<int>(quality);
  }
}

TEST_F(RenderMesh, AOneSidedMeshIsNotThereFromBehind) {
  Snapshot s;
  s.colliders = {red_sheet()};
  Camera front, back;
  front.eye = {0, 0, 3};
  back.eye = {0, 0, -3};
  front.target = back.target = {0, 0, 0};
  for (const Quality quality : {Quality::low, Quality::medium})
    for (const bool two_sided : {false, true}) {
      ViewParams view;
      view.quality = quality;
      s.colliders[0].two_sided = two_sided;
      const glm::ivec3 before = at(shot(s, front, view), 160, 120), behind = at(shot(s, back, view), 160, 120);
      EXPECT_GT(before.r, before.b + 40);
      EXPECT_EQ(behind.r > behind.b + 40, two_sided);
      EXPECT_EQ(renderer_->pick(s, {{0.2F, 0.1F, -3}, {0, 0, 1}}).has_value(), two_sided);
      EXPECT_TRUE(renderer_->pick(s, {{0.2F, 0.1F, 3}, {0, 0, -1}}).has_value());
    }
}

TEST_F(RenderMesh, ItsSurfaceIsGivenBackWhenItIsNoLongerShown) {
  Snapshot s;
  s.colliders = {as_mesh(box())};
  const std::weak_ptr<const SurfaceMesh> mesh = s.colliders[0].mesh;
  shot(s, looking_on());
  ASSERT_TRUE(renderer_->pick(s, {{0.02F, 1, 0}, {0, -1, 0}}));
  s.colliders.clear();
  shot(s, looking_on());
  EXPECT_TRUE(mesh.expired());
}

TEST(PickTree, FindsWhatTryingEveryTriangleFinds) {
  ColliderSnapshot ball =
      obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f::Zero(), Quatf::Identity(), Vec3f::Ones(), {1, 1, 1});
  const SurfaceMesh& mesh = *surface_of(ball);
  const PickTree tree(mesh);
  std::mt19937 random(3);
  std::uniform_real_distribution<float> somewhere(-1.5F, 1.5F);
  int hits = 0;
  for (int i = 0; i < 400; ++i) {
    const glm::vec3 from(somewhere(random), somewhere(random), somewhere(random)),
        to(somewhere(random), somewhere(random), somewhere(random));
    // One in ten rays is parallel to the z axis.
    const Ray ray{from, i % 10 == 0 ? glm::vec3(0, 0, 1) : glm::normalize(to - from)};
    for (const bool backs : {false, true}) {
      float best = -1;
      for (const auto& t : mesh.triangle) {
        const auto at = [&](std::size_t k) {
          return glm::vec3(mesh.position[t[k]].x(), mesh.position[t[k]].y(), mesh.position[t[k]].z());
        };
        if (!backs && glm::dot(glm::cross(at(1) - at(0), at(2) - at(0)), ray.direction) >= 0) continue;
        const float distance = hit_triangle(ray, at(0), at(1), at(2));
        if (distance > 0 && (best < 0 || distance < best)) best = distance;
      }
      EXPECT_EQ(tree.hit(ray, backs), best);
      hits += best > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(hits, 200);
  EXPECT_LT(PickTree(SurfaceMesh{}).hit({}, true), 0);
}

TEST(SceneBounds, HoldAMeshWhereItStands) {
  Snapshot s;
  s.colliders = {as_mesh(box())};
  const Bounds3 mesh = scene_bounds(s);
  s.colliders = {box()};
  const Bounds3 shape = scene_bounds(s);
  EXPECT_LT(glm::length(mesh.min - shape.min) + glm::length(mesh.max - shape.max), 1e-6F);
}

}  // namespace
}  // namespace vw
