// Contact between rigid bodies of two systems: penetration at rest, friction, impacts and momentum.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

const std::string other = "system.others.body.other.";

/// Returns a box "thing" of the system "bodies" with the top at y = 0, and a body "other" of the system "others", in
/// free space.
Node two_systems(const std::string& kind) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.6, 0.1, 0.6));
  set(scene, thing + "position", Vec3(0, -0.05, 0));
  add_child(scene, "system", "rigid", "others");
  add_child(child_of(scene, "others"), "body", kind, "other");
  return scene;
}

/// Returns the two systems with gravity, and with the box "thing" on the ground.
Node on_ground(const std::string& kind) {
  Node scene = two_systems(kind);
  set(scene, "world.gravity", Vec3(0, -9.81, 0));
  add_child(scene, "collider", "plane", "ground");
  set(scene, "collider.ground.position", Vec3(0, -0.1, 0));
  set(scene, "collider.ground.mu_static", 10.0);
  set(scene, "collider.ground.mu_dynamic", 10.0);
  set(scene, "collider.ground.decides", true);
  return scene;
}

TEST(RigidRigid, ABoxOnABoxOfAnotherSystemSinksByItsShare) {
  Node scene = on_ground("box");
  set(scene, other + "size", Vec3(0.2, 0.1, 0.2));
  set(scene, other + "position", Vec3(0.05, 0.052, 0));
  const auto world = with_rules(scene);
  run(*world, 2);
  // The four corners carry the box, each with a quarter of the spring stiffness. The expected depth is the diagonal of
  // the box, 2 * 0.15 m, times the default 0.002 of the rule's parameter `sinks`.
  const double sinks =
      0.05 - (rows_of(*world, "others").position[0].y() - rows_of(*world, "bodies").position[0].y() - 0.05);
  expect_case("interaction", "box on a box of another rigid system: how deep it sinks", sinks, 0.002 * 2 * 0.15, 0.02,
              "m");
  EXPECT_LT(rows_of(*world, "others").velocity[0].norm(), 1e-3);
  EXPECT_LT(std::abs(rows_of(*world, "others").position[0].x() - 0.05), 1e-3);
}

TEST(RigidRigid, ItHoldsWithinFrictionAndSlidesBeyondAsCoulombSays) {
  for (const double angle : {0.3, 0.6}) {
    Node scene = on_ground("box");
    set(scene, "world.gravity", 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0));
    set(scene, thing + "size", Vec3(4, 0.1, 1));
    set(scene, other + "size", Vec3(0.2, 0.06, 0.2));
    set(scene, other + "position", Vec3(-1.5, 0.03, 0));
    for (const std::string& prefix : {thing, other}) {
      set(scene, prefix + "mu_static", 0.4);
      set(scene, prefix + "mu_dynamic", 0.4);
    }
    const auto world = with_rules(scene);
    run(*world, 0.4);
    const Elements& e = rows_of(*world, "others");
    const double v0 = e.velocity[0].x(), x0 = e.position[0].x();
    run(*world, 0.2);
    if (angle < std::atan(0.4)) {
      EXPECT_LT(std::abs(e.position[0].x() - x0), 1e-4);
    } else {
      expect_case("interaction", "box sliding down a box of another rigid system: g (sin - mu cos)",
                  (e.velocity[0].x() - v0) / 0.2, 9.81 * (std::sin(angle) - 0.4 * std::cos(angle)), 0.01, "m/s^2");
    }
  }
}

TEST(RigidRigid, AStackOfBothSystemsInTurnsStands) {
  Node scene = on_ground("box");
  for (const std::string& prefix : {thing, other}) set(scene, prefix + "size", Vec3(0.2, 0.1, 0.2));
  set(scene, other + "position", Vec3(0, 0.05, 0));
  for (int i = 2; i < 6; ++i) {
    const std::string system = i % 2 == 0 ? "bodies" : "others", name = "box" + std::to_string(i),
                      prefix = "system." + system + ".body." + name + ".";
    add_child(child_of(scene, system), "body", "box", name);
    set(scene, prefix + "size", Vec3(0.2, 0.1, 0.2));
    set(scene, prefix + "position", Vec3(0, 0.1 * i - 0.05, 0));
  }
  const auto world = with_rules(scene);
  run(*world, 10);
  const Elements& e = rows_of(*world, "others");
  const Vec3 top = e.position[2];
  expect_case("interaction", "six boxes of two rigid systems stacked in turns: tilt of the topmost after 10 s",
              std::acos(std::min(1.0, (e.orientation[2] * Vec3::UnitY()).y())), 0, 1e-3, "rad");
  EXPECT_LT(e.velocity[2].norm(), 2e-3);
  EXPECT_LT(Vec3(top.x(), 0, top.z()).norm(), 1e-3);
}

/// Returns the body "other" thrown at the box off centre.
Node thrown_at_box(const std::string& kind, double speed, double density) {
  Node scene = two_systems(kind);
  set(scene, other + "position", Vec3(0.1, 0.35, 0.05));
  set(scene, other + "velocity", Vec3(0.2 * speed, -speed, 0));
  set(scene, other + "angular_velocity", Vec3(1, 2, 3));
  set(scene, other + "density", density);
  return scene;
}

TEST(RigidRigid, KeepsMomentumAndAngularMomentumAndGainsNoEnergy) {
  for (const char* kind : {"box", "sphere", "capsule", "cylinder"})
    for (const double speed : {0.5, 20.0})
      for (const double density : {10.0, 500.0, 5000.0}) {
        SCOPED_TRACE(std::string(kind) + " " + std::to_string(speed) + " " + std::to_string(density));
        const auto world = with_rules(thrown_at_box(kind, speed, density));
        const auto turning = [&] {
          return Vec3(world->diagnostics(0).angular_momentum + world->diagnostics(1).angular_momentum);
        };
        const auto kinetic = [&] { return world->diagnostics(0).kinetic + world->diagnostics(1).kinetic; };
        const Motion before = motion_of(*world);
        const Vec3 l = turning();
        const double energy = kinetic();
        for (int i = 0; i < 240; ++i) {
          ASSERT_TRUE(world->step()) << world->health().sentence();
          ASSERT_LT(kinetic(), energy * (1 + 5e-3)) << i;
        }
        EXPECT_GT(rows_of(*world, "bodies").velocity[0].norm(), 0);  // the bodies collided
        EXPECT_LT((motion_of(*world).momentum - before.momentum).norm(), 1e-9 * before.size);
        EXPECT_LT((turning() - l).norm(), 1e-9 * before.size * 0.3);
        const Vec3 apart = rows_of(*world, "others").position[0] - rows_of(*world, "bodies").position[0];
        EXPECT_GT((rows_of(*world, "bodies").orientation[0].conjugate() * apart).norm(), 0.05);
      }
}

TEST(RigidRigid, AFastBoxDoesNotPassAThinPlate) {
  Node scene = thrown_at_box("box", 30, 500);
  set(scene, thing + "size", Vec3(1, 0.02, 1));
  set(scene, thing + "mass", 500.0);
  set(scene, other + "size", Vec3(0.1, 0.1, 0.1));
  set(scene, other + "velocity", Vec3(0, -30, 0));
  const auto world = with_rules(scene);
  run(*world, 0.3);
  EXPECT_GT(rows_of(*world, "others").position[0].y(), rows_of(*world, "bodies").position[0].y());
}

TEST(RigidRigid, GoesOnBitForBitFromASavedStateAtAnyNumberOfThreads) {
  Node scene = on_ground("cylinder");
  set(scene, other + "position", Vec3(0, 0.25, 0));
  set(scene, other + "rotation", Vec3(0.3, 0, 1));
  EXPECT_EQ(ends_of(scene, 0.35, 0.2, {1, 2}).size(), 1U);
}

}  // namespace
}  // namespace vw::test
