// Voxel bodies against each other: momentum at very different substep lengths, friction, state, and the implicit
// integrator.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/world/world.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw {
using test::expect_case;
using test::record_case;
using test::set;
using test::with_rules;
namespace {

/// Adds a block, and a material of the same name for this block.
Node& add_block(Node& scene, const std::string& name, const Vec3& voxels, const Vec3& position, double youngs) {
  add_child(scene, "material", "voxel_material", name);
  Node& block = add_child(scene, "system", "voxel_body", name);
  set(scene, "material." + name + ".youngs_modulus", youngs);
  set(scene, "system." + name + ".material", name);
  set(scene, "system." + name + ".size", voxels);
  set(scene, "system." + name + ".position", position);
  set(scene, "system." + name + ".wind", false);
  return block;
}

Node empty_space() {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  return scene;
}

struct TotalMotion {
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  double kinetic = 0, elastic = 0, mass = 0;
};
TotalMotion total_motion(const World& world) {
  TotalMotion sum;
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    const Diagnostics part = world.diagnostics(i);
    sum.momentum += part.momentum;
    sum.angular_momentum += part.angular_momentum;
    sum.kinetic += part.kinetic;
    sum.elastic += part.elastic;
    sum.mass += part.mass;
  }
  return sum;
}

/// Returns the smallest distance between two voxels of different bodies, divided by the sum of their half edges.
double nearest_voxels(const World& world) {
  const Elements &a = world.system(0).elements(), &b = world.system(1).elements();
  double least = 1e9;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      least = std::min(least, (a.position[i] - b.position[j]).norm() / (a.radius[i] + b.radius[j]));
  return least;
}

/// Returns a stiff block thrown off centre at a soft block with larger voxels, in free space.
Node voxel_collision() {
  Node scene = empty_space();
  add_block(scene, "hard", Vec3(4, 4, 4), Vec3(-0.06, 0.013, 0.004), 2e7);
  add_block(scene, "soft", Vec3(3, 4, 3), Vec3(0, 0, 0), 1e5);
  set(scene, "system.soft.voxel_size", 0.015);
  set(scene, "system.hard.velocity", Vec3(1, 0.1, 0));
  set(scene, "system.hard.angular_velocity", Vec3(0, 3, 5));
  return scene;
}

TEST(VoxelsVoxels, KeepsMomentumAndAngularMomentumAtVeryDifferentRates) {
  const auto world = with_rules(voxel_collision());
  const TotalMotion before = total_motion(*world);
  const Vec3 soft_before = world->diagnostics(1).momentum;
  double least = 1e9;
  for (int i = 0; i < 24; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    least = std::min(least, nearest_voxels(*world));
  }
  EXPECT_GE(world->timing(0).substeps, 8 * world->timing(1).substeps);
  EXPECT_LT(least, 1);
  EXPECT_GT(least, 0.6);
  const TotalMotion after = total_motion(*world);
  EXPECT_GT((world->diagnostics(1).momentum - soft_before).norm(), 0.3 * before.momentum.norm());
  const double error = (after.momentum - before.momentum).norm() / before.momentum.norm();
  record_case("interaction", "voxel bodies collide: momentum of the pair, relative", error, 0, 1e-9);
  EXPECT_LT(error, 1e-9);
  // Two errors make up the tolerance: forces act at the predicted position of the coarser side, and the angular
  // momentum of each body has an error of 1e-5.
  const double scale = before.momentum.norm() * 0.05;
  const double turned = (after.angular_momentum - before.angular_momentum).norm() / scale;
  record_case("interaction", "voxel bodies collide: angular momentum of the pair, of p times 5 cm", turned, 0, 1e-4);
  EXPECT_LT(turned, 1e-4);
  EXPECT_LT(after.kinetic + after.elastic, before.kinetic * (1 + 1e-6));
}

/// Returns a light voxel that hits a heavy voxel at 1 m/s. Both also have the velocity `common` [m/s] along their line.
Node head_on(double common) {
  Node scene = empty_space();
  add_block(scene, "heavy", Vec3(1, 1, 1), Vec3(0, 0, 0), 1e5);
  add_block(scene, "light", Vec3(1, 1, 1), Vec3(-0.0123137, 0, 0), 1e5);
  set(scene, "system.heavy.velocity", Vec3(common, 0, 0));
  set(scene, "system.light.velocity", Vec3(common + 1, 0, 0));
  set(scene, "material.heavy.density", 1000.0);
  set(scene, "material.light.density", 10.0);
  return scene;
}

TEST(VoxelsVoxels, ACommonVelocityDoesNotChangeACollision) {
  // The substeps of the heavy voxel are ten times as long. Within one of them, both voxels move by more than an edge.
  constexpr double common = 200;
  const auto still = with_rules(head_on(0)), moving = with_rules(head_on(common));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(still->step()) << still->health().sentence();
    ASSERT_TRUE(moving->step()) << moving->health().sentence();
  }
  EXPECT_GE(moving->timing(1).substeps, 8 * moving->timing(0).substeps);
  EXPECT_LT(still->system(1).elements().velocity[0].x(), 0);  // the light voxel has bounced
  for (const std::size_t body : {std::size_t{0}, std::size_t{1}})
    EXPECT_NEAR(moving->system(body).elements().velocity[0].x() - common,
                still->system(body).elements().velocity[0].x(), 1e-6);
}

TEST(VoxelsVoxels, SwitchedOffChangesNothingBitForBit) {
  Node off = voxel_collision();
  add_default_interactions(off);
  Node alone = off;
  set(off, "interaction.voxel_body_voxel_body.enabled", false);
  const auto without = with_rules(off);
  Node hard = empty_space();
  add_block(hard, "hard", Vec3(4, 4, 4), Vec3(-0.06, 0.013, 0.004), 2e7);
  set(hard, "system.hard.velocity", Vec3(1, 0.1, 0));
  set(hard, "system.hard.angular_velocity", Vec3(0, 3, 5));
  const auto single = with_rules(hard);
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(without->step());
    ASSERT_TRUE(single->step());
  }
  EXPECT_EQ(without->system(0).elements().position, single->system(0).elements().position);
  EXPECT_EQ(without->system(0).elements().velocity, single->system(0).elements().velocity);
  EXPECT_LT(nearest_voxels(*without), 0.5);  // the blocks passed through each other
}

/// Expects equal hashes some steps after the bodies collided, at any number of threads and after loading a state.
void expect_same_bits(const Node& scene) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto world = with_rules(scene);
    while (nearest_voxels(*world) >= 1) ASSERT_TRUE(world->step());
    StateBlock saved;
    world->save_state(saved);
    const auto other = with_rules(scene);
    ASSERT_TRUE(other->load_state(saved));
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(world->step());
      ASSERT_TRUE(other->step());
      EXPECT_EQ(world->hash(), other->hash()) << threads << " " << i;
    }
    hashes.push_back(world->hash());
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(VoxelsVoxels, SameBitsForAnyNumberOfThreadsAndGoesOnBitForBitFromMidContact) {
  expect_same_bits(voxel_collision());
  Node implicit = voxel_collision();
  set(implicit, "system.hard.integrator", std::string("implicit"));
  expect_same_bits(implicit);
  set(implicit, "system.soft.integrator", std::string("implicit"));
  expect_same_bits(implicit);
}

/// Returns the distance [m] that a plate of 5 x 1 x 3 voxels slips in half a second on a fixed plate. Gravity is
/// inclined slowly up to `angle`, as on a slope. At the start, the voxels of the upper plate lie in the hollows between
/// the voxels below.
double slip(double angle, double mu) {
  Node scene = empty_space();
  const double down = 0.01 * std::sqrt(0.75);  // each voxel (a ball in contacts) rests above the gap between two voxels
  Node& lower = add_block(scene, "lower", Vec3(24, 1, 3), Vec3(0, 0, 0), 1e6);
  add_child(lower, "region", "region", "all");
  add_block(scene, "upper", Vec3(5, 1, 3), Vec3(0.025, down, 0), 1e6);
  for (const char* name : {"lower", "upper"}) {
    set(scene, std::string("material.") + name + ".mu_static", mu);
    set(scene, std::string("material.") + name + ".mu_dynamic", mu);
    set(scene, std::string("material.") + name + ".bond_damping", 0.5);
  }
  const auto world = with_rules(scene);
  const auto tilt = [&](double by) {
    EXPECT_TRUE(world->apply(SetParameter{"world.gravity", Vec3(9.81 * std::sin(by), -9.81 * std::cos(by), 0)}));
    EXPECT_TRUE(world->step()) << world->health().sentence();
  };
  for (int i = 0; i <= 100; ++i) tilt(std::max(0, i - 10) / 90.0 * 0.9 * angle);
  const Vec3 start = world->diagnostics(1).center_of_mass;
  for (int i = 0; i < 60; ++i) tilt(angle * std::min(1.0, 0.9 + 0.01 * i));
  return world->diagnostics(1).center_of_mass.x() - start.x();
}

TEST(VoxelsVoxels, ABlockOnABlockSticksAndSlidesAtTheAngleOfFriction) {
  // Voxels collide as balls. A ball in the hollow between two balls leans on them at 30 degrees. The block therefore
  // leaves the hollows if the slope exceeds 30 degrees plus the angle of friction. The foremost voxels carry most of
  // the load and are lifted first, at a slope within 10 % of that angle.
  for (const double mu : {0.2, 0.4}) {
    const double limit = pi / 6 + std::atan(mu);
    // The tolerance allows for the tilt of the block and for creep with the velocity that it gains in one substep.
    EXPECT_LT(std::abs(slip(0.9 * limit, mu)), 0.05 * 0.01) << mu;
    EXPECT_GT(slip(1.03 * limit, mu), 0.05) << mu;  // the block is sliding
  }
}

/// The bodies that use the implicit integrator.
enum class Implicit { upper, lower, both };

struct Meeting {
  Vec3 lower, upper;  ///< sizes in voxels
  double youngs;
  Implicit which;
};

std::string name_of_meeting(const Meeting& m) {
  return fmt::format("{}x{}x{} on {}x{}x{}, E {}, implicit {}", m.upper.x(), m.upper.y(), m.upper.z(), m.lower.x(),
                     m.lower.y(), m.lower.z(), m.youngs, static_cast<int>(m.which));
}

/// Adds `lower`, and `upper` at the distance `gap` above it. The lattice of `upper` is slightly displaced.
void add_both(Node& scene, const Meeting& m, double gap) {
  add_block(scene, "lower", m.lower, Vec3(0, 0, 0), m.youngs);
  add_block(scene, "upper", m.upper, Vec3(0.002, 0.01 * m.lower.y() + gap, 0.003), m.youngs);
  for (const char* name : {"lower", "upper"}) set(scene, std::string("material.") + name + ".bond_damping", 0.5);
  if (m.which != Implicit::upper) set(scene, "system.lower.integrator", std::string("implicit"));
  if (m.which != Implicit::lower) set(scene, "system.upper.integrator", std::string("implicit"));
}

/// Extreme values during a run: smallest relative distance by nearest_voxels(), highest speed [m/s], and largest and
/// first energy [J]. `last_speed` is the highest speed in the latest state.
struct VoxelCourse {
  double nearest = 1e9, fastest = 0, most_energy = 0, first_energy = 0, last_speed = 0;
  void follow(const World& world, double gravity) {
    double energy = 0;
    last_speed = 0;
    for (std::size_t i = 0; i < world.system_count(); ++i) {
      const Diagnostics part = world.diagnostics(i);
      energy += part.kinetic + part.elastic + gravity * part.mass * part.center_of_mass.y();
      for (const Vec3& v : world.system(i).elements().velocity) last_speed = std::max(last_speed, v.norm());
    }
    fastest = std::max(fastest, last_speed);
    if (most_energy == 0) first_energy = energy;
    most_energy = std::max(most_energy, energy);
    nearest = std::min(nearest, nearest_voxels(world));
  }
};

TEST(VoxelsVoxels, WhatStepsImplicitlyLandsOnAnotherAndComesToRest) {
  // A body falls 5 cm onto another body, and some bodies then fall onto the ground. Explicit bodies approach to 0.98 of
  // the sum of their half edges. In long implicit substeps, the springs are softer. The energy must not increase. The
  // bodies collide at 1 m/s. No voxel may be faster than the tip of a column that tips over.
  const Vec3 cube(4, 4, 4), plate(9, 1, 9), column(1, 20, 1), rod(20, 1, 1);
  for (const Meeting& meeting :
       {Meeting{cube, cube, 1e5, Implicit::both}, Meeting{cube, cube, 1e7, Implicit::both},
        Meeting{cube, cube, 1e7, Implicit::upper}, Meeting{cube, cube, 1e6, Implicit::lower},
        Meeting{cube, column, 1e7, Implicit::both}, Meeting{cube, rod, 1e7, Implicit::both},
        Meeting{plate, cube, 1e7, Implicit::both}, Meeting{cube, plate, 1e9, Implicit::both}}) {
    SCOPED_TRACE(name_of_meeting(meeting));
    Node scene = make_node(scene_schema());
    add_child(scene, "collider", "plane", "ground");
    add_both(scene, meeting, 0.05);
    const auto world = with_rules(scene);
    VoxelCourse course;
    std::ptrdiff_t shown = 0;  // number of voxels of the upper body that press on the lower body
    for (int i = 0; i < 150; ++i) {
      course.follow(*world, 9.81);
      ASSERT_TRUE(world->step()) << world->health().sentence();
      const std::vector<std::uint8_t>& met = world->system(1).elements().met;
      shown = std::max(shown, std::count(met.begin(), met.end(), 1));
    }
    course.follow(*world, 9.81);
    EXPECT_GT(course.nearest, 0.75);
    EXPECT_LT(course.fastest, meeting.upper == column || meeting.upper == rod ? 3 : 2);
    EXPECT_LT(course.most_energy, course.first_energy * (1 + 1e-6));
    EXPECT_LT(course.last_speed, 0.01);
    EXPECT_GT(shown, 0);
  }
}

TEST(VoxelsVoxels, WhatStepsImplicitlyKeepsMomentumAndGainsNoEnergyInCollisions) {
  const Vec3 cube(4, 4, 4), plate(9, 1, 9), rod(20, 1, 1), one(1, 1, 1);
  for (const Meeting& meeting : {Meeting{cube, cube, 1e6, Implicit::both}, Meeting{cube, plate, 1e7, Implicit::both},
                                 Meeting{rod, cube, 1e7, Implicit::both}, Meeting{cube, rod, 1e5, Implicit::upper},
                                 Meeting{cube, one, 1e7, Implicit::lower}}) {
    SCOPED_TRACE(name_of_meeting(meeting));
    Node scene = empty_space();
    add_both(scene, meeting, 0.012);
    set(scene, "system.upper.velocity", Vec3(0, -1, 0));
    set(scene, "system.upper.angular_velocity", Vec3(1, 2, 3));
    const auto world = with_rules(scene);
    const TotalMotion before = total_motion(*world);
    VoxelCourse course;
    for (int i = 0; i < 60; ++i) {
      course.follow(*world, 0);
      ASSERT_TRUE(world->step()) << world->health().sentence();
    }
    course.follow(*world, 0);
    const TotalMotion after = total_motion(*world);
    EXPECT_LT(course.nearest, 1.02);  // the bodies collided
    EXPECT_GT(course.nearest, 0.8);
    EXPECT_LT(course.most_energy, course.first_energy * (1 + 1e-9));
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.momentum.norm());
    // The tolerance is 1e-5 of the momentum times 5 cm, as for explicit bodies.
    EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-5 * before.momentum.norm() * 0.05);
  }
}

}  // namespace
}  // namespace vw
