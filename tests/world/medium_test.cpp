// The world's medium exerts drag on bodies with faces or a radius, even without a field of wind.
#include <algorithm>
#include <cmath>

#include "sim/field/drag/sphere_drag.h"
#include "sim/system/particles/particles.h"
#include "sim/system/rigid/rigid.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw::test {
namespace {

constexpr double air = 1.2, viscosity = 1.8e-5, g = 9.81;

double speed(const World& world) {
  const Diagnostics all = world.diagnostics(0);
  return (all.momentum / all.mass).norm();
}

Node empty_world(double density) {
  Node scene = make_node(scene_schema());
  set(scene, "world.medium_density", density);
  return scene;
}

/// Returns a scene with a ball of 0.1 m radius and the given mass in a medium of the given density.
Node ball_in(double density, double mass) {
  Node scene = empty_world(density);
  add_child(scene, "system", "rigid", "things");
  for (Node& child : scene.children)
    if (child.name == "things") add_child(child, "body", "sphere", "ball");
  set(scene, "system.things.body.ball.radius", 0.1);
  set(scene, "system.things.body.ball.mass", mass);
  set(scene, "system.things.body.ball.position", Vec3(0, 100, 0));
  return scene;
}

/// Returns a scene with a cube of 3 x 3 x 3 voxels of 1 cm in a medium of the given density. The medium exerts no
/// friction along the faces.
Node cube_in(double density) {
  Node scene = empty_world(density);
  Node& material = add_child(scene, "material", voxel_material_schema().kind, "foam");
  (void)material;
  set(scene, "material.foam.density", 10.0);
  set(scene, "material.foam.youngs_modulus", 1e5);
  add_child(scene, "system", voxel_body_schema().kind, "cube");
  set(scene, "system.cube.material", std::string("foam"));
  set(scene, "system.cube.size", Vec3(3, 3, 3));
  set(scene, "system.cube.voxel_size", 0.01);
  set(scene, "system.cube.position", Vec3(0, 100, 0));
  set(scene, "system.cube.wind_friction", 0.0);
  return scene;
}

TEST(Medium, ABallFallsAtTheTerminalSpeedOfItsReynoldsNumber) {
  const double mass = 0.02, expected = terminal_speed({air, viscosity}, 0.1, mass * g);
  auto world = world_of(ball_in(air, mass));
  run(*world, 8);
  expect_case("world", "Rigid ball in still air, terminal speed", speed(*world), expected, 0.005, "m/s");
  auto without = world_of(ball_in(0, mass));
  run(*without, 1);
  EXPECT_NEAR(speed(*without), g, 1e-9) << "no medium and no wind: a vacuum";
}

TEST(Medium, ABallInSyrupCreeps) {
  Node scene = ball_in(1000, 50);
  set(scene, "world.medium_viscosity", 100.0);
  auto world = world_of(scene);
  run(*world, 3);
  expect_case("world", "Rigid ball in a viscous medium, terminal speed", speed(*world),
              terminal_speed({1000, 100}, 0.1, 50 * g), 0.005, "m/s");
}

TEST(Medium, AVoxelCubeSlowsByTheSquareLaw) {
  // A cube of mass m and face area A with the drag coefficient c moves in a medium of density rho. From m dv/dt = -1/2
  // rho c A v^2 follows v = v0 / (1 + v0 t / l) with the length l = 2 m / (rho c A).
  Node scene = cube_in(air);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "system.cube.velocity", Vec3(5, 0, 0));
  auto world = world_of(scene);
  run(*world, 0.5);
  const double mass = 27 * 10 * 1e-6, length = 2 * mass / (air * 9e-4);
  expect_case("world", "Voxel cube in still air, speed after 0.5 s", speed(*world), 5 / (1 + 5 * 0.5 / length), 0.002,
              "m/s");
}

TEST(Medium, AVoxelCubeFallsAtItsTerminalSpeed) {
  auto world = world_of(cube_in(air));
  run(*world, 3);
  const double mass = 27 * 10 * 1e-6;
  expect_case("world", "Voxel cube in still air, terminal speed", speed(*world), std::sqrt(2 * mass * g / (air * 9e-4)),
              0.005, "m/s");
}

TEST(Medium, ABoxSlowsByTheSquareLaw) {
  Node scene = empty_world(air);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "system", "rigid", "things");
  for (Node& child : scene.children)
    if (child.name == "things") add_child(child, "body", "box", "crate");
  set(scene, "system.things.wind_friction", 0.0);
  set(scene, "system.things.body.crate.size", Vec3(0.2, 0.2, 0.2));
  set(scene, "system.things.body.crate.mass", 0.1);
  set(scene, "system.things.body.crate.velocity", Vec3(10, 0, 0));
  auto world = world_of(scene);
  run(*world, 1);
  const double length = 2 * 0.1 / (air * 0.04);
  expect_case("world", "Rigid box in still air, speed after 1 s", speed(*world), 10 / (1 + 10 / length), 0.005, "m/s");
}

TEST(Medium, ParticlesFeelItAsBallsUnlessTheyHaveADragTime) {
  Node scene = empty_world(air);
  add_child(scene, "system", "particles", "drops");
  for (Node& child : scene.children)
    if (child.name == "drops") add_child(child, "emitter", "point", "tap");
  set(scene, "system.drops.emitter.tap.burst", std::int64_t{1});
  set(scene, "system.drops.emitter.tap.rate", 0.0);
  set(scene, "system.drops.emitter.tap.speed", 0.0);
  set(scene, "system.drops.emitter.tap.lifetime", 0.0);
  set(scene, "system.drops.emitter.tap.position", Vec3(0, 900, 0));
  set(scene, "system.drops.radius", 1e-3);
  set(scene, "system.drops.mass", 4e-6);
  auto world = world_of(scene);
  run(*world, 4);
  expect_case("world", "Particle in still air, terminal speed", speed(*world),
              terminal_speed({air, viscosity}, 1e-3, 4e-6 * g), 0.005, "m/s");
  set(scene, "system.drops.drag_time", 0.1);
  auto timed = world_of(scene);
  run(*timed, 2);
  EXPECT_NEAR(speed(*timed), g * 0.1, 1e-6);
  set(scene, "system.drops.drag_time", 0.0);
  set(scene, "world.medium_density", 0.0);
  auto without = world_of(scene);
  run(*without, 1);
  EXPECT_NEAR(speed(*without), g, 1e-9);
}

TEST(Medium, ParticlesWithoutADragTimeFeelItBesideOthersThatHaveOne) {
  Node scene = empty_world(air);
  add_child(scene, "system", "particles", "drops");
  for (const std::string name : {"tap", "puff"}) {
    for (Node& child : scene.children)
      if (child.name == "drops") add_child(child, "emitter", "point", name);
    const std::string path = "system.drops.emitter." + name + ".";
    set(scene, path + "burst", std::int64_t{1});
    set(scene, path + "rate", 0.0);
    set(scene, path + "speed", 0.0);
    set(scene, path + "lifetime", 0.0);
    set(scene, path + "position", Vec3(0, 900, 0));
  }
  set(scene, "system.drops.emitter.puff.particle_drag_time", 0.1);
  set(scene, "system.drops.radius", 1e-3);
  set(scene, "system.drops.mass", 4e-6);
  const auto world = world_of(scene);
  run(*world, 4);
  const std::vector<Vec3>& velocity = world->system(0).elements().velocity;
  ASSERT_EQ(velocity.size(), 2U);
  const double expected = terminal_speed({air, viscosity}, 1e-3, 4e-6 * g);
  EXPECT_NEAR(std::min(velocity[0].norm(), velocity[1].norm()), g * 0.1, 1e-6);
  EXPECT_NEAR(std::max(velocity[0].norm(), velocity[1].norm()), expected, 0.005 * expected);
}

TEST(Medium, ADenserOneSlowsFromTheStepOnInWhichItIsSet) {
  auto world = world_of(ball_in(0, 0.02));
  run(*world, 2);
  ASSERT_TRUE(world->apply(SetParameter{"world.medium_density", 1000.0}));
  run(*world, 4);
  EXPECT_NEAR(speed(*world), terminal_speed({1000, viscosity}, 0.1, 0.02 * g), 0.01);
}

}  // namespace
}  // namespace vw::test
