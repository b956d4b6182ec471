// Distances to triangle meshes compared with a loop over all triangles, and the inside test compared with winding
// numbers.
#include "sim/base/parallel/parallel.h"
#include "tests/collision/mesh_test_support.h"

namespace {

using namespace vw;
using namespace vw::test;

void expect_distances(TriangleList list, double outside, std::uint64_t points) {
  const auto mesh = mesh_of(std::move(list));
  ASSERT_NE(mesh, nullptr);
  const Box3 box = widened(mesh->bounds(), outside);
  double worst = 0;
  for (std::uint64_t i = 0; i < points; ++i) {
    const Vec3 p = point_in(box, i);
    const SurfaceQuery found = mesh->query(p, std::numeric_limits<double>::infinity());
    worst = std::max(worst, std::abs(std::abs(found.distance) - plain_distance(mesh->triangles(), p)));
    EXPECT_NEAR(found.normal.norm(), 1, 1e-12);
  }
  // At coordinates of about 1, the computed distances may differ by 1e-9. Triangles that are much longer than wide add
  // as much again.
  EXPECT_LT(worst, 2e-9) << mesh->triangles().triangle.size() << " triangles";
}

TEST(MeshQuery, NearestDistanceIsThatOfAllTrianglesOneByOne) {
  expect_distances(rock(3, 0.4), 0.5, 10'000);
  expect_distances(box_mesh({0.5, 0.2, 0.1}), 1, 10'000);
  expect_distances(torus_mesh(0.4, 0.1, 40, 20), 0.3, 3'000);
}

TEST(MeshQuery, HairThinAndScatteredTrianglesAreAsNearAsTheyAre) {
  expect_distances(scattered_triangles(2'000), 0.5, 3'000);
}

TEST(MeshQuery, AFarPointSeesTheSameDistance) {
  // At a distance of 1 km, single precision alone would have an error of 0.1 mm.
  const auto mesh = mesh_of(rock(3, 0.4));
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 p = 1000 * random_direction({3, 4}, i);
    EXPECT_NEAR(mesh->query(p, std::numeric_limits<double>::infinity()).distance, plain_distance(mesh->triangles(), p),
                1e-9);
  }
}

TEST(MeshQuery, ThePointThatADistanceAndANormalLeadToLiesOnTheSurface) {
  const auto mesh = mesh_of(rock(3, 0.3));
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 0.2), i);
    const SurfaceQuery found = mesh->query(p, std::numeric_limits<double>::infinity());
    EXPECT_LT(plain_distance(mesh->triangles(), p - found.distance * found.normal), 1e-12);
  }
}

TEST(MeshQuery, InsideIsWhereTheWindingNumberIsOne) {
  for (auto list : {rock(3, 0.6), torus_mesh(0.4, 0.15, 30, 12), box_mesh({0.3, 0.4, 0.5})}) {
    const auto mesh = mesh_of(std::move(list));
    ASSERT_EQ(mesh->report().inside, MeshInside::by_side);
    std::size_t inside = 0;
    for (std::uint64_t i = 0; i < 3'000; ++i) {
      const Vec3 p = point_in(widened(mesh->bounds(), 0.1), i);
      const bool wound = mesh->winding_number(p) > 0.5;
      inside += wound ? 1 : 0;
      EXPECT_EQ(mesh->query(p, std::numeric_limits<double>::infinity()).distance < 0, wound);
      EXPECT_EQ(mesh->query(p, 0.01).distance < 0, wound);
    }
    EXPECT_GT(inside, 300U);
  }
}

TEST(MeshQuery, BeyondReachOnlyABoundAndTheSideAreTold) {
  const auto mesh = mesh_of(rock(4, 0.3));
  std::size_t near = 0;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 0.3), i);
    const SurfaceQuery exact = mesh->query(p, std::numeric_limits<double>::infinity()),
                       short_sighted = mesh->query(p, 0.03);
    EXPECT_EQ(exact.distance < 0, short_sighted.distance < 0);
    if (std::abs(exact.distance) < 0.03) {
      ++near;
      EXPECT_EQ(exact.distance, short_sighted.distance);
      EXPECT_EQ(exact.normal, short_sighted.normal);
    } else {
      EXPECT_GE(std::abs(short_sighted.distance), 0.03);
      EXPECT_LE(std::abs(short_sighted.distance), std::abs(exact.distance) * (1 + 1e-9));
    }
  }
  EXPECT_GT(near, 100U);
}

TEST(MeshQuery, OnTheSurfaceTheNormalStillPointsOut) {
  const auto mesh = mesh_of(sphere_mesh(0.5, 4));
  for (std::uint64_t i = 0; i < 500; ++i) {
    const SurfacePoint on = mesh->sample({uniform(i, 0), uniform(i, 1), uniform(i, 2)});
    const SurfaceQuery found = mesh->query(on.position, 0.1);
    EXPECT_NEAR(found.distance, 0, 1e-15);
    EXPECT_GT(found.normal.dot(on.position.normalized()), 0.99);
  }
}

TEST(MeshQuery, SamplesAreUniformOverTheArea) {
  const auto mesh = mesh_of(box_mesh({1, 0.5, 0.25}));
  EXPECT_NEAR(mesh->area(), 2 * (2 * 1 + 2 * 0.5 + 1 * 0.5), 1e-12);
  double up = 0, left = 0;
  constexpr int count = 20'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const SurfacePoint on = mesh->sample({uniform(i, 0), uniform(i, 1), uniform(i, 2)});
    EXPECT_LT(plain_distance(mesh->triangles(), on.position), 1e-12);
    up += on.normal.y() > 0.5 ? 1 : 0;
    left += on.position.x() < 0 ? 1 : 0;
  }
  // Three standard deviations of a count are 1 % of the number of samples, hence the tolerance.
  EXPECT_NEAR(up / count, 2 * 0.5 / mesh->area(), 0.011);
  EXPECT_NEAR(left / count, 0.5, 0.011);
}

TEST(MeshQuery, TheSameBitsOnAnyNumberOfThreads) {
  const int before = thread_count();
  std::vector<double> first;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const auto mesh = mesh_of(rock(5, 0.3));
    std::vector<double> all;
    for (std::uint64_t i = 0; i < 500; ++i)
      all.push_back(mesh->query(point_in(widened(mesh->bounds(), 0.2), i), 0.05).distance);
    if (first.empty()) first = all;
    EXPECT_EQ(first, all);
  }
  set_thread_count(before);
}

TEST(MeshQuery, APointThatIsNoNumberGivesNoNumberAndNoEndlessWalk) {
  const auto mesh = mesh_of(rock(2, 0.3));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(mesh->query({nan, 0, 0}, 1).distance <= 1);
  EXPECT_FALSE(mesh->sweep({nan, 0, 0}, {0, 0, 0}, 0.1).has_value());
}

}  // namespace
