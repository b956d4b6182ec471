// Voxel bodies in water: momentum, floating, bending and swimming.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/system/voxel/voxel_body.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

void add_body(Node& scene, const Vec3& voxels, double edge, double density, const Vec3& corner) {
  add_child(scene, "material", "voxel_material", "stuff");
  set(scene, "material.stuff.density", density);
  set(scene, "material.stuff.youngs_modulus", 1e5);
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", voxels);
  set(scene, "system.block.voxel_size", edge);
  set(scene, "system.block.wind", false);
  set(scene, "system.block.position", corner);
}

Node water_at_block() {
  Node scene = flying_water();
  add_body(scene, Vec3(3, 8, 6), 0.02, 500, Vec3(-0.03, -0.08, -0.06));
  return scene;
}

Vec3 middle_of_rows(const Elements& e) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < e.size(); ++i) sum += e.mass[i] * e.position[i], mass += e.mass[i];
  return sum / mass;
}

TEST(FluidVoxels, KeepsTheMomentumOfThePair) {
  const auto world = with_rules(water_at_block());
  const Vec3 start = middle_of_rows(rows_of(*world, "block"));
  const double error = momentum_error_of(*world);
  EXPECT_GT((middle_of_rows(rows_of(*world, "block")) - start).norm(), 0.5);  // the water hit the block
  record_case("interaction", "water and a voxel body: momentum after 1,000 steps, of sum m|v|", error, 0, 1e-6);
  EXPECT_LT(error, 1e-6);
}

double kinetic_energy(World& world) {
  double sum = 0;
  for (const char* name : {"block", "water"}) {
    const Elements& e = rows_of(world, name);
    for (std::size_t i = 0; i < e.size(); ++i) sum += 0.5 * e.mass[i] * e.velocity[i].squaredNorm();
  }
  return sum;
}

/// The solve treats the body as rigid. No rigid motion can relieve the pressure on water that is trapped between the
/// arms. Without a limit, this pressure would grow without bound and throw the arms and the drop apart.
TEST(FluidVoxels, ADropCaughtBetweenArmsThatShutOnItGivesThemNoEnergy) {
  // At 1.0 to 1.2 m/s the arms gain energy (Known limits in docs/design/fluid.md).
  for (const double speed : {0.3, 0.5, 0.7, 1.6, 2.0, 2.6}) {
    Node scene = water_scene(0.02);
    set(scene, "world.gravity", Vec3(0, 0, 0));
    add_fill(scene, "drop", Vec3(0, 0, 0), Vec3(0.02, 0.02, 0.02));
    add_body(scene, Vec3(3, 3, 3), 0.02, 1000, Vec3(-0.03, -0.03, -0.03));
    set(scene, "system.block.shape", std::string("layers"));
    set(scene, "system.block.palette", TextList{"stuff"});
    set(scene, "system.block.layers", TextList(3, "111/101/101"));
    const auto world = with_rules(std::move(scene));
    ASSERT_EQ(rows_of(*world, "water").size(), 1U);
    Elements& body = rows_of(*world, "block");
    for (std::size_t i = 0; i < body.size(); ++i)
      if (body.position[i].z() > -0.01) body.velocity[i].x() = body.position[i].x() < 0 ? speed : -speed;
    const double before = kinetic_energy(*world);
    double most = 0;
    for (int step = 0; step < 30; ++step) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      most = std::max(most, kinetic_energy(*world));
    }
    EXPECT_LE(most, before) << speed;
  }
}

TEST(FluidVoxels, SwitchedOffChangesNothingBitForBit) {
  Node off = water_at_block();
  add_default_interactions(off);
  set(off, "interaction.fluid_voxel_body.enabled", false);
  const auto with = world_of(off), alone = world_of(without(water_at_block(), "block"));
  run(*with, 0.2);
  run(*alone, 0.2);
  EXPECT_EQ(rows_of(*with, "water").position, rows_of(*alone, "water").position);
}

TEST(FluidVoxels, GivesTheSameBitsAtAnyNumberOfThreadsAndFromASavedState) {
  EXPECT_EQ(ends_of(water_at_block(), 0.2, 0.1, {1, 2, 3}).size(), 1U);
}

/// Returns the mean depth [m] of the underside of the block below the water level over half a second.
double draft_of_block(double ratio, double edge, const Vec3& voxels, double seconds) {
  const double spacing = 0.02;
  const Vec3 pool(0.48, 0.24, 0.48), size = edge * voxels;
  Node scene = tank(spacing, pool);
  add_body(scene, voxels, edge, 1000 * ratio, Vec3(-size.x() / 2, pool.y() + size.y() * (0.1 - ratio), -size.z() / 2));
  const auto world = with_rules(std::move(scene));
  run(*world, seconds);
  double draft = 0;
  constexpr int last = 60;
  for (int i = 0; i < last; ++i) {
    EXPECT_TRUE(world->step());
    const double level = level_of(*world, spacing, pool.x() * pool.z(), ratio * size.prod());
    draft += (level - (middle_of_rows(rows_of(*world, "block")).y() - size.y() / 2)) / last;
  }
  return draft;
}

TEST(FluidVoxelsValidation, BlocksFloatAsDeepAsTheirDensitySays) {
  struct Case {
    double ratio, edge;
    Vec3 voxels;
  };
  // The edge of a voxel is equal to, smaller than or larger than the spacing of the fluid.
  for (const Case& c : {Case{0.5, 0.02, {12, 6, 12}}, Case{0.2, 0.02, {12, 6, 12}}, Case{0.8, 0.02, {12, 6, 12}},
                        Case{0.5, 0.015, {16, 8, 16}}, Case{0.5, 0.04, {6, 3, 6}}}) {
    const double draft = draft_of_block(c.ratio, c.edge, c.voxels, 4), expected = c.ratio * c.edge * c.voxels.y();
    record_case("water",
                "floating voxel block of ratio " + std::to_string(c.ratio).substr(0, 3) + ", edge " +
                    std::to_string(c.edge).substr(0, 5) + " m: draft",
                draft, expected, 0.01 / expected, "m");
    EXPECT_NEAR(draft, expected, 0.01) << c.ratio << ", " << c.edge;
  }
}

/// Voxels of 2 cm in water that is at rest. Without the filter of the deformation (deformation_filter.h), their
/// velocities alternate in sign from substep to substep.
struct Soaked {
  const char* name;
  Vec3 voxels;
  double density, youngs_pa;
  friend void PrintTo(const Soaked& soaked, std::ostream* out) { *out << soaked.name; }
};
class VoxelsAtRestInWater : public testing::TestWithParam<Soaked> {};
TEST_P(VoxelsAtRestInWater, DoNotVibrate) {
  const Soaked& c = GetParam();
  Node scene = tank(0.02, Vec3(0.3, 0.2, 0.22));
  add_body(scene, c.voxels, 0.02, c.density, Vec3(0, 0.1, 0) - 0.01 * c.voxels);
  set(scene, "material.stuff.youngs_modulus", c.youngs_pa);
  set(scene, "material.stuff.bond_damping", 0.1);
  const auto world = with_rules(std::move(scene));
  run(*world, 1);
  std::vector<std::vector<Vec3>> velocity;
  int iterations = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(world->step()) << world->health().sentence();
    velocity.push_back(rows_of(*world, "block").velocity);
    iterations += static_cast<int>(total_of(*world, "divergence_iterations"));
  }
  double squares = 0;
  for (std::size_t i = 2; i < velocity.size(); ++i)
    for (std::size_t v = 0; v < velocity[i].size(); ++v)
      squares += (velocity[i][v] - 2 * velocity[i - 1][v] + velocity[i - 2][v]).squaredNorm();
  const double change = std::sqrt(squares / static_cast<double>((velocity.size() - 2) * velocity[0].size()));
  record_case("water", std::string(c.name) + " in still water: second difference of its velocities", change, 0, 0.01,
              "m/s");
  EXPECT_LT(change, 0.01);
  EXPECT_LT(iterations, 50);
}
INSTANTIATE_TEST_SUITE_P(FluidVoxelsValidation, VoxelsAtRestInWater,
                         testing::Values(Soaked{"soft fish", {10, 3, 2}, 1010, 2e5},
                                         Soaked{"soft sheet of one voxel", {10, 1, 8}, 1010, 2e4},
                                         Soaked{"stiff sheet of one voxel", {10, 1, 8}, 1010, 5e6},
                                         Soaked{"light sheet of one voxel", {10, 1, 8}, 300, 2e5}),
                         [](const auto& tested) {
                           std::string name = tested.param.name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

/// Returns the time [s] in which the free end of a clamped beam swings from its straight shape to the first extreme
/// after gravity sets in.
double half_swing(bool in_water) {
  Node scene = tank(0.02, Vec3(0.7, 0.4, 0.4));
  if (!in_water) scene = without(std::move(scene), "water");
  set(scene, "world.gravity", Vec3(0, in_water ? -4.0 : -1.0, 0));
  add_body(scene, Vec3(16, 2, 4), 0.02, 1500, Vec3(-0.16, 0.18, -0.04));
  set(scene, "material.stuff.youngs_modulus", 1e6);
  set(scene, "material.stuff.bond_damping", 0.02);
  add_child(child_of(scene, "block"), "region", "region", "root");
  set(scene, "system.block.region.root.max", Vec3(1.0 / 16, 1, 1));
  const auto world = with_rules(std::move(scene));
  const auto height = [&] { return rows_of(*world, "block").position.back().y(); };
  double lowest = height(), time = 0;
  while (world->time() < 0.8) {
    EXPECT_TRUE(world->step()) << world->health().sentence();
    if (height() < lowest) lowest = height(), time = world->time();
  }
  return time;
}

TEST(FluidVoxelsValidation, ABeamInWaterVibratesSlowerByItsAddedMass) {
  // Added mass per length of a rectangle twice as wide as thick: 1.36 pi rho a^2 with the half width a (DNV-RP-C205,
  // table A-1), times 0.85 for a plate 3.75 times as long as wide (table A-2). The tank is only five times as wide as
  // the beam, and the beam is only two particles thick.
  const double half_width = 0.04, added = 1.36 * 0.85 * pi * 1000 * half_width * half_width, own = 1500 * 0.08 * 0.04,
               expected = std::sqrt(1 + added / own), ratio = half_swing(true) / half_swing(false);
  record_case("water", "clamped voxel beam, duration of a swing: in water, of that in air", ratio, expected, 0.15);
  EXPECT_NEAR(ratio, expected, 0.15 * expected);
}

/// Returns a fish whose two sides expand and contract in turn, in a wave from the head (-x) to the tail.
Node fish() {
  constexpr int length = 14, height = 3, width = 2;
  Node scene = tank(0.02, Vec3(0.6, 0.14, 0.24));
  add_body(scene, Vec3(length, height, width), 0.02, 1010, Vec3(-0.1, 0.04, -0.02));
  NumberList phase, scale;
  for (int y = 0; y < height; ++y)
    for (int z = 0; z < width; ++z)
      for (int x = 0; x < length; ++x) {
        phase.push_back(-0.9 * x / length + (z == 0 ? 0.0 : 0.5));
        scale.push_back(0.15 + 0.85 * std::pow(x / (length - 1.0), 1.5));
      }
  set(scene, "material.stuff.youngs_modulus", 2e5);
  set(scene, "material.stuff.cte", 0.01);
  set(scene, "material.stuff.bond_damping", 0.2);
  set(scene, "system.block.phase", phase);
  set(scene, "system.block.temperature_amplitude_scale", scale);
  set(scene, "system.block.temperature_wave", std::string("sine"));
  set(scene, "system.block.temperature_period", 0.5);
  return scene;
}

TEST(FluidVoxelsValidation, AFishThatBeatsItsTailSwimsForwardAndOneThatDoesNotStays) {
  double way[2] = {0, 0};
  for (const bool beats : {false, true}) {
    Node scene = fish();
    set(scene, "system.block.temperature_amplitude", beats ? 20.0 : 0.0);
    const auto world = with_rules(std::move(scene));
    const double start = middle_of_rows(rows_of(*world, "block")).x();
    run(*world, 2);
    way[beats ? 1 : 0] = start - middle_of_rows(rows_of(*world, "block")).x();
  }
  // There is no theoretical value. The bound of 0.03 m, a tenth of the length of the fish, is more than drift alone
  // would cause.
  record_case("water", "voxel fish, 0.28 m, tail at 2 Hz: way forward in 2 s", way[1], 0.1, 0.9, "m");
  EXPECT_GT(way[1], 0.03);
  EXPECT_LT(std::abs(way[0]), 0.5 * way[1]);
}

}  // namespace
}  // namespace vw::test
