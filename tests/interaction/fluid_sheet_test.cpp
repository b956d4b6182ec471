// Sheets that are one voxel thick, hit by water or drawn through water. No particle may pass, even if the pressures
// alone would not prevent it.
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/pose.h"
#include "sim/system/fluid/bodies/block_contact.h"
#include "tests/interaction/water_scene.h"

namespace vw::test {
namespace {

constexpr double sheet_spacing = 0.02;

/// Adds a sheet across x that is one voxel thick.
void add_sheet(Node& scene, double edge, const Vec3& middle, double high, double wide, double youngs_pa = 1e5) {
  add_child(scene, "material", "voxel_material", "plate");
  set(scene, "material.plate.density", 1100.0);
  set(scene, "material.plate.youngs_modulus", youngs_pa);
  set(scene, "material.plate.bond_damping", 0.5);
  add_child(scene, "system", "voxel_body", "sheet");
  const Vec3 voxels(1, std::round(high / edge), std::round(wide / edge));
  set(scene, "system.sheet.size", voxels);
  set(scene, "system.sheet.voxel_size", edge);
  set(scene, "system.sheet.wind", false);
  set(scene, "system.sheet.position", Vec3(middle - 0.5 * edge * voxels));
}

/// Returns the number of particles behind the sheet. A particle counts if, in the frame of the nearest voxel, it lies
/// on the +x side of the voxel's centre and within the outline of the +x face.
std::size_t behind(World& world) {
  const Elements& sheet = rows_of(world, "sheet");
  std::size_t count = 0;
  for (const Vec3& x : rows_of(world, "water").position) {
    std::size_t nearest = 0;
    for (std::size_t v = 1; v < sheet.size(); ++v)
      if ((x - sheet.position[v]).squaredNorm() < (x - sheet.position[nearest]).squaredNorm()) nearest = v;
    const Vec3 local = sheet.orientation[nearest].conjugate() * (x - sheet.position[nearest]);
    count += std::max(std::abs(local.y()), std::abs(local.z())) <= sheet.radius[nearest] && local.x() > 0 ? 1U : 0U;
  }
  return count;
}

/// Returns the number of particles that pass a sheet when a cube of water hits the middle of the sheet. The sheet
/// extends beyond the cube by two thirds of the width of the cube on all sides.
std::size_t passed_by_jet(double edge, double speed, bool held) {
  Node scene = water_scene(sheet_spacing);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_fill(scene, "blob", Vec3(-0.09, 0, 0), Vec3(0.12, 0.12, 0.12));
  set(scene, "system.water.fill.blob.velocity", Vec3(speed, 0, 0));
  add_sheet(scene, edge, Vec3::Zero(), 0.28, 0.28, 2e6);
  if (held) add_child(child_of(scene, "sheet"), "region", "region", "all");
  const auto world = with_rules(std::move(scene));
  run(*world, 0.1 + 0.05 / speed);
  EXPECT_EQ(rows_of(*world, "water").size(), 216U);
  return behind(*world);
}

TEST(FluidSheets, HeldOnesLetNoJetThrough) {
  for (const double edge : {sheet_spacing, 0.5 * sheet_spacing})
    for (const double speed : {1.0, 3.0}) EXPECT_EQ(passed_by_jet(edge, speed, true), 0U) << edge << ", " << speed;
}

TEST(FluidSheets, FreeOnesLetNoJetThrough) {
  for (const double edge : {sheet_spacing, 0.5 * sheet_spacing})
    for (const double speed : {1.0, 3.0}) EXPECT_EQ(passed_by_jet(edge, speed, false), 0U) << edge << ", " << speed;
}

/// Returns the number of particles on the wrong side of a sheet at the end of a run. The sheet fills a channel from
/// wall to wall and moves along it, with water on both sides.
std::size_t passed_by_piston(double edge, double way, double seconds) {
  Node scene = tank(sheet_spacing, Vec3(0.8, 0.12, 0.12));
  Node& water = child_of(scene, "water");
  std::erase_if(water.children, [](const Node& node) { return node.name == "pool"; });
  const double start = -0.2;
  add_fill(scene, "left", Vec3(-0.31, 0.06, 0), Vec3(0.16, 0.12, 0.12));
  add_fill(scene, "right", Vec3(0.1, 0.06, 0), Vec3(0.52, 0.12, 0.12));
  // The edges of the sheet extend into the walls and the floor.
  add_sheet(scene, edge, Vec3(start, 0.2, 0), 0.44, 0.16);
  add_child(child_of(scene, "sheet"), "region", "region", "all");
  set(scene, "system.sheet.region.all.displacement", Vec3(way, 0, 0));
  set(scene, "system.sheet.region.all.ramp", seconds);
  const auto world = with_rules(std::move(scene));
  const std::vector<Vec3> before = rows_of(*world, "water").position;
  run(*world, seconds);
  const std::vector<Vec3>& after = rows_of(*world, "water").position;
  EXPECT_EQ(before.size(), after.size());
  std::size_t passed = 0;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    passed += (before[i].x() > start) != (after[i].x() > start + way) ? 1U : 0U;
  return passed;
}

TEST(FluidSheets, DrivenOnesLeaveNothingBehind) {
  // The peak speed of a ramp is 1.5 times the displacement divided by the duration: 1.1 m/s and 3 m/s.
  for (const double edge : {sheet_spacing, 0.5 * sheet_spacing}) {
    EXPECT_EQ(passed_by_piston(edge, 0.15, 0.21), 0U) << edge;
    EXPECT_EQ(passed_by_piston(edge, 0.24, 0.12), 0U) << edge;
  }
}

TEST(FluidSheets, AGateThatADamBreakBendsLetsNothingThrough) {
  for (const double edge : {sheet_spacing, 0.5 * sheet_spacing}) {
    Node scene = tank(sheet_spacing, Vec3(0.8, 0.24, 0.12));
    set(scene, "system.water.fill.pool.position", Vec3(-0.3, 0.12, 0));
    set(scene, "system.water.fill.pool.size", Vec3(0.2, 0.24, 0.12));
    add_sheet(scene, edge, Vec3(0, 0.16, 0), 0.32, 0.12, edge < sheet_spacing ? 5e7 : 1e7);
    add_child(child_of(scene, "sheet"), "region", "region", "foot");
    set(scene, "system.sheet.region.foot.max", Vec3(1, 0.06, 1));
    const auto world = with_rules(std::move(scene));
    run(*world, 0.25);
    const Elements& sheet = rows_of(*world, "sheet");
    EXPECT_GT(sheet.position.back().x(), 0.0005) << "it did bend";
    EXPECT_EQ(behind(*world), 0U) << edge;
  }
}

// ---- Contact of rows with blocks, without the solver ----

/// Returns blocks along an arc in the x-y plane. Each block is rotated relative to the previous one. The blocks move
/// and rotate as one body.
Guest bent_sheet(double edge, double turn_each, const Vec3& velocity, const Vec3& spin) {
  constexpr int half = 4;
  Guest guest;
  guest.center = Vec3::Zero();
  const double radius = edge / (2 * std::tan(0.5 * turn_each));
  for (int i = -half; i <= half; ++i)
    for (int k = -half; k <= half; ++k) {
      GuestBlock& block = guest.blocks.emplace_back();
      block.orientation = rotation_of(Vec3(0, 0, i * turn_each));
      block.center = block.orientation * Vec3(radius, 0, 0) + Vec3(-radius, 0, k * edge);
      block.velocity = velocity + spin.cross(block.center);
      block.spin = spin;
      block.mass_kg = 1e-3;
      block.sample = static_cast<std::uint32_t>(guest.place.size());
      guest.place.push_back(block.center);
      // Each block extends into its neighbours by a quarter of an edge. Faces without a neighbouring block are open.
      const bool rim[6] = {true, true, i == -half, i == half, k == -half, k == half};
      block.open_faces = 0;
      for (int face = 0; face < 6; ++face) {
        if (rim[face]) block.open_faces |= static_cast<std::uint8_t>(1U << face);
        const double reach = (rim[face] ? 0.5 : 0.75) * edge;
        (face % 2 == 0 ? block.low : block.high)[face / 2] = face % 2 == 0 ? -reach : reach;
      }
    }
  guest.impulse.assign(guest.place.size(), Vec3::Zero());
  guest.velocity.assign(guest.place.size(), velocity);
  return guest;
}

/// Returns the signed distance from the middle plane of the nearest block. The value is 0 for points beyond the rim of
/// the sheet.
double side_of(const Guest& sheet, const Vec3& x) {
  const GuestBlock* nearest = nullptr;
  for (const GuestBlock& block : sheet.blocks)
    if (nearest == nullptr || (x - block.center).squaredNorm() < (x - nearest->center).squaredNorm()) nearest = &block;
  const Vec3 local = nearest->orientation.conjugate() * (x - nearest->center);
  const double half = nearest->high.x();
  return std::abs(local.y()) < half && std::abs(local.z()) < half ? local.x() : 0;
}

TEST(FluidSheets, TheGuardTurnsBackWhoeverComesFromEitherSide) {
  const double edge = 0.5 * sheet_spacing, gap = 0.1 * sheet_spacing, dt = 0.002;
  const RandomKey key{11, 3};
  std::size_t stopped = 0;
  for (const double turn : {0.01, 0.25}) {
    const std::vector<Guest> start{bent_sheet(edge, turn, Vec3(3, 1, 0), Vec3(2, 5, 20))};
    BlockContact contact;
    contact.begin(start, gap, sheet_spacing, dt);
    std::vector<Guest> end = start;
    contact.finish(end);
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const Vec3 before =
          3 * edge *
          (2 * Vec3(random_uniform(key, i, 0), random_uniform(key, i, 1), random_uniform(key, i, 2)) - Vec3::Ones());
      if (std::abs(side_of(start[0], before)) < 0.5 * edge + gap) continue;
      Vec3 x = before + sheet_spacing * random_uniform(key, i, 3) * random_direction({7, 7}, i);
      if (side_of(end[0], x) == 0) continue;
      stopped += contact.keep_out(before, x) > 0 ? 1U : 0U;
      const double side = side_of(end[0], x);
      if (side == 0) continue;  // the particle started beyond the rim
      ASSERT_GT(side * side_of(start[0], before), 0) << before.transpose() << " to " << x.transpose();
      ASSERT_GT(std::abs(side), 0.5 * edge) << before.transpose() << " to " << x.transpose();
    }
  }
  EXPECT_GT(stopped, 2000U);
}

TEST(FluidSheets, WhatARowLosesItsBlockGets) {
  std::vector<Guest> guests{bent_sheet(sheet_spacing, 0.1, Vec3(-1, 0, 0), Vec3::Zero())};
  BlockContact contact;
  contact.begin(guests, 0.1 * sheet_spacing, sheet_spacing, 0.002);
  const Vec3 before(0.7 * sheet_spacing, 0.2 * sheet_spacing, 0.1 * sheet_spacing);
  Vec3 x = before - Vec3(sheet_spacing, 0, 0), v(-10, 1, 2);
  const std::uint32_t met = contact.keep_out(before, x);
  ASSERT_GT(met, 0U);
  const double mass = 8e-3;
  const Vec3 had = v;
  contact.stop_each_other(guests, met, {x, v, mass});
  Vec3 given = Vec3::Zero(), turn = Vec3::Zero();
  for (std::size_t s = 0; s < guests[0].impulse.size(); ++s)
    given += guests[0].impulse[s], turn += guests[0].place[s].cross(guests[0].impulse[s]);
  for (const GuestBlock& block : guests[0].blocks) turn += block.turn;
  EXPECT_LT((given - mass * (had - v)).norm(), 1e-15);
  // The torque about the origin is that of an impulse at the position of the particle.
  EXPECT_LT((turn - x.cross(given)).norm(), 1e-15);
  EXPECT_LT(given.x(), -1e-3);
  EXPECT_LT((v - had).cross(Vec3::UnitX()).norm(), 1e-12);  // without friction, the tangential velocity is unchanged
  EXPECT_LT(v.norm(), had.norm());
}

}  // namespace
}  // namespace vw::test
