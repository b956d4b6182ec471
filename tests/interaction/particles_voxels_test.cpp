// Particles against voxel bodies: momentum of the pair at very different substep lengths, and single particles compared
// with mechanics.
#include <gtest/gtest.h>

#include "sim/world/world.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw {
using test::expect_case;
using test::record_case;
using test::set;
using test::with_rules;
namespace {

/// Returns a block of voxels, and one emitter that emits `count` particles once.
Node block_and_particles(const Vec3& voxels, double edge_m, std::int64_t count) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "stuff");
  add_child(scene, "system", "voxel_body", "block");
  Node& grains = add_child(scene, "system", "particles", "grains");
  add_child(grains, "emitter", "box", "source");
  set(scene, "system.block.size", voxels);
  set(scene, "system.block.voxel_size", edge_m);
  set(scene, "system.block.wind", false);
  set(scene, "system.grains.emitter.source.rate", 0.0);
  set(scene, "system.grains.emitter.source.burst", count);
  set(scene, "system.grains.emitter.source.lifetime", 0.0);
  return scene;
}

struct MotionSums {
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  double size = 0, angular_size = 0;  ///< sums of m |v| and m |x x v|
};

MotionSums motion_sums(const Elements& e) {
  MotionSums sum;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const Vec3 p = e.mass[i] * e.velocity[i], l = e.position[i].cross(p);
    sum.momentum += p;
    sum.angular_momentum += l;
    if (!e.angular_velocity.empty())
      sum.angular_momentum += e.mass[i] * 2.0 / 3.0 * e.radius[i] * e.radius[i] * e.angular_velocity[i];
    sum.size += p.norm();
    sum.angular_size += l.norm();
  }
  return sum;
}

MotionSums motion_sums(const World& world) {
  MotionSums sum;
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    const MotionSums part = motion_sums(world.system(i).elements());
    sum.momentum += part.momentum;
    sum.angular_momentum += part.angular_momentum;
    sum.size += part.size;
    sum.angular_size += part.angular_size;
  }
  return sum;
}

/// Returns a free stiff plate in free space, and 150 grains thrown at the plate from below.
Node closed_pair() {
  Node scene = block_and_particles(Vec3(6, 2, 6), 0.01, 150);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "material.stuff.youngs_modulus", 8e6);
  set(scene, "material.stuff.density", 300.0);
  set(scene, "system.block.position", Vec3(-0.03, 0, -0.03));
  set(scene, "system.grains.mass", 1e-4);
  set(scene, "system.grains.radius", 0.004);
  set(scene, "system.grains.emitter.source.position", Vec3(0.01, -0.15, 0));
  set(scene, "system.grains.emitter.source.size", Vec3(0.05, 0.25, 0.05));
  set(scene, "system.grains.emitter.source.speed", 0.5);
  set(scene, "system.grains.emitter.source.spread", 0.1);
  add_default_interactions(scene);
  set(scene, "interaction.particles_voxel_body.stiffness", 100.0);
  return scene;
}

TEST(ParticlesVoxels, KeepsTheMomentumOfThePairAtVeryDifferentRates) {
  const auto world = with_rules(closed_pair());
  ASSERT_TRUE(world->step());  // the burst is emitted in the first step
  const MotionSums before = motion_sums(*world);
  const Vec3 block_before = motion_sums(world->system(0).elements()).momentum;
  ASSERT_EQ(world->system(0).name(), "block");
  EXPECT_GE(world->timing(0).substeps, 100);
  EXPECT_GE(world->timing(0).substeps, 5 * world->timing(1).substeps);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
  const MotionSums after = motion_sums(*world);
  const Vec3 block_after = motion_sums(world->system(0).elements()).momentum;
  EXPECT_GT((block_after - block_before).norm(), 0.2 * before.size);  // the grains hit the block
  // Only rounding remains, because each impulse is added with opposite signs to the two sides. The required tolerance
  // is 1e-9.
  const double error = (after.momentum - before.momentum).norm() / before.size;
  record_case("interaction", "particles and voxels: momentum of the pair after 1,000 steps, of sum m|v|", error, 0,
              1e-9);
  EXPECT_LT(error, 1e-9);
  // The two forces of a contact have a common line of action. The remaining error of 1e-5 is that of the voxel body.
  const double turned = (after.angular_momentum - before.angular_momentum).norm() / before.angular_size;
  record_case("interaction", "particles and voxels: angular momentum of the pair after 1,000 steps, of sum m|x x v|",
              turned, 0, 1e-5);
  EXPECT_LT(turned, 1e-5);
}

TEST(ParticlesVoxels, SwitchedOffChangesNothingBitForBit) {
  Node with = closed_pair();
  set(with, "system.block.angular_velocity", Vec3(1, 2, 3));
  set(with, "interaction.particles_voxel_body.enabled", false);
  Node alone = with;
  set(alone, "system.grains.emitter.source.burst", std::int64_t{0});
  const auto off = with_rules(with), apart = with_rules(alone);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(off->step());
    ASSERT_TRUE(apart->step());
  }
  EXPECT_EQ(off->system(1).elements().size(), 150U);
  EXPECT_EQ(off->system(0).elements().position, apart->system(0).elements().position);
  EXPECT_EQ(off->system(0).elements().velocity, apart->system(0).elements().velocity);
  // The grains must not be deflected. They are in free flight from the first step on.
  const Elements& e = off->system(1).elements();
  for (std::size_t i = 0; i < e.size(); ++i) EXPECT_NEAR(e.velocity[i].norm(), 0.5, 1e-12);
}

/// Returns one grain of 1 g and 5 mm radius above a fixed block of 2 cm voxels. The top of the block is at y = 0.04.
Node grain_over_held_block() {
  Node scene = block_and_particles(Vec3(15, 2, 3), 0.02, 1);
  add_child(
      *std::find_if(scene.children.begin(), scene.children.end(), [](const Node& n) { return n.name == "block"; }),
      "region", "region", "all");
  set(scene, "system.block.position", Vec3(0, 0, 0));
  set(scene, "system.grains.mass", 1e-3);
  set(scene, "system.grains.radius", 0.005);
  set(scene, "system.grains.emitter.source.size", Vec3(0, 0, 0));
  set(scene, "system.grains.emitter.source.speed", 0.0);
  set(scene, "system.grains.emitter.source.position", Vec3(0.031, 0.0455, 0.027));
  add_default_interactions(scene);
  return scene;
}

TEST(ParticlesVoxels, AGrainRestsWhereTheSpringCarriesItsWeight) {
  Node scene = grain_over_held_block();
  set(scene, "interaction.particles_voxel_body.damping_ratio", 0.5);
  const auto world = with_rules(scene);
  while (world->time() < 1) ASSERT_TRUE(world->step()) << world->health().sentence();
  const Elements& e = world->system(1).elements();
  // The oscillation has decayed by exp(-zeta w t) = exp(-350) (zeta: damping ratio, w: angular frequency). The depth is
  // m g / k = 19.6 micrometres (m: mass, k: contact stiffness).
  expect_case("interaction", "particle at rest on voxels: depth k d = m g", 0.045 - e.position[0].y(),
              1e-3 * 9.81 / 500, 1e-6, "m");
  EXPECT_LT(e.velocity[0].norm(), 1e-9);
}

TEST(ParticlesVoxels, GrainsOfDifferentSizesRestOnTheSameBlock) {
  Node scene = grain_over_held_block();
  set(scene, "interaction.particles_voxel_body.damping_ratio", 0.5);
  const auto add_grain = [&](const std::string& name, double radius, const Vec3& position) {
    const auto grains =
        std::find_if(scene.children.begin(), scene.children.end(), [](const Node& n) { return n.name == "grains"; });
    Node& source = add_child(*grains, "emitter", "box", name);
    source.set("rate", 0.0);
    source.set("burst", std::int64_t{1});
    source.set("lifetime", 0.0);
    source.set("size", Vec3(0, 0, 0));
    source.set("speed", 0.0);
    source.set("particle_radius", radius);
    source.set("position", position);
  };
  add_grain("wide", 0.2, Vec3(0.231, 0.2405, 0.027));
  add_grain("far", 10.0, Vec3(0, 1000, 0));
  const auto world = with_rules(scene);
  while (world->time() < 1) ASSERT_TRUE(world->step()) << world->health().sentence();
  const Elements& e = world->system(1).elements();
  ASSERT_EQ(e.size(), 3U);
  int resting = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (e.radius[i] > 1) continue;
    EXPECT_NEAR(0.04 + e.radius[i] - e.position[i].y(), 1e-3 * 9.81 / 500, 1e-6);
    ++resting;
  }
  EXPECT_EQ(resting, 2);
}

TEST(ParticlesVoxels, AnUndampedGrainBouncesWithoutLoss) {
  Node scene = grain_over_held_block();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "interaction.particles_voxel_body.damping_ratio", 0.0);
  set(scene, "system.grains.emitter.source.position", Vec3(0.031, 0.06, 0.027));
  set(scene, "system.grains.emitter.source.direction", Vec3(0, -1, 0));
  const auto world = with_rules([&] {
    set(scene, "system.grains.emitter.source.speed", 1.0);
    return scene;
  }());
  while (world->time() < 0.1) ASSERT_TRUE(world->step()) << world->health().sentence();
  // The contact begins and ends within a substep of symplectic Euler. With w dt <= 0.25 (w: angular frequency of the
  // contact), the relative error of the speed is up to (w dt)^2 / 2.
  expect_case("interaction", "undamped bounce off voxels: speed after over before",
              world->system(1).elements().velocity[0].y(), 1, 0.03);
}

TEST(ParticlesVoxels, AGrainSlidesOverTheSeamsAndStopsAsCoulombSays) {
  Node scene = grain_over_held_block();
  set(scene, "interaction.particles_voxel_body.damping_ratio", 0.5);
  set(scene, "interaction.particles_voxel_body.mu_static", 0.4);
  set(scene, "interaction.particles_voxel_body.mu_dynamic", 0.4);
  set(scene, "system.grains.emitter.source.position", Vec3(0.031, 0.045 - 1e-3 * 9.81 / 500, 0.027));
  set(scene, "system.grains.emitter.source.direction", Vec3(1, 0, 0));
  set(scene, "system.grains.emitter.source.speed", 1.0);
  const auto world = with_rules(scene);
  ASSERT_TRUE(world->step());
  const double x0 = world->system(1).elements().position[0].x(), v0 = world->system(1).elements().velocity[0].x();
  while (world->time() < 1) ASSERT_TRUE(world->step()) << world->health().sentence();
  const Elements& e = world->system(1).elements();
  // The stopping distance is v^2 / (2 mu g), across five seams between voxels. Symplectic Euler has an error of dt v /
  // 2, which is 0.2 % of the stopping distance.
  expect_case("interaction", "particle sliding over voxels: stopping distance v^2 / 2 mu g", e.position[0].x() - x0,
              v0 * v0 / (2 * 0.4 * 9.81), 0.005, "m");
  EXPECT_LT(e.velocity[0].norm(), 1e-9);
}

TEST(ParticlesVoxels, AGrainInACornerRestsOnBothWalls) {
  // The block has two levels. The upper level exists only at x < 0.02, so the block has a step with a concave edge
  // along z.
  Node scene = grain_over_held_block();
  set(scene, "system.block.shape", std::string("layers"));
  set(scene, "system.block.size", Vec3(3, 2, 1));
  set(scene, "system.block.palette", TextList{"stuff"});
  set(scene, "system.block.layers", TextList{"111", "100"});
  set(scene, "world.gravity", Vec3(-5, -9.81, 0));
  set(scene, "interaction.particles_voxel_body.damping_ratio", 0.5);
  set(scene, "system.grains.emitter.source.position", Vec3(0.026, 0.026, 0.01));
  const auto world = with_rules(scene);
  while (world->time() < 1) ASSERT_TRUE(world->step()) << world->health().sentence();
  const Elements& e = world->system(1).elements();
  EXPECT_NEAR(e.position[0].y(), 0.025 - 1e-3 * 9.81 / 500, 1e-6);
  // Friction on the floor may carry any fraction of the force towards the wall.
  EXPECT_LE(e.position[0].x(), 0.025 + 1e-9);
  EXPECT_GE(e.position[0].x(), 0.025 - 1e-3 * 5 / 500 - 1e-6);
  EXPECT_LT(e.velocity[0].norm(), 1e-6);
}

TEST(ParticlesVoxels, StepBoundsHoldForAHeapOnASoftBlock) {
  // 150 heavy grains fall on a light, soft plate with critically damped contact. The energy must not grow.
  Node scene = block_and_particles(Vec3(6, 2, 6), 0.01, 150);
  add_child(scene, "collider", "plane", "ground");
  set(scene, "material.stuff.youngs_modulus", 2e5);
  set(scene, "material.stuff.density", 200.0);
  set(scene, "system.block.position", Vec3(-0.03, 0, -0.03));
  set(scene, "system.grains.mass", 2e-4);
  set(scene, "system.grains.emitter.source.position", Vec3(0, 0.08, 0));
  set(scene, "system.grains.emitter.source.size", Vec3(0.05, 0.08, 0.05));
  set(scene, "system.grains.emitter.source.speed", 0.0);
  add_default_interactions(scene);
  set(scene, "interaction.particles_voxel_body.damping_ratio", 1.0);
  set(scene, "interaction.particles_voxel_body.stiffness", 2000.0);
  const auto world = with_rules(scene);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    // The speed after a fall from 0.12 m is 1.5 m/s.
    for (const auto& v : world->system(1).elements().velocity) ASSERT_LT(v.norm(), 3.0);
  }
}

}  // namespace
}  // namespace vw
