// Conserved quantities (momentum, angular momentum, energy) and stability of the motion.
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Returns a block of two materials of unequal mass and stiffness, in alternating layers along x.
VoxelLattice two_materials(int n, double zeta, double nu = 0) {
  BoxSpec spec{n, n, n, 0.01};
  spec.material.bond_damping = zeta;
  spec.material.poissons_ratio = nu;
  VoxelLattice lattice = box_lattice(spec);
  VoxelMaterial heavy = spec.material;
  heavy.density = 4000;
  heavy.youngs_modulus = 3e6;
  lattice.materials.push_back(heavy);
  lattice.material_name.emplace_back("heavy");
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    lattice.material[v] = static_cast<std::uint16_t>(lattice.cell[v][0] % 2);
  return lattice;
}

/// Adds a random velocity and angular velocity to every voxel.
void shake_motion(Elements& e, double speed, double spin) {
  const RandomKey key{7, 1};
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.velocity[v] += speed * random_direction(key, v, 0);
    e.angular_velocity[v] += spin * random_direction(key, v, 1);
  }
}

class VoxelFreeBody : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(VoxelFreeBody, SpinningFlyingAndVibratingKeepsMomentumAndAngularMomentum) {
  const auto [zeta, nu] = GetParam();
  VoxelBodyParams params;
  params.velocity = Vec3(0.3, -0.2, 0.5);
  params.angular_velocity = Vec3(5, 12, -7);
  Lab lab(two_materials(3, zeta, nu), {}, params);
  shake_motion(lab.body().elements(), 0.2, 5);
  const Diagnostics before = lab.diagnostics();
  lab.run(1);
  const Diagnostics after = lab.diagnostics();
  const std::string tag = "zeta = " + std::to_string(zeta).substr(0, 3) + ", nu = " + std::to_string(nu).substr(0, 4);
  expect_case("voxel", "Free body for 1 s, relative change of momentum, " + tag,
              (after.momentum - before.momentum).norm() / before.momentum.norm(), 0, 1e-9);
  expect_case("voxel", "Free body for 1 s, relative change of angular momentum, " + tag,
              (after.angular_momentum - before.angular_momentum).norm() / before.angular_momentum.norm(), 0, 1e-5);
}
INSTANTIATE_TEST_SUITE_P(Dampings, VoxelFreeBody,
                         ::testing::Values(std::tuple(0.0, 0.0), std::tuple(0.5, 0.0), std::tuple(0.5, 0.35)));

TEST(VoxelMotion, BondDampingLeavesRigidSpinAlone) {
  BoxSpec spec{6, 2, 2, 0.005};
  spec.material.bond_damping = 1;
  VoxelBodyParams params;
  params.angular_velocity = Vec3(0, 0, 20);  // the centrifugal strain rho w^2 R^2 / 2 E (R: half the length) is 5e-5
  params.velocity = Vec3(0.1, 0, 0);
  Lab lab(box_lattice(spec), {}, params);
  const double before = lab.diagnostics().kinetic;
  lab.run(1);
  expect_case("voxel", "Damped stiff spinner, share of kinetic energy lost in 1 s",
              (before - lab.diagnostics().kinetic) / before, 0, 0.001);
}

TEST(VoxelMotion, UndampedVibrationKeepsItsEnergy) {
  Lab lab(two_materials(3, 0), {});
  shake_motion(lab.body().elements(), 0.05, 1);
  const double dt = 0.3 * largest_stable_dt(lab.body().spectrum(), 0);
  std::vector<double> windows;
  for (int window = 0; window < 20; ++window) {
    double sum = 0;
    for (int step = 0; step < 50; ++step) {  // one sample every 100 steps, in windows of 5,000 steps
      lab.context().dt = 100 * dt;
      lab.step(100);
      const Diagnostics d = lab.diagnostics();
      sum += d.kinetic + d.elastic;
    }
    windows.push_back(sum / 50);
  }
  double drift = 0;
  for (const double energy : windows) drift = std::max(drift, std::abs(energy / windows.front() - 1));
  expect_case("voxel", "Undamped vibration, drift of mean energy in 100,000 steps", drift, 0, 0.005);
}

/// Returns the largest relative change of the reported energy of an undamped bar of 20 voxels that is released at a
/// strain of 8 %.
double energy_change(double seconds) {
  BoxSpec spec{20, 1, 1, 0.01};
  spec.material.bond_damping = 0;
  Lab lab(box_lattice(spec), {});
  Elements& e = lab.body().elements();
  for (Vec3& x : e.position) x.x() *= 1.08;
  // A small disturbance couples the axial vibration to bending and torsion.
  for (std::size_t v = 0; v < e.size(); ++v) e.position[v] += 1e-8 * random_vector(3, v);
  const double start = lab.diagnostics().elastic;
  double worst = 0;
  while (lab.time() < seconds) {
    lab.run(0.1);
    const Diagnostics d = lab.diagnostics();
    worst = std::max(worst, std::abs((d.kinetic + d.elastic) / start - 1));
  }
  return worst;
}

TEST(VoxelMotion, UndampedBarReleasedAtALargeStrainKeepsItsEnergy) { EXPECT_LT(energy_change(10), 0.02); }

TEST(VoxelMotionValidation, UndampedBarReleasedAtALargeStrainKeepsItsEnergy) {
  expect_case("voxel", "Undamped bar released at a strain of 8 %, largest change of energy in 60 s", energy_change(60),
              0, 0.02);
}

TEST(VoxelMotion, KineticEnergyOfAnUndampedBodyIsThatOfTheMoment) {
  // Two voxels oscillate on a spring with the angular frequency w. If velocities are evaluated at the time of the
  // positions, the energy is constant except for an oscillation of relative amplitude (w dt)^2 / 8.
  BoxSpec spec{2, 1, 1, 0.01};
  spec.material.bond_damping = 0;
  Lab lab(box_lattice(spec), {});
  lab.body().elements().velocity[1] = Vec3(0.01, 0, 0);
  lab.body().elements().velocity[0] = Vec3(-0.01, 0, 0);
  const double start = lab.diagnostics().kinetic;
  const double omega = std::sqrt(1e6 * 0.01 / (0.5e-3)), dt = 0.2 / omega;
  double lowest = start, highest = start;
  for (int i = 0; i < 200; ++i) {
    lab.context().dt = dt;
    lab.step(1);
    const Diagnostics d = lab.diagnostics();
    lowest = std::min(lowest, d.kinetic + d.elastic);
    highest = std::max(highest, d.kinetic + d.elastic);
  }
  // With velocities that lag by half a substep, the relative variation of the energy would be 0.2.
  EXPECT_LT(highest / lowest - 1, 1.1 * 0.2 * 0.2 / 4);
}

TEST(VoxelMotion, TwoVoxelsSwingAtTheFrequencyOfASpring) {
  // The expected frequency is sqrt(k / mu) / 2 pi, with the stiffness k = E s (s: edge) and the reduced mass mu = m /
  // 2. At w dt = 0.02 (w: angular frequency), symplectic Euler has a relative error of (w dt)^2 / 24 = 2e-5.
  Lab lab(box_lattice({2, 1, 1, 0.01}));
  const double omega = std::sqrt(1e6 * 0.01 / (0.5e-3));
  lab.body().elements().velocity[0].x() = -1e-3;
  lab.body().elements().velocity[1].x() = 1e-3;
  const double dt = 0.02 / omega;
  std::vector<double> crossings;
  double last = 0;
  for (int i = 0; i < 6400; ++i) {
    lab.context().dt = dt;
    lab.step(1);
    const double stretch = lab.position(1).x() - lab.position(0).x() - 0.01;
    if (last < 0 && stretch >= 0) crossings.push_back(lab.time() - dt * stretch / (stretch - last));
    last = stretch;
  }
  const double measured = static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  expect_case("voxel", "Two voxels, frequency of the spring between them", measured, omega / (2 * pi), 1e-4, "Hz");
}

TEST(VoxelMotion, CriticalDampingOfAFreePairIsZetaOne) {
  // For critical damping (zeta = 1), x'' + 2 zeta w x' + w^2 x = 0 has the solution x = v0 t exp(-w t). The maximum is
  // v0 / (w e) at t = 1 / w. The displacement x never becomes negative.
  BoxSpec spec{2, 1, 1, 0.01};
  spec.material.bond_damping = 1;
  Lab lab(box_lattice(spec));
  const double omega = std::sqrt(1e6 * 0.01 / 0.5e-3), v0 = 2e-3, dt = 1e-3 / omega;
  lab.body().elements().velocity[0].x() = -v0 / 2;
  lab.body().elements().velocity[1].x() = v0 / 2;
  double largest = 0, smallest = 0;
  for (int i = 0; i < 10000; ++i) {
    lab.context().dt = dt;
    lab.step(1);
    const double stretch = lab.position(1).x() - lab.position(0).x() - 0.01;
    largest = std::max(largest, stretch);
    smallest = std::min(smallest, stretch);
  }
  expect_case("voxel", "Critically damped pair, largest stretch", largest, v0 / (omega * std::exp(1.0)), 0.002, "m");
  EXPECT_GT(smallest, -1e-4 * largest);  // no overshoot
}

class VoxelStability : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(VoxelStability, DefaultSafetyFactorNeverGainsEnergy) {
  const auto [zeta, nu] = GetParam();
  Lab lab(two_materials(3, zeta, nu));
  shake_motion(lab.body().elements(), 0.02, 0.5);
  const double dt = lab.body().stable_dt(0);
  const double before = lab.diagnostics().kinetic;
  lab.context().dt = 20000 * dt;
  lab.step(20000);
  const Diagnostics after = lab.diagnostics();
  // The energy of a mode that grows by 0.1 % per step would grow by a factor of e^20. If the motion is bounded, the
  // energy stays within the energy error of symplectic Euler near the stability limit.
  EXPECT_LT(after.kinetic + after.elastic, 10 * before);
  EXPECT_FALSE(lab.body().check_health().has_value());
}
INSTANTIATE_TEST_SUITE_P(DampingsAndPoissonsRatios, VoxelStability,
                         ::testing::Combine(::testing::Values(0.0, 0.5, 1.0, 2.0),
                                            ::testing::Values(0.0, 0.2, 0.35, 0.45)));

TEST(VoxelStabilityValidation, MillionStepsAtNinetyFivePercentOfTheLargestStep) {
  Lab lab(two_materials(3, 0));
  shake_motion(lab.body().elements(), 0.02, 0.5);
  const double dt = 0.95 * largest_stable_dt(lab.body().spectrum(), 0);
  const double before = lab.diagnostics().kinetic;
  for (int i = 0; i < 100; ++i) {
    lab.context().dt = 10000 * dt;
    lab.step(10000);
  }
  const Diagnostics after = lab.diagnostics();
  EXPECT_LT(after.kinetic + after.elastic, 30 * before);
}

TEST(VoxelStability, LargestStepIsSharp) {
  // For the axial mode of two voxels, w^2 = k / mu (mu: reduced mass). The stability limit of the step is 2 / w. At 2 %
  // above the limit, the mode doubles every four steps.
  for (const double factor : {0.98, 1.02}) {
    Lab lab(box_lattice({2, 1, 1, 0.01}));
    const double omega = std::sqrt(1e6 * 0.01 / 0.5e-3);
    // Rotational modes may be stiffer than the axial mode.
    EXPECT_GE(lab.body().spectrum().stiffness, omega * omega * 0.999);
    lab.body().elements().velocity[1].x() = 1e-12;
    lab.body().elements().velocity[0].x() = -1e-12;
    lab.context().dt = 200 * factor * 2 / omega;
    lab.step(200);
    const double speed = std::abs(lab.body().elements().velocity[1].x());
    if (factor < 1)
      EXPECT_LT(speed, 1e-10);
    else
      EXPECT_GT(speed, 1e-3);
  }
}

TEST(VoxelStability, CoupledSpringsShortenTheStep) {
  Lab lab(box_lattice({2, 2, 2, 0.01}));
  const double alone = lab.body().stable_dt(0), coupled = lab.body().stable_dt(1e6);
  EXPECT_LT(coupled, alone);
  const double mass = 1e-3;
  EXPECT_LE(coupled, 0.9 * 2 / std::sqrt(1e6 / mass));
}

TEST(VoxelStability, LargeLatticeReachesTheAsymptote) {
  // The stable step of an undamped large lattice is 0.54 sqrt(m / k).
  Lab lab(box_lattice({10, 10, 10, 0.01}));
  const double unit = std::sqrt(1e-3 / (1e6 * 0.01));
  expect_case("voxel", "Largest step of a large undamped lattice over sqrt(m/k)",
              largest_stable_dt(lab.body().spectrum(), 0) / unit, 0.54, 0.02);
  EXPECT_NEAR(lab.body().source_stable_dt(), unit / (2 * pi), 1e-9 * unit);
}

TEST(VoxelMotion, ImpulsesAreTakenOnceAndExactly) {
  VoxelBodyParams params;
  params.precision = Precision::full;  // in mixed precision, couples in float limit the accuracy to 1e-9
  Lab lab(box_lattice({2, 2, 2, 0.01}), {}, params);
  lab.body().elements().room_for_impulses().impulse[3] = Vec3(1e-3, 2e-3, -1e-3);
  lab.body().elements().room_for_impulses().angular_impulse[5] = Vec3(0, 1e-6, 0);
  const Vec3 angular =
      lab.diagnostics().angular_momentum + lab.position(3).cross(Vec3(1e-3, 2e-3, -1e-3)) + Vec3(0, 1e-6, 0);
  lab.context().dt = 0.01;
  lab.step(200);
  EXPECT_LT((lab.diagnostics().momentum - Vec3(1e-3, 2e-3, -1e-3)).norm(), 1e-15);
  EXPECT_LT((lab.diagnostics().angular_momentum - angular).norm(), 1e-12 * angular.norm() + 1e-16);
  EXPECT_TRUE(lab.body().elements().impulse[3].isZero(0));
  EXPECT_TRUE(lab.body().elements().angular_impulse[5].isZero(0));
}

TEST(VoxelMotion, InvertedBondPushesBackOut) {
  BoxSpec spec{2, 1, 1, 0.01};
  spec.material.bond_damping = 0.5;
  Lab lab(box_lattice(spec));
  Elements& e = lab.body().elements();
  std::swap(e.position[0], e.position[1]);  // the voxels exchange their positions, which inverts the bond
  lab.run(0.05);
  EXPECT_FALSE(lab.body().check_health().has_value());
  const Vec3 axis = e.orientation[0] * Vec3::UnitX();
  EXPECT_NEAR((e.position[1] - e.position[0]).dot(axis), 0.01, 1e-6);
}

TEST(VoxelMotion, FixedVoxelsHoldTheirPose) {
  Lab lab(box_lattice({4, 1, 1, 0.01}), {slab_x(0, 0.1, true)});
  lab.context().gravity = Vec3(0, -9.81, 0);
  lab.body().elements().room_for_impulses().impulse[0] = Vec3(1, 1, 1);
  const Vec3 before = lab.position(0);
  lab.run(0.1);
  EXPECT_EQ(lab.position(0), before);
  EXPECT_EQ(lab.body().elements().velocity[0], Vec3(Vec3::Zero()));
  EXPECT_LT(lab.position(3).y(), before.y());
}

}  // namespace
}  // namespace vw::test
