// Distances to triangle meshes: against all triangles by plain loops, and sides against winding numbers.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel.h"
#include "sim/base/random.h"
#include "sim/collision/mesh_builders.h"
#include "sim/collision/triangle.h"
#include "sim/collision/triangle_mesh.h"

namespace {

using namespace vw;

std::shared_ptr<const TriangleMesh> mesh_of(TriangleList list) {
  auto mesh = TriangleMesh::make(std::move(list));
  if (!mesh) ADD_FAILURE() << mesh.error().message();
  return mesh ? *mesh : nullptr;
}

double uniform(std::uint64_t index, std::uint64_t lane) { return random_uniform({7, 11}, index, lane); }

Vec3 point_in(const Box3& box, std::uint64_t index) {
  return box.min() + box.sizes().cwiseProduct(Vec3(uniform(index, 0), uniform(index, 1), uniform(index, 2)));
}

Box3 around(const Box3& box, double share) {
  const Vec3 more = Vec3::Constant(share * box.sizes().maxCoeff());
  return {box.min() - more, box.max() + more};
}

Triangle at(const TriangleList& list, std::size_t i) {
  const auto& t = list.triangle[i];
  return {list.position[t[0]], list.position[t[1]], list.position[t[2]]};
}

/// By all triangles, each as three edges and a plane: no code in common with the mesh.
double plain_distance(const TriangleList& list, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < list.triangle.size(); ++i) {
    const Triangle t = at(list, i);
    const Vec3 corner[3] = {t.a, t.b, t.c};
    const Vec3 n = t.area_vector();
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = corner[k], b = corner[(k + 1) % 3];
      const double share = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
      best = std::min(best, (a + share * (b - a) - p).norm());
      inside &= n.dot((b - a).cross(p - a)) >= 0;
    }
    if (inside) best = std::min(best, std::abs(n.dot(p - t.a)) / n.norm());
  }
  return best;
}

/// A sphere whose corners are moved about: closed, uneven, with sharp valleys and ridges.
TriangleList rock(int splits, double rough) {
  TriangleList list = sphere_mesh(0.5, splits);
  for (std::size_t i = 0; i < list.position.size(); ++i) list.position[i] *= 1 + rough * (uniform(i, 5) - 0.5);
  return list;
}

/// Triangles of all sizes and thicknesses, anywhere.
TriangleList scatter(std::uint32_t count) {
  TriangleList list;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 middle = point_in(Box3(Vec3::Constant(-1), Vec3::Constant(1)), 3 * i + 1000);
    const double size = std::pow(10.0, -3 * uniform(i, 9)), thin = std::pow(10.0, -6 * uniform(i, 10));
    const Vec3 along = size * random_direction({1, 2}, i), across = thin * size * random_direction({1, 3}, i);
    for (const Vec3& corner : {Vec3(middle), Vec3(middle + along), Vec3(middle + 0.3 * along + across)}) list.position.push_back(corner);
    list.triangle.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return list;
}

void expect_distances(TriangleList list, double outside, std::uint64_t points) {
  const auto mesh = mesh_of(std::move(list));
  ASSERT_NE(mesh, nullptr);
  const Box3 box = around(mesh->bounds(), outside);
  double worst = 0;
  for (std::uint64_t i = 0; i < points; ++i) {
    const Vec3 p = point_in(box, i);
    const SurfaceQuery found = mesh->query(p, std::numeric_limits<double>::infinity());
    worst = std::max(worst, std::abs(std::abs(found.distance) - plain_distance(mesh->triangles(), p)));
    EXPECT_NEAR(found.normal.norm(), 1, 1e-12);
  }
  // Rounding of double arithmetic on coordinates of about 1, and as much again for hairs.
  EXPECT_LT(worst, 2e-9) << mesh->triangles().triangle.size() << " triangles";
}

TEST(MeshQuery, NearestDistanceIsThatOfAllTrianglesOneByOne) {
  expect_distances(rock(3, 0.4), 0.5, 10'000);
  expect_distances(box_mesh({0.5, 0.2, 0.1}), 1, 10'000);
  expect_distances(torus_mesh(0.4, 0.1, 40, 20), 0.3, 3'000);
}

TEST(MeshQuery, HairThinAndScatteredTrianglesAreAsNearAsTheyAre) { expect_distances(scatter(2'000), 0.5, 3'000); }

TEST(MeshQuery, AFarPointSeesTheSameDistance) {
  // 1 km off, single precision alone would be wrong by 0.1 mm.
  const auto mesh = mesh_of(rock(3, 0.4));
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 p = 1000 * random_direction({3, 4}, i);
    EXPECT_NEAR(mesh->query(p, std::numeric_limits<double>::infinity()).distance, plain_distance(mesh->triangles(), p), 1e-9);
  }
}

TEST(MeshQuery, ThePointThatADistanceAndANormalLeadToLiesOnTheSurface) {
  const auto mesh = mesh_of(rock(3, 0.3));
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Vec3 p = point_in(around(mesh->bounds(), 0.2), i);
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
      const Vec3 p = point_in(around(mesh->bounds(), 0.1), i);
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
    const Vec3 p = point_in(around(mesh->bounds(), 0.3), i);
    const SurfaceQuery exact = mesh->query(p, std::numeric_limits<double>::infinity()), short_sighted = mesh->query(p, 0.03);
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
  // Three standard deviations of a count are 1 % of the draws.
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
    for (std::uint64_t i = 0; i < 500; ++i) all.push_back(mesh->query(point_in(around(mesh->bounds(), 0.2), i), 0.05).distance);
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
