// Rigid bodies against voxel bodies: penetration at rest, friction, and momentum, with both integrators.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns a block of 1 cm voxels with a corner of the lattice at `corner`, and a rigid box of the given size centred
/// at `middle`, in free space.
Node block_and_box(const Vec3& voxels, const Vec3& corner, const Vec3& size, const Vec3& middle) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_voxels(scene, "block", voxels, corner, 1e5);
  add_rigid(scene, "box");
  set(scene, thing + "size", size);
  set(scene, thing + "position", middle);
  return scene;
}

/// Fixes the lowest voxels of the block, up to the fraction `height` of the block height.
void hold(Node& scene, double height) {
  add_child(child_of(scene, "block"), "region", "region", "held");
  set(scene, "system.block.region.held.max", Vec3(1, height, 1));
}

TEST(RigidVoxels, ABoxSinksIntoASoftColumnAsItsSpringsSay) {
  for (const char* integrator : {"explicit", "implicit"}) {
    Node scene = block_and_box(Vec3(4, 6, 4), Vec3(-0.02, 0, -0.02), Vec3(0.06, 0.04, 0.06), Vec3(0, 0.078, 0));
    set(scene, "world.gravity", Vec3(0, -9.81, 0));
    set(scene, "material.stuff.bond_damping", 1.0);
    set(scene, "system.block.integrator", std::string(integrator));
    set(scene, thing + "mass", 0.5);
    hold(scene, 0.16);
    const auto world = with_rules(scene);
    run(*world, 2);
    // The block has 16 columns. In each column, a contact spring and five bonds of k = E s = 1000 N/m act in series (s:
    // edge). The bonds also carry the weight of the voxels above them, 1 g each.
    const double sinks = 9.81 * (0.5 / 16 * 6 + 1e-3 * 15) / 1000,
                 measured = 0.08 - rows_of(*world, "bodies").position[0].y();
    if (std::string(integrator) == "explicit") {
      expect_case("interaction", "rigid box on a column of voxels: how deep it sinks", measured, sinks, 0.01, "m");
      EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), 1e-4);
    } else {
      // With the implicit integrator, contact springs are softer. The box weighs five times as much as the block. Under
      // this load, the depth differs by less than a tenth of an edge.
      EXPECT_NEAR(measured, sinks, 0.1 * 0.01);
      EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), 1e-2);
    }
  }
}

TEST(RigidVoxels, ABlockHoldsOnAPlateWithinFrictionAndSlidesBeyondAsCoulombSays) {
  for (const double angle : {0.3, 0.6}) {
    Node scene = block_and_box(Vec3(4, 2, 4), Vec3(-0.02, 0, -0.02), Vec3(2, 0.1, 2), Vec3(0.8, -0.05, 0));
    set(scene, "world.gravity", 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0));
    add_child(scene, "collider", "plane", "ground");
    set(scene, "collider.ground.position", Vec3(0, -0.1, 0));
    set(scene, "collider.ground.mu_static", 10.0);
    set(scene, "collider.ground.mu_dynamic", 10.0);
    set(scene, "collider.ground.decides", true);
    for (const char* prefix : {"material.stuff.", "system.bodies.body.thing."}) {
      set(scene, std::string(prefix) + "mu_static", 0.4);
      set(scene, std::string(prefix) + "mu_dynamic", 0.4);
    }
    const auto world = with_rules(scene);
    run(*world, 0.3);
    const Diagnostics then = world->diagnostics(0);
    run(*world, 0.2);
    const Diagnostics now = world->diagnostics(0);
    ASSERT_EQ(world->system(0).name(), "block");
    if (angle < std::atan(0.4)) {
      // If the block crept with the velocity that it gains in one substep, the displacement would be 1e-3 m.
      EXPECT_LT((now.center_of_mass - then.center_of_mass).norm(), 2e-5);
    } else {
      expect_case("interaction", "voxel block sliding down a rigid plate: g (sin - mu cos)",
                  (now.momentum - then.momentum).x() / then.mass / 0.2,
                  9.81 * (std::sin(angle) - 0.4 * std::cos(angle)), 0.01, "m/s^2");
    }
  }
}

TEST(RigidVoxels, ABlockOnACartIsTakenAlong) {
  // The cart slides freely at 0.5 m/s below a block at rest. The cart and the block must reach a common velocity
  // without loss of momentum to the ground.
  Node scene = block_and_box(Vec3(4, 3, 4), Vec3(-0.02, 0, -0.02), Vec3(0.4, 0.05, 0.3), Vec3(0, -0.025, 0));
  set(scene, "world.gravity", Vec3(0, -9.81, 0));
  set(scene, "material.stuff.youngs_modulus", 1e6);
  add_child(scene, "collider", "plane", "ground");
  set(scene, "collider.ground.position", Vec3(0, -0.05, 0));
  set(scene, "collider.ground.friction", std::string("frictionless"));
  set(scene, "collider.ground.decides", true);
  set(scene, thing + "velocity", Vec3(0.5, 0, 0));
  const auto world = with_rules(scene);
  run(*world, 0.5);
  const Diagnostics block = world->diagnostics(0), cart = world->diagnostics(1);
  const double common = 0.5 * cart.mass / (block.mass + cart.mass),
               place = block.center_of_mass.x() - cart.center_of_mass.x();
  expect_case("interaction", "voxel block on a rigid cart: their common speed", block.momentum.x() / block.mass, common,
              1e-3, "m/s");
  EXPECT_NEAR(cart.momentum.x() / cart.mass, common, 1e-3 * common);
  run(*world, 1);
  EXPECT_NEAR(world->diagnostics(0).center_of_mass.x() - world->diagnostics(1).center_of_mass.x(), place, 1e-5);
}

struct CollisionCase {
  double youngs, density;
  const char *kind, *integrator;
};

/// Returns a rigid body thrown at a block off centre.
Node thrown_at_block(const CollisionCase& c) {
  Node scene = block_and_box(Vec3(4, 5, 4), Vec3(-0.02, 0, -0.02), Vec3(0.05, 0.05, 0.05), Vec3(0, 0.1, 0));
  if (std::string(c.kind) != "box") {
    child_of(scene, "bodies").children.clear();
    add_child(child_of(scene, "bodies"), "body", c.kind, "thing");
    set(scene, thing + "radius", 0.03);
    if (std::string(c.kind) == "capsule") set(scene, thing + "length", 0.02);
  }
  set(scene, thing + "position", Vec3(0.01, 0.105, 0.004));
  set(scene, thing + "density", c.density);
  set(scene, thing + "velocity", Vec3(0.2, -1, 0));
  set(scene, thing + "angular_velocity", Vec3(1, 2, 5));
  set(scene, "material.stuff.youngs_modulus", c.youngs);
  set(scene, "system.block.integrator", std::string(c.integrator));
  return scene;
}

TEST(RigidVoxels, KeepsMomentumAndAngularMomentumAndGainsNoEnergy) {
  for (const CollisionCase& c :
       {CollisionCase{1e5, 300, "sphere", "explicit"}, CollisionCase{1e7, 3000, "box", "explicit"},
        CollisionCase{1e6, 30, "capsule", "explicit"}, CollisionCase{1e5, 300, "sphere", "implicit"},
        CollisionCase{1e7, 1000, "box", "implicit"}, CollisionCase{1e9, 3000, "sphere", "implicit"}}) {
    SCOPED_TRACE(std::string(c.kind) + " " + c.integrator + " " + std::to_string(c.youngs));
    const auto world = with_rules(thrown_at_block(c));
    const auto sum = [&](auto&& of) {
      auto all = of(world->diagnostics(0));
      all += of(world->diagnostics(1));
      return all;
    };
    const auto momentum = [](const Diagnostics& d) { return d.momentum; };
    const auto turning = [](const Diagnostics& d) { return d.angular_momentum; };
    const auto energy = [](const Diagnostics& d) { return d.kinetic + d.elastic; };
    const Vec3 p = sum(momentum), l = sum(turning);
    const double e = sum(energy), size = motion_of(*world).size;
    const Vec3 block = world->diagnostics(0).momentum;
    double most = 0;
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      most = std::max(most, sum(energy));
    }
    EXPECT_GT((world->diagnostics(0).momentum - block).norm(), 0.05 * size);  // the bodies collided
    EXPECT_LT((sum(momentum) - p).norm(), 1e-9 * size);
    // The error of the voxel body is 1e-5, relative to the momentum times a lever arm of 5 cm.
    EXPECT_LT((sum(turning) - l).norm(), 1e-5 * size * 0.05);
    EXPECT_LT(most, e * (1 + 1e-3));
    // The rigid body must not have passed through the block.
    EXPECT_GT(rows_of(*world, "bodies").position[0].y() - world->diagnostics(0).center_of_mass.y(), 0);
  }
}

TEST(RigidVoxels, GivesTheSameBitsAtAnyNumberOfThreadsAndFromASavedState) {
  for (const char* integrator : {"explicit", "implicit"})
    EXPECT_EQ(ends_of(thrown_at_block({1e6, 300, "box", integrator}), 0.05, 0.1, {1, 2}).size(), 1U) << integrator;
}

TEST(RigidVoxels, WhatFallsOnABodyThatStepsImplicitlyComesToRest) {
  for (const double youngs : {1e5, 1e7, 1e9}) {
    SCOPED_TRACE(youngs);
    Node scene = thrown_at_block({youngs, 1000, "box", "implicit"});
    set(scene, "world.gravity", Vec3(0, -9.81, 0));
    set(scene, "material.stuff.bond_damping", 0.5);
    set(scene, "system.block.size", Vec3(8, 3, 8));
    set(scene, "system.block.position", Vec3(-0.04, 0, -0.04));
    set(scene, thing + "position", Vec3(0.001, 0.1, 0.002));
    set(scene, thing + "velocity", Vec3(0, -0.5, 0));
    set(scene, thing + "angular_velocity", Vec3(0, 0, 0));
    add_child(scene, "collider", "plane", "ground");
    const auto world = with_rules(scene);
    run(*world, 1.5);
    const Elements& box = rows_of(*world, "bodies");
    EXPECT_LT(box.velocity[0].norm(), 0.01);
    EXPECT_NEAR(box.position[0].y(), 0.055, youngs < 1e6 ? 0.01 : 0.004);
  }
}

}  // namespace
}  // namespace vw::test
