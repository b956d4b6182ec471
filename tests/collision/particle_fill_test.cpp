// Solids filled with particles: the count compared with the volume, imperfect meshes, and rejected inputs.
#include <algorithm>

#include <gmock/gmock.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/cells_inside.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/hollow.h"
#include "sim/collision/shape/particle_fill.h"
#include "tests/collision/mesh_test_support.h"
#include "tests/support/validation.h"

namespace {

using namespace vw;
using namespace vw::test;
using ::testing::HasSubstr;

Shape solid(TriangleList list) { return std::shared_ptr<const Geometry>(mesh_of(std::move(list))); }

std::vector<Vec3> fill(const Shape& shape, double diameter) {
  auto places = fill_with_particles(shape, diameter);
  EXPECT_TRUE(places) << places.error().message();
  return places ? *places : std::vector<Vec3>{};
}

/// Returns the volume of all cells that contain a particle.
double filled(const Shape& shape, double diameter) {
  return static_cast<double>(fill(shape, diameter).size()) * std::pow(diameter, 3);
}

TriangleList moved(TriangleList list, const Vec3& by) {
  for (Vec3& p : list.position) p += by;
  return list;
}
TriangleList inside_out(TriangleList list) {
  for (auto& t : list.triangle) std::swap(t[1], t[2]);
  return list;
}
TriangleList both(TriangleList list, const TriangleList& other) {
  const auto first = static_cast<std::uint32_t>(list.position.size());
  list.position.insert(list.position.end(), other.position.begin(), other.position.end());
  for (const auto& t : other.triangle) list.triangle.push_back({t[0] + first, t[1] + first, t[2] + first});
  return list;
}

constexpr double ball_m3 = pi / 6;  // volume of a ball of radius 0.5 m

TEST(ParticleFill, ABallTwentyAcrossHoldsItsVolumeWithinTwoPercent) {
  for (const Shape& ball : {Shape(SphereShape{0.5}), solid(sphere_mesh(0.5, 6))}) {
    EXPECT_NEAR(filled(ball, 0.05), ball_m3, 0.02 * ball_m3) << ball.index();  // required tolerance: 2 %
    EXPECT_NEAR(filled(ball, 0.025), ball_m3, 0.005 * ball_m3);
    // The fill is symmetric about the centre, so all octants have equal counts.
    EXPECT_EQ(fill(ball, 0.05).size() % 8, 0U);
  }
}

TEST(ParticleFill, WhatIsWholeCellsLargeIsFilledToTheLastCell) {
  EXPECT_EQ(fill(BoxShape{{0.5, 0.25, 0.125}}, 0.05).size(), 20U * 10 * 5);
  EXPECT_EQ(fill(solid(box_mesh({0.5, 0.25, 0.125})), 0.05).size(), 20U * 10 * 5);
  const std::vector<Vec3> one = fill(BoxShape{{0.05, 0.05, 0.05}}, 0.1);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_LT(one[0].norm(), 1e-15);
}

TEST(ParticleFill, OtherSolidsHoldTheirVolumeAsFarAsTheirSurfaceIsOfWholeCells) {
  // Whether a cell at the surface counts is random. The error is one or two per cent at these sizes.
  EXPECT_NEAR(filled(CylinderShape{0.3, 0.4}, 0.03), pi * 0.09 * 0.8, 0.02 * pi * 0.09 * 0.8);
  const double capsule = pi * 0.04 * 0.6 + 4.0 / 3 * pi * 0.008;
  EXPECT_NEAR(filled(CapsuleShape{0.2, 0.3}, 0.02), capsule, 0.02 * capsule);
  const double torus = 2 * pi * pi * 0.35 * 0.15 * 0.15;
  EXPECT_NEAR(filled(solid(torus_mesh(0.35, 0.15, 200, 100)), 0.02), torus, 0.01 * torus);
  const auto grid = make_distance_grid(SphereShape{0.5}, 0.05);
  ASSERT_TRUE(grid);
  EXPECT_NEAR(filled(*grid, 0.05), ball_m3, 0.02 * ball_m3);
}

TEST(ParticleFill, ComesSliceBySliceAlongTheLongestAxis) {
  const std::vector<Vec3> places = fill(solid(box_mesh({0.2, 0.3, 0.5})), 0.1);
  ASSERT_EQ(places.size(), 4U * 6 * 10);
  const auto before = [](const Vec3& a, const Vec3& b) {
    return std::array{a.z(), a.y(), a.x()} < std::array{b.z(), b.y(), b.x()};
  };
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end(), before));
}

TEST(ParticleFill, EveryCellOfAMeshIsInOrOutAsItsDistanceSays) {
  for (const TriangleList& list : {rock(4, 0.4), torus_mesh(0.35, 0.15, 40, 20), sphere_mesh(0.5, 1)}) {
    const Shape shape = solid(list);
    CellLattice lattice;
    lattice.cells = {37, 41, 29};
    lattice.lower = bounds(shape).min() - Vec3::Constant(0.05);
    lattice.pitch = (bounds(shape).sizes() + Vec3::Constant(0.1)).cwiseQuotient(Vec3(37, 41, 29));
    for (const auto& axis : {std::array<std::size_t, 3>{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}) {
      lattice.axis = axis;
      const auto inside = cells_inside(shape, lattice);
      std::size_t wrong = 0, within = 0;
      for (std::size_t i = 0; i < inside.size(); ++i) {
        wrong += (query(shape, lattice.middle(i)).distance < 0) != (inside[i] != 0) ? 1 : 0;
        within += inside[i];
      }
      EXPECT_EQ(wrong, 0U);
      EXPECT_GT(within, 5'000U);
    }
  }
}

TEST(ParticleFill, MiddlesOnFacesEdgesAndCornersOfAMeshLeaveNoStreaks) {
  // Every vertex and edge of this box lies in planes and on lines through cell centres. The inside test must therefore
  // treat boundaries as half-open intervals.
  const Shape shape = solid(moved(box_mesh({0.4, 0.3, 0.2}), {0.4, 0.3, 0.2}));
  CellLattice lattice;
  lattice.cells = {16, 14, 12};
  lattice.lower = Vec3::Constant(-0.25);
  lattice.pitch = Vec3::Constant(0.1);
  const auto inside = cells_inside(shape, lattice);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const double distance = query(shape, lattice.middle(i)).distance;
    if (std::abs(distance) < 1e-9) continue;
    EXPECT_EQ(inside[i] != 0, distance < 0) << lattice.middle(i).transpose();
  }
  EXPECT_GT(std::count(inside.begin(), inside.end(), 1), 7 * 5 * 3 - 1);
}

TEST(ParticleFill, PartsThatOverlapCountOnce) {
  const double apart = 0.3, cap = 0.5 - apart / 2, lens = 2 * pi * cap * cap * (1.5 - cap) / 3;
  const TriangleList ball = sphere_mesh(0.5, 5);
  EXPECT_NEAR(filled(solid(both(ball, moved(ball, {apart, 0, 0}))), 0.02), 2 * ball_m3 - lens, 0.005 * ball_m3);
  EXPECT_NEAR(filled(solid(both(ball, sphere_mesh(0.25, 4))), 0.02), ball_m3, 0.005 * ball_m3);
}

TEST(ParticleFill, ACavityStaysEmpty) {
  const Shape shell = solid(both(sphere_mesh(0.5, 5), inside_out(sphere_mesh(0.4, 5))));
  const std::vector<Vec3> places = fill(shell, 0.02);
  EXPECT_NEAR(static_cast<double>(places.size()) * 8e-6, ball_m3 * (1 - 0.512), 0.01 * ball_m3);
  for (const Vec3& place : places) EXPECT_GT(place.norm(), 0.39);
}

TEST(ParticleFill, AMeshMayBeInsideOutFarAwayOrHaveHoles) {
  const std::size_t whole = fill(solid(sphere_mesh(0.5, 5)), 0.05).size();
  EXPECT_EQ(fill(solid(inside_out(sphere_mesh(0.5, 5))), 0.05).size(), whole);
  EXPECT_EQ(fill(solid(moved(sphere_mesh(0.5, 5), {1e6, -2e6, 3e6})), 0.05).size(), whole);
  TriangleList torn = sphere_mesh(0.5, 5);
  torn.triangle.erase(torn.triangle.begin() + 100, torn.triangle.begin() + 600);  // removes a fortieth of the mesh
  EXPECT_NEAR(filled(solid(torn), 0.02), ball_m3, 0.005 * ball_m3);
  TriangleList without_lid = box_mesh({0.5, 0.5, 0.5});
  without_lid.triangle.resize(10);
  EXPECT_EQ(fill(solid(without_lid), 0.05).size(), 8'000U);
  TriangleList wall =
      both(box_mesh({0.5, 0.5, 0.5}), TriangleList{{{0, -0.5, -0.5}, {0, -0.5, 0.5}, {0, 0.5, 0}}, {{0, 1, 2}}});
  EXPECT_EQ(fill(solid(wall), 0.05).size(), 8'000U);  // the triangle inside the box encloses no volume
}

TEST(ParticleFill, NothingWithVolumeIsEmpty) {
  EXPECT_EQ(fill(solid(box_mesh({1, 1e-4, 1})), 0.1).size(), 400U);
  EXPECT_EQ(fill(BoxShape{{1, 1e-4, 1e-4}}, 0.1).size(), 20U);
  EXPECT_EQ(fill(SphereShape{0.001}, 0.1).size(), 1U);
  // The centre of the torus lies outside the solid, but the fill must still hold one particle.
  EXPECT_EQ(fill(solid(torus_mesh(0.5, 0.001, 40, 10)), 2).size(), 1U);
}

TEST(ParticleFill, TheSameBitsOnAnyNumberOfThreads) {
  TriangleList torn = rock(4, 0.2);
  torn.triangle.resize(torn.triangle.size() - 100);
  const Shape shapes[] = {solid(rock(5, 0.2)), solid(torn), Shape(CapsuleShape{0.2, 0.3})};
  for (const Shape& shape : shapes) {
    std::vector<std::vector<Vec3>> told;
    for (const int threads : {1, 2, 3, 8}) {
      set_thread_count(threads);
      told.push_back(fill(shape, 0.013));
    }
    set_thread_count(0);
    for (const auto& other : told) EXPECT_EQ(other, told[0]);
  }
}

TEST(ParticleFill, WhatCannotBeFilledIsSaidInOneSentence) {
  const auto refusal = [](const Shape& shape, double diameter) {
    const auto made = fill_with_particles(shape, diameter);
    return made ? std::string("accepted") : made.error().message();
  };
  EXPECT_THAT(refusal(PlaneShape{}, 0.1), HasSubstr("only a closed shape"));
  EXPECT_THAT(refusal(solid(sheet_mesh(1, 3)), 0.1), HasSubstr("only a closed shape"));
  EXPECT_THAT(refusal(*turned_inside_out(SphereShape{1}), 0.1), HasSubstr("of finite size"));
  EXPECT_THAT(
      refusal(BoxShape{{1, 1, 1}}, 0.009),
      HasSubstr("are too small for a shape of 2 x 2 x 2 m: the shape may have at most 8000000 cells of this size"));
  EXPECT_THAT(refusal(BoxShape{{1, 1, 1}}, 0), HasSubstr("must be greater than 0"));
  EXPECT_THAT(refusal(BoxShape{{1, 1, 1}}, std::nan("")), HasSubstr("must be greater than 0"));
}

TEST(ParticleFillValidation, CountTimesDiameterCubedIsTheVolume) {
  const auto expect_filled = [](const std::string& name, const Shape& shape, double diameter, double volume,
                                double tolerance) {
    expect_case("rigid", "particles that fill " + name + ": count d^3 over volume", filled(shape, diameter) / volume, 1,
                tolerance);
  };
  const TriangleList ball = sphere_mesh(0.5, 5);
  TriangleList torn = ball;
  torn.triangle.erase(torn.triangle.begin() + 100, torn.triangle.begin() + 600);
  expect_filled("a sphere 20 across", SphereShape{0.5}, 0.05, ball_m3, 0.02);  // required tolerance: 2 %
  expect_filled("a sphere 40 across", SphereShape{0.5}, 0.025, ball_m3, 0.01);
  expect_filled("the mesh of a sphere 20 across", solid(ball), 0.05, ball_m3, 0.02);
  expect_filled("a mesh with a fortieth of it missing", solid(torn), 0.02, ball_m3, 0.01);
  expect_filled("a mesh that faces inwards", solid(inside_out(ball)), 0.02, ball_m3, 0.01);
  expect_filled("a torus", solid(torus_mesh(0.35, 0.15, 200, 100)), 0.02, 2 * pi * pi * 0.35 * 0.15 * 0.15, 0.01);
  expect_filled("a hollow sphere", solid(both(ball, inside_out(sphere_mesh(0.4, 5)))), 0.02, ball_m3 * (1 - 0.512),
                0.01);
  const double cap = 0.35, lens = 2 * pi * cap * cap * (1.5 - cap) / 3;
  expect_filled("two spheres that overlap", solid(both(ball, moved(ball, {0.3, 0, 0}))), 0.02, 2 * ball_m3 - lens,
                0.01);
}

}  // namespace
