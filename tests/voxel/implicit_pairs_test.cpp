// Self-contact of bodies with implicit integration: halves of a broken body, and arms of an intact body.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/voxel/lattice/pieces.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double pairs_edge = 0.005;

/// Breaks bonds of a body through the state visitor, as if the broken bonds were read from a file.
class BondBreaker final : public StateVisitor {
 public:
  explicit BondBreaker(std::vector<std::uint8_t> broken) : broken_(std::move(broken)) {}
  void array(std::string_view name, std::size_t /*element_bytes*/, std::span<std::byte> /*bytes*/,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override {
    if (name != "broken") return;
    const std::span<std::byte> rows = resize(broken_.size());
    std::copy_n(reinterpret_cast<const std::byte*>(broken_.data()), rows.size(), rows.begin());
  }

 private:
  std::vector<std::uint8_t> broken_;
};

/// Breaks all bonds between voxels for which `upper` returns different values.
template <class Upper>
void cut(VoxelBody& body, const Upper& upper) {
  std::vector<std::uint8_t> broken;
  for (const Bond& bond : body.topology().bonds)
    broken.push_back(upper(static_cast<std::size_t>(bond.a)) != upper(static_cast<std::size_t>(bond.b)) ? 1 : 0);
  BondBreaker breaker(broken);
  body.visit_state(breaker);
  body.state_restored();
}

VoxelBodyParams implicitly() {
  VoxelBodyParams params;
  params.integrator = Integrator::implicit_euler;
  return params;
}

VoxelMaterial stuff(double youngs) {
  VoxelMaterial m;
  m.youngs_modulus = youngs;
  m.bond_damping = 0.1;
  return m;
}

/// Returns the smallest distance [m] between two voxels of different halves. No bond joins the halves.
template <class Upper>
double least_distance(const Lab& lab, const Upper& upper) {
  double least = 1e300;
  const Elements& e = lab.body().elements();
  for (std::size_t a = 0; a < e.size(); ++a)
    for (std::size_t b = a + 1; b < e.size(); ++b)
      if (upper(a) != upper(b)) least = std::min(least, (e.position[a] - e.position[b]).norm());
  return least;
}

double energy(const Diagnostics& d) { return d.kinetic + d.potential + d.elastic; }

TEST(VoxelImplicitPairs, AnUpperHalfThatIsCutLooseFallsOnTheLowerAndStaysThere) {
  for (const double youngs : {1e5, 1e6, 1e7, 1e8})
    for (const double height : {0.1, 1.0}) {
      Lab lab(box_lattice({4, 8, 4, pairs_edge, stuff(youngs)}), {}, implicitly(), {ground()});
      lab.context().gravity = Vec3(0, -9.81, 0);
      const auto upper = [](std::size_t v) { return v >= 64; };
      cut(lab.body(), upper);
      Elements& e = lab.body().elements();
      for (std::size_t v = 64; v < e.size(); ++v) e.position[v].y() += height;
      const double start = energy(lab.diagnostics());
      double least = 1, most = 0;
      for (int i = 0; i < 120; ++i) {
        lab.run(1.0 / 120);
        least = std::min(least, least_distance(lab, upper));
        most = std::max(most, energy(lab.diagnostics()) / start);
      }
      EXPECT_GT(least, 0.9 * pairs_edge) << youngs << " from " << height << " m";
      EXPECT_LT(most, 1.001) << youngs << " from " << height << " m";
      double speed = 0, low = 1;
      for (const Vec3& v : e.velocity) speed = std::max(speed, v.norm());
      for (std::size_t v = 64; v < e.size(); ++v) low = std::min(low, e.position[v].y());
      EXPECT_LT(speed, 1e-5) << youngs << " from " << height << " m";
      // At a Young's modulus of 1e5 Pa, the weight compresses the body, so the tolerance is 2 % of an edge.
      EXPECT_NEAR(low, 4.5 * pairs_edge, 0.02 * pairs_edge) << youngs << " from " << height << " m";
    }
}

VoxelLattice pairs_lattice(std::vector<std::array<int, 3>> cells, double youngs) {
  VoxelLattice lattice = box_lattice({1, 1, 1, pairs_edge, stuff(youngs)});
  std::sort(cells.begin(), cells.end(), [](const auto& p, const auto& q) {
    return std::array{p[1], p[2], p[0]} < std::array{q[1], q[2], q[0]};
  });
  for (const auto& cell : cells)
    lattice.nx = std::max(lattice.nx, cell[0] + 1), lattice.ny = std::max(lattice.ny, cell[1] + 1),
    lattice.nz = std::max(lattice.nz, cell[2] + 1);
  lattice.cell = std::move(cells);
  const std::size_t n = lattice.cell.size();
  lattice.material.assign(n, 0), lattice.phase.assign(n, 0), lattice.amplitude_scale.assign(n, 1),
      lattice.youngs_override.assign(n, 0);
  return lattice;
}

/// Returns two cubes of 27 voxels in one lattice. The cubes fly towards each other with an offset between their
/// centres.
Lab flying_cubes(double youngs, double speed) {
  std::vector<std::array<int, 3>> cells;
  for (int x : {0, 1, 2, 5, 6, 7})
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z) cells.push_back({x, y, z});
  Lab lab(pairs_lattice(cells, youngs), {}, implicitly());
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    const bool right = lab.body().lattice().cell[v][0] > 3;
    e.velocity[v] = right ? Vec3(-speed, 0.1 * speed, 0) : Vec3(speed, 0, 0.05 * speed);
    if (right) e.position[v].y() += 1.4 * pairs_edge;
  }
  return lab;
}

TEST(VoxelImplicitPairs, PiecesThatCollideKeepTheirMomentaAndGainNoEnergy) {
  double worst_momentum = 0, worst_spin = 0;
  for (const double youngs : {1e5, 1e6, 1e7, 1e8})
    for (const double speed : {0.1, 2.0, 20.0}) {
      Lab lab = flying_cubes(youngs, speed);
      const auto right = [&](std::size_t v) { return lab.body().lattice().cell[v][0] > 3; };
      const Diagnostics before = lab.diagnostics();
      double least = 1, most = 0;
      for (int i = 0; i < 40; ++i) {
        lab.run(1.0 / 120);
        least = std::min(least, least_distance(lab, right));
        most = std::max(most, energy(lab.diagnostics()) / energy(before));
      }
      const Diagnostics after = lab.diagnostics();
      const Vec3 turning = after.angular_momentum - before.angular_momentum;
      worst_momentum = std::max(worst_momentum, (after.momentum - before.momentum).norm() / (before.mass * speed));
      worst_spin = std::max(worst_spin, turning.norm() / before.angular_momentum.norm());
      EXPECT_LT(most, 1 + 1e-9) << youngs << " at " << speed;
      EXPECT_LT(energy(after), 0.9 * energy(before)) << youngs << " at " << speed;  // the cubes collided
      EXPECT_GT(least, 0.7 * pairs_edge) << youngs << " at " << speed;
    }
  expect_case("voxel", "Implicit pieces collide: momentum error over m v", worst_momentum, 0, 1e-10);
  expect_case("voxel", "Implicit pieces collide: relative error of the angular momentum", worst_spin, 0, 1e-7);
}

/// Returns a U-shaped body. Its two arms are 10 voxels long and three cells apart. The bend is fixed, and forces push
/// the tips towards each other.
Lab implicit_arms(double youngs, bool self_contact) {
  std::vector<std::array<int, 3>> cells;
  for (int x = 0; x < 11; ++x)
    for (int z = 0; z < 2; ++z) cells.push_back({x, 0, z}), cells.push_back({x, 4, z});
  for (int y = 1; y < 4; ++y)
    for (int z = 0; z < 2; ++z) cells.push_back({0, y, z});
  const double force = 0.075 * youngs / 1e6;
  VoxelRegion lower = slab_x(0.93, 1, false, Vec3(0, force, 0)), upper = slab_x(0.93, 1, false, Vec3(0, -force, 0));
  lower.max.y() = 0.1;
  upper.min.y() = 0.9;
  VoxelBodyParams params = implicitly();
  params.self_contact = self_contact;
  return Lab(pairs_lattice(cells, youngs), {slab_x(0, 0.05, true), lower, upper}, params);
}

TEST(VoxelImplicitPairs, ArmsOfAWholeBodyArePressedTogetherAndDoNotCross) {
  for (const double youngs : {1e5, 1e6, 1e7, 1e8}) {
    const auto gap = [&](const Lab& lab) {  // gap between the tips: upper minus lower position
      const std::size_t n = lab.body().lattice().cell.size();
      return lab.position(n - 1).y() - lab.position(21).y();
    };
    Lab lab = implicit_arms(youngs, true), through = implicit_arms(youngs, false);
    double least = 1;
    const auto upper = [&](std::size_t v) { return lab.body().lattice().cell[v][1]; };
    for (int i = 0; i < 80; ++i) {
      lab.run(1.0 / 120);
      through.run(1.0 / 120);
      const Elements& e = lab.body().elements();
      for (std::size_t a = 0; a < e.size(); ++a)
        for (std::size_t b = a + 1; b < e.size(); ++b)
          if (upper(a) == 0 && upper(b) == 4) least = std::min(least, (e.position[a] - e.position[b]).norm());
    }
    EXPECT_LT(gap(through), 0) << youngs;
    EXPECT_GT(gap(lab), 0.9 * pairs_edge) << youngs;
    EXPECT_LT(least, 1.001 * pairs_edge) << youngs;
    EXPECT_GT(least, 0.8 * pairs_edge) << youngs;
    double speed = 0;
    for (const Vec3& v : lab.body().elements().velocity) speed = std::max(speed, v.norm());
    EXPECT_LT(speed, 1e-3) << youngs;
  }
}

/// Returns a cube that is broken into nine rods. The rods fall on the ground and on each other.
Lab rubble(double youngs) {
  VoxelMaterial material = stuff(youngs);
  Lab lab(box_lattice({3, 3, 3, pairs_edge, material}), {}, implicitly(), {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  cut(lab.body(), [&](std::size_t v) {
    const auto& cell = lab.body().lattice().cell[v];
    return cell[0] + 10 * cell[1];
  });
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.position[v].y() += 0.02;
    for (std::uint64_t i = 0; i < 3; ++i)
      e.velocity[v][static_cast<Eigen::Index>(i)] += 0.3 * (random_uniform({1, 1}, v, i) - 0.5);
  }
  return lab;
}

TEST(VoxelImplicitPairs, RubbleComesToRestInAHeap) {
  for (const double youngs : {1e5, 1e7}) {
    Lab lab = rubble(youngs);
    const Elements& e = lab.body().elements();
    const double start = energy(lab.diagnostics());
    double most = 0, nearest = 1;
    for (int i = 0; i < 90; ++i) {
      lab.run(1.0 / 120);
      most = std::max(most, energy(lab.diagnostics()) / start);
      for (std::size_t a = 0; a < e.size(); ++a)
        for (std::size_t b = a + 1; b < e.size(); ++b)
          nearest = std::min(nearest, (e.position[a] - e.position[b]).norm());
    }
    EXPECT_LT(most, 1.001) << youngs;
    EXPECT_GT(nearest, 0.9 * pairs_edge) << youngs;
    double speed = 0, low = 1, far = 0;
    for (std::size_t v = 0; v < e.size(); ++v) {
      speed = std::max(speed, e.velocity[v].norm());
      low = std::min(low, e.position[v].y());
      far = std::max(far, e.position[v].norm());
    }
    EXPECT_LT(speed, 0.05) << youngs;
    EXPECT_GT(low, 0.4 * pairs_edge) << youngs;
    EXPECT_LT(far, 20 * pairs_edge) << youngs;
  }
}

TEST(VoxelImplicitPairs, TheSameBitsOnAnyNumberOfThreadsAndAfterASavedStateAndAKeptOne) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    Lab lab = rubble(1e6);
    lab.run(0.1);
    hashes.push_back(lab.hash());
    if (threads > 1) continue;
    EXPECT_LT(least_distance(lab, [](std::size_t v) { return v / 9; }), 1.01 * pairs_edge);
    StateBlock block;
    StateWriter writer(block);
    lab.body().visit_state(writer);
    Lab other = rubble(1e6);
    StateReader reader(block);
    other.body().visit_state(reader);
    other.body().state_restored();
    ASSERT_EQ(reader.error(), "");
    other.context().time = lab.context().time;
    const double time = lab.context().time;
    ASSERT_TRUE(lab.body().keep_state());
    lab.run(0.05);
    other.run(0.05);
    const std::uint64_t went_on = lab.hash();
    EXPECT_EQ(other.hash(), went_on);
    lab.body().return_to_kept_state();
    lab.body().state_restored();
    lab.context().time = time;
    lab.run(0.05);
    EXPECT_EQ(lab.hash(), went_on);
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(VoxelImplicitPairs, ABarThatIsBentUntilItBreaksFallsApartAndBaresNewSurface) {
  // Regions hold the two ends of the body, pull them apart and rotate them.
  VoxelMaterial brittle = stuff(1e7);
  brittle.failure_strain = 0.05;
  VoxelRegion left = slab_x(0, 0.08, true), right = slab_x(0.92, 1, true);
  left.displacement = Vec3(-0.003, 0, 0), right.displacement = Vec3(0.003, 0, 0);
  left.rotation = Vec3(0, 0, 0.15), right.rotation = Vec3(0, 0, -0.15);
  left.ramp_s = right.ramp_s = 0.2;
  Lab lab(box_lattice({16, 2, 2, pairs_edge, brittle}), {left, right}, implicitly());
  SystemSnapshot whole, broken;
  lab.body().snapshot(whole);
  lab.run(0.25);
  const auto& memory = lab.body().memory().broken;
  ASSERT_GE(std::count(memory.begin(), memory.end(), 1), 4);
  lab.body().snapshot(broken);
  EXPECT_GE(skin_of(broken)->quads.size(), skin_of(whole)->quads.size() + 8);  // both sides of four bonds
  // Each half is still attached to one end.
  Pieces pieces;
  pieces.update(lab.body().topology(), std::vector<std::uint8_t>(lab.body().elements().size(), 0));
  EXPECT_GE(pieces.count(), 2U);
  EXPECT_NE(pieces.of(0), pieces.of(15));
}

TEST(VoxelImplicitPairs, ABrittleBarThatFallsOnACornerStaysBounded) {
  for (const double youngs : {1e5, 1e7}) {
    VoxelMaterial brittle = stuff(youngs);
    brittle.failure_strain = youngs < 1e6 ? 0.01 : 0.002;
    VoxelBodyParams params = implicitly();
    params.rotation = Vec3(0.3, 0.2, 0.8);
    params.position = Vec3(0, 0.08, 0);
    params.velocity = Vec3(0, -4, 0);
    Lab lab(box_lattice({10, 3, 3, pairs_edge, brittle}), {}, params, {ground()});
    lab.context().gravity = Vec3(0, -9.81, 0);
    const double start = energy(lab.diagnostics());
    double most = 0;
    for (int i = 0; i < 60; ++i) {
      lab.run(1.0 / 120);
      most = std::max(most, energy(lab.diagnostics()) / start);
      EXPECT_FALSE(lab.body().check_health()) << youngs << " " << i;
    }
    const auto& broken = lab.body().memory().broken;
    EXPECT_GT(std::count(broken.begin(), broken.end(), 1), 0) << youngs;
    EXPECT_LT(most, 1.001) << youngs;
    for (const Vec3& x : lab.body().elements().position) EXPECT_GT(x.y(), 0.3 * pairs_edge);
  }
}

TEST(VoxelContactChannel, ShowsTheBodyItselfTheGroundAndOthersForBothIntegrators) {
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::explicit_symplectic}) {
    VoxelBodyParams params = implicitly();
    params.integrator = integrator;
    Lab lab(box_lattice({4, 4, 4, pairs_edge, stuff(1e6)}), {}, params, {ground()});
    lab.context().gravity = Vec3(0, -9.81, 0);
    cut(lab.body(), [](std::size_t v) { return v >= 32; });
    lab.run(0.3);
    std::vector<float> shown;
    const auto look = [&] {
      for (std::size_t i = 0; i < lab.body().channels().size(); ++i)
        if (std::string_view(lab.body().channels()[i].name) == "contact") lab.body().channel(i, shown);
    };
    look();
    // The lowest layer is in contact with the ground. The middle layers are in contact with each other.
    for (std::size_t v = 0; v < 64; ++v) EXPECT_EQ(shown[v], v < 48 ? 1 : 0) << v;
    lab.body().elements().note_meeting(63);
    look();
    EXPECT_EQ(shown[63], 1);
    lab.run(1.0 / 120);
    look();
    EXPECT_EQ(shown[63], 0);
  }
}

TEST(VoxelImplicitPairs, WhatHasExplodedEndsItsStepAtOnce) {
  // At such speeds, a shorter step would not help. The step ends after a single Newton solve, and the health check then
  // detects the non-finite values.
  for (const double speed : {1e7, std::numeric_limits<double>::quiet_NaN()}) {
    VoxelBodyParams params = implicitly();
    params.self_contact = true;
    BoxSpec spec{4, 4, 4, pairs_edge, stuff(1e6)};
    Lab lab(box_lattice(spec), {}, params);
    lab.body().elements().velocity[5].x() = speed;
    lab.context().dt = 1.0 / 240;
    lab.step(1);
    EXPECT_EQ(lab.body().implicit_parts(), 1);
  }
}

}  // namespace
}  // namespace vw::test
