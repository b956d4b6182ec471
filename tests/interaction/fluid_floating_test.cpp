// Bodies of many shapes in water: floating depth, rest on the floor after sinking, and hulls that stay dry.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns the height [m] of the water level above the centre of mass of a floating body with the given density ratio
/// and orientation. The height follows from Archimedes' principle. The volume is computed by counting lattice points.
double level_above_center(const RigidBody& body, const Quat& turn, double ratio) {
  std::vector<double> heights;
  const Box3 around = bounds(body.shape);
  constexpr int cells = 40;
  for (int x = 0; x < cells; ++x)
    for (int y = 0; y < cells; ++y)
      for (int z = 0; z < cells; ++z) {
        const Vec3 at = around.min() + around.sizes().cwiseProduct(Vec3(x + 0.5, y + 0.5, z + 0.5) / cells);
        if (query(body.shape, at).distance < 0) heights.push_back((turn * (at - body.center)).y());
      }
  std::sort(heights.begin(), heights.end());
  return heights[static_cast<std::size_t>(ratio * static_cast<double>(heights.size()))];
}

struct Afloat {
  const char* name;
  const char* kind;
  double ratio;
  double spacing;
  Vec3 size;      ///< edge lengths of a box; length and diameter of a round body
  Vec3 rotation;  ///< initial rotation
  const char* method = "dfsph";
  friend void PrintTo(const Afloat& f, std::ostream* out) { *out << f.name; }
};

Node pool_with(const Afloat& f) {
  const Vec3 pool = (2 * f.size / f.spacing).array().round().matrix() * f.spacing;
  Node scene = tank(f.spacing, pool);
  set(scene, "system.water.method", std::string(f.method));
  add_rigid(scene, f.kind);
  const std::string kind = f.kind;
  if (kind == "box")
    set(scene, thing + "size", f.size);
  else
    set(scene, thing + "radius", f.size.y() / 2);
  if (kind == "cylinder" || kind == "capsule")
    set(scene, thing + "length", kind == "capsule" ? f.size.x() - f.size.y() : f.size.x());
  set(scene, thing + "rotation", f.rotation);
  set(scene, thing + "density", 1000 * f.ratio);
  set(scene, thing + "position", Vec3(0, pool.y() + f.size.y() * (0.6 - f.ratio), 0));
  return scene;
}

void expect_floats(const Afloat& f) {
  const auto world = with_rules(pool_with(f));
  run(*world, 4);
  const Vec3 pool = (2 * f.size / f.spacing).array().round().matrix() * f.spacing;
  double off = 0, tilt = 0;
  constexpr int last = 60;
  for (int i = 0; i < last; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    const Elements& e = rows_of(*world, "bodies");
    const double level = level_of(*world, f.spacing, pool.x() * pool.z(), f.ratio * first_body(*world).volume_m3);
    off += (level - e.position[0].y() - level_above_center(first_body(*world), e.orientation[0], f.ratio)) / f.spacing /
           last;
    const double up = (e.orientation[0] * Vec3::UnitY()).y();
    if (std::string(f.kind) == "box") tilt = std::max(tilt, std::acos(std::min(1.0, up)));
    if (std::string(f.kind) == "cylinder" || std::string(f.kind) == "capsule")
      tilt = std::max(tilt, std::asin(std::min(1.0, std::abs(up))));
  }
  // The tolerance is half the diameter of a particle.
  expect_case("water", std::string("floating ") + f.name + ": depth, off by spacings", off, 0, 0.5);
  EXPECT_LT(tilt, 2 * pi / 180) << f.name;
}

class FloatingValidation : public testing::TestWithParam<Afloat> {};

TEST_P(FloatingValidation, IsAsDeepAsItsDensitySaysAndLevel) { expect_floats(GetParam()); }

const Vec3 lying(0, 0, pi / 2);
INSTANTIATE_TEST_SUITE_P(
    Shapes, FloatingValidation,
    testing::Values(Afloat{"box of 0.15", "box", 0.15, 0.03, {0.3, 0.15, 0.3}, {0, 0, 0}},
                    Afloat{"box of 0.85, tilted by 20 degrees", "box", 0.85, 0.02, {0.24, 0.12, 0.24}, {0.35, 0, 0}},
                    Afloat{"long box of 0.5", "box", 0.5, 0.025, {0.45, 0.15, 0.25}, {0, 0.3, 0}},
                    Afloat{"box of 0.5, wcsph", "box", 0.5, 0.03, {0.24, 0.12, 0.24}, {0, 0, 0}, "wcsph"},
                    Afloat{"ball of 0.5", "sphere", 0.5, 0.03, {0.24, 0.24, 0.24}, {0, 0, 0}},
                    Afloat{"lying cylinder of 0.3", "cylinder", 0.3, 0.03, {0.36, 0.18, 0.18}, lying},
                    Afloat{"lying capsule of 0.7", "capsule", 0.7, 0.03, {0.36, 0.18, 0.18}, lying}),
    [](const auto& one) { return "Case" + std::to_string(one.index); });

TEST(FluidRigidValidation, ABoxAsDenseAsWaterStaysAtItsDepth) {
  const double spacing = 0.025;
  Node scene = tank(spacing, Vec3(0.4, 0.4, 0.4));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.15, 0.1, 0.15));
  set(scene, thing + "density", 1000.0);
  set(scene, thing + "position", Vec3(0, 0.2, 0));
  const auto world = with_rules(std::move(scene));
  run(*world, 5);
  // If the lift had an error of a hundredth, the box would reach the floor or the surface. With an added mass of half
  // the displaced mass, the displacement would be 0.01 g t^2 / 3 = 0.8 m.
  expect_case("water", "box as dense as water: way in 5 s, in spacings",
              (rows_of(*world, "bodies").position[0].y() - 0.2) / spacing, 0, 1);
}

/// Writes an open box of triangles. `half` contains the outer half lengths, and `thickness` is that of the walls.
void write_hull(const std::string& path, const Vec3& half, double thickness) {
  std::ofstream file(path);
  const auto corners = [&](double x, double bottom, double z) {
    for (const double y : {bottom, half.y()})
      for (const auto& [i, k] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
        file << "v " << i * x << ' ' << y << ' ' << k * z << '\n';
  };
  corners(half.x(), -half.y(), half.z());
  corners(half.x() - thickness, thickness - half.y(), half.z() - thickness);
  const auto face = [&](int a, int b, int c, int d) {
    file << "f " << a << ' ' << b << ' ' << c << "\nf " << a << ' ' << c << ' ' << d << '\n';
  };
  face(1, 2, 3, 4);
  face(9, 12, 11, 10);
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    face(1 + k, 5 + k, 5 + next, 1 + next);
    face(9 + k, 9 + next, 13 + next, 13 + k);
    face(5 + k, 13 + k, 13 + next, 5 + next);
  }
}

/// Releases a hull at the given downward speed. The mass of the hull is half the mass of the water that the hull could
/// hold. Returns the largest number of particles in the walls or in the interior at any time.
std::size_t wet_in_hull(double spacing, double thickness, double speed) {
  const Vec3 half = spacing * Vec3(4, 3, 4);
  const std::string path = scratch_file("hull.obj");
  write_hull(path, half, thickness);
  const double level = 8 * spacing;
  Node scene = tank(spacing, spacing * Vec3(16, 8, 16));
  add_rigid(scene, "mesh");
  set(scene, thing + "source", path);
  set(scene, thing + "mass", 500 * 8 * half.prod());
  set(scene, thing + "position", Vec3(0, level + half.y() + 0.5 * spacing, 0));
  set(scene, thing + "velocity", Vec3(0, -speed, 0));
  const auto world = with_rules(std::move(scene));
  std::size_t most = 0;
  for (int i = 0; i < 72; ++i) {
    if (!world->step()) ADD_FAILURE() << world->health().sentence();
    const Elements& e = rows_of(*world, "bodies");
    const Pose pose = first_body(*world).shape_at(e.position[0], e.orientation[0]);
    std::size_t wet = 0;
    for (const Vec3& x : rows_of(*world, "water").position) {
      const Vec3 at = pose.orientation.conjugate() * (x - pose.position);
      const bool in_room = (at.cwiseAbs() - half).maxCoeff() < -0.5 * thickness && at.y() < 0;
      wet += in_room || query(first_body(*world).shape, at, spacing).distance < 0 ? 1U : 0U;
    }
    most = std::max(most, wet);
  }
  return most;
}

TEST(FluidRigid, AFlatDiscRightsItself) {
  // The metacentre of this upright cylinder is 0.105 m above its centre, because the waterplane is large. Without the
  // moments of the pressures on the end faces it would be 0.015 m below the centre, and the disc would capsize.
  constexpr double spacing = 0.02, first_tilt = 0.2;
  Node scene = tank(spacing, Vec3(0.4, 0.16, 0.4));
  add_rigid(scene, "cylinder");
  set(scene, thing + "radius", 0.12);
  set(scene, thing + "length", 0.06);
  set(scene, thing + "density", 500.0);
  set(scene, thing + "rotation", Vec3(first_tilt, 0, 0));
  set(scene, thing + "position", Vec3(0, 0.17, 0));
  const auto world = with_rules(scene);
  double tilt = 0;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    const double up = (rows_of(*world, "bodies").orientation[0] * Vec3::UnitY()).y();
    if (i >= 60) tilt = std::max(tilt, std::acos(std::clamp(up, -1.0, 1.0)));
  }
  EXPECT_LT(tilt, 0.6 * first_tilt);
}

TEST(FluidRigid, HullsThinnerThanParticlesAreApartKeepDry) {
  // A moving hull displaces water. This water must not enter the walls or pass through them into the interior. A
  // leaking hull would be full after half a second.
  for (const double thickness : {0.25, 0.5, 1.0, 2.0})
    EXPECT_EQ(wet_in_hull(0.03, thickness * 0.03, thickness == 0.5 ? 1.0 : 0.0), 0U) << thickness;
}

}  // namespace
}  // namespace vw::test
