// Geometry for the rules: contact of spheres with cubes, and neighbour search.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "sim/base/cell_grid.h"
#include "sim/base/random.h"
#include "sim/interaction/contact/sphere_cube.h"

namespace vw {
namespace {

Cube unit_cube() { return {Vec3(1, 2, 3), Quat::Identity(), 0.5}; }

Vec3 somewhere(std::uint64_t i, double extent) {
  const RandomKey key{5, 3};
  return extent *
         Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

TEST(SphereOnCube, MeetsFaceEdgeAndCornerAtTheirNearestPoint) {
  const Cube cube = unit_cube();
  const CubeHit face = sphere_on_cube(cube, cube.position + Vec3(0.2, 0.6, -0.1), 0.15);
  EXPECT_NEAR(face.depth, 0.05, 1e-15);
  EXPECT_EQ(face.normal, Vec3(0, 1, 0));
  EXPECT_TRUE(face.on_face);
  const CubeHit edge = sphere_on_cube(cube, cube.position + Vec3(-0.53, 0.54, 0), 0.1);
  EXPECT_NEAR(edge.depth, 0.05, 1e-15);  // distance 0.05 from the edge, by a 3-4-5 triangle
  EXPECT_NEAR((edge.normal - Vec3(-0.6, 0.8, 0)).norm(), 0, 1e-14);
  EXPECT_FALSE(edge.on_face);
  const CubeHit corner = sphere_on_cube(cube, cube.position + Vec3(0.51, 0.52, -0.52), 0.04);
  EXPECT_NEAR(corner.depth, 0.01, 1e-15);  // distance 0.03 from the corner, with offsets in the ratio 1 : 2 : 2
  EXPECT_LT(sphere_on_cube(cube, cube.position + Vec3(0, 0.7, 0), 0.15).depth, 0);
}

TEST(SphereOnCube, TurnsWithTheCube) {
  Cube cube = unit_cube();
  cube.orientation = Quat(Eigen::AngleAxisd(pi / 4, Vec3(0, 0, 1)));
  const CubeHit hit = sphere_on_cube(cube, cube.position + cube.orientation * Vec3(0, 0.6, 0), 0.2);
  EXPECT_NEAR(hit.depth, 0.1, 1e-14);
  EXPECT_NEAR((hit.normal - Vec3(-std::sqrt(0.5), std::sqrt(0.5), 0)).norm(), 0, 1e-14);
}

TEST(SphereOnCube, LeavesOnlyThroughOpenFaces) {
  Cube cube = unit_cube();
  const Vec3 near_left = cube.position + Vec3(-0.4, 0.1, 0);
  EXPECT_EQ(sphere_on_cube(cube, near_left, 0.1).normal, Vec3(-1, 0, 0));
  cube.open_faces = 1U << 3;  // only the +y face is open
  const CubeHit up = sphere_on_cube(cube, near_left, 0.1);
  EXPECT_EQ(up.normal, Vec3(0, 1, 0));
  EXPECT_NEAR(up.depth, 0.5, 1e-15);  // distance of 0.4 to the face plus the radius
  cube.open_faces = 0;
  EXPECT_LT(sphere_on_cube(cube, near_left, 0.1).depth, 0);
}

TEST(SphereOnCube, IsNotTouchedByWhatIsNoNumber) {
  EXPECT_LT(sphere_on_cube(unit_cube(), Vec3::Constant(std::numeric_limits<double>::quiet_NaN()), 0.1).depth, 0);
}

std::vector<std::uint32_t> found_near(const CellGrid& grid, const std::vector<Vec3>& points, const Vec3& p,
                                      double reach) {
  std::vector<std::uint32_t> found;
  grid.near(p, [&](std::uint32_t k) {
    if ((points[k] - p).norm() <= reach) found.push_back(k);
  });
  std::sort(found.begin(), found.end());
  return found;
}

void expect_brute_force(const std::vector<Vec3>& points, const std::vector<Vec3>& queries, double reach) {
  CellGrid grid;
  grid.build(points, reach);
  std::size_t pairs = 0;
  for (const Vec3& p : queries) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k < points.size(); ++k)
      if ((points[k] - p).norm() <= reach) expected.push_back(k);
    EXPECT_EQ(found_near(grid, points, p, reach), expected);
    pairs += expected.size();
  }
  EXPECT_GT(pairs, 0U);
}

TEST(CellGrid, FindsWhatBruteForceFinds) {
  std::vector<Vec3> points, queries;
  for (std::uint64_t i = 0; i < 700; ++i) points.push_back(somewhere(i, 2));
  // Some query points are outside the grid.
  for (std::uint64_t i = 1000; i < 1500; ++i) queries.push_back(somewhere(i, 2.6));
  expect_brute_force(points, queries, 0.15);
}

TEST(CellGrid, FindsItInPiecesThatHaveFlownFarApart) {
  std::vector<Vec3> points;
  for (std::uint64_t i = 0; i < 200; ++i)
    points.push_back(somewhere(i, 0.5) + (i % 2 == 0 ? Vec3(0, 0, 0) : Vec3(1e5, 3e4, -2e5)));
  expect_brute_force(points, points, 0.1);
}

TEST(CellGrid, FindsItAtLatticesOfAnySpacingAndFarFromTheOrigin) {
  // The points form a lattice whose spacing, in cells, is a power of two or a million. Such regular cell coordinates
  // could collide in the hash table. Some points have a twin at a distance of 0.9. Each point must find only itself and
  // its twin.
  for (const double spacing : {8.0, 64.0, 4096.0, 1e6}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 343; ++i) points.push_back(spacing * Vec3(i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3));
    for (int i = 0; i < 343; i += 5) points.push_back(points[static_cast<std::size_t>(i)] + Vec3(0.9, 0, 0));
    expect_brute_force(points, points, 1);
  }
}

/// Returns the number of points that are examined in searches around all of `points`.
std::size_t visits(const CellGrid& grid, const std::vector<Vec3>& points) {
  std::size_t count = 0;
  for (const Vec3& p : points) grid.near(p, [&](std::uint32_t) { ++count; });
  return count;
}

TEST(CellGrid, LooksAtAsManyWithStraysAsWithout) {
  std::vector<Vec3> points;
  for (std::uint64_t i = 0; i < 20000; ++i) points.push_back(somewhere(i, 0.5));
  constexpr double cell = 0.025;  // an edge has 20 or 21 cells, and 27 cells hold about 60 points
  CellGrid grid;
  grid.build(points, cell);
  const std::size_t usual = visits(grid, points);
  EXPECT_GT(usual, 20000U * 40);
  EXPECT_LT(usual, 20000U * 70);
  for (const double far : {1e2, 1e9, 1e30, 1e300}) {
    auto more = points;
    more.emplace_back(far, -0.3 * far, 0.1 * far);
    more.emplace_back(-far, far, far);
    grid.build(more, cell);
    // The two added points shift the origin of the cells, so cells at the boundary hold slightly more or fewer points.
    EXPECT_NEAR(static_cast<double>(visits(grid, more)), static_cast<double>(usual), 0.1 * static_cast<double>(usual))
        << far;
  }
  // The cloud is so sparse that each point has a block of its own.
  for (Vec3& p : points) p *= 1e4;
  grid.build(points, cell);
  EXPECT_EQ(visits(grid, points), points.size());
}

TEST(CellGrid, IsEmptyWithoutPointsAndWithOnesThatAreNoNumber) {
  CellGrid grid;
  std::size_t visits = 0;
  grid.near(Vec3::Zero(), [&](std::uint32_t) { ++visits; });
  grid.build({}, 1);
  grid.near(Vec3::Zero(), [&](std::uint32_t) { ++visits; });
  const std::vector<Vec3> bad{Vec3::Zero(), Vec3::Constant(std::numeric_limits<double>::infinity())};
  grid.build(bad, 1);
  grid.near(Vec3::Zero(), [&](std::uint32_t) { ++visits; });
  grid.build(std::vector<Vec3>{Vec3::Zero(), Vec3::Ones()}, 0);  // cells of size zero
  grid.near(Vec3::Zero(), [&](std::uint32_t) { ++visits; });
  EXPECT_EQ(visits, 0U);
}

}  // namespace
}  // namespace vw
