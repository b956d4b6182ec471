// Water in hollow boxes, cylinders and spheres that are closed all around. The water rests as between planes,
// and no particle leaves.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/collision/shape/heightfield.h"
#include "sim/collision/shape/hollow.h"
#include "tests/fluid/spacing.h"
#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::dx;
using test::expect_case;
using test::wall_of;
using test::WalledFluid;

struct AtRest {
  double surface = 0;   ///< height of the surface (twice the mean height of particles), divided by the filled height
  double pressure = 0;  ///< pressure divided by rho g h, for particles deeper than a fifth of the depth
  double kinetic = 0;   ///< kinetic energy per mass [J/kg]
};

AtRest rest_in_room(WalledFluid& fluid, double floor, double filled) {
  EXPECT_TRUE(fluid.run(2));
  AtRest rest;
  constexpr int looks = 60;
  for (int i = 0; i < looks; ++i) {
    EXPECT_TRUE(fluid.step());
    double height = 0, found = 0, expected = 0;
    for (const Vec3& x : fluid.x()) height += (x.y() - floor) / static_cast<double>(fluid.x().size());
    for (std::size_t k = 0; k < fluid.x().size(); ++k) {
      const double depth = floor + 2 * height - fluid.x()[k].y();
      if (depth < 0.2 * filled) continue;
      found += static_cast<double>(fluid.rows.pressure[k]);
      expected += 1000 * earth_gravity * depth;
    }
    rest.surface += 2 * height / filled / looks;
    rest.pressure += found / expected / looks;
    rest.kinetic += fluid.kinetic() / (1000 * dx * dx * dx * static_cast<double>(fluid.x().size())) / looks;
  }
  return rest;
}

TEST(FluidRooms, WaterInABoxRestsAsBetweenPlanes) {
  const Box3 inside(Vec3(0, 0, 0), Vec3(8 * dx, 30 * dx, 8 * dx)), water(Vec3(0, 0, 0), Vec3(8 * dx, 16 * dx, 8 * dx));
  AtRest rest[2];
  for (const int room : {0, 1}) {
    WalledFluid fluid(dx);
    fluid.params.smoothing = 0.05;
    fluid.colliders = test::tank_of_planes(inside);
    if (room == 1) fluid.colliders = {wall_of(*turned_inside_out(BoxShape{0.5 * inside.sizes()}), inside.center())};
    fluid.fill(water);
    rest[room] = rest_in_room(fluid, 0, 16 * dx);
  }
  expect_case("water", "at rest in a box turned inside out: surface, of that between planes",
              rest[1].surface / rest[0].surface, 1, 0.005);
  expect_case("water", "at rest in a box turned inside out: pressure, of that between planes",
              rest[1].pressure / rest[0].pressure, 1, 0.02);
  EXPECT_NEAR(rest[1].surface, 1, 0.01);
  EXPECT_NEAR(rest[1].pressure, 1, 0.03);
  EXPECT_LT(rest[1].kinetic, 1e-4);
}

TEST(FluidRooms, WaterInACylinderRests) {
  const double radius = 6 * dx, high = 16 * dx;
  WalledFluid fluid(dx);
  fluid.params.smoothing = 0.05;
  fluid.colliders = {wall_of(*turned_inside_out(CylinderShape{radius, high}), {0, high, 0})};
  fluid.fill(Box3(Vec3(-radius, 0, -radius), Vec3(radius, high, radius)), Vec3::Zero(),
             [&](const Vec3& at) { return std::hypot(at.x(), at.z()) < radius; });
  // Expected height: volume of all particles divided by the area of the cylinder.
  const double filled = static_cast<double>(fluid.x().size()) * dx * dx * dx / (pi * radius * radius);
  const AtRest rest = rest_in_room(fluid, 0, filled);
  expect_case("water", "at rest in a hollow cylinder: surface, of the filled height", rest.surface, 1, 0.02);
  expect_case("water", "at rest in a hollow cylinder: pressure, of rho g h", rest.pressure, 1, 0.03);
  EXPECT_LT(rest.kinetic, 1e-4);
}

TEST(FluidRooms, NothingLeavesARoomThatIsShaken) {
  const std::shared_ptr<const Geometry> mesh = *TriangleMesh::make(sphere_mesh(6 * dx, 2));
  for (const Shape& hole : {Shape(SphereShape{6 * dx}), Shape(BoxShape{{6 * dx, 6 * dx, 6 * dx}}),
                            Shape(CapsuleShape{5 * dx, 3 * dx}), Shape(mesh)}) {
    WalledFluid fluid(dx);
    fluid.colliders = {wall_of(*turned_inside_out(hole))};
    fluid.fill(Box3(Vec3::Constant(-3 * dx), Vec3::Constant(3 * dx)), {5, -7, 4});
    for (int i = 0; i < 80; ++i) {
      fluid.colliders[0].velocity = Vec3(1.5 * std::cos(0.3 * i), std::sin(0.4 * i), 0);
      fluid.colliders[0].angular_velocity = Vec3(0, 3, 2 * std::sin(0.2 * i));
      ASSERT_TRUE(fluid.step(0.002));
    }
    std::size_t out = 0;
    for (const Vec3& x : fluid.x()) out += query(fluid.colliders[0], x).distance > 0 ? 0U : 1U;
    EXPECT_EQ(out, 0U) << hole.index();
  }
}

TEST(FluidRooms, WhatIsHugeIsCoveredWhereWaterIsAndHoldsItAsWell) {
  const Box3 water(Vec3(0, 0, 0), Vec3(8 * dx, 16 * dx, 8 * dx));
  const double high = 1e6 * dx;
  const auto five = test::tank_of_planes({Vec3(0, 0, 0), Vec3(8 * dx, 30 * dx, 8 * dx)});
  std::vector<Collider> on_a_block = five;  // the ground is a block 8 km wide instead of a plane
  on_a_block[0] = wall_of(BoxShape{Vec3(2e5 * dx, 3 * dx, 2e5 * dx)}, Vec3(0, -3 * dx, 0));
  std::vector<Collider> in_a_shaft = {
      wall_of(*turned_inside_out(BoxShape{Vec3(4 * dx, 0.5 * high, 4 * dx)}), Vec3(4 * dx, 0.5 * high, 4 * dx))};
  const std::vector<Collider> all[] = {five, on_a_block, in_a_shaft};
  AtRest rest[3];
  for (int k = 0; k < 3; ++k) {
    WalledFluid fluid(dx);
    fluid.params.smoothing = 0.05;
    fluid.colliders = all[k];
    fluid.fill(water);
    rest[k] = rest_in_room(fluid, 0, 16 * dx);
    EXPECT_NEAR(rest[k].surface, rest[0].surface, 0.005 * rest[0].surface) << k;
    EXPECT_NEAR(rest[k].pressure, rest[0].pressure, 0.02 * rest[0].pressure) << k;
    EXPECT_LT(fluid.solver.bytes(), 8e6) << k;
  }
}

TEST(FluidRooms, WhatWouldTakeTooManySamplesIsKnown) {
  const Box3 domain(Vec3::Constant(-50), Vec3::Constant(50));
  const auto room = [](double radius) { return wall_of(*turned_inside_out(SphereShape{radius}), Vec3::Zero()); };
  EXPECT_FALSE(takes_too_many_samples(room(10), 0.04, domain));
  EXPECT_TRUE(takes_too_many_samples(room(30), 0.04, domain));
  EXPECT_FALSE(takes_too_many_samples(room(30), 0.2, domain));
  // The walls of the hollow sphere lie outside the region that fluid may reach, so they need no samples.
  EXPECT_FALSE(takes_too_many_samples(room(1000), 0.04, domain));
  const auto block = [](bool two_sided) {
    Collider collider = wall_of(BoxShape{Vec3::Constant(30)}, Vec3::Zero());
    collider.two_sided = two_sided;
    return collider;
  };
  EXPECT_FALSE(takes_too_many_samples(block(false), 0.04, domain));
  EXPECT_TRUE(takes_too_many_samples(block(true), 0.04, domain));
  EXPECT_NEAR(samples_of_wall(room(10), 0.1, domain), 2 * 4 * pi * 100 / 0.01, 1);
  EXPECT_EQ(samples_of_wall(room(1000), 0.04, domain), 0);
  EXPECT_EQ(samples_of_wall(block(false), 0.04, domain), 0);
  const HeightGrid grid{2, 2, std::vector<double>(4), 0.5, 0.5, 10};
  const double shell = 0.5 * 0.5 + 0.5 * 0.5 + 4 * 0.5 * 10;  // area of top, bottom and sides
  EXPECT_NEAR(samples_of_wall(wall_of(*make_heightfield(grid)), 0.1, domain), 2 * shell / 0.01, 1);
  // The sides of a two-sided heightfield have samples, too.
  const HeightGrid shaft{2, 2, std::vector<double>(4), 0.5, 0.5, 1e6};
  for (const bool two_sided : {false, true}) {
    Collider deep = wall_of(*make_heightfield(shaft));
    deep.two_sided = two_sided;
    EXPECT_TRUE(takes_too_many_samples(deep, 0.02, domain)) << two_sided;
  }
}

TEST(FluidRooms, LargeSurfacesOutsideTheDomainHaveNoSamples) {
  // A two-sided heightfield whose whole surface would take 30 million samples.
  const HeightGrid grid{2, 2, std::vector<double>(4), 38, 0.5, 2.3};
  Collider far = wall_of(*make_heightfield(grid));
  far.two_sided = true;
  const auto bytes_in = [&](const Vec3& place) {
    Walls walls;
    walls.configure(std::span(&far, 1), {SphKernel::wendland, 0.0043}, Box3(place, place + Vec3::Constant(0.1)));
    return walls.bytes();
  };
  EXPECT_EQ(samples_of_wall(far, 0.0043, Box3(Vec3::Constant(1e5), Vec3::Constant(1e5 + 1))), 0);
  EXPECT_LT(bytes_in(Vec3::Constant(1e5)), 1e5);
  EXPECT_LT(bytes_in(Vec3(0, -0.05, 0)), 1e7);
}

TEST(FluidRooms, ALargeSurfaceThatWasMovedHasSamplesWhereFluidMayReach) {
  const HeightGrid grid{2, 2, std::vector<double>(4), 38, 0.5, 2.3};
  Collider wide = wall_of(*make_heightfield(grid));
  wide.two_sided = true;
  const SphScale scale{SphKernel::wendland, 0.0043};
  const Vec3 low(5, -0.05, 0);
  const Box3 domain(low, low + Vec3::Constant(0.1));
  Walls walls;
  WallRows rows;
  for (const double shift : {0.0, 3.0}) {
    wide.position.x() = shift;
    walls.configure(std::span(&wide, 1), scale, domain);
    walls.place(std::span(&wide, 1), {}, {Vec3::Zero(), scale.reach_m()}, low, rows);
    std::size_t inside = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) inside += domain.contains(xyz(rows.rows[k]) + low) ? 1U : 0U;
    EXPECT_GT(inside, 100U) << shift;
  }
}

}  // namespace
}  // namespace vw
