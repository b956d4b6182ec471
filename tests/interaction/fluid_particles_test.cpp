// Grains in water: terminal speed, exchange of momentum, and large numbers of grains.
#include <gtest/gtest.h>

#include "sim/field/drag/sphere_drag.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

struct Grains {
  double radius = 0.001;
  double density = 2650;
  std::int64_t count = 1;
  [[nodiscard]] double mass() const { return density * 4.0 / 3.0 * pi * radius * radius * radius; }
};

/// Emits all grains at once inside a box.
void add_grains(Node& scene, const Grains& grains, const Vec3& middle, const Vec3& size) {
  Node& system = add_child(scene, "system", "particles", "grains");
  add_child(system, "emitter", "box", "source");
  set(scene, "system.grains.radius", grains.radius);
  set(scene, "system.grains.mass", grains.mass());
  const std::string source = "system.grains.emitter.source.";
  set(scene, source + "position", middle);
  set(scene, source + "size", size);
  set(scene, source + "rate", 0.0);
  set(scene, source + "burst", grains.count);
  set(scene, source + "lifetime", 0.0);
  set(scene, source + "speed", 0.0);
}

/// Returns the terminal speed [m/s] of a ball in the fluid, computed from the drag law alone.
double terminal_speed(const Grains& grains) {
  return vw::terminal_speed({1000, 1e-3}, grains.radius,
                            std::abs(grains.mass() * (1 - 1000 / grains.density)) * earth_gravity);
}

/// Returns the mean downward speed [m/s] of grains between the times `first` and `last` [s]. The grains start at the
/// height `from` [m].
double speed_in_tank(const Grains& grains, double from, double first, double last, const char* changed = nullptr,
                     const Value& to = {}) {
  Node scene = tank(0.02, Vec3(0.2, 0.4, 0.2));
  add_grains(scene, grains, Vec3(0, from, 0), Vec3(0.08, 0, 0.08));
  if (changed != nullptr) set(scene, changed, to);
  const auto world = with_rules(std::move(scene));
  const auto height = [&] {
    const Elements& e = rows_of(*world, "grains");
    double sum = 0;
    for (const Vec3& x : e.position) sum += x.y() / static_cast<double>(e.size());
    return sum;
  };
  run(*world, first);
  const double start = height(), begun = world->time();
  run(*world, last - first);
  return (start - height()) / (world->time() - begun);
}

TEST(FluidParticles, SandSinksAndCorkRisesAsFastAsTheirDragSays) {
  const Grains sand{0.001, 2650, 9}, fine{0.0004, 2650, 9}, cork{0.002, 240, 9};
  const double fall = speed_in_tank(sand, 0.36, 0.2, 0.9), slow = speed_in_tank(fine, 0.36, 0.2, 1.2),
               rise = -speed_in_tank(cork, 0.04, 0.2, 0.7);
  expect_case("interaction", "sand of 2 mm in water: terminal velocity", fall, terminal_speed(sand), 0.03, "m/s");
  expect_case("interaction", "sand of 0.8 mm in water: terminal velocity", slow, terminal_speed(fine), 0.03, "m/s");
  expect_case("interaction", "cork of 4 mm in water: terminal velocity, upward", rise, terminal_speed(cork), 0.03,
              "m/s");
}

TEST(FluidParticles, FeelTheirOwnShareOfGravityAndTheLiftOfTheFluidsShare) {
  // The sand has twice the density of the fluid. With a gravity scale of one half, the weight of the sand equals that
  // of the displaced fluid, so the sand hovers. With a gravity scale of zero, the sand rises. If the gravity scale of
  // the fluid is also zero, the sand stays in place.
  const Grains sand{0.001, 2000, 9};
  const auto speed = [&](double own, double fluid) {
    Node scene = tank(0.02, Vec3(0.2, 0.4, 0.2));
    add_grains(scene, sand, Vec3(0, 0.2, 0), Vec3(0.08, 0, 0.08));
    set(scene, "system.grains.gravity_scale", own);
    set(scene, "system.water.gravity_scale", fluid);
    const auto world = with_rules(std::move(scene));
    run(*world, 0.2);
    const double start = rows_of(*world, "grains").position[0].y(), begun = world->time();
    run(*world, 0.4);
    return (rows_of(*world, "grains").position[0].y() - start) / (world->time() - begun);
  };
  const double lifted = vw::terminal_speed({1000, 1e-3}, sand.radius, 0.5 * sand.mass() * earth_gravity);
  EXPECT_NEAR(speed(0.5, 1), 0, 0.03 * lifted);
  EXPECT_NEAR(speed(0, 1), lifted, 0.05 * lifted);
  EXPECT_NEAR(speed(0, 0), 0, 1e-6);
}

TEST(FluidParticles, SinkAlikeWhicheverSideHasTheFinerSteps) {
  const Grains sand{0.001, 2650, 9};
  const double expected = terminal_speed(sand);
  EXPECT_NEAR(speed_in_tank(sand, 0.36, 0.2, 0.7, "system.grains.collision_dt", 1.0 / 960), expected, 0.04 * expected);
  EXPECT_NEAR(speed_in_tank(sand, 0.36, 0.2, 0.7, "system.water.max_dt", 5e-4), expected, 0.04 * expected);
  EXPECT_NEAR(speed_in_tank(sand, 0.36, 0.2, 0.7, "system.water.method", std::string("wcsph")), expected,
              0.04 * expected);
}

Node stream_with_grains(double speed) {
  Node scene = water_scene(0.02);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_fill(scene, "blob", Vec3(0, 0, 0), Vec3(0.16, 0.12, 0.12));
  set(scene, "system.water.fill.blob.velocity", Vec3(speed, 0, 0));
  add_grains(scene, {0.003, 2650, 300}, Vec3(0, 0, 0), Vec3(0.12, 0.1, 0.1));
  return scene;
}

TEST(FluidParticles, KeepTheMomentumOfThePair) {
  const auto world = with_rules(stream_with_grains(1));
  ASSERT_TRUE(world->step());
  const Motion before = motion_of(*world);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
  double fastest = 0;
  for (const Vec3& v : rows_of(*world, "grains").velocity) fastest = std::max(fastest, v.x());
  EXPECT_GT(fastest, 0.3);  // the water carries the grains along
  const double error = (motion_of(*world).momentum - before.momentum).norm() / before.size;
  record_case("interaction", "water and particles: momentum after 1,000 steps, of sum m|v|", error, 0, 1e-6);
  EXPECT_LT(error, 1e-6);
}

TEST(FluidParticles, NoCrowdAndNoStickyFluidGivesThemMoreEnergyThanTheyHad) {
  for (const double viscosity : {1e-3, 1.0, 1e4}) {
    Node scene = stream_with_grains(1);
    add_default_interactions(scene);
    set(scene, "interaction.fluid_particles.viscosity", viscosity);
    const auto world = world_of(scene);
    ASSERT_TRUE(world->step());
    const auto kinetic = [&] { return world->diagnostics(0).kinetic + world->diagnostics(1).kinetic; };
    double before = kinetic();
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      EXPECT_LT(kinetic(), before * (1 + 1e-3)) << viscosity << ", step " << i;
      before = kinetic();
    }
  }
}

TEST(FluidParticles, SwitchedOffChangesNothingBitForBit) {
  Node off = stream_with_grains(1);
  add_default_interactions(off);
  set(off, "interaction.fluid_particles.enabled", false);
  Node alone = stream_with_grains(1);
  std::erase_if(alone.children, [](const Node& node) { return node.name == "grains"; });
  const auto with = world_of(off), without = world_of(alone);
  run(*with, 0.2);
  run(*without, 0.2);
  EXPECT_EQ(rows_of(*with, "water").position, rows_of(*without, "water").position);
  EXPECT_EQ(rows_of(*with, "grains").velocity[0], Vec3(0, 0, 0));
}

TEST(FluidParticles, LightOnesFloatAtTheSurfaceAndHeavyOnesLieOnTheFloor) {
  for (const double density : {300.0, 2650.0}) {
    Node scene = tank(0.02, Vec3(0.2, 0.16, 0.2));
    add_grains(scene, {0.002, density, 20}, Vec3(0, 0.08, 0), Vec3(0.1, 0.02, 0.1));
    const auto world = with_rules(std::move(scene));
    run(*world, 2);
    for (const Vec3& x : rows_of(*world, "grains").position)
      EXPECT_NEAR(x.y(), density < 1000 ? 0.17 : 0.002, density < 1000 ? 0.03 : 1e-3);
  }
}

}  // namespace
}  // namespace vw::test
