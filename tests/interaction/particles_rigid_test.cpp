// Particles against rigid bodies: single collisions compared with mechanics, momentum of many particles, and no
// tunnelling.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Adds one emitter that emits `count` particles once.
void add_particles(Node& scene, std::int64_t count) {
  Node& grains = add_child(scene, "system", "particles", "grains");
  add_child(grains, "emitter", "box", "source");
  const std::string source_path = "system.grains.emitter.source.";
  set(scene, source_path + "rate", 0.0);
  set(scene, source_path + "burst", count);
  set(scene, source_path + "lifetime", 0.0);
  set(scene, source_path + "size", Vec3(0, 0, 0));
  set(scene, source_path + "speed", 0.0);
  set(scene, "system.grains.radius", 0.005);
  set(scene, "system.grains.mass", 1e-3);
}
const std::string source_path = "system.grains.emitter.source.";

/// Returns a grain, and a box of 1 kg with the top at y = 0, in free space.
Node grain_and_box() {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.4, 0.1, 0.4));
  set(scene, thing + "position", Vec3(0, -0.05, 0));
  set(scene, thing + "mass", 1.0);
  set(scene, thing + "restitution", 0.0);
  add_particles(scene, 1);
  add_default_interactions(scene);
  set(scene, "interaction.particles_rigid.restitution", 0.0);
  return scene;
}

/// Returns a grain, and a box of 1 kg that rests on the ground under gravity.
Node grain_over_ground() {
  Node scene = grain_and_box();
  set(scene, "world.gravity", Vec3(0, -9.81, 0));
  add_child(scene, "collider", "plane", "ground");
  set(scene, "collider.ground.position", Vec3(0, -0.1, 0));
  return scene;
}

TEST(ParticlesRigid, AGrainRestsWhereTheSpringCarriesItsWeight) {
  Node scene = grain_over_ground();
  set(scene, "interaction.particles_rigid.stiffness", 500.0);
  set(scene, source_path + "position", Vec3(0.03, 0.006, 0.02));
  const auto world = with_rules(scene);
  run(*world, 1.5);
  const Elements& e = rows_of(*world, "grains");
  expect_case("interaction", "particle at rest on a rigid box: depth k d = m g",
              0.005 - (e.position[0].y() - rows_of(*world, "bodies").position[0].y() - 0.05), 1e-3 * 9.81 / 500, 0.02,
              "m");
  EXPECT_LT(e.velocity[0].norm(), 1e-4);
}

TEST(ParticlesRigid, AGrainThatGrowsIntoABoxTouchesIt) {
  Node scene = grain_and_box();
  set(scene, source_path + "position", Vec3(0, 0.02, 0));
  const auto world = with_rules(scene);
  run(*world, 0.1);
  ASSERT_EQ(rows_of(*world, "grains").velocity[0], Vec3(0, 0, 0)) << "the grain is 15 mm above the box";
  ASSERT_TRUE(world->apply(SetParameter{"system.grains.radius", 0.025}));
  run(*world, 0.1);
  EXPECT_GT(rows_of(*world, "grains").radius[0], 0.024);
  EXPECT_GT(rows_of(*world, "grains").position[0].y(), 0.0201) << "the spring pushes the grain out of the box";
}

TEST(ParticlesRigid, ItStaysOnASlopeWithinFrictionAndSlidesBeyondAsCoulombSays) {
  // Gravity is inclined instead of the box. The box weighs 1,000 times as much as the grain, so it stays in place.
  for (const double angle : {0.3, 0.7}) {
    Node scene = grain_over_ground();
    set(scene, "interaction.particles_rigid.mu_static", 0.4);
    set(scene, "interaction.particles_rigid.mu_dynamic", 0.4);
    set(scene, thing + "mu_static", 0.4);
    set(scene, thing + "mu_dynamic", 0.4);
    set(scene, "collider.ground.mu_static", 10.0);
    set(scene, "collider.ground.mu_dynamic", 10.0);
    set(scene, "collider.ground.decides", true);
    set(scene, "world.gravity", 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0));
    set(scene, source_path + "position", Vec3(-0.19, 0.005 - 0.005 / 40 * std::cos(angle), 0));
    const auto world = with_rules(scene);
    run(*world, 0.3);
    const double v0 = rows_of(*world, "grains").velocity[0].x(), x0 = rows_of(*world, "grains").position[0].x();
    run(*world, 0.1);
    const double v1 = rows_of(*world, "grains").velocity[0].x(), x1 = rows_of(*world, "grains").position[0].x();
    if (angle < std::atan(0.4)) {
      EXPECT_LT(std::abs(x1 - x0), 1e-5);
    } else {
      expect_case("interaction", "particle sliding down a rigid box: g (sin - mu cos)", (v1 - v0) / 0.1,
                  9.81 * (std::sin(angle) - 0.4 * std::cos(angle)), 0.01, "m/s^2");
    }
  }
}

TEST(ParticlesRigid, ABounceGivesBackItsShareWhetherSlowOrFast) {
  for (const double speed : {0.1, 20.0}) {  // the slow collision is a spring contact; the fast collision is an impact
    Node scene = grain_and_box();
    set(scene, "interaction.particles_rigid.restitution", 0.6);
    set(scene, source_path + "position", Vec3(0.0, 0.03, 0.0));
    set(scene, source_path + "direction", Vec3(0, -1, 0));
    set(scene, source_path + "speed", speed);
    const auto world = with_rules(scene);
    run(*world, speed < 1 ? 0.5 : 0.1);
    const double leaves = rows_of(*world, "grains").velocity[0].y() - rows_of(*world, "bodies").velocity[0].y();
    expect_case("interaction",
                "particle off a rigid box at " + std::to_string(speed).substr(0, 4) + " m/s: restitution",
                leaves / speed, 0.6, 0.03);
  }
}

TEST(ParticlesRigid, NothingIsFlownThrough) {
  // The plate is 1 mm thick, and the grains move 0.4 m per step.
  Node scene = grain_and_box();
  set(scene, thing + "size", Vec3(0.4, 0.001, 0.4));
  set(scene, source_path + "burst", std::int64_t{200});
  set(scene, source_path + "position", Vec3(0, 1.0, 0));
  set(scene, source_path + "size", Vec3(0.2, 1.0, 0.2));
  set(scene, source_path + "direction", Vec3(0, -1, 0));
  set(scene, source_path + "speed", 50.0);
  const auto world = with_rules(scene);
  run(*world, 0.1);
  const Elements &grains = rows_of(*world, "grains"), &body = rows_of(*world, "bodies");
  ASSERT_EQ(grains.size(), 200U);
  for (const Vec3& x : grains.position) EXPECT_GT((body.orientation[0].conjugate() * (x - body.position[0])).y(), 0);
}

TEST(ParticlesRigid, AThinPlateStopsAFineGrain) {
  // The spring of a contact is as soft as that of a grain of 1 mm. At this speed, the spring alone would let the grain
  // sink in by more than the thickness of the plate.
  Node scene = grain_and_box();
  set(scene, thing + "size", Vec3(0.4, 2e-4, 0.4));
  set(scene, thing + "position", Vec3(0, -1e-4, 0));
  set(scene, "system.grains.radius", 1e-4);
  set(scene, "system.grains.mass", 4e-9);
  set(scene, source_path + "position", Vec3(0, 0.002, 0));
  set(scene, source_path + "direction", Vec3(0, -1, 0));
  set(scene, source_path + "speed", 0.15);
  const auto world = with_rules(scene);
  run(*world, 0.1);
  EXPECT_GT(rows_of(*world, "grains").position[0].y(), 0);
}

/// Returns a ball of grains in free space that flies towards bodies of several masses and shapes.
Node swarm(double density) {
  Node scene = grain_and_box();
  const auto add = [&](const char* kind, const char* name, const Vec3& position) {
    add_child(child_of(scene, "bodies"), "body", kind, name);
    const std::string prefix = std::string("system.bodies.body.") + name + ".";
    set(scene, prefix + "position", position);
    set(scene, prefix + "density", density);
    set(scene, prefix + "angular_velocity", Vec3(1, 2, 3));
  };
  // The bodies are far enough apart that they do not touch. Contacts between bodies would change the angular momentum
  // by 1e-4.
  add("sphere", "ball", Vec3(0.6, 0.1, 0));
  add("capsule", "rod", Vec3(-0.6, 0.15, 0.1));
  add("cylinder", "drum", Vec3(0, 0.2, -0.7));
  set(scene, source_path + "burst", std::int64_t{400});
  set(scene, source_path + "position", Vec3(0, 0.5, 0));
  set(scene, source_path + "size", Vec3(1.4, 0.3, 1.4));
  set(scene, source_path + "direction", Vec3(0, -1, 0));
  set(scene, source_path + "speed", 3.0);
  set(scene, source_path + "spread", 0.1);
  return scene;
}

double kinetic_of(const World& world) { return world.diagnostics(0).kinetic + world.diagnostics(1).kinetic; }
Vec3 turning_of(const World& world) {
  return world.diagnostics(0).angular_momentum + world.diagnostics(1).angular_momentum;
}

TEST(ParticlesRigid, KeepsMomentumAndAngularMomentumAndGainsNoEnergy) {
  for (const double density : {1.0, 50.0, 3000.0}) {  // mass of the ball: 4 g, 200 g and 12 kg
    const auto world = with_rules(swarm(density));
    ASSERT_TRUE(world->step());
    const Motion before = motion_of(*world);
    const Vec3 turning = turning_of(*world);
    const double energy = kinetic_of(*world);
    const Vec3 box = rows_of(*world, "bodies").velocity[0];
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      ASSERT_LT(kinetic_of(*world), energy * (1 + 1e-3)) << density << ", step " << i;
    }
    EXPECT_GT((rows_of(*world, "bodies").velocity[0] - box).norm(), 0.05);  // the grains hit the bodies
    const double error = (motion_of(*world).momentum - before.momentum).norm() / before.size;
    record_case("interaction",
                "particles and rigid bodies of density " + std::to_string(density).substr(0, 4) +
                    ": momentum after 1,000 steps, of sum m|v|",
                error, 0, 1e-9);
    EXPECT_LT(error, 1e-9) << density;
    // The lever arms are about half a metre. The two forces of a contact are opposite and act along the same line.
    EXPECT_LT((turning_of(*world) - turning).norm() / (0.5 * before.size), 1e-9) << density;
  }
}

TEST(ParticlesRigid, GivesTheSameBitsAtAnyNumberOfThreadsAndFromASavedState) {
  EXPECT_EQ(ends_of(swarm(50), 0.2, 0.2, {1, 2, 3}).size(), 1U);
}

TEST(ParticlesRigid, AHeapRestsOnALightPlate) {
  // 300 grains of 1 g fall on a plate of 40 g on the ground. The grains must neither penetrate the plate nor shake it.
  Node scene = grain_over_ground();
  set(scene, thing + "size", Vec3(0.2, 0.02, 0.2));
  set(scene, thing + "position", Vec3(0, -0.09, 0));
  set(scene, thing + "mass", 0.04);
  set(scene, source_path + "burst", std::int64_t{300});
  set(scene, source_path + "position", Vec3(0, 0.05, 0));
  set(scene, source_path + "size", Vec3(0.12, 0.2, 0.12));
  add_child(scene, "interaction", "grains", "grains");
  const auto world = with_rules(scene);
  run(*world, 2);
  const Elements &grains = rows_of(*world, "grains"), &body = rows_of(*world, "bodies");
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Vec3 local = body.orientation[0].conjugate() * (grains.position[i] - body.position[0]);
    if (local.cwiseAbs().x() < 0.1 && local.cwiseAbs().z() < 0.1 && local.y() > -0.02) {
      EXPECT_GT(local.y(), 0.01) << i;
    }
  }
  EXPECT_LT(body.velocity[0].norm(), 0.01);
}

}  // namespace
}  // namespace vw::test
