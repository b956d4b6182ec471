// Recorded validation cases of meshes: a million fast particles, ten thousand query points, and the accuracy of
// distance grids.
#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"
#include "tests/collision/mesh_test_support.h"
#include "tests/support/validation.h"

namespace {

using namespace vw;
using namespace vw::test;

/// Returns the number of balls, of a million, that pass through the wall from above to below without a hit. The paths
/// cross the wall within `half` of the middle, at up to 1 km per step.
double passed(const Geometry& wall, double half, double top) {
  return ordered_sum(1'000'000, 4096, 0.0, [&](Range range) {
    double count = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double far = top + std::pow(10.0, -1 + 4 * uniform(i, 0)), radius = i % 2 == 0 ? 0 : 0.01 * uniform(i, 1);
      const Vec3 at(half * (2 * uniform(i, 2) - 1), 0, half * (2 * uniform(i, 3) - 1));
      const Vec3 lean(0.2 * top * (uniform(i, 4) - 0.5), 0, 0.2 * top * (uniform(i, 5) - 0.5));
      if (!wall.sweep(at + lean + Vec3(0, far, 0), at - lean - Vec3(0, far, 0), radius)) count += 1;
    }
    return count;
  });
}

/// Returns a sheet of 20,000 triangles with hills and zero thickness.
TriangleList wavy_sheet() {
  TriangleList list = sheet_mesh(1, 100);
  for (std::size_t i = 0; i < list.position.size(); ++i)
    list.position[i].y() =
        0.05 * std::sin(9 * list.position[i].x()) * std::cos(7 * list.position[i].z()) + 0.005 * uniform(i, 9);
  return list;
}

TEST(MeshValidation, OfAMillionFastParticlesNonePassesASheetAFieldOrAThinWall) {
  expect_case("collision", "swept: fast particles through a mesh of no thickness, of 1e6",
              passed(*mesh_of(wavy_sheet()), 0.9, 0.2), 0, 0);
  HeightGrid hills;
  hills.columns = hills.rows = 101;
  hills.size_x_m = hills.size_z_m = 2;
  hills.depth_m = 1e-3;
  for (std::size_t i = 0; i < 101 * 101; ++i) hills.height_m.push_back(0.1 * uniform(i, 3));
  expect_case("collision", "swept: fast particles through a heightfield, of 1e6",
              passed(**make_heightfield(hills), 0.9, 0.2), 0, 0);
}

TEST(MeshValidation, DistancesToAMeshAreThoseOfAllItsTriangles) {
  const auto mesh = mesh_of(rock(4, 0.4));
  double worst = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 0.3), i);
    worst = std::max(worst, std::abs(std::abs(mesh->query(p, 100).distance) - plain_distance(mesh->triangles(), p)));
  }
  expect_case("collision", "distance to a mesh of 5,120 triangles against all of them, 1e4 places", worst, 0, 1e-12,
              "m");
}

TEST(MeshValidation, ADistanceGridErrsByAShareOfItsCell) {
  for (const int cells : {16, 32, 64}) {
    const auto mesh = mesh_of(torus_mesh(0.35, 0.15, 400, 200));
    const double cell = 1.0 / cells;
    const auto grid = make_distance_grid(std::shared_ptr<const Geometry>(mesh), cell);
    ASSERT_TRUE(grid);
    double worst = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      const SurfacePoint on = mesh->sample({uniform(i, 0), uniform(i, 1), uniform(i, 2)});
      worst = std::max(worst, std::abs((*grid)->query(on.position, 1).distance));
    }
    // The error of cubic interpolation grows with the cube of the cell size over the square of the tube radius. The
    // facets of the mesh add an error of the height of a facet.
    expect_case("collision", fmt::format("distance grid of a torus at its surface, {} cells across, in cells", cells),
                worst / cell, 0, 0.25 * std::pow(cell / 0.15, 2) + 0.002);
  }
}

}  // namespace
