// Forces of water on bodies and vessels, in independent cases that were not used for tuning. The cases are a beam in a
// stream, a fish and its mirror image, a rotating bowl, a carried bucket, a floating cup and a floating hull.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

// ---- A beam in a stream ----

/// Returns the mean downstream deflection [m] of the tip of a beam in a channel, averaged over the second half of one
/// second.
double bend_in_stream(double speed) {
  const double d = 0.02;
  const Vec3 size(0.64, 0.2, 0.2);
  Node scene = water_scene(d);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "system.water.periodic", std::string("xz"));
  set(scene, "system.water.domain_size", size + Vec3(0, 2, 0));
  for (const double y : {0.0, size.y()}) {
    const std::string name = y == 0 ? "floor" : "ceiling";
    add_child(scene, "collider", "plane", name);
    set(scene, "collider." + name + ".position", Vec3(0, y, 0));
    if (y > 0) set(scene, "collider." + name + ".rotation", Vec3(pi, 0, 0));
  }
  add_fill(scene, "stream", Vec3(0, size.y() / 2, 0), size);
  set(scene, "system.water.fill.stream.velocity", Vec3(speed, 0, 0));
  add_child(scene, "material", "voxel_material", "rubber");
  set(scene, "material.rubber.density", 1000.0);
  set(scene, "material.rubber.youngs_modulus", 1e6);
  set(scene, "material.rubber.bond_damping", 1.0);
  add_child(scene, "system", "voxel_body", "beam");
  set(scene, "system.beam.size", Vec3(1, 6, 1));
  set(scene, "system.beam.voxel_size", d);
  set(scene, "system.beam.wind", false);
  set(scene, "system.beam.position", Vec3(-d / 2, 0, -d / 2));
  add_child(child_of(scene, "beam"), "region", "region", "foot");
  set(scene, "system.beam.region.foot.max", Vec3(1, 0.1, 1));
  const auto world = with_rules(std::move(scene));
  run(*world, 0.5);
  double bend = 0;
  constexpr int looks = 60;
  for (int i = 0; i < looks; ++i) {
    EXPECT_TRUE(world->step()) << world->health().sentence();
    bend += rows_of(*world, "beam").position.back().x() / looks;
  }
  return bend;
}

TEST(FluidCases, ABeamInAStreamBendsDownstreamAndMoreTheFasterItIs) {
  const double still = bend_in_stream(0), slow = bend_in_stream(0.5), fast = bend_in_stream(1);
  EXPECT_LT(std::abs(still), 1e-4);
  EXPECT_GT(slow, 5e-4);
  // Drag is proportional to the square of the speed. The measured ratio may differ, because both streams slow down.
  record_case("water", "voxel beam in streams of 0.5 and 1 m/s: ratio of its bends", fast / slow, 4, 0.4);
  EXPECT_GT(fast, 2.4 * slow);
  EXPECT_LT(fast, 5.6 * slow);
}

// ---- A fish and its mirror image ----

/// Returns the displacement [m] in one second of a fish that beats its tail. If `mirrored` is true, the two sides of
/// the fish are exchanged.
Vec3 way_of_fish(bool mirrored) {
  constexpr int length = 14, height = 3, width = 2;
  Node scene = tank(0.02, Vec3(0.6, 0.14, 0.24));
  add_child(scene, "material", "voxel_material", "flesh");
  set(scene, "material.flesh.density", 1010.0);
  set(scene, "material.flesh.youngs_modulus", 2e5);
  set(scene, "material.flesh.cte", 0.01);
  set(scene, "material.flesh.bond_damping", 0.2);
  add_child(scene, "system", "voxel_body", "fish");
  set(scene, "system.fish.size", Vec3(length, height, width));
  set(scene, "system.fish.voxel_size", 0.02);
  set(scene, "system.fish.position", Vec3(-0.1, 0.04, -0.02));
  NumberList phase, scale;
  for (int y = 0; y < height; ++y)
    for (int z = 0; z < width; ++z)
      for (int x = 0; x < length; ++x) {
        phase.push_back(-0.9 * x / length + ((z == 0) != mirrored ? 0.0 : 0.5));
        scale.push_back(0.15 + 0.85 * std::pow(x / (length - 1.0), 1.5));
      }
  set(scene, "system.fish.phase", phase);
  set(scene, "system.fish.temperature_amplitude_scale", scale);
  set(scene, "system.fish.temperature_wave", std::string("sine"));
  set(scene, "system.fish.temperature_period", 0.5);
  set(scene, "system.fish.temperature_amplitude", 20.0);
  const auto world = with_rules(std::move(scene));
  const auto middle = [&] {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : rows_of(*world, "fish").position)
      sum += x / static_cast<double>(rows_of(*world, "fish").size());
    return sum;
  };
  const Vec3 start = middle();
  run(*world, 1);
  return middle() - start;
}

TEST(FluidCases, AFishAndItsMirrorImageSwimAlike) {
  const Vec3 way = way_of_fish(false);
  Vec3 mirrored = way_of_fish(true);
  mirrored.z() = -mirrored.z();
  record_case("water", "voxel fish and its mirror image: difference of their ways, of the way",
              (way - mirrored).norm() / way.norm(), 0, 0.2);
  EXPECT_LT(way.x(), -0.01);
  EXPECT_LT((way - mirrored).norm(), 0.2 * way.norm()) << way.transpose() << " and " << mirrored.transpose();
}

// ---- A rotating bowl ----

/// Returns the coefficient of r^2 [1/m] in a fit of the surface height. The fit uses the highest particle of each
/// vertical column, without columns beside the wall.
double bowl_of(const std::vector<Vec3>& rows, double d, double radius) {
  std::map<std::pair<int, int>, Vec3> top;
  for (const Vec3& x : rows) {
    if (std::hypot(x.x(), x.z()) > radius - d) continue;
    const auto at = std::pair(static_cast<int>(std::floor(x.x() / d)), static_cast<int>(std::floor(x.z() / d)));
    const auto [there, first] = top.try_emplace(at, x);
    if (!first && there->second.y() < x.y()) there->second = x;
  }
  const auto count = static_cast<double>(top.size());
  double s = 0, h = 0, ss = 0, sh = 0;
  for (const auto& [at, x] : top) {
    const double square = x.x() * x.x() + x.z() * x.z();
    s += square / count, h += x.y() / count, ss += square * square / count, sh += square * x.y() / count;
  }
  return (sh - s * h) / (ss - s * s);
}

TEST(FluidCases, WaterInABowlThatTurnsStandsAsAParaboloid) {
  const double d = 0.0125, radius = 0.125, spin = 2 * pi / 0.7;  // one turn takes 0.7 s
  Node scene = water_scene(d);
  add_child(child_of(scene, "water"), "phase", "phase", "syrup");
  set(scene, "system.water.wall_friction", 1.0);
  // The syrup rotates with the bowl after R^2 / 5.8 nu = 0.14 s (R: radius, nu: kinematic viscosity).
  set(scene, "system.water.phase.syrup.viscosity", 20.0);
  add_child(child_of(scene, "water"), "fill", "cylinder", "pool");
  set(scene, "system.water.fill.pool.radius", radius);
  set(scene, "system.water.fill.pool.length", 0.1);
  set(scene, "system.water.fill.pool.position", Vec3(0, 0.05, 0));
  Node& bowl = add_child(scene, "collider", "cylinder", "bowl");
  set(scene, "collider.bowl.radius", radius);
  set(scene, "collider.bowl.length", 0.4);
  set(scene, "collider.bowl.solid", std::string("around"));
  set(scene, "collider.bowl.position", Vec3(0, 0.2, 0));
  set(scene, "collider.bowl.key_path", std::string("linear"));
  for (int k = 0; k <= 3; ++k) {
    const std::string name = "turn" + std::to_string(k);
    add_child(bowl, "key", "key", name);
    set(scene, "collider.bowl.key." + name + ".time", 0.7 * k / 3);
    set(scene, "collider.bowl.key." + name + ".rotation", Vec3(0, 2 * pi * k / 3, 0));
  }
  const auto world = with_rules(std::move(scene));
  run(*world, 1.2);
  double slope = 0;
  constexpr int looks = 30;
  for (int i = 0; i < looks; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    slope += bowl_of(rows_of(*world, "water").position, d, radius) / looks;
  }
  double turning = 0;  // y component of the sum of x cross v; the mean angular velocity of the water is `turning` /
                       // `inertia`
  double inertia = 0;
  const Elements& e = rows_of(*world, "water");
  for (std::size_t i = 0; i < e.size(); ++i) {
    const Vec3 &x = e.position[i], &v = e.velocity[i];
    turning += x.z() * v.x() - x.x() * v.z();
    inertia += x.x() * x.x() + x.z() * x.z();
  }
  expect_case("water", "bowl that turns: how fast its water does, of the bowl", turning / inertia / spin, 1, 0.02);
  expect_case("water", "bowl that turns: rise over r^2, of w^2 / 2 g", slope / (spin * spin / (2 * 9.81)), 1, 0.1);
}

// ---- Vessels of triangles ----

class MeshFile {
 public:
  explicit MeshFile(const std::string& name) : path_(scratch_file(name)), file_(path_) {}
  [[nodiscard]] const std::string& path() const { return path_; }
  void corner(double x, double y, double z) { file_ << "v " << x << ' ' << y << ' ' << z << '\n'; }
  void face(int a, int b, int c, int d) {
    file_ << "f " << a << ' ' << b << ' ' << c << "\nf " << a << ' ' << c << ' ' << d << '\n';
  }
  void close() { file_.close(); }

 private:
  std::string path_;
  std::ofstream file_;
};

/// Writes a box with an open top. `half` contains the outer half lengths, and `thickness` is that of the walls and the
/// floor.
void write_cup(MeshFile& file, const Vec3& half, double thickness) {
  for (const double in : {0.0, thickness})
    for (const double y : {in - half.y(), half.y()})
      for (const auto& [i, k] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
        file.corner(i * (half.x() - in), y, k * (half.z() - in));
  file.face(1, 2, 3, 4);
  file.face(9, 12, 11, 10);
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    file.face(1 + k, 5 + k, 5 + next, 1 + next);
    file.face(9 + k, 9 + next, 13 + next, 13 + k);
    file.face(5 + k, 13 + k, 13 + next, 5 + next);
  }
  file.close();
}

/// Writes a keel along z: a triangular prism with one edge at the bottom.
void write_keel(MeshFile& file, const Vec3& half) {
  for (const double z : {-half.z(), half.z()}) {
    file.corner(0, -half.y(), z);
    file.corner(half.x(), half.y(), z);
    file.corner(-half.x(), half.y(), z);
  }
  file.face(1, 3, 2, 2);
  file.face(4, 5, 6, 6);
  file.face(1, 2, 5, 4);
  file.face(2, 3, 6, 5);
  file.face(3, 1, 4, 6);
  file.close();
}

TEST(FluidCases, ABucketThatIsCarriedKeepsItsWater) {
  const double d = 0.02, wall = 0.02;
  const Vec3 half(0.12, 0.12, 0.12);
  MeshFile cup("bucket.obj");
  write_cup(cup, half, wall);
  Node scene = water_scene(d);
  add_fill(scene, "pool", Vec3(0, 0.1 - half.y(), 0), Vec3(0.2, 0.16, 0.2));
  Node& bucket = add_child(scene, "collider", "mesh", "bucket");
  set(scene, "collider.bucket.source", cup.path());
  set(scene, "collider.bucket.key_end", std::string("hold"));
  const auto path = std::to_array<std::pair<Vec3, Vec3>>({{Vec3(0, 0, 0), Vec3(0, 0, 0)},
                                                          {Vec3(0.2, 0.3, 0), Vec3(0, 0.5, 0)},
                                                          {Vec3(0.6, 0.3, 0.3), Vec3(0, 1.5, 0)},
                                                          {Vec3(0.8, 0, 0.3), Vec3(0, 1.5, 0.1)}});
  for (std::size_t k = 0; k < path.size(); ++k) {
    const std::string name = "stop" + std::to_string(k);
    add_child(bucket, "key", "key", name);
    set(scene, "collider.bucket.key." + name + ".time", 0.8 * static_cast<double>(k));
    set(scene, "collider.bucket.key." + name + ".position", path[k].first);
    set(scene, "collider.bucket.key." + name + ".rotation", path[k].second);
  }
  const auto world = with_rules(std::move(scene));
  run(*world, 2.6);
  const Pose end{path.back().first, rotation_of(path.back().second)};
  std::size_t lost = 0;
  for (const Vec3& x : rows_of(*world, "water").position) {
    const Vec3 at = end.orientation.conjugate() * (x - end.position);
    lost += (at.cwiseAbs() - (half - Vec3::Constant(wall))).maxCoeff() < 0 ? 0U : 1U;
  }
  EXPECT_EQ(rows_of(*world, "water").size(), 800U);
  EXPECT_EQ(lost, 0U);
}

/// Returns the draft [m] of a floating mesh with the given mass: depth of the lowest point below the water level.
double draft_of(const std::string& path, const Vec3& half, double mass, double d) {
  const Vec3 pool = (Vec3(5, 2.5, 5).cwiseProduct(half) / d).array().round().matrix() * d;
  Node scene = tank(d, pool);
  add_rigid(scene, "mesh");
  set(scene, thing + "source", path);
  set(scene, thing + "mass", mass);
  // The vessel is released above the water, so an open vessel stays dry.
  set(scene, thing + "position", Vec3(0, pool.y() + half.y() + 0.5 * d, 0));
  const auto world = with_rules(std::move(scene));
  const RigidBody& body = static_cast<const RigidSystem&>(*world->find_system("bodies")).bodies()[0];
  run(*world, 3);
  double draft = 0;
  constexpr int looks = 60;
  for (int i = 0; i < looks; ++i) {
    EXPECT_TRUE(world->step()) << world->health().sentence();
    const Elements& e = rows_of(*world, "bodies");
    const double lowest = body.shape_at(e.position[0], e.orientation[0]).position.y() - half.y();
    draft += (level_of(*world, d, pool.x() * pool.z(), mass / 1000) - lowest) / looks;
    EXPECT_GT((e.orientation[0] * Vec3::UnitY()).y(), 0.99) << "it stands upright";
  }
  return draft;
}

TEST(FluidCasesValidation, ACupFloatsAsDeepAsItsWeightSays) {
  const double d = 0.02;
  const Vec3 half(0.12, 0.08, 0.12);
  MeshFile cup("cup.obj");
  write_cup(cup, half, 0.02);
  const double mass = 0.4 * 1000 * 8 * half.prod(), expected = 0.4 * 2 * half.y();
  const double draft = draft_of(cup.path(), half, mass, d);
  record_case("water", "floating cup: draft", draft, expected, 0.5 * d / expected, "m");
  EXPECT_NEAR(draft, expected, 0.5 * d);
}

TEST(FluidCasesValidation, AKeelFloatsAsDeepAsItsVolumeSays) {
  // A triangular prism of height h that floats on its edge displaces the fraction (draft / h)^2 of its volume. At this
  // width, the keel does not tip over.
  const double d = 0.02;
  const Vec3 half(0.18, 0.08, 0.12);
  MeshFile keel("keel.obj");
  write_keel(keel, half);
  const double ratio = 0.5, volume = 4 * half.prod(), expected = std::sqrt(ratio) * 2 * half.y();
  const double draft = draft_of(keel.path(), half, ratio * 1000 * volume, d);
  record_case("water", "floating keel of triangles: draft", draft, expected, 0.5 * d / expected, "m");
  EXPECT_NEAR(draft, expected, 0.5 * d);
}

}  // namespace
}  // namespace vw::test
