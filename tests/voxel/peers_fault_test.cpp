// Faults that were measured in Voxelyze (jonhiller/Voxelyze), each with the test that would detect it:
//
//   bond damping breaks Newton's third law    PeersFault.DampingOfUnequalMassesBalances;
//     for unequal masses                      VoxelFreeBody (motion_test)
//   a stretched chain leaks angular momentum  PeersFault.AStretchedChainKeepsItsAngularMomentum
//   strain energy is 0 along y and z          PeersFault.BondsAlongEveryAxisStoreTheirEnergy
//   broken halves pass through each other     BrokenHalves.CollideInsteadOfPassing (material_law_test)
//   exposed voxels never become surface       BrokenHalves.WhatTheBreakLaysBareBecomesSurface (material_law_test);
//                                             skin_test
//   inverted bonds push further               PeersFault.InvertedBondsPushBackAlongEveryAxis;
//                                             VoxelMotion.InvertedBondPushesBackOut
//   NaN goes unnoticed                        PeersFault.WhatIsNotFiniteIsNoticedInEveryPartOfTheState
//   the floor pulls when damped               PeersFault.TheFloorNeverPullsAtAnyDamping;
//                                             VoxelContact.GroundNeverPulls
//   time stored in float stalls at 32 s       PeersFault.TimeGoesOnBeyondAnyNumberOfSeconds;
//                                             World.TimeDoesNotDriftOver... (world)
//   two threads with nu > 0 differ            VoxelEngineBits (engine_test)
//   no yield in compression                   PeersFault.WhatIsCrushedStaysShort;
//                                             MaterialLaw.BilinearYieldsAndUnloads...
//   a bad stress-strain value is silently     PeersFault.ABadTableIsAnErrorAndNoDefault;
//     replaced by 1 MPa                       VoxcadMaterials.BadTables... (scene)
//   a cube at exactly the recommended step    PeersFaultStep.ACubeAtTheRecommendedStepStaysBounded
//     explodes
//   the explosion of a cube is not reported   PeersFault.AnExplosionIsReported;
//                                             VoxelHealth.SaysThatTheTimeStepIsTooLarge
//   self-contact list tests all pairs         VoxelSelfContact (self_contact_test)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sim/base/random.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Returns two voxels along an axis. The mass of the second voxel is `ratio` times that of the first.
VoxelLattice pair_along(int axis, double ratio, double zeta) {
  BoxSpec spec{axis == 0 ? 2 : 1, axis == 1 ? 2 : 1, axis == 2 ? 2 : 1, 0.01};
  spec.material.bond_damping = zeta;
  VoxelLattice lattice = box_lattice(spec);
  lattice.materials.push_back(spec.material);
  lattice.materials[1].density *= ratio;
  lattice.material_name.emplace_back("heavy");
  lattice.material[1] = 1;
  return lattice;
}

void shake_velocities(Elements& e, double speed) {
  const RandomKey key{7, 1};
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v] += speed * random_direction(key, v, 0);
}

/// Returns the tolerance of the relative change of the angular momentum. In double precision, the tolerance is `exact`.
/// In mixed precision, it allows for the rounding of couples in float, amplified by the oscillation of the body.
/// docs/precision.md requires a change below 1e-5 in one second.
double couple_error(Precision precision, double exact) { return precision == Precision::full ? exact : 3e-6; }

TEST(PeersFault, DampingOfUnequalMassesBalances) {
  // The mass of one voxel is a hundred times that of the other. The damper of the bond must apply opposite forces and
  // balanced couples to the two voxels.
  for (const auto& [axis, precision] : {std::pair{0, Precision::full},
                                        {1, Precision::full},
                                        {2, Precision::full},
                                        {0, Precision::mixed},
                                        {1, Precision::mixed},
                                        {2, Precision::mixed}}) {
    VoxelBodyParams params;
    params.precision = precision;
    Lab lab(pair_along(axis, 100, 1), {}, params);
    Elements& e = lab.body().elements();
    e.velocity = {Vec3(0.3, -0.2, 0.1), Vec3(-0.001, 0.002, 0.003)};
    e.angular_velocity = {Vec3(10, 20, -30), Vec3(1, 0, 2)};
    const Diagnostics before = lab.diagnostics();
    lab.run(0.05);
    const Diagnostics after = lab.diagnostics();
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.momentum.norm()) << axis;
    EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(),
              couple_error(precision, 1e-9) * before.angular_momentum.norm())
        << axis;
    EXPECT_LT(after.kinetic, 0.9 * before.kinetic) << axis;  // damping removed energy
  }
}

/// Returns a row of ten voxels that is stretched and sheared. The row rotates and oscillates freely.
Lab stretched_chain(double zeta, double stretch, double bend, Precision precision = Precision::mixed) {
  BoxSpec spec{10, 1, 1, 0.005};
  spec.material.bond_damping = zeta;
  VoxelBodyParams params;
  params.precision = precision;
  Lab lab(box_lattice(spec), {}, params);
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    const double x = e.position[v].x();
    e.position[v] = Vec3(stretch * x, bend * x * x / 0.05, 0.5 * bend * std::sin(60 * x) * 0.05);
    e.velocity[v] = 5.0 * Vec3(0, 0, 1).cross(e.position[v]) + Vec3(0, 0.3 * x, -0.1);
  }
  return lab;
}

TEST(PeersFault, AStretchedChainKeepsItsAngularMomentum) {
  // In Voxelyze, the angular momentum changes from 5.96e-7 to -1.97e-7.
  for (const Precision precision : {Precision::full, Precision::mixed})
    for (const auto& [zeta, stretch, bend] :
         {std::array{0.0, 1.1, 0.01}, {0.0, 1.2, 0.0}, {0.1, 1.3, 0.2}, {0.5, 1.3, 0.2}, {2.0, 1.3, 0.2}}) {
      Lab lab = stretched_chain(zeta, stretch, bend, precision);
      const Vec3 before = lab.diagnostics().angular_momentum;
      const Vec3 middle = lab.diagnostics().center_of_mass;
      lab.run(0.3);
      const Diagnostics after = lab.diagnostics();
      EXPECT_LT((after.angular_momentum - before).norm(), couple_error(precision, 1e-11) * before.norm()) << zeta;
      EXPECT_GT((after.center_of_mass - middle).norm(), 0.01) << zeta;
    }
}

TEST(PeersFault, AChainStretchedByHalfDoesNotExplodeAtAnyDamping) {
  // As the chain stretches, the lever arms grow, and rotations become stiffer than in the spectrum of the rest shape.
  // The recommended step must therefore decrease with the stretch.
  for (const double zeta : {0.1, 0.5, 1.0, 2.0}) {
    Lab lab = stretched_chain(zeta, 1.5, 0.1);
    EXPECT_LT(lab.body().stable_dt(0), largest_stable_dt(lab.body().spectrum(), 0) / 1.5);
    const Diagnostics before = lab.diagnostics();
    for (int i = 0; i < 30; ++i) {
      lab.run(0.01);
      const Diagnostics now = lab.diagnostics();
      ASSERT_LE(now.kinetic + now.elastic, before.kinetic + before.elastic) << zeta << ", " << i;
    }
  }
  // The bar is held at a stretch of 50 %, as when a user drags it with the mouse.
  for (const double zeta : {0.0, 0.5, 1.0, 2.0}) {
    BoxSpec spec{8, 2, 2, 0.005};
    spec.material.bond_damping = zeta;
    VoxelRegion end = slab_x(0.9, 1, true);
    end.displacement = Vec3(0.0175, 0, 0);
    end.ramp_s = 0.2;
    Lab lab(box_lattice(spec), {slab_x(0, 0.1, true), end});
    shake_velocities(lab.body().elements(), 1e-4);
    lab.run(0.5);
    EXPECT_LT(lab.diagnostics().kinetic, 1e-4 * lab.diagnostics().elastic) << zeta;
    EXPECT_EQ(lab.body().memory().broken.size(), 0U) << zeta;
  }
}

TEST(PeersFault, BondsAlongEveryAxisStoreTheirEnergy) {
  // The energy must be k x^2 / 2 in tension and b1 y^2 / 2 in shear, for every direction of the bond (b1: shear
  // stiffness).
  for (int axis = 0; axis < 3; ++axis)
    for (int along = 0; along < 3; ++along) {
      Lab lab(pair_along(axis, 1, 0));
      lab.body().elements().position[1] += 1e-3 * Vec3::Unit(along);
      EXPECT_NEAR(lab.diagnostics().elastic, 0.5 * 1e4 * 1e-6, 1e-12) << axis << along;
    }
}

TEST(PeersFault, InvertedBondsPushBackAlongEveryAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    Lab lab(pair_along(axis, 1, 0.5));
    Elements& e = lab.body().elements();
    // The voxel is moved through its neighbour to the other side.
    e.position[1] = e.position[0] - 0.004 * Vec3::Unit(axis);
    lab.context().dt = 1e-6;
    lab.step(1);
    EXPECT_GT((e.velocity[1] - e.velocity[0])[axis], 0) << axis;  // the voxel returns to the original side
    lab.run(0.05);
    EXPECT_NEAR((e.position[1] - e.position[0]).dot(e.orientation[0] * Vec3::Unit(axis)), 0.01, 1e-6) << axis;
  }
}

TEST(PeersFault, AVoxelAtTheVeryPlaceOfItsNeighbourIsPushedOut) {
  Lab lab(pair_along(0, 1, 0.5));
  Elements& e = lab.body().elements();
  e.position[1] = e.position[0];
  lab.run(0.05);
  EXPECT_FALSE(lab.body().check_health().has_value());
  EXPECT_NEAR((e.position[1] - e.position[0]).dot(e.orientation[0] * Vec3::UnitX()), 0.01, 1e-6);
}

TEST(PeersFault, WhatIsNotFiniteIsNoticedInEveryPartOfTheState) {
  for (const double poison : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int part = 0; part < 4; ++part)
      for (int i = 0; i < 3; ++i) {
        Lab lab(box_lattice({3, 3, 3, 0.01}), {}, {}, {ground()});
        lab.run(1.0 / 120);
        ASSERT_FALSE(lab.body().check_health().has_value());
        Elements& e = lab.body().elements();
        const std::size_t v = 14;
        if (part == 0) e.position[v][i] = poison;
        if (part == 1) e.velocity[v][i] = poison;
        if (part == 2) e.orientation[v].coeffs()[i] = poison;
        if (part == 3) e.angular_velocity[v][i] = poison;
        const auto at_once = lab.body().check_health();
        ASSERT_TRUE(at_once.has_value()) << part << i;
        EXPECT_EQ(at_once->element, 14) << part << i;
        EXPECT_THAT(at_once->what, ::testing::HasSubstr("not finite"));
        lab.context().dt = 1e-3;
        lab.step(20);  // after the fault has spread, the body must neither crash nor report a valid state
        EXPECT_TRUE(lab.body().check_health().has_value()) << part << i;
      }
}

TEST(PeersFault, TheFloorNeverPullsAtAnyDamping) {
  for (const double damping : {0.0, 0.5, 1.0}) {
    BoxSpec spec{1, 1, 1, 0.01};
    spec.material.contact_damping = damping;
    spec.material.youngs_modulus = 1e5;
    VoxelBodyParams params;
    // The body starts with penetration and leaves fast. A damper without a limit would then pull the body back.
    params.position = Vec3(0, -0.003, 0);
    Lab lab(box_lattice(spec), {}, params, {ground()});
    const double dt = 1e-5;
    lab.context().dt = dt;
    double last = 0;
    for (int i = 0; i < 5000; ++i) {
      lab.step(1);
      const double v = lab.body().elements().velocity[0].y();
      // Without gravity, only the floor could slow the body.
      ASSERT_GE(v, last - 1e-15) << damping << ", substep " << i;
      last = v;
    }
    EXPECT_GT(last, 0.05) << damping;
    EXPECT_GT(lab.position(0).y(), 0.005) << damping;
  }
}

TEST(PeersFault, TimeGoesOnBeyondAnyNumberOfSeconds) {
  // A time in float cannot resolve a microsecond at 32 s or later. After a day, the temperature wave and a fall must
  // still advance in steps of a microsecond.
  const double day = 86400, period = 1e-3, dt = 1e-6;
  BoxSpec spec{2, 1, 1, 0.01};
  spec.material.cte = 0.01;
  VoxelBodyParams params;
  params.wave = TemperatureWave::sine;
  params.temperature_amplitude = 1;
  params.temperature_period_s = period;
  Lab lab(box_lattice(spec), {}, params);
  lab.context().time = day;
  lab.context().gravity = Vec3(0, -9.81, 0);
  lab.context().dt = 250 * dt;
  lab.body().begin_step(lab.context());
  lab.body().substeps(lab.context(), day, dt, 250);
  lab.body().end_step(lab.context());
  EXPECT_NEAR(lab.body().elements().velocity[0].y() + lab.body().elements().velocity[1].y(), -2 * 9.81 * 250e-6, 1e-12);
  // The last substep uses the temperature at its start, 249 us after a whole number of periods. At one day, a double
  // resolves 1.5e-11 s.
  EXPECT_NEAR(lab.body().elements().radius[0], 0.005 * (1 + 0.01 * std::sin(2 * pi * 249e-6 / period)), 1e-10);
}

TEST(PeersFault, WhatIsCrushedStaysShort) {
  // A column is compressed by 20 % and released. Without yield in compression, the column would return to the full
  // length.
  BoxSpec spec{8, 2, 2, 0.01};
  spec.material.youngs_modulus = 1e5;
  spec.material.model = StressModel::bilinear;
  spec.material.yield_stress = 2e3, spec.material.plastic_modulus = 1e3;
  spec.material.bond_damping = 0.5, spec.material.global_damping = 0.05;
  Lab lab(box_lattice(spec));
  Elements& e = lab.body().elements();
  for (Vec3& x : e.position) x.x() *= 0.8;
  lab.run(0.5);
  const double length = (e.position[7] - e.position[0]).norm() / 0.07;
  // The final strain is -0.2 plus the elastic recovery sigma / E. The stress sigma is at most 2e3 + 1e3 (0.2 - 0.02).
  EXPECT_NEAR(length, 0.8 + (2e3 + 1e3 * 0.18) / 1e5, 2e-3);
}

TEST(PeersFault, ABadTableIsAnErrorAndNoDefault) {
  static const Schema schema{"scene",
                             "",
                             {},
                             {{.name = "material", .kinds = {&voxel_material_schema()}, .doc = ""},
                              {.name = "system", .kinds = {&voxel_body_schema()}, .doc = ""}}};
  const auto refusal = [](const NumberList& strain, const NumberList& stress) {
    Node scene = make_node(schema);
    Node& gum = add_child(scene, "material", "voxel_material", "gum");
    gum.set("model", Value(std::string("data")));
    gum.set("strain_data", Value(strain));
    gum.set("stress_data", Value(stress));
    add_child(scene, "system", "voxel_body", "creature");
    const auto body = create_voxel_body(*scene.find("system", "creature"), scene);
    return body ? std::string() : body.error().message();
  };
  EXPECT_EQ(refusal({0.1, 0.2}, {1e4, 1.5e4}), "");
  EXPECT_THAT(refusal({0.1, 0.05}, {1e4, 2e4}), ::testing::HasSubstr("material.gum.strain_data"));
  EXPECT_THAT(refusal({0, 0.1}, {1e4, 2e4}), ::testing::HasSubstr("material.gum.strain_data"));
  EXPECT_THAT(refusal({0.1, 0.2}, {1e4}), ::testing::HasSubstr("material.gum.stress_data"));
  EXPECT_THAT(refusal({0.1}, {0}), ::testing::HasSubstr("material.gum.stress_data"));
  EXPECT_THAT(refusal({1e-300}, {1e13}), ::testing::HasSubstr("material.gum.strain_data"));
  EXPECT_THAT(refusal({}, {}), ::testing::HasSubstr("material.gum.strain_data"));
  // A scene already rejects a NaN when the parameter is set.
  Node scene = make_node(schema);
  add_child(scene, "material", "voxel_material", "gum");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(set_parameter(scene, "material.gum.stress_data", Value(NumberList{1e4, nan})).has_value());
  EXPECT_FALSE(set_parameter(scene, "material.gum.stress_data", Value(NumberList{1e4, -2e4})).has_value());
  EXPECT_FALSE(set_parameter(scene, "material.gum.strain_data", Value(NumberList{nan})).has_value());
}

class PeersFaultStep : public ::testing::TestWithParam<std::tuple<double, double, bool>> {};

TEST_P(PeersFaultStep, ACubeAtTheRecommendedStepStaysBounded) {
  // A cube hits the ground with exactly the step that the body recommends. No energy enters from outside, so the energy
  // must not grow. In symplectic Euler at w dt = 1.8 (w: angular frequency), the energy of the fastest mode appears up
  // to 1 / (1 - 0.9^2) = 5.3 times too large. The test therefore does not require a constant energy.
  const auto [zeta, nu, touches] = GetParam();
  BoxSpec spec{5, 5, 5, 0.005};
  spec.material.bond_damping = zeta;
  spec.material.poissons_ratio = nu;
  VoxelBodyParams params;
  params.voxel_size_m = 0.005;
  params.self_contact = touches;
  params.position = Vec3(0, 0.006, 0);
  params.rotation = Vec3(0.1, 0.2, 0.3);
  params.velocity = Vec3(0, -1, 0);
  Lab lab(box_lattice(spec), {}, params, {ground()});
  shake_velocities(lab.body().elements(), 0.1);
  lab.context().gravity = Vec3(0, -9.81, 0);
  const double dt = lab.body().stable_dt(0);
  const auto energy = [&] {
    const Diagnostics d = lab.diagnostics();
    return d.kinetic + d.elastic;
  };
  const double start = energy() + 125 * 1.25e-4 * 9.81 * 0.01;
  for (int i = 0; i < 100; ++i) {
    lab.context().dt = 50 * dt;
    lab.body().begin_step(lab.context());
    lab.body().substeps(lab.context(), lab.context().time, dt, 50);
    lab.body().end_step(lab.context());
    lab.context().time += lab.context().dt;
    ASSERT_LT(energy(), 1.5 * start) << i;
    ASSERT_FALSE(lab.body().check_health().has_value()) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(DampingPoissonSelfContact, PeersFaultStep,
                         ::testing::Combine(::testing::Values(0.0, 1.0, 2.0), ::testing::Values(0.0, 0.45),
                                            ::testing::Bool()));

TEST(PeersFault, AnExplosionIsReported) {
  // The step of this cube is 10 % too long. A world step must report the instability and its cause before any value
  // becomes infinite.
  for (const double zeta : {0.0, 1.0, 2.0})
    for (const double nu : {0.0, 0.45}) {
      BoxSpec spec{5, 5, 5, 0.005};
      spec.material.bond_damping = zeta;
      spec.material.poissons_ratio = nu;
      Lab lab(box_lattice(spec));
      lab.body().elements().velocity[7] = Vec3(0.1, 0.2, -0.1);
      const double dt = 1.1 * largest_stable_dt(lab.body().spectrum(), 0);
      std::optional<HealthIssue> issue;
      for (int i = 0; i < 400 && !issue; ++i) {
        lab.context().dt = 20 * dt;
        lab.body().begin_step(lab.context());
        lab.body().substeps(lab.context(), lab.context().time, dt, 20);
        lab.body().end_step(lab.context());
        lab.context().time += lab.context().dt;
        issue = lab.body().check_health();
      }
      ASSERT_TRUE(issue.has_value()) << zeta << ", " << nu;
      EXPECT_THAT(issue->why, ::testing::HasSubstr("the time step is too large for the stiffness")) << issue->what;
    }
}

}  // namespace
}  // namespace vw::test
