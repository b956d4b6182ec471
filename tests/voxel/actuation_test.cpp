// Actuation by temperature: thermal expansion, bending of layered bodies, and temperature waves.
#include <gtest/gtest.h>

#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

VoxelBodyParams heated(TemperatureWave wave, double amplitude, double period = 1) {
  VoxelBodyParams params;
  params.wave = wave;
  params.temperature_amplitude = amplitude;
  params.temperature_period_s = period;
  return params;
}

TEST(VoxelTemperature, FreeExpansionIsCteTimesTemperature) {
  for (const double nu : {0.0, 0.35}) {
    BoxSpec spec{6, 3, 3, 0.005};
    spec.material.cte = 1e-3;
    spec.material.poissons_ratio = nu;
    spec.material.bond_damping = 0.5;
    Lab lab(box_lattice(spec), {}, heated(TemperatureWave::constant, 20));
    lab.run(1);
    const double length = (lab.position(5) - lab.position(0)).norm();
    expect_case("voxel", nu == 0 ? "Free thermal expansion, nu = 0" : "Free thermal expansion, nu = 0.35",
                length / (5 * 0.005) - 1, 0.02, 5e-5);
    EXPECT_NEAR(length / (5 * 0.005), 1.02, 1e-6);
  }
}

TEST(VoxelTemperature, TwoLayersBendToTimoshenkosCurvature) {
  BoxSpec spec{20, 2, 1, 0.005};
  spec.material.cte = 1e-3;
  spec.material.global_damping = 0.01;
  VoxelLattice lattice = box_lattice(spec);
  lattice.materials.push_back(spec.material);
  lattice.materials[1].cte = 0;
  lattice.material_name.emplace_back("dull");
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    lattice.material[v] = static_cast<std::uint16_t>(lattice.cell[v][1]);
  Lab lab(std::move(lattice), {}, heated(TemperatureWave::constant, 10));
  lab.run(2);
  // The measured curvature is the angle between cells 5 and 14, divided by the arc length of the centre line between
  // them.
  const Elements& e = lab.body().elements();
  const double angle = turn_of(e.orientation[5].conjugate() * e.orientation[14]).norm();
  const double mean_strain = 0.5 * 1e-3 * 10;
  expect_case("voxel", "Bimetal strip, curvature", angle / (9 * 0.005 * (1 + mean_strain)), 0.75 * 1e-3 * 10 / 0.005,
              0.05, "1/m");
}

TEST(VoxelTemperature, WavesFollowTheirFormulas) {
  BoxSpec spec{2, 1, 1, 0.01};
  VoxelLattice lattice = box_lattice(spec);
  lattice.phase = {0.1, -0.35};
  lattice.amplitude_scale = {1, 0.5};
  const TemperaturePhases phases = make_phases(lattice);
  for (const double t : {0.0, 0.013, 0.05, 0.17, 3.331}) {
    for (std::size_t v = 0; v < 2; ++v) {
      const double sine = std::sin(2 * pi * (t / 0.2 + lattice.phase[v])), amplitude = 30 * lattice.amplitude_scale[v];
      EXPECT_NEAR(TemperatureMoment({TemperatureWave::sine, 30, 0.2}, t).at(phases, v), amplitude * sine, 1e-11);
      EXPECT_EQ(TemperatureMoment({TemperatureWave::constant, 30, 0.2}, t).at(phases, v), amplitude);
      EXPECT_EQ(TemperatureMoment({TemperatureWave::none, 30, 0.2}, t).at(phases, v), 0);
      if (std::abs(sine) < 1e-9) continue;
      EXPECT_EQ(TemperatureMoment({TemperatureWave::square, 30, 0.2}, t).at(phases, v),
                sine > 0 ? amplitude : -amplitude);
    }
  }
}

TEST(VoxelTemperature, BondRestsAtTheMeanOfItsVoxels) {
  BoxSpec spec{2, 1, 1, 0.01};
  spec.material.cte = 0.01;
  spec.material.bond_damping = 1;
  VoxelLattice lattice = box_lattice(spec);
  lattice.amplitude_scale = {1, 0};
  Lab lab(std::move(lattice), {}, heated(TemperatureWave::constant, 10));
  lab.run(0.2);
  EXPECT_NEAR((lab.position(1) - lab.position(0)).norm(), 0.01 * 1.05, 1e-9);
  EXPECT_NEAR(lab.body().elements().radius[0], 0.0055, 1e-15);
  EXPECT_NEAR(lab.body().elements().radius[1], 0.005, 1e-15);
}

TEST(VoxelTemperature, ABodyThatSwellsByHalfInOneStepStaysBounded) {
  // As the voxels grow, the lever arms of the bonds grow and the stable step decreases. The step bound must therefore
  // take future temperatures into account.
  for (const TemperatureWave wave : {TemperatureWave::sine, TemperatureWave::square, TemperatureWave::constant})
    for (const double nu : {0.0, 0.35}) {
      BoxSpec spec{1, 6, 7, 0.01};
      spec.material.youngs_modulus = 1.17e5, spec.material.density = 130;
      spec.material.poissons_ratio = nu, spec.material.bond_damping = 0.1;
      spec.material.cte = 0.02;
      VoxelBodyParams params;
      params.voxel_size_m = 0.01;
      params.wave = wave, params.temperature_amplitude = 20, params.temperature_period_s = 0.05;
      Lab lab(box_lattice(spec), {}, params);
      lab.run(0.3);
      for (std::size_t v = 0; v < 42; ++v)
        ASSERT_LT((lab.position(v) - Vec3(0.005, 0.03, 0.035)).norm(), 0.12) << v << " at nu = " << nu;
    }
}

TEST(VoxelTemperature, AVoxelOfSevenTimesItsSizeIsPushedOutOfTheGround) {
  BoxSpec spec{1, 1, 1, 0.01};
  spec.material.cte = 1;
  VoxelBodyParams params = heated(TemperatureWave::constant, 6);
  params.position = Vec3(0, 0.025, 0);  // the centre is at 0.03 m, and half the edge is 0.035 m
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.step(100);
  EXPECT_GT(lab.body().elements().velocity[0].y(), 0);
}

}  // namespace
}  // namespace vw::test
