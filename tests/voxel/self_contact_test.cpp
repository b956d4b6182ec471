// Self-contact of bodies that are folded, squeezed, in pieces or broken.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double arms_edge = 0.01;

VoxelLattice arms_lattice(const std::vector<std::array<int, 3>>& cells, const VoxelMaterial& material) {
  VoxelLattice lattice = box_lattice({1, 1, 1, arms_edge, material});
  lattice.cell = cells;
  for (const auto& cell : cells)
    lattice.nx = std::max(lattice.nx, cell[0] + 1), lattice.ny = std::max(lattice.ny, cell[1] + 1),
    lattice.nz = std::max(lattice.nz, cell[2] + 1);
  // Sorts the cells in lattice order: by y, then z, then x.
  std::sort(lattice.cell.begin(), lattice.cell.end(), [](const auto& p, const auto& q) {
    return std::array{p[1], p[2], p[0]} < std::array{q[1], q[2], q[0]};
  });
  lattice.material.assign(cells.size(), 0);
  lattice.phase.assign(cells.size(), 0);
  lattice.amplitude_scale.assign(cells.size(), 1);
  lattice.youngs_override.assign(cells.size(), 0);
  return lattice;
}

VoxelMaterial damped_rubber(double bond_damping = 0.1) {
  VoxelMaterial m;
  m.bond_damping = bond_damping;
  return m;
}

TEST(VoxelSelfContact, PiecesOfOneBodyBounceAndKeepTheirMomentum) {
  // Two blocks of 3 x 3 x 3 cells in one lattice, two cells apart. The parameter self_contact is off, but a body in
  // several pieces always has self-contact.
  std::vector<std::array<int, 3>> cells;
  for (int x : {0, 1, 2, 5, 6, 7})
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z) cells.push_back({x, y, z});
  Lab lab(arms_lattice(cells, damped_rubber()));
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v)
    e.velocity[v] = e.position[v].x() < 0.04 ? Vec3(1.5, 0, 0) : Vec3(-0.5, 0, 0);
  const Diagnostics before = lab.diagnostics();
  double nearest = 1;
  for (int i = 0; i < 200; ++i) {
    lab.run(1.0 / 4000);
    double left = 0, right = 1;
    for (std::size_t v = 0; v < e.size(); ++v)
      (v % 6 < 3 ? left = std::max(left, e.position[v].x()) : right = std::min(right, e.position[v].x()));
    nearest = std::min(nearest, right - left);
  }
  const Diagnostics after = lab.diagnostics();
  EXPECT_LT(nearest, arms_edge);  // the blocks collided
  EXPECT_GT(nearest, 0.5 * arms_edge);
  EXPECT_LT(e.velocity[0].x(), 0.1);
  EXPECT_GT(e.velocity[5].x(), 0.4);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.mass);
  EXPECT_LT(after.kinetic + after.elastic, before.kinetic);
  record_case("voxel", "Pieces of a body collide: momentum error over m (v1 + v2)",
              (after.momentum - before.momentum).norm() / (2 * before.mass), 0, 1e-12);
}

/// Returns a U-shaped body. Its two arms are 10 voxels long and three cells apart. The bend is fixed, and forces push
/// the tips towards each other.
Lab arms(bool self_contact) {
  std::vector<std::array<int, 3>> cells;
  for (int x = 0; x < 11; ++x)
    for (int z = 0; z < 2; ++z) {
      cells.push_back({x, 0, z});
      cells.push_back({x, 4, z});
    }
  for (int y = 1; y < 4; ++y)
    for (int z = 0; z < 2; ++z) cells.push_back({0, y, z});
  VoxelRegion lower = slab_x(0.93, 1, false, Vec3(0, 0.3, 0)), upper = slab_x(0.93, 1, false, Vec3(0, -0.3, 0));
  lower.max.y() = 0.1;
  upper.min.y() = 0.9;
  VoxelBodyParams params;
  params.self_contact = self_contact;
  return Lab(arms_lattice(cells, damped_rubber(0.5)), {slab_x(0, 0.05, true), lower, upper}, params);
}

/// Returns the smallest distance [m] between voxels of different arms.
double gap_of(const Lab& lab) {
  double least = 1;
  const VoxelLattice& lattice = lab.body().lattice();
  for (std::size_t a = 0; a < lattice.cell.size(); ++a)
    for (std::size_t b = 0; b < lattice.cell.size(); ++b)
      if (lattice.cell[a][1] == 0 && lattice.cell[b][1] == 4)
        least = std::min(least, (lab.position(a) - lab.position(b)).norm());
  return least;
}

TEST(VoxelSelfContact, AFoldedStripDoesNotPassThroughItself) {
  const auto least_gap = [](bool self_contact) {
    Lab lab = arms(self_contact);
    double least = 1;
    for (int i = 0; i < 40; ++i) {
      lab.run(1.0 / 120);
      least = std::min(least, gap_of(lab));
    }
    return std::pair{least, lab.position(lab.body().lattice().cell.size() - 1).y() - lab.position(10).y()};
  };
  const auto apart = least_gap(true), through = least_gap(false);
  EXPECT_LT(apart.first, arms_edge);  // the arms are in contact
  EXPECT_GT(apart.first, 0.8 * arms_edge);
  EXPECT_GT(apart.second, 0);
  EXPECT_LT(through.second, 0);  // without self-contact, the arms cross
}

TEST(VoxelSelfContact, SwitchedOnItChangesNoBitWhereNothingTouches) {
  Lab on = arms(true), off = arms(false);
  on.run(0.02, 2e-5);
  off.run(0.02, 2e-5);
  ASSERT_GT(gap_of(on), arms_edge);
  EXPECT_EQ(on.hash(), off.hash());
}

TEST(VoxelSelfContact, WhatIsMovedByHandIsMetInTheSameSubstep) {
  // A U-shaped body has two arms that are three cells apart. Within one substep, the tip of one arm is moved next to
  // the tip of the other arm. One run of many substeps must give bitwise the result of many runs of one substep.
  const auto after = [](bool together) {
    VoxelRegion tip;
    tip.min = Vec3(0.9, 0.95, 0), tip.max = Vec3(1, 1, 1);
    tip.ramp_s = 0;
    VoxelLattice shape = arms_lattice(
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {0, 1, 0}, {4, 1, 0}, {0, 2, 0}, {4, 2, 0}}, {});
    tip.displacement = Vec3(-3.3 * shape.edge_m, 0, 0);
    VoxelBodyParams params;
    params.self_contact = true;
    Lab lab(shape, {tip}, params);
    constexpr int count = 3;
    const double dt = 1e-5;
    for (int i = 0; i < (together ? 1 : count); ++i)
      lab.body().substeps(lab.context(), i * dt, dt, together ? count : 1);
    return std::pair(lab.hash(), lab.body().elements().velocity[7].x());
  };
  const auto [bits, push] = after(true);
  EXPECT_EQ(bits, after(false).first);
  EXPECT_LT(push, 0);  // the contact pushes the other arm away
}

Lab squeezed() {
  VoxelLattice lattice = box_lattice({14, 14, 14, arms_edge, damped_rubber(0.3)});
  lattice.materials[0].youngs_modulus = 2e4;
  std::vector<std::array<int, 3>> cells;
  for (const auto& cell : lattice.cell)
    if ((cell[0] % 3 == 0) + (cell[1] % 3 == 0) + (cell[2] % 3 == 0) >= 2) cells.push_back(cell);
  VoxelMaterial soft = damped_rubber(0.3);
  soft.youngs_modulus = 2e4;
  VoxelBodyParams params;
  params.self_contact = true;
  Lab lab(arms_lattice(cells, soft), {}, params);
  Elements& e = lab.body().elements();
  const Vec3 center = 7 * arms_edge * Vec3::Ones();
  for (std::size_t v = 0; v < e.size(); ++v)
    e.velocity[v] = -60 * (e.position[v] - center).cwiseProduct(Vec3(1, 0.3, 0.6));
  return lab;
}

std::size_t touching_pairs(const Lab& lab) {
  SelfContact contact;
  VoxelArrays state;
  const VoxelBody& body = lab.body();
  state.load(body.elements());
  contact.rebuild(body.topology(), state, body.elements().radius, arms_edge);
  SparseLoads loads;
  loads.resize(body.elements().size());
  return contact.add_loads(body.constants(), state, body.elements().radius, 1e-5, loads);
}

TEST(VoxelSelfContact, SameBitsForAnyNumberOfThreadsAndGoesOnBitForBitFromMidContact) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    Lab lab = squeezed();
    EXPECT_GT(lab.body().elements().size(), 700U);
    lab.run(0.02);
    hashes.push_back(lab.hash());
    if (threads > 1) continue;
    EXPECT_GT(touching_pairs(lab), 50U);
    StateBlock block;
    StateWriter writer(block);
    lab.body().visit_state(writer);
    Lab other = squeezed();
    StateReader reader(block);
    other.body().visit_state(reader);
    other.body().state_restored();
    ASSERT_EQ(reader.error(), "");
    other.context().time = lab.context().time;
    for (int i = 0; i < 3; ++i) {
      lab.run(0.005);
      other.run(0.005);
      EXPECT_EQ(lab.hash(), other.hash()) << i;
    }
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

/// Returns a rod whose ends are pulled apart until the rod tears.
Lab torn() {
  VoxelMaterial brittle = damped_rubber(0.5);
  brittle.failure_stress = 5e4;
  Lab lab(box_lattice({12, 2, 2, arms_edge, brittle}));
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v].x() = 3 * (e.position[v].x() / (6 * arms_edge) - 1);
  return lab;
}

std::size_t broken_bonds(const Lab& lab) {
  const auto& broken = lab.body().memory().broken;
  return static_cast<std::size_t>(std::count(broken.begin(), broken.end(), 1));
}

TEST(VoxelSelfContact, BrokenHalvesCollide) {
  Lab lab = torn();
  lab.run(0.05);
  ASSERT_GE(broken_bonds(lab), 4U);
  Elements& e = lab.body().elements();
  const Vec3 middle = lab.diagnostics().center_of_mass;
  for (std::size_t v = 0; v < e.size(); ++v) {  // the halves are thrown back towards each other
    e.velocity[v] = Vec3(e.position[v].x() < middle.x() ? 0.5 : -0.5, 0, 0);
    e.angular_velocity[v].setZero();
  }
  double deepest = 0;
  for (int i = 0; i < 60; ++i) {
    lab.run(1.0 / 240);
    for (std::size_t a = 0; a < e.size(); ++a)
      for (std::size_t b = a + 1; b < e.size(); ++b)
        deepest = std::max(deepest, arms_edge - (e.position[a] - e.position[b]).norm());
  }
  const std::size_t last = e.size() - 1;
  EXPECT_GT(e.position[last].x(), e.position[0].x() + 6 * arms_edge);  // each half stays on its own side
  EXPECT_GT(e.velocity[last].x(), -0.3);
  EXPECT_LT(deepest, 0.45 * arms_edge);
}

TEST(VoxelSelfContact, AfterABreakItGoesOnBitForBit) {
  Lab lab = torn();
  lab.run(0.02);
  ASSERT_GE(broken_bonds(lab), 4U);
  StateBlock block;
  StateWriter writer(block);
  lab.body().visit_state(writer);
  Lab other = torn();
  StateReader reader(block);
  other.body().visit_state(reader);
  other.body().state_restored();
  ASSERT_EQ(reader.error(), "");
  other.context().time = lab.context().time;
  for (Lab* one : {&lab, &other})
    for (Vec3& v : one->body().elements().velocity) v.x() = -v.x();  // the halves return and collide
  lab.run(0.05);
  other.run(0.05);
  EXPECT_EQ(lab.hash(), other.hash());
}

}  // namespace
}  // namespace vw::test
