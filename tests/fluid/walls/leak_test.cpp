// No particle passes through a wall. The cases are jets on sheets that are thinner than the spacing, closed boxes of
// twelve triangles, and walls that translate, rotate or stand in a flow.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/collision/shape/heightfield.h"
#include "tests/fluid/spacing.h"
#include "tests/fluid/walled_fluid.h"

namespace vw {
namespace {

using test::box;
using test::dx;
using test::mesh_of;
using test::wall_of;
using test::WalledFluid;

/// Returns the number of particles below `low` after a jet hits a sheet at y = 0. The jet consists of 6 x 14 x 6
/// particles that move downward at 10 m/s. `wide` is the half width of the sheet.
std::size_t passed_by_jet(const Collider& wall, double wide, double low) {
  WalledFluid fluid(dx);
  fluid.colliders = {wall};
  fluid.fill(box({-3 * dx, dx, -3 * dx}, {3 * dx, 15 * dx, 3 * dx}), {0, -10, 0});
  EXPECT_TRUE(fluid.run(0.04));
  EXPECT_GT(fluid.guarded, 0U);  // the wall clamp (wall_contact.h) acted; pressures alone do not stop the jet
  std::size_t passed = 0;
  for (const Vec3& x : fluid.x()) {
    passed += x.y() > low ? 0U : 1U;
    EXPECT_LT(std::max(std::abs(x.x()), std::abs(x.z())), wide) << "round the border, where falling is no leak";
  }
  return passed;
}

TEST(FluidLeaks, JetsDoNotPassSheetsThinnerThanParticlesAreApart) {
  const double wide = 40 * dx;  // a splash spreads up to 27 spacings
  EXPECT_EQ(passed_by_jet(wall_of(BoxShape{{wide, 0.1 * dx, wide}}, {0, -0.1 * dx, 0}), wide, 0), 0U);
  Collider plane = wall_of(PlaneShape{});
  plane.two_sided = true;
  EXPECT_EQ(passed_by_jet(plane, wide, 0), 0U);
  EXPECT_EQ(passed_by_jet(wall_of(mesh_of(sheet_mesh(wide, 6))), wide, 0), 0U);
  HeightGrid grid{80, 80, std::vector<double>(6400), 2 * wide, 2 * wide, 1};
  for (std::size_t i = 0; i < 6400; ++i) grid.height_m[i] = i % 2 == 0 ? 0 : -0.3 * dx;
  Collider ground = wall_of(*make_heightfield(grid));
  ground.two_sided = true;
  EXPECT_EQ(passed_by_jet(ground, wide, -0.3 * dx), 0U);
}

TEST(FluidLeaks, WhatSplashesInAClosedBoxOfTwelveTrianglesStaysIn) {
  // The box is a mesh of two-sided sheets, so the mesh has no inside.
  Collider tank = wall_of(mesh_of(box_mesh({10 * dx, 10 * dx, 10 * dx})), Vec3::Zero(), Vec3(0.3, 0.2, 0.5));
  tank.two_sided = true;
  WalledFluid fluid(dx);
  fluid.colliders = {tank};
  fluid.fill(box({-4 * dx, -4 * dx, -4 * dx}, {4 * dx, 4 * dx, 4 * dx}), {7, -5, 5});
  ASSERT_TRUE(fluid.run(0.12));
  for (const Vec3& x : fluid.x())
    EXPECT_LT((tank.orientation.conjugate() * x).cwiseAbs().maxCoeff(), 10 * dx) << x.transpose();
}

TEST(FluidLeaks, APistonLeavesNothingBehindIt) {
  WalledFluid fluid(dx);
  fluid.colliders = test::tank_of_planes(box({0, 0, 0}, {40 * dx, 1, 6 * dx}));
  Collider piston = wall_of(BoxShape{{2 * dx, 20 * dx, 10 * dx}}, {-2 * dx, 15 * dx, 3 * dx});
  piston.velocity = {1.5, 0, 0};
  fluid.colliders.erase(fluid.colliders.begin() + 1);  // the piston replaces the wall on the left
  fluid.colliders.push_back(piston);
  fluid.fill(box({0, 0, 0}, {12 * dx, 8 * dx, 6 * dx}));
  ASSERT_TRUE(fluid.run(0.15));
  const double face = fluid.colliders.back().position.x() + 2 * dx;
  for (const Vec3& x : fluid.x()) EXPECT_GT(x.x(), face) << x.transpose();
}

TEST(FluidLeaks, ASpinningBoxKeepsItsFluid) {
  const Box3 inside(Vec3::Constant(-6 * dx), Vec3::Constant(6 * dx));
  std::vector<Collider> walls = test::tank_of_boxes(inside, 2 * dx);
  walls.push_back(wall_of(BoxShape{{8 * dx, dx, 8 * dx}}, {0, 7 * dx, 0}));
  WalledFluid fluid(dx);
  // The box rotates rigidly about its centre, so each wall also translates with the velocity of its own origin.
  const Vec3 spin(3, 1, 6);
  for (Collider& wall : walls) {
    wall.angular_velocity = spin;
    wall.velocity = spin.cross(wall.position);
  }
  fluid.colliders = walls;
  fluid.fill(box(inside.min(), {6 * dx, 0, 6 * dx}));
  Quat turned = Quat::Identity();
  while (fluid.time_s < 0.8) {
    const double before = fluid.time_s;
    ASSERT_TRUE(fluid.step(0.002));
    const double dt = fluid.time_s - before;
    turned = (rotation_of(dt * spin) * turned).normalized();
    for (std::size_t i = 0; i < walls.size(); ++i) {
      fluid.colliders[i].position = turned * walls[i].position;
      fluid.colliders[i].orientation = turned;
      fluid.colliders[i].velocity = spin.cross(fluid.colliders[i].position);
    }
  }
  std::size_t out = 0;
  for (const Vec3& x : fluid.x()) out += inside.contains(turned.conjugate() * x) ? 0U : 1U;
  EXPECT_EQ(out, 0U);
}

TEST(FluidLeaks, TheGuardTakesEnergyAndGivesNone) {
  // Pressures are switched off in this test, so that particles run into the walls.
  WallContact contact;
  Collider ball = wall_of(SphereShape{5 * dx}), sheet = wall_of(mesh_of(sheet_mesh(1, 2)), {0, -6 * dx, 0}),
           floor = wall_of(PlaneShape{}, {0, -8 * dx, 0});
  const std::vector<Collider> walls{ball, sheet, floor};
  SphWorkspace space;
  space.inverse_density.assign(1, 1e-3F);  // one particle without neighbours
  const double dt = 0.002;
  contact.begin(walls, {}, dx, dt);
  contact.look(space, {});
  for (int i = 0; i < 400; ++i) {
    const double angle = 0.1 * i, height = -4 * dx - 0.01 * i * dx;
    const Vec3 before(7 * dx * std::cos(angle), height < -5.8 * dx ? -5.8 * dx : height, 7 * dx * std::sin(angle));
    const Vec3 fast = 12 * Vec3(-std::cos(angle + 0.2), 0.02 * (i % 40) - 0.6, -std::sin(angle + 0.2));
    Vec3 x = before + dt * fast, v = fast;
    const bool met = contact.keep_out(0, before, x, v);
    EXPECT_LE(v.norm(), fast.norm() * (1 + 1e-12));
    EXPECT_GE(query(ball, x).distance, 0.099 * dx);
    EXPECT_GE(x.y(), -5.901 * dx) << "through the sheet from " << before.transpose();
    if (!met) {
      EXPECT_EQ(v, fast);
    }
  }
}

}  // namespace
}  // namespace vw
