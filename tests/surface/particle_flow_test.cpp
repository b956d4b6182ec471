// Flow between the particles of a fluid, against flows with known velocity, streamlines and vortex cores.
#include "sim/surface/particle_flow.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace vw {
namespace {

constexpr double flow_spacing = 0.05;

/// Returns particles on a lattice in a box with the half sizes `half`, slightly displaced, with the velocity of `flow`.
template <class Flow>
ParticleFlow flow_of(const Vec3& half, const Flow& flow, double spacing = flow_spacing) {
  std::vector<Vec3f> position, velocity;
  std::uint32_t seed = 1;
  const auto noise = [&] {
    seed = 1664525 * seed + 1013904223;
    return 0.1 * spacing * (static_cast<double>(seed >> 8U) / (1 << 24) - 0.5);
  };
  for (double x = -half.x(); x <= half.x(); x += spacing)
    for (double y = -half.y(); y <= half.y(); y += spacing)
      for (double z = -half.z(); z <= half.z(); z += spacing) {
        const Vec3 place(x + noise(), y + noise(), z + noise());
        position.push_back(place.cast<float>());
        velocity.push_back(Vec3(flow(position.back().cast<double>())).cast<float>());
      }
  ParticleFlow out;
  out.build(position, velocity, spacing);
  return out;
}

TEST(ParticleFlow, IsExactForALinearField) {
  Mat3 gradient;
  gradient << 1, -2, 0.5, 3, 0.25, -1, 0, 2, -1.25;
  const Vec3 mean(0.3, -0.2, 1);
  const auto linear = [&](const Vec3& p) -> Vec3 { return mean + gradient * p; };
  const ParticleFlow flow = flow_of(Vec3::Constant(0.5), linear);
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.11, -0.23, 0.31), Vec3(0.48, 0.48, 0.48)}) {
    const FlowSample sample = flow.at(p);
    // Velocities of about 3 m/s are given in single precision, with a relative error of 1e-7.
    EXPECT_LT((sample.velocity - linear(p)).norm(), 1e-5);
    EXPECT_LT((sample.gradient - gradient).norm(), 1e-3);
  }
  EXPECT_NEAR(flow.at(Vec3::Zero()).fraction, 1, 0.1);
  EXPECT_EQ(flow.at(Vec3(3, 0, 0)).fraction, 0);
}

TEST(ParticleFlow, AStreamlineOfARigidRotationIsACircle) {
  const ParticleFlow flow = flow_of({0.6, 0.15, 0.6}, [](const Vec3& p) { return Vec3(0, 2, 0).cross(p); });
  FlowLines lines;
  const double radius = 0.35;
  flow.trace({radius, 0, 0}, 2 * std::numbers::pi * radius, lines);
  ASSERT_EQ(lines.start.size(), 2U);
  ASSERT_GT(lines.point.size(), 100U);
  double length = 0;
  for (std::size_t i = 0; i < lines.point.size(); ++i) {
    EXPECT_NEAR(Vec3(lines.point[i].x(), 0, lines.point[i].z()).norm(), radius, 1e-5 * radius);
    EXPECT_NEAR(lines.point[i].y(), 0, 1e-6);
    EXPECT_NEAR(lines.speed[i], 2 * radius, 1e-4);
    EXPECT_NEAR(lines.normal[i].norm(), 1, 1e-9);
    if (i > 0) length += (lines.point[i] - lines.point[i - 1]).norm();
  }
  EXPECT_NEAR(length, 2 * std::numbers::pi * radius, 0.5 * flow_spacing)
      << "once around, to within one step in each half";
}

TEST(ParticleFlow, ARibbonTurnsWithTheFluidAboutItsLine) {
  // The flow is a screw motion of 1 m/s along x and 3 rad/s about x. Over the distance s, the fluid on the axis turns
  // by 3 s.
  const ParticleFlow flow =
      flow_of({0.6, 0.2, 0.2}, [](const Vec3& p) -> Vec3 { return Vec3(1, 0, 0) + Vec3(3, 0, 0).cross(p); });
  FlowLines lines;
  flow.trace(Vec3::Zero(), 0.8, lines);
  ASSERT_GT(lines.point.size(), 10U);
  const Vec3 first = lines.normal.front(), last = lines.normal.back();
  const double turned = 3 * (lines.point.back().x() - lines.point.front().x());
  EXPECT_NEAR(std::atan2(first.cross(last).x(), first.dot(last)), turned, 0.01 * turned);
}

TEST(ParticleFlow, LinesEndAtTheSurfaceAndDoNotBeginInFluidAtRest) {
  const ParticleFlow still = flow_of(Vec3::Constant(0.2), [](const Vec3&) { return Vec3(0, 0, 0); });
  EXPECT_TRUE(still.streamlines(still.even_places(10), 1).point.empty());
  const ParticleFlow flow = flow_of({0.3, 0.1, 0.1}, [](const Vec3&) { return Vec3(1, 0, 0); });
  const FlowLines lines = flow.streamlines(flow.even_places(20), 10);
  EXPECT_EQ(lines.start.size(), 21U);
  for (const Vec3& p : lines.point) EXPECT_LT(std::abs(p.x()), 0.3 + flow_spacing);
  ParticleFlow none;
  none.build({}, {}, 0.1);
  EXPECT_TRUE(none.streamlines(none.even_places(5), 1).point.empty());
  EXPECT_TRUE(grid_surface(none.sample(0.1, [](const Vec3&) { return 0.0; }), 0).triangle.empty());
}

TEST(ParticleFlow, SkipsParticlesThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Vec3f> position{{0, 0, 0}, {nan, 0, 0}, {0.1F, 0, 0}}, velocity{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  const std::vector<float> value{1, 100, 3};
  ParticleFlow flow;
  flow.build(position, velocity, 0.1);
  EXPECT_LT((flow.at(Vec3::Zero()).velocity - Vec3(1, 0, 0)).norm(), 1e-6);
  EXPECT_TRUE(std::isnan(flow.mean_at(Vec3::Zero(), value))) << "two particles fill too little";
}

TEST(QCriterion, OfASimpleFlow) {
  Mat3 rotation = Mat3::Zero(), shear = Mat3::Zero(), strain = Mat3::Zero();
  rotation(0, 1) = -2, rotation(1, 0) = 2;
  EXPECT_DOUBLE_EQ(q_criterion(rotation), 4) << "the square of the angular velocity";
  EXPECT_LT((vorticity_of(rotation) - Vec3(0, 0, 4)).norm(), 1e-12);
  shear(0, 1) = 3;
  EXPECT_DOUBLE_EQ(q_criterion(shear), 0);
  strain(0, 0) = 1, strain(1, 1) = -1;
  EXPECT_DOUBLE_EQ(q_criterion(strain), -1);
}

TEST(QCriterion, OfALambOseenVortexVanishesAtTheRadiusOfTheFastestFlow) {
  // The velocity is u_theta = G / (2 pi r) (1 - exp(-r^2 / c^2)). In a plane circular flow, Q = (u / r) du/dr, which
  // changes its sign where u is largest, at r = 1.1209 c (H. Lamb, Hydrodynamics, 1932, art. 334a).
  constexpr double core = 0.25, circulation = 1;
  const auto vortex = [](const Vec3& p) -> Vec3 {
    const double r2 = std::max(p.x() * p.x() + p.z() * p.z(), 1e-12);
    const double rate = circulation / (2 * std::numbers::pi * r2) * (1 - std::exp(-r2 / (core * core)));
    return Vec3(0, rate, 0).cross(p);
  };
  const ParticleFlow flow = flow_of({0.6, 0.12, 0.6}, vortex, 0.025);
  const double middle = q_criterion(flow.at(Vec3::Zero()).gradient);
  const double rate = circulation / (2 * std::numbers::pi * core * core);  // angular velocity on the axis
  EXPECT_NEAR(middle, rate * rate, 0.03 * rate * rate);
  const double radius = 1.1209 * core;
  double low = 0.5 * radius, high = 1.5 * radius;
  for (int i = 0; i < 40; ++i) {
    const double r = 0.5 * (low + high);
    (q_criterion(flow.at({r, 0, 0}).gradient) > 0 ? low : high) = r;
  }
  EXPECT_NEAR(low, radius, 0.02 * radius);
}

TEST(GridSurface, OfTheDistanceFromAPointIsASphere) {
  constexpr double radius = 0.8;
  ValueGrid grid;
  grid.cell_m = 0.05;
  grid.origin = Vec3::Constant(-1.013);
  grid.count = {42, 42, 42};
  grid.fill([](const Vec3& p) { return -p.norm(); });
  const SurfaceMesh mesh = grid_surface(grid, -0.8F);
  double area = 0, volume = 0;
  for (const auto& t : mesh.triangle) {
    const Vec3 a = mesh.position[t[0]].cast<double>(), b = mesh.position[t[1]].cast<double>(),
               c = mesh.position[t[2]].cast<double>();
    area += 0.5 * (b - a).cross(c - a).norm();
    volume += a.dot(b.cross(c)) / 6;
  }
  EXPECT_NEAR(area, 4 * std::numbers::pi * radius * radius, 0.01 * 4 * std::numbers::pi * radius * radius);
  EXPECT_NEAR(volume, 4.0 / 3 * std::numbers::pi * radius * radius * radius, 0.01 * 2.14)
      << "triangles are counter-clockwise seen from the side of smaller values";
  for (std::size_t i = 0; i < mesh.position.size(); ++i) {
    EXPECT_NEAR(mesh.position[i].norm(), radius, 0.003);
    EXPECT_GT(mesh.normal[i].dot(mesh.position[i].normalized()), 0.99F);
  }
}

TEST(GridSurface, HasNoSurfaceWhereAValueIsMissing) {
  ValueGrid grid;
  grid.count = {4, 4, 4};
  grid.fill([](const Vec3& p) { return p.x() - 1.5; });
  EXPECT_EQ(grid_surface(grid, 0).triangle.size(), 2U * 9);
  grid.value[grid.at(1, 0, 0)] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(grid_surface(grid, 0).triangle.size(), 2U * 8) << "the node touches one cube of the layer";
  grid.count = {1, 4, 16};
  EXPECT_TRUE(grid_surface(grid, 0).triangle.empty());
  grid.count = {5, 5, 5};
  EXPECT_TRUE(grid_surface(grid, 0).triangle.empty()) << "the array does not fit";
}

TEST(GridSurface, SmallPartsCanBeLeftOut) {
  ValueGrid grid;
  grid.count = {40, 20, 20};
  // The field contains one ball with a radius of 7 cells and one with a radius of 1.2 cells.
  grid.fill([](const Vec3& p) {
    return std::max(7 - (p - Vec3(10, 9.5, 9.5)).norm(), 1.2 - (p - Vec3(30, 9.5, 9.5)).norm());
  });
  const SurfaceMesh both = grid_surface(grid, 0), large = without_small_parts(both, least_vortex_triangles);
  ASSERT_LT(large.triangle.size(), both.triangle.size());
  EXPECT_GT(large.triangle.size(), 500U);
  for (const Vec3f& p : large.position) EXPECT_LT(p.x(), 18);
  EXPECT_EQ(large.normal.size(), large.position.size());
  EXPECT_TRUE(without_small_parts(both, both.triangle.size()).triangle.empty());
}

TEST(GridSurface, LevelsAreSortedAndChosenFromTheValues) {
  ValueGrid grid;
  grid.count = {5, 4, 4};
  grid.fill([](const Vec3& p) { return p.x() - 1; });
  std::vector<double> levels;
  add_iso_surfaces(grid, {2.5, -0.5, 2.5, 7}, [&](double level, const SurfaceMesh& mesh) {
    levels.push_back(level);
    EXPECT_FALSE(mesh.triangle.empty());
  });
  EXPECT_EQ(levels, (std::vector<double>{-0.5, 2.5}));
  EXPECT_EQ(automatic_level(grid, false), 1);
  EXPECT_NEAR(automatic_level(grid, true).value_or(0), 0.9, 1e-6) << "a fifth of the nodes have the largest value, 3";
  grid.value[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(automatic_level(grid, false), 1) << "other nodes have the least value too";
  grid.fill([](const Vec3&) { return 2.0; });
  EXPECT_FALSE(automatic_level(grid, true).has_value());
}

}  // namespace
}  // namespace vw
