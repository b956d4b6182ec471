// Walls as boundary samples: density of fluid at walls of every kind, and pressure forces of these walls on the fluid.
#include "sim/collision/mesh/mesh_builders.h"

#include "sim/system/fluid/walls/walls.h"
#include "sim/system/fluid/walls/walls_sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/random.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"
#include "tests/fluid/spacing.h"
#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::dx;
using test::mesh_of;
using test::wall_of;

constexpr SphKernel kernels[] = {SphKernel::wendland, SphKernel::cubic};

Box3 cube(double half) { return {Vec3::Constant(-half), Vec3::Constant(half)}; }

/// Boundary samples in world coordinates, with the volume fraction of each sample.
struct Samples {
  std::vector<Vec3> place;
  std::vector<double> share;
};

Samples samples_of(std::span<const Collider> colliders, SphKernel kernel, double around = 1) {
  Walls walls;
  WallRows rows;
  walls.configure(colliders, {kernel, dx}, cube(around));
  walls.place(colliders, {}, {Vec3::Zero(), 2 * dx}, Vec3::Zero(), rows);
  Samples samples;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    samples.place.emplace_back(static_cast<double>(rows.rows[i].x), static_cast<double>(rows.rows[i].y),
                               static_cast<double>(rows.rows[i].z));
    samples.share.push_back(static_cast<double>(rows.rows[i].w));
  }
  return samples;
}

/// Effect of the boundary samples at a point: contribution to the relative density, and direction in which the samples
/// push the fluid. The direction is minus the density gradient times the spacing.
struct FeltAtPoint {
  double density = 0;
  Vec3 push = Vec3::Zero();
};

FeltAtPoint felt_at(const Vec3& point, const Samples& samples, SphKernel kernel) {
  FeltAtPoint felt;
  const double h = 2 * dx, scale = lattice_factor(kernel) / 8;
  for (std::size_t i = 0; i < samples.place.size(); ++i) {
    const Vec3 apart = point - samples.place[i];
    const double q = apart.norm() / h;
    if (q >= 1) continue;
    felt.density += scale * samples.share[i] * kernel_shape(kernel, q);
    felt.push -= scale * samples.share[i] * kernel_slope(kernel, q) * dx / (h * h) * apart;
  }
  return felt;
}

/// Returns the relative density at a point due to a lattice of fluid that fills the box. The lattice begins at the
/// lower corner of the box.
double lattice_density(const Vec3& at, const Box3& box, SphKernel kernel) {
  Samples fluid;
  for (int z = -3; z <= 3; ++z)
    for (int y = -3; y <= 3; ++y)
      for (int x = -3; x <= 3; ++x)
        if (const Vec3 p = at + dx * Vec3(x, y, z); box.contains(p)) {
          fluid.place.push_back(p);
          fluid.share.push_back(1);
        }
  return felt_at(at, fluid, kernel).density;
}

double worst_in_corner(std::span<const Collider> tank, const Box3& inside, SphKernel kernel) {
  const Samples walls = samples_of(tank, kernel);
  double worst = 0;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const Vec3 at = inside.min() + dx * Vec3(x + 0.5, y + 0.5, z + 0.5);
        worst = std::max(worst, std::abs(lattice_density(at, inside, kernel) + felt_at(at, walls, kernel).density - 1));
      }
  return worst;
}

/// Returns the expected contribution of the solid to the density at a point. The solid is treated as a continuous
/// fluid: the contribution is the integral of the kernel over the part of the support that lies inside the solid. It is
/// scaled by the ratio of lattice sum to integral at a flat wall.
double expected_from_solid(const Shape& solid, const Vec3& point, SphKernel kernel) {
  const auto integral = [&](auto&& inside) {
    constexpr int n = 14;
    const double cell = 2 * dx / n;
    double sum = 0;
    for (int z = -n; z < n; ++z)
      for (int y = -n; y < n; ++y)
        for (int x = -n; x < n; ++x) {
          const Vec3 off = cell * Vec3(x + 0.5, y + 0.5, z + 0.5);
          const double weight = kernel_shape(kernel, off.norm() / (2 * dx));
          if (weight > 0) sum += weight * inside(off);
        }
    return sum;
  };
  const auto smooth = [](double distance) { return std::clamp(0.5 - distance / (0.1 * dx), 0.0, 1.0); };
  const double solid_part =
      integral([&](const Vec3& off) { return smooth(query(solid, point + off, 4 * dx).distance); });
  const double flat_part = integral([&](const Vec3& off) { return smooth(off.y() + 0.5 * dx); });
  const Collider floor = wall_of(PlaneShape{});
  return felt_at({0.5 * dx, 0.5 * dx, 0.5 * dx}, samples_of(std::span(&floor, 1), kernel, 0.1), kernel).density *
         solid_part / flat_part;
}

struct Deviation {
  double mean = 0, worst = 0;
};

/// Returns the density error of fluid that touches a solid, sampled at random points of the surface.
Deviation deviation_at(const Shape& solid, SphKernel kernel, int places) {
  const Collider wall = wall_of(solid);
  const Samples samples = samples_of(std::span(&wall, 1), kernel);
  const RandomKey key{7, stream_id("places")};
  Deviation out;
  for (int i = 0; i < places; ++i) {
    const auto k = static_cast<std::uint64_t>(3 * i);
    const SurfacePoint on =
        sample_surface(solid, {random_uniform(key, k), random_uniform(key, k + 1), random_uniform(key, k + 2)});
    const Vec3 at = on.position + 0.5 * dx * on.normal;
    const double excess = felt_at(at, samples, kernel).density - expected_from_solid(solid, at, kernel);
    out.mean += excess / places;
    out.worst = std::max(out.worst, std::abs(excess));
  }
  return out;
}

/// Returns the samples of a thin box that act on fluid above the box (thin_walls.h): the samples below the middle plane
/// of the box.
Samples seen_from_above(const Samples& all, double middle) {
  Samples seen;
  for (std::size_t i = 0; i < all.place.size(); ++i)
    if (all.place[i].y() < middle) seen.place.push_back(all.place[i]), seen.share.push_back(all.share[i]);
  return seen;
}

TEST(FluidWalls, LatticeThatTouchesFlatWallsIsAsDenseAsOneThatGoesOnBehindThem) {
  const Collider floor = wall_of(PlaneShape{});
  const Collider slab = wall_of(BoxShape{{10 * dx, 4 * dx, 10 * dx}}, {0, -4 * dx, 0});
  Collider plate = wall_of(BoxShape{{10 * dx, 0.2 * dx, 10 * dx}}, {0, -0.2 * dx, 0});
  Collider sheet = wall_of(PlaneShape{});
  plate.name = "plate", sheet.name = "sheet";
  sheet.two_sided = true;
  const Box3 above(Vec3(-0.2, 0, -0.2), Vec3(0.2, 0.3, 0.2));
  for (const SphKernel kernel : kernels)
    for (const Collider& wall : {floor, slab, plate, sheet}) {
      const Samples all = samples_of(std::span(&wall, 1), kernel);
      const Samples samples = wall.name.empty() ? all : seen_from_above(all, wall.name == "plate" ? -0.2 * dx : 0);
      for (int layer = 0; layer < 2; ++layer) {
        const Vec3 at(0.5 * dx, (layer + 0.5) * dx, 0.5 * dx);
        // The tolerance is the rounding error of single-precision positions.
        EXPECT_NEAR(lattice_density(at, above, kernel) + felt_at(at, samples, kernel).density, 1, 1e-6);
      }
    }
}

TEST(FluidWalls, TanksHaveNeitherHolesNorDoubledSamplesAtTheirEdges) {
  const Vec3 right(0, 0, -0.5 * pi), front(0.5 * pi, 0, 0);
  const std::vector<Collider> planes{wall_of(PlaneShape{}), wall_of(PlaneShape{}, Vec3::Zero(), right),
                                     wall_of(PlaneShape{}, Vec3::Zero(), front)};
  const double w = 4 * dx, half = 12 * dx;  // the walls are thicker than the support radius and longer than the tank
  const std::vector<Collider> boxes{wall_of(BoxShape{{half, 0.5 * w, half}}, {half - w, -0.5 * w, half - w}),
                                    wall_of(BoxShape{{0.5 * w, half, half}}, {-0.5 * w, half - w, half - w}),
                                    wall_of(BoxShape{{half, half, 0.5 * w}}, {half - w, half - w, -0.5 * w})};
  const Box3 inside(Vec3::Zero(), Vec3::Constant(0.4));
  for (const SphKernel kernel : kernels) {
    EXPECT_LT(worst_in_corner(planes, inside, kernel), 1e-6);
    EXPECT_LT(worst_in_corner(boxes, inside, kernel), 1e-6);
  }
}

TEST(FluidWalls, BoxesWhoseEdgesAreNoMultipleOfTheSpacingAreAsDense) {
  // In these boxes, the cells of the sample lattice are stretched by up to a quarter in the middle of an edge.
  const Box3 above(Vec3(-0.2, 0, -0.2), Vec3(0.2, 0.3, 0.2));
  for (const double edge : {0.3, 0.9, 1.4, 1.9, 2.6, 3.3, 4.4, 7.7}) {
    const Collider wall = wall_of(BoxShape{{6.2 * dx, 0.5 * edge * dx, 7.3 * dx}}, {0, -0.5 * edge * dx, 0});
    const Samples all = samples_of(std::span(&wall, 1), SphKernel::wendland),
                  samples = edge < 1 ? seen_from_above(all, -0.5 * edge * dx) : all;
    double mean = 0;
    for (int i = 0; i < 25; ++i) {
      const Vec3 at(0.2 * (i % 5) * dx, 0.5 * dx, 0.2 * (i / 5) * dx);
      mean +=
          (lattice_density(at, above, SphKernel::wendland) + felt_at(at, samples, SphKernel::wendland).density - 1) /
          25;
    }
    EXPECT_NEAR(mean, 0, 0.025) << edge;
  }
}

TEST(FluidWalls, CurvedWallsAreAsDenseAsTheirVolume) {
  const double r = 8 * dx;
  const std::pair<const char*, Shape> solids[] = {
      {"sphere", SphereShape{r}},
      {"cylinder", CylinderShape{r, r}},
      {"capsule", CapsuleShape{r, r}},
      {"mesh", mesh_of(sphere_mesh(r, 3))},
      {"torus mesh", mesh_of(torus_mesh(2 * r, 0.7 * r, 48, 32))},
      {"distance grid", *make_distance_grid(SphereShape{r}, 0.5 * dx)},
  };
  for (const auto& [name, solid] : solids) {
    const Deviation off = deviation_at(solid, SphKernel::wendland, 40);
    test::expect_case("fluid", std::string("density at a wall, mean: ") + name, off.mean, 0, 0.01);
    // At the rim of a cylinder, the sample lattice of an end face does not match the samples of the curved side. The
    // density error is larger there.
    test::expect_case("fluid", std::string("density at a wall, worst: ") + name, off.worst, 0,
                      std::string(name) == "cylinder" ? 0.06 : 0.02);
  }
}

TEST(FluidWalls, FacesOfMeshesAcrossAnAxisAreLattices) {
  const Box3 above(Vec3(-0.2, 0, -0.2), Vec3(0.2, 0.3, 0.2));
  const Collider block = wall_of(mesh_of(box_mesh({8 * dx, 4 * dx, 8 * dx})), {0, -4 * dx, 0});
  const Samples samples = samples_of(std::span(&block, 1), SphKernel::wendland);
  const Vec3 at(0.5 * dx, 0.5 * dx, 0.5 * dx);
  EXPECT_NEAR(lattice_density(at, above, SphKernel::wendland) + felt_at(at, samples, SphKernel::wendland).density, 1,
              1e-4);
}

/// Returns the samples of a sheet that act on fluid at a point (thin_walls.h): the samples on the opposite side of the
/// sheet.
Samples seen_through(const Collider& sheet, const Vec3& point, const Samples& all) {
  Samples seen;
  for (std::size_t i = 0; i < all.place.size(); ++i)
    if (sweep(sheet, sheet, point, all.place[i], 0))
      seen.place.push_back(all.place[i]), seen.share.push_back(all.share[i]);
  return seen;
}

TEST(FluidWalls, NothingDrawsFluidInward) {
  std::vector<double> heights;
  HeightGrid grid{12, 12, {}, 0.4, 0.4, 0.2};
  for (std::size_t i = 0; i < 144; ++i)
    grid.height_m.push_back(0.01 * std::sin(0.9 * static_cast<double>(i % 12)) *
                            std::cos(0.8 * static_cast<double>(i / 12)));
  const std::pair<Shape, bool> walls[] = {{SphereShape{5 * dx}, false},
                                          {BoxShape{{5 * dx, 4.3 * dx, 6 * dx}}, false},
                                          {BoxShape{{5 * dx, 0.3 * dx, 6 * dx}}, false},
                                          {BoxShape{{5 * dx, 4 * dx, 6 * dx}}, true},
                                          {CylinderShape{4 * dx, 5 * dx}, false},
                                          {mesh_of(torus_mesh(10 * dx, 4 * dx, 32, 24)), false},
                                          {mesh_of(sheet_mesh(8 * dx, 3)), false},
                                          {*make_heightfield(grid), false},
                                          {*make_heightfield(grid), true}};
  const RandomKey key{11, stream_id("places")};
  for (const auto& [shape, two_sided] : walls) {
    Collider wall = wall_of(shape);
    wall.two_sided = two_sided;
    const Samples all = samples_of(std::span(&wall, 1), SphKernel::wendland);
    double strongest = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const SurfacePoint on = sample_surface(
          shape, {random_uniform(key, 4 * i), random_uniform(key, 4 * i + 1), random_uniform(key, 4 * i + 2)});
      for (const double height : {0.1, 0.2, 0.35, 0.5, 0.8, 1.2}) {
        const Vec3 at = on.position + height * dx * on.normal;
        const bool is_sheet = thin_wall(shape, two_sided, dx).has_value();
        const FeltAtPoint felt = felt_at(at, is_sheet ? seen_through(wall, at, all) : all, SphKernel::wendland);
        // Where the wall is concave, the distance to the wall differs slightly from the height above it.
        EXPECT_GT(felt.push.dot(on.normal), -1e-6)
            << shape.index() << " at " << on.position.transpose() << ", height " << height;
        if (height == 0.1) strongest = std::max(strongest, felt.push.dot(on.normal));
      }
    }
    EXPECT_GT(strongest, 0.05);
  }
}

TEST(FluidWalls, ThinAndPointedPartsOfMeshesAreCovered) {
  // The walls are a plate that is a third of a spacing thick, a pointed cone, and an open sheet.
  const auto plate = mesh_of(box_mesh({6 * dx, dx / 6, 6 * dx}));
  const auto cone = mesh_of(turned_mesh({{0, -10 * dx}, {4 * dx, -10 * dx}, {0, 10 * dx}}, 24));
  const auto sheet = mesh_of(sheet_mesh(6 * dx, 1));
  for (const auto& geometry : {plate, cone, sheet}) {
    const SurfaceSamples samples = sample_wall(Shape(geometry), false, dx, SphKernel::wendland, cube(1));
    const RandomKey key{3, stream_id("places")};
    for (std::uint64_t i = 0; i < 300; ++i) {
      const SurfacePoint on = geometry->sample(
          {random_uniform(key, 3 * i), random_uniform(key, 3 * i + 1), random_uniform(key, 3 * i + 2)});
      double nearest = 1;
      for (const Vec3& p : samples.place) nearest = std::min(nearest, (p - on.position).norm());
      EXPECT_LT(nearest, 1.3 * dx);
    }
  }
}

TEST(FluidWalls, RowsAreSortedAndEndNowhere) {
  const std::vector<Collider> colliders{wall_of(SphereShape{5 * dx}, {0.1, 0, 0}), wall_of(PlaneShape{}, {0, -0.3, 0})};
  Walls walls;
  WallRows rows;
  const CellFrame frame{Vec3::Zero(), 2 * dx};
  walls.configure(colliders, {SphKernel::wendland, dx}, cube(0.5));
  walls.place(colliders, {}, frame, {0.05, 0, 0}, rows);
  ASSERT_GT(rows.size(), 1000U);
  ASSERT_EQ(walls.owners().size(), rows.size());
  EXPECT_EQ(rows.rows.back().x, padding_coordinate);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3 at = Vec3(static_cast<double>(rows.rows[i].x), static_cast<double>(rows.rows[i].y),
                         static_cast<double>(rows.rows[i].z)) +
                    Vec3(0.05, 0, 0);
    // Single-precision rounding may move a position across the border of its cell.
    const double off = 1e-6;
    const std::uint64_t key = place_key(frame, at);
    if (key < before) {
      EXPECT_NE(place_key(frame, at + Vec3::Constant(off)), place_key(frame, at - Vec3::Constant(off)));
    }
    before = std::max(before, key);
    // Samples lie half a spacing dx below the surface. In a sphere of radius R, a sample lies at the centre of mass of
    // its part of the solid, which is dx^2 / (6 R) closer to the surface.
    EXPECT_LT(query(colliders[walls.owners()[i].sample], at).distance, -0.46 * dx);
  }
  std::size_t in_bricks = 0;
  for (const Brick& brick : rows.table.bricks()) in_bricks += brick.end() - brick.first();
  EXPECT_EQ(in_bricks, rows.size());
}

TEST(FluidWalls, WhatMovesIsWhereItIsAndAsFast) {
  Collider still = wall_of(PlaneShape{}, {0, -0.3, 0}),
           mover = wall_of(BoxShape{{3 * dx, 3 * dx, 3 * dx}}, {0, 0.1, 0}, {0, 0.3, 0});
  mover.velocity = {1, 0, 0};
  mover.angular_velocity = {0, 0, 5};
  Guest guest;
  guest.place = {{0.2, 0, 0}};
  guest.velocity = {{0, 3, 0}};
  guest.share = {0.5F};
  Walls walls;
  WallRows rows;
  std::vector<Collider> colliders{still, mover};
  walls.configure(colliders, {SphKernel::wendland, dx}, cube(0.5));
  for (int step = 0; step < 3; ++step) {
    walls.place(colliders, std::span(&guest, 1), {Vec3::Zero(), 2 * dx}, Vec3::Zero(), rows);
    std::size_t guests = 0, moved = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vec3 at(static_cast<double>(rows.rows[i].x), static_cast<double>(rows.rows[i].y),
                    static_cast<double>(rows.rows[i].z));
      const Vec3 v(static_cast<double>(rows.motion[i].x), static_cast<double>(rows.motion[i].y),
                   static_cast<double>(rows.motion[i].z));
      const Walls::Owner& owner = walls.owners()[i];
      const Vec3 expected = owner.guest >= 0 ? Vec3(0, 3, 0) : colliders[owner.sample].velocity_at(at);
      EXPECT_LT((v - expected).norm(), 1e-5);
      guests += owner.guest >= 0 ? 1 : 0;
      moved += owner.guest < 0 && owner.sample == 1 ? 1 : 0;
    }
    EXPECT_EQ(guests, 1U);
    EXPECT_EQ(moved, 216U - 8U);  // all 6^3 cells except the inner 2^3 cells
    colliders[1] = at_time(colliders[1], 0.01);
  }
}

TEST(FluidWalls, PlanesAreCoveredWhereFluidIsAndNoTellingWhereItWas) {
  const Collider floor = wall_of(PlaneShape{});
  const CellFrame frame{Vec3(0.1, 0.2, -0.3), 2 * dx};
  const auto rows_near = [&](Walls& walls, const Vec3& fluid) {
    KeySort sort;
    for (int i = 0; i < 50; ++i) sort.keys.push_back(place_key(frame, fluid + 0.1 * dx * Vec3(i, 0, 0)));
    sort.sort();
    BrickTable table;
    table.build(sort.keys);
    WallRows rows;
    walls.follow(table, frame);
    walls.place(std::span(&floor, 1), {}, frame, Vec3::Zero(), rows);
    std::size_t near = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      near += (Vec3(static_cast<double>(rows.rows[i].x), static_cast<double>(rows.rows[i].y),
                    static_cast<double>(rows.rows[i].z)) -
               fluid)
                          .norm() < 2 * dx
                  ? 1U
                  : 0U;
    return near;
  };
  Walls followed, anew;
  for (Walls* walls : {&followed, &anew}) walls->configure(std::span(&floor, 1), {SphKernel::wendland, dx}, cube(100));
  const Vec3 here(0.013, 0.007, 0.002), there(-7.3, 0.007, 4.1);
  EXPECT_GT(rows_near(followed, here), 10U);
  const std::size_t after = rows_near(followed, there);
  EXPECT_EQ(after, rows_near(anew, there));
  EXPECT_GT(after, 10U);
  // Samples of regions that the fluid has left are discarded.
  EXPECT_EQ(followed.owners().size(), anew.owners().size());
  // For walls at rest, the object stores only the owner of each sample and the positions of the tiles that hold
  // samples. This takes less than 20 bytes per sample.
  EXPECT_LT(followed.bytes(), 20 * followed.owners().size());
}

}  // namespace
}  // namespace vw
