// A particle on one side of a two-sided obstacle must stay on that side, for any creases of the obstacle. The wall
// clamp of fluids relies on this.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/heightfield.h"
#include "tests/collision/scheme_ride.h"

namespace vw::test {
namespace {

constexpr double wall_gap = 0.1;  // gap that fluids keep from walls [m]; a cell of the sheet is 1 m wide
constexpr std::size_t grid_nodes = 25;
// Particles beyond this distance [m] from the middle, along x or z, are not followed. The sheet ends at 12 m, and
// particles may pass around its border.
constexpr double sheet_edge = 11.5;

double sheet_uniform(std::uint64_t i, std::uint64_t lane) { return random_uniform({31, 32}, i, lane); }

enum class Crease { stripes, rough };
/// Returns a creased heightfield. With `stripes`, the creases are as deep as a third of a cell, as under jets of water.
/// With `rough`, every edge is a ridge or a valley of up to 63 degrees.
HeightGrid creased(Crease crease) {
  HeightGrid grid{grid_nodes,     grid_nodes,     std::vector<double>(grid_nodes * grid_nodes),
                  grid_nodes - 1, grid_nodes - 1, 100};
  for (std::size_t i = 0; i < grid.height_m.size(); ++i)
    grid.height_m[i] = crease == Crease::stripes ? (i % grid_nodes % 2 == 0 ? 0 : -0.3) : 2 * sheet_uniform(i, 90) - 1;
  return grid;
}

/// Returns a sheet of triangles with the surface and the subdivision of the heightfield.
TriangleList sheet_of(const HeightGrid& grid) {
  TriangleList list;
  for (std::size_t j = 0; j < grid_nodes; ++j)
    for (std::size_t i = 0; i < grid_nodes; ++i)
      list.position.emplace_back(static_cast<double>(i) - 0.5 * grid.size_x_m, grid.height_m[j * grid_nodes + i],
                                 static_cast<double>(j) - 0.5 * grid.size_z_m);
  const auto at = [](std::size_t i, std::size_t j) { return static_cast<std::uint32_t>(j * grid_nodes + i); };
  for (std::size_t j = 0; j + 1 < grid_nodes; ++j)
    for (std::size_t i = 0; i + 1 < grid_nodes; ++i) {
      list.triangle.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      list.triangle.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  return list;
}

struct Sheet {
  Collider wall;
  std::function<double(const Vec3&)> side;        ///< signed distance of a point in the frame of the sheet from the
                                                  ///< surface; positive above
  std::function<Vec3(const Draw3&, double)> off;  ///< returns a point at the given distance from the surface
};

Sheet sheet_at(Shape shape, const HeightGrid& grid) {
  Sheet sheet;
  sheet.wall.shape = std::move(shape);
  sheet.wall.two_sided = true;
  const std::shared_ptr<const Geometry> ground = *make_heightfield(grid);
  sheet.side = [ground](const Vec3& x) { return ground->query(x, 1e3).distance; };
  sheet.off = [ground](const Draw3& draw, double height) -> Vec3 {
    const SurfacePoint on = ground->sample(draw);
    return on.position + height * on.normal;
  };
  return sheet;
}

/// Returns a plate of 4 cm, which is thinner than wall_gap.
Sheet plate() {
  Sheet sheet;
  sheet.wall = box(Vec3::Zero(), Vec3(12, 0.02, 12));
  sheet.wall.two_sided = true;
  sheet.side = [](const Vec3& x) { return x.y(); };
  sheet.off = [](const Draw3& draw, double height) {
    return Vec3(24 * draw.u - 12, height + std::copysign(0.02, height), 24 * draw.w - 12);
  };
  return sheet;
}

bool beyond_edge(const Vec3& x) { return std::max(std::abs(x.x()), std::abs(x.z())) > sheet_edge; }

struct Wander {
  std::uint64_t ways = 0, passed = 0, touched = 0, capped = 0;
};

/// Moves `count` particles by random steps between 0.01 and 3 cells, mostly towards the sheet. Half of the particles
/// start closer to the sheet than wall_gap.
Wander wander(const Sheet& sheet, std::uint64_t count) {
  Wander out;
  for (std::uint64_t i = 0; i < count; ++i) {
    ExactStep ride(Scheme::collision_then_contact);
    ride.params.detection = Detection::swept;
    ride.surface = exactly(0, 0, 0, FrictionLaw::frictionless);
    ride.gravity.setZero();
    ride.colliders = {sheet.wall};
    const double height = i % 2 == 0 ? wall_gap * (1e-6 + sheet_uniform(i, 0)) : 3 * sheet_uniform(i, 0);
    Particle p{sheet.off({sheet_uniform(i, 1), sheet_uniform(i, 2), sheet_uniform(i, 3)}, i % 4 < 2 ? height : -height),
               Vec3::Zero(), wall_gap};
    if (beyond_edge(p.x)) continue;
    const double side = sheet.side(p.x) > 0 ? 1 : -1;
    p.x = sheet.wall.orientation * p.x + sheet.wall.position;
    for (std::uint64_t k = 0; k < 20; ++k) {
      const Vec3 down = -side * (ride.colliders[0].orientation * Vec3::UnitY());
      const double way = 0.01 * std::pow(300, sheet_uniform(i, 10 + k));
      p.v = way / ride.dt * (random_direction({33, 34}, i, k) + sheet_uniform(i, 40 + k) * down);
      const StepOutcome end = ride.step(p);
      const Collider& now = ride.colliders[0];
      const Vec3 local = now.orientation.conjugate() * (p.x - now.position);
      if (beyond_edge(local)) break;
      ++out.ways;
      out.touched += end.touched ? 1 : 0;
      out.capped += end.capped ? 1 : 0;
      out.passed += side * sheet.side(local) > 0 ? 0 : 1;
      if (side * sheet.side(local) <= 0) break;
    }
  }
  return out;
}

void expect_none_passes(Sheet sheet, const std::string& what) {
  for (const bool moving : {false, true}) {
    if (moving) {
      sheet.wall.orientation = rotation_of(Vec3(0.3, 0.2, 0.5));
      sheet.wall.position = Vec3(1, -2, 3);
      sheet.wall.velocity = Vec3(2, 5, -3);
      sheet.wall.angular_velocity = Vec3(0.2, -0.3, 0.1);
    }
    const Wander out = wander(sheet, 1200);
    EXPECT_EQ(out.passed, 0U) << what << (moving ? ", moving" : "");
    EXPECT_GT(out.ways, 12000U) << what;
    EXPECT_GT(out.touched, out.ways / 4) << what;
    EXPECT_LT(out.capped, out.ways / 100) << what;
  }
}

TEST(SheetSides, NothingPassesCreasedHeightfields) {
  for (const Crease crease : {Crease::stripes, Crease::rough}) {
    const HeightGrid grid = creased(crease);
    expect_none_passes(sheet_at(*make_heightfield(grid), grid), crease == Crease::stripes ? "stripes" : "rough ground");
  }
}

TEST(SheetSides, NothingPassesCreasedMeshes) {
  for (const Crease crease : {Crease::stripes, Crease::rough}) {
    const HeightGrid grid = creased(crease);
    const std::shared_ptr<const Geometry> mesh = *TriangleMesh::make(sheet_of(grid));
    expect_none_passes(sheet_at(mesh, grid), crease == Crease::stripes ? "striped mesh" : "rough mesh");
  }
}

TEST(SheetSides, NothingPassesPlatesThinnerThanTheGap) { expect_none_passes(plate(), "a plate"); }

}  // namespace
}  // namespace vw::test
