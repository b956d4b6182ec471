// Sweeps against colliders with a pose in the world: fixed and moving, solids and sheets, primitives and the equivalent
// triangle meshes.
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/collider_kinds.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

Vec3 sweep_point(std::uint64_t stream, std::uint64_t i, double half = 1) {
  const RandomKey key{41, stream};
  return 2 * half *
         Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

Collider posed(Shape shape, std::uint64_t i) {
  Collider collider;
  collider.shape = std::move(shape);
  collider.position = sweep_point(1, i, 0.2);
  collider.orientation = rotation_of(sweep_point(2, i, 2));
  return collider;
}

TEST(ColliderSweep, ABoxOfTrianglesIsMetAsABoxIs) {
  const Vec3 half(0.4, 0.3, 0.5);
  const auto mesh = TriangleMesh::make(box_mesh(half));
  ASSERT_TRUE(mesh) << mesh.error().message();
  int hits = 0, outside = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    Collider box = posed(BoxShape{half}, i), triangles = posed(Shape(std::shared_ptr<const Geometry>(*mesh)), i);
    box.two_sided = triangles.two_sided = i % 2 == 1;
    const Vec3 from = sweep_point(3, i, 1), to = sweep_point(4, i, 1);
    const double radius = 0.1 * random_uniform({41, 5}, i, 0), height = query(box, from).distance;
    ASSERT_NEAR(query(triangles, from).distance, height, 1e-12);
    // If the ball starts in contact with one wall, it may hit another wall. The two sweeps may then find different
    // hits.
    if (std::abs(height) < radius) continue;
    const auto one = sweep(box, box, from, to, radius), other = sweep(triangles, triangles, from, to, radius);
    ASSERT_EQ(one.has_value(), other.has_value()) << "case " << i;
    ++outside;
    if (!one) continue;
    ++hits;
    ASSERT_NEAR(one->share, other->share, 1e-9) << "case " << i;
    ASSERT_LT((one->normal - other->normal).norm(), 1e-4) << "case " << i;
  }
  EXPECT_GT(hits, 2000);
  EXPECT_GT(outside - hits, 2000);
}

TEST(ColliderSweep, AMovingWallHitsWhatStandsStill) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Collider start = posed(BoxShape{{0.5, 0.01, 0.5}}, i);
    // The wall passes straight through a ball at rest, with or without rotation. The expected value of `share` is the
    // fraction of the displacement of the wall at the first contact.
    Collider end = start;
    const Vec3 normal = start.orientation * Vec3::UnitY(), ball = start.position + 0.3 * normal;
    end.position += 0.6 * normal;
    const auto hit = sweep(start, end, ball, ball, 0.05);
    ASSERT_TRUE(hit);
    ASSERT_NEAR(hit->share, (0.3 - 0.05 - 0.01) / 0.6, 1e-12);
    ASSERT_LT((hit->normal - normal).norm(), 1e-12);
    const auto back = sweep(end, start, ball, ball, 0.05);  // the wall comes from the other side
    ASSERT_TRUE(back);
    ASSERT_LT((back->normal + normal).norm(), 1e-12);
    EXPECT_FALSE(sweep(start, end, ball + 0.7 * (start.orientation * Vec3::UnitX()),
                       ball + 0.7 * (start.orientation * Vec3::UnitX()), 0.05));
  }
}

TEST(ColliderSweep, FastBallsNeverPassASheetNorAThinBox) {
  const auto mesh = TriangleMesh::make(sheet_mesh(0.5, 8));
  ASSERT_TRUE(mesh);
  Collider sheet = posed(Shape(std::shared_ptr<const Geometry>(*mesh)), 0),
           board = posed(BoxShape{{0.5, 1e-4, 0.5}}, 0), plane = posed(PlaneShape{}, 0);
  sheet.two_sided = plane.two_sided = true;
  double passed = 0;
  for (const Collider* wall : {&sheet, &board, &plane})
    for (std::uint64_t i = 0; i < 50000; ++i) {
      Vec3 a = sweep_point(6, i, 0.45), b = sweep_point(7, i, 0.45);
      a.y() = 20 * random_uniform({41, 8}, i, 0) + 0.01;
      b.y() = -20 * random_uniform({41, 8}, i, 1) - 0.01;
      // Moves both ends of the path so that it crosses the wall at the random point `through`.
      const Vec3 through = sweep_point(9, i, 0.45).cwiseProduct(Vec3(1, 0, 1));
      const Vec3 along = (b - a).normalized();
      a = through - along * (a.y() / -along.y());
      b = through + along * (b.y() / along.y());
      if (i % 2 == 1) std::swap(a, b);
      const auto world = [&](const Vec3& x) { return Vec3(wall->position + wall->orientation * x); };
      passed += sweep(*wall, *wall, world(a), world(b), i % 3 == 0 ? 0.0 : 1e-3) ? 0 : 1;
    }
  test::expect_case(
      "collision",
      "fast balls through a sheet of triangles, a board of 0.2 mm and a two-sided plane, swept: passed of 150,000",
      passed, 0, 0);
}

TEST(ColliderSweep, WhoIsInsideASolidLeavesItAndMeetsItOnlyGoingDeeper) {
  const auto mesh = TriangleMesh::make(box_mesh(Vec3(0.5, 0.5, 0.5)));
  ASSERT_TRUE(mesh);
  for (const Shape& shape : {Shape(BoxShape{{0.5, 0.5, 0.5}}), Shape(std::shared_ptr<const Geometry>(*mesh))}) {
    Collider solid;
    solid.shape = shape;
    EXPECT_FALSE(sweep(solid, solid, {0, 0.3, 0}, {0, 2, 0}, 0.01));
    const auto deeper = sweep(solid, solid, {0, 0.3, 0}, {0, 0.2, 0}, 0.01);
    ASSERT_TRUE(deeper);
    EXPECT_EQ(deeper->share, 0);
    EXPECT_LT((deeper->normal - Vec3::UnitY()).norm(), 1e-12);
    solid.two_sided = true;  // the walls of a two-sided box also stop a ball that starts inside
    const auto held = sweep(solid, solid, {0, 0.3, 0}, {0, 2, 0}, 0.01);
    ASSERT_TRUE(held);
    EXPECT_NEAR(held->share, 0.19 / 1.7, 1e-12);
    EXPECT_LT((held->normal + Vec3::UnitY()).norm(), 1e-12);
  }
}

TEST(ColliderSweep, NearQuestionsAgreeWithFarOnes) {
  const auto mesh = TriangleMesh::make(sphere_mesh(0.5, 3));
  ASSERT_TRUE(mesh);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Collider ball = posed(Shape(std::shared_ptr<const Geometry>(*mesh)), i);
    ball.two_sided = i % 2 == 1;
    const Vec3 x = sweep_point(10, i, 1);
    const SurfaceQuery whole = query(ball, x), near = query_near(ball, x, 0.1);
    if (whole.distance < 0.1) {
      ASSERT_EQ(near.distance, whole.distance);
      ASSERT_EQ(near.normal, whole.normal);
    } else {
      ASSERT_GE(near.distance, 0.1);
    }
    ASSERT_EQ(comes_within(ball, x, 0.2), whole.distance <= 0.2);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(comes_within(posed(Shape(std::shared_ptr<const Geometry>(*mesh)), 0), Vec3(nan, 0, 0), 1));
}

}  // namespace
}  // namespace vw
