// Solids from mesh files: concave solids, and solids in contact with each other.
#include <fstream>
#include <numbers>

#include "tests/rigid/scenes.h"
#include "tests/support/scratch.h"

namespace vw::test {
namespace {

using Triangle = std::array<int, 3>;

std::string write_obj(const std::string& name, const std::vector<Vec3>& places,
                      const std::vector<Triangle>& triangles) {
  const std::string path = scratch_file(name);
  std::ofstream file(path);
  for (const Vec3& p : places) file << "v " << p.x() << " " << p.y() << " " << p.z() << "\n";
  for (const Triangle& t : triangles) file << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
  return path;
}

/// Writes a solid of revolution about y. The profile of points (radius, height) runs counter-clockwise, from the lower
/// to the upper point on the axis.
std::string closed_turned_mesh(const std::string& name, const std::vector<std::pair<double, double>>& profile) {
  constexpr int around = 32;
  std::vector<Vec3> places{Vec3(0, profile.front().second, 0), Vec3(0, profile.back().second, 0)};
  std::vector<Triangle> triangles;
  const auto rings = static_cast<int>(profile.size()) - 2;
  for (int r = 0; r < rings; ++r)
    for (int k = 0; k < around; ++k) {
      const auto [radius, height] = profile[static_cast<std::size_t>(r) + 1];
      const double angle = 2 * pi * k / around;
      places.emplace_back(radius * std::cos(angle), height, radius * std::sin(angle));
    }
  const auto at = [&](int ring, int k) { return 2 + ring * around + k % around; };
  for (int k = 0; k < around; ++k) {
    triangles.push_back({0, at(0, k), at(0, k + 1)});
    for (int r = 0; r + 1 < rings; ++r) {
      triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
      triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
    }
    triangles.push_back({at(rings - 1, k), 1, at(rings - 1, k + 1)});
  }
  return write_obj(name, places, triangles);
}

std::string bowl() {
  return closed_turned_mesh(
      "bowl.obj", {{0, 0}, {0.1, 0}, {0.2, 0.05}, {0.25, 0.15}, {0.23, 0.15}, {0.18, 0.07}, {0.09, 0.03}, {0, 0.025}});
}

/// Returns the displacement of a body along y since the start [m].
double risen(const RigidBody& body, const Elements& e, std::size_t row) {
  return (e.position[row] - body.start.position - body.start.orientation * body.center).y();
}

TEST(RigidSolids, ABowlHoldsABallThatFallsIntoIt) {
  Node scene = scene_over_ground();
  add_mesh(scene, "bowl", bowl(), Vec3(0, 0, 0));
  add_body(scene, "sphere", "ball");
  set(scene, of_body("ball") + "radius", 0.04);
  set(scene, of_body("ball") + "position", Vec3(0.12, 0.3, 0.03));
  const auto world = world_of(std::move(scene));
  const auto& bowl_body = static_cast<const RigidSystem&>(world->system(0)).bodies()[0];
  double lowest = 1;
  for (int i = 0; i < 60; ++i) {
    run(*world, 0.1);
    const Elements& e = world->system(0).elements();
    const Pose pose = bowl_body.shape_at(e.position[0], e.orientation[0]);
    const Vec3 local = pose.orientation.conjugate() * (e.position[1] - pose.position);
    lowest = std::min(lowest, query(bowl_body.shape, local).distance - 0.04);
    EXPECT_LT(Vec3(local.x(), 0, local.z()).norm(), 0.22) << i;
  }
  EXPECT_GT(lowest, -2e-3);
  const Elements& e = world->system(0).elements();
  EXPECT_LT(e.velocity[1].norm(), 0.5);  // the ball arrived at 2.3 m/s; the ball may still roll
  EXPECT_LT(std::abs(risen(bowl_body, e, 0)), 2e-3);
  EXPECT_GT((e.orientation[0] * Vec3::UnitY()).y(), 0.999);  // the bowl stands upright
}

TEST(RigidSolids, BowlsStackIntoEachOther) {
  Node scene = scene_over_ground();
  const std::string source = bowl();
  for (int i = 0; i < 3; ++i) add_mesh(scene, "bowl" + std::to_string(i), source, Vec3(0.004 * i, 0.06 * i, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 3);
  const auto bodies = static_cast<const RigidSystem&>(world->system(0)).bodies();
  for (std::size_t i = 0; i < 3; ++i) {
    const Elements& e = world->system(0).elements();
    EXPECT_LT(e.velocity[i].norm(), 0.02) << i;
    EXPECT_GT((e.orientation[i] * Vec3::UnitY()).y(), 0.95) << i;
    // Each bowl must rest one wall thickness above the bowl below. It must neither be inside that bowl nor rest only on
    // the rim.
    const double above = 0.06 * static_cast<double>(i) + risen(bodies[i], e, i);
    EXPECT_GT(above, 0.02 * static_cast<double>(i) - 3e-3) << i;
    EXPECT_LT(above, 0.08 * static_cast<double>(i) + 3e-3) << i;
  }
}

TEST(RigidSolids, CrossedPlanksOfTwelveTrianglesRestOnEachOther) {
  const Vec3 half(0.5, 0.02, 0.05);
  std::vector<Vec3> places;
  for (int corner = 0; corner < 8; ++corner)
    places.push_back(half.cwiseProduct(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1)));
  const std::string plank = write_obj("plank.obj", places,
                                      {{0, 4, 6},
                                       {0, 6, 2},
                                       {1, 3, 7},
                                       {1, 7, 5},
                                       {0, 1, 5},
                                       {0, 5, 4},
                                       {2, 6, 7},
                                       {2, 7, 3},
                                       {0, 2, 3},
                                       {0, 3, 1},
                                       {4, 5, 7},
                                       {4, 7, 6}});
  Node scene = scene_over_ground();
  add_mesh(scene, "below", plank, Vec3(0, 0.02, 0));
  add_mesh(scene, "above", plank, Vec3(0, 0.065, 0));
  set(scene, of_body("above") + "rotation", Vec3(0, pi / 2, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 2);
  EXPECT_NEAR(world->system(0).elements().position[1].y(), 0.06, 1e-3);
  EXPECT_LT(world->system(0).elements().velocity[1].norm(), 1e-2);
}

}  // namespace
}  // namespace vw::test
