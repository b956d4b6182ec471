// The loads of a bond are the derivatives of the bond energy, for any deformation.
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/system/voxel/explicit/bond_force.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Two voxels with one bond along `axis`, strongly stretched, sheared, bent and twisted.
struct Pair {
  LatticeTopology topology;
  LatticeConstants constants;
  std::vector<Vec3> position, velocity, spin;
  std::vector<Quat> orientation;
  std::vector<double> half_edge;

  Pair(int axis, double angle, std::uint64_t seed) {
    BoxSpec spec{axis == 0 ? 2 : 1, axis == 1 ? 2 : 1, axis == 2 ? 2 : 1, 1.0};
    spec.material.youngs_modulus = 10;
    spec.material.bond_damping = 0.7;
    const VoxelLattice lattice = box_lattice(spec);
    topology = make_topology(lattice);
    constants = make_constants(lattice, topology);
    const RandomKey key{seed, 3};
    const Quat turn(Eigen::AngleAxisd(angle, random_direction(key, 0)));
    const Quat common(Eigen::AngleAxisd(1.1, random_direction(key, 1)));
    orientation = {common, common * turn};
    position = {Vec3(0.1, 0.2, 0.3),
                Vec3(0.1, 0.2, 0.3) + common * Vec3(1.2 * Vec3::Unit(axis) + 0.2 * random_direction(key, 2))};
    velocity = {random_direction(key, 3), random_direction(key, 4)};
    spin = {random_direction(key, 5), random_direction(key, 6)};
    half_edge = {0.5, 0.5};
  }
  [[nodiscard]] BondView bonds() const {
    return {topology.bonds, &constants.bond_constants_of, constants.bonds, topology.axis_bonds};
  }
  [[nodiscard]] VoxelView voxels() const { return {position, orientation, velocity, spin, half_edge, {}}; }
  [[nodiscard]] double energy() const { return bond_deformation(bonds(), voxels(), 0).energy(constants.bonds[0]); }
  [[nodiscard]] BondLoad load(bool damped) const {
    std::vector<BondLoad> out(1);
    bond_forces(bonds(), voxels(), damped, out, {0, 1});
    return out[0];
  }
};

class BondForce : public ::testing::TestWithParam<std::tuple<int, double>> {};

TEST_P(BondForce, IsTheGradientOfTheEnergy) {
  const auto [axis, angle] = GetParam();
  Pair pair(axis, angle, 11);
  const BondLoad load = pair.load(false);
  constexpr double h = 1e-5;  // central differences: truncation error of order h^2 = 1e-10, rounding error of order
                              // 1e-15 / h = 1e-10
  for (int i = 0; i < 3; ++i) {
    Pair up = pair, down = pair;
    up.position[0][i] += h;
    down.position[0][i] -= h;
    EXPECT_NEAR(load.force[i], -(up.energy() - down.energy()) / (2 * h), 1e-7);
    for (const std::size_t voxel : {std::size_t{0}, std::size_t{1}}) {
      up = pair, down = pair;
      up.orientation[voxel] = Quat(Eigen::AngleAxisd(h, Vec3::Unit(i))) * pair.orientation[voxel];
      down.orientation[voxel] = Quat(Eigen::AngleAxisd(-h, Vec3::Unit(i))) * pair.orientation[voxel];
      const double expected = -(up.energy() - down.energy()) / (2 * h);
      EXPECT_NEAR((voxel == 0 ? load.moment_a : load.moment_b)[i], expected, 1e-7)
          << "voxel " << voxel << " axis " << i;
    }
  }
}

TEST_P(BondForce, BalancesItsCouplesDampedOrNot) {
  const auto [axis, angle] = GetParam();
  const Pair pair(axis, angle, 12);
  for (const bool damped : {false, true}) {
    const BondLoad load = pair.load(damped);
    const Vec3 r = pair.position[1] - pair.position[0];
    EXPECT_LT((load.moment_a + load.moment_b - r.cross(load.force)).norm(), 1e-14 * (1 + load.moment_a.norm()));
  }
}

TEST_P(BondForce, DampingTakesEnergyAndSparesRigidMotion) {
  const auto [axis, angle] = GetParam();
  Pair pair(axis, angle, 13);
  const BondLoad elastic = pair.load(false), damped = pair.load(true);
  const Vec3 f = damped.force - elastic.force;
  const double power = f.dot(pair.velocity[0]) - f.dot(pair.velocity[1]) +
                       (damped.moment_a - elastic.moment_a).dot(pair.spin[0]) +
                       (damped.moment_b - elastic.moment_b).dot(pair.spin[1]);
  EXPECT_LT(power, 0);
  pair.spin[1] = pair.spin[0];
  pair.velocity[1] = pair.velocity[0] + pair.spin[0].cross(pair.position[1] - pair.position[0]);
  EXPECT_LT((pair.load(true).force - pair.load(false).force).norm(), 1e-13);
}

// Angles of the bond [rad]. At 0.1, the bond uses the series expansion. The angle 0.3 is just beyond the range of the
// series, and 3 is close to a half turn.
INSTANTIATE_TEST_SUITE_P(AxesAndAngles, BondForce,
                         ::testing::Combine(::testing::Values(0, 1, 2),
                                            ::testing::Values(0.0, 0.1, 0.28, 0.3, 1.5, 3.0)));

TEST(BondForceExtremes, StaysBoundedAtAnyRelativeTurn) {
  // Eigen converts an angle beyond pi to a quaternion with a negative real part. The bond therefore keeps the sense of
  // rotation beyond a half turn.
  const double at_rest = Pair(0, 0, 14).load(true).moment_a.norm();
  for (double angle = 0; angle <= 2 * pi + 1e-9; angle += pi / 64) {
    const BondLoad load = Pair(0, angle, 14).load(true);
    ASSERT_TRUE(load.force.allFinite() && load.moment_a.allFinite() && load.moment_b.allFinite()) << angle;
    EXPECT_LT(load.moment_a.norm(), 30 * (1 + at_rest)) << angle;
  }
}

TEST(BondConstants, UnequalMaterialsActInSeries) {
  BoxSpec spec{2, 1, 1, 0.01};
  VoxelLattice lattice = box_lattice(spec);
  lattice.materials.push_back(spec.material);
  lattice.materials[1].youngs_modulus = 3e6;
  lattice.material = {0, 1};
  const LatticeTopology topology = make_topology(lattice);
  const LatticeConstants constants = make_constants(lattice, topology);
  EXPECT_NEAR(constants.bonds[0].axial, 2 * 1e6 * 3e6 / 4e6 * 0.01, 1e-9);
  EXPECT_NEAR(constants.bonds[0].lateral, constants.bonds[0].axial, 1e-9);
  EXPECT_NEAR(constants.bonds[0].twist, 0.1406 * 0.5 * 1.5e6 * 1e-6, 1e-12);
  EXPECT_NEAR(constants.bonds[0].bend, 1.5e6 * 1e-6 / 12, 1e-12);
}

}  // namespace
}  // namespace vw::test
