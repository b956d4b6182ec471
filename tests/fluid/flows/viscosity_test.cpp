// Viscosity: the discrete operator on the lattice, momentum and energy of the solve, and channel flow.
#include <gtest/gtest.h>

#include <random>

#include "tests/fluid/force_patch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

ForcePatch periodic_patch(int cells, double spacing = 0.1) {
  ForcePatch patch;
  patch.spacing = spacing;
  const Vec3 half = Vec3::Constant(0.5 * cells * spacing);
  patch.domain = {Box3(-half, half), {true, true, true}};
  patch.fill(patch.domain.box, [](const Vec3&) { return true; });
  return patch;
}

void stir(ForcePatch& patch, double by_spacings, double speed) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (std::size_t i = 0; i < patch.x.size(); ++i) {
    patch.x[i] += by_spacings * patch.spacing * Vec3(unit(random), unit(random), unit(random));
    patch.v[i] = speed * Vec3(unit(random), unit(random), unit(random));
    patch.x[i] = patch.domain.wrapped(patch.x[i]);
  }
}

/// Returns the decay rate of a shear wave u_x = sin(k y) in one short substep, in units of nu k^2.
double decay(ViscosityMethod method, bool diagonal) {
  ForcePatch patch = periodic_patch(16);
  patch.settings.viscosity_method = method;
  patch.phases[0].viscosity_pas = 1;
  const double k = 2 * pi / 1.6, dt = 1e-3;
  const auto wave = [&](const Vec3& x) {
    return diagonal ? Vec3(std::sin(k * (x.x() + x.y())), -std::sin(k * (x.x() + x.y())), 0)
                    : Vec3(std::sin(k * x.y()), 0, 0);
  };
  for (std::size_t i = 0; i < patch.x.size(); ++i) patch.v[i] = wave(patch.x[i]);
  patch.prepare();
  const double before = patch.energy();
  patch.add_forces(dt);
  patch.take_velocities();
  return -std::log(patch.energy() / before) / (2 * dt * 1e-3 * k * k * (diagonal ? 2 : 1));
}

TEST(Viscosity, ShearWavesOnTheLatticeDecayAsTheyShouldInEveryDirection) {
  // With sixteen particles per wavelength, the dispersion error of the lattice is (k d)^2 / 12 = 1.3 % (k: wave number,
  // d: spacing). For waves along the diagonal, the error is twice as large.
  for (const ViscosityMethod method : {ViscosityMethod::implicit, ViscosityMethod::morris})
    for (const bool diagonal : {false, true})
      EXPECT_NEAR(decay(method, diagonal), 1, 0.04) << static_cast<int>(method) << diagonal;
}

TEST(Viscosity, AnyViscosityKeepsMomentumAndTakesEnergy) {
  for (const ViscosityMethod method : {ViscosityMethod::implicit, ViscosityMethod::morris})
    for (const double viscosity : {1e-3, 1.0, 1e4}) {
      ForcePatch patch = periodic_patch(8, 0.02);
      stir(patch, 0.3, 1);
      patch.settings.viscosity_method = method;
      patch.phases[0].viscosity_pas = viscosity;
      const Vec3 momentum = patch.momentum();
      const double whole = patch.sum_of_speeds();
      double energy = patch.energy();
      for (int step = 0; step < 20; ++step) {
        patch.prepare();
        patch.add_forces(0.005);
        patch.take_velocities();
        EXPECT_LE(patch.energy(), energy * (1 + 1e-6)) << viscosity << " step " << step;
        energy = patch.energy();
      }
      EXPECT_LT((patch.momentum() - momentum).norm(), 1e-6 * whole) << viscosity;
    }
}

TEST(Viscosity, SpinOfAFreeBodyIsKeptByCentralForces) {
  ForcePatch patch;
  patch.domain = {Box3(Vec3::Constant(-5), Vec3::Constant(5)), {}};
  patch.fill(Box3(Vec3::Constant(-0.5), Vec3::Constant(0.5)), [](const Vec3& x) { return x.norm() < 0.5; });
  patch.phases[0].viscosity_pas = 1000;
  for (std::size_t i = 0; i < patch.x.size(); ++i) patch.v[i] = Vec3(0, 0, 2).cross(patch.x[i]);
  const Vec3 spin = patch.spin();
  const double energy = patch.energy();
  for (int step = 0; step < 10; ++step) {
    patch.prepare();
    patch.add_forces(0.005);
    patch.take_velocities();
  }
  EXPECT_LT((patch.spin() - spin).norm(), 1e-5 * spin.norm());
  EXPECT_NEAR(patch.energy(), energy, 1e-5 * energy);
}

}  // namespace
}  // namespace vw::test
