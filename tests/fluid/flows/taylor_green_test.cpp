// Taylor-Green vortices (Taylor & Green 1937) of unit wave number in a periodic slab: u = sin x cos y, v = -cos x
// sin y. The amplitude decays as exp(-2 nu t).
#include <gtest/gtest.h>

#include "tests/fluid/force_patch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

ForcePatch vortex_patch(int cells, double viscosity) {
  ForcePatch patch;
  patch.spacing = 2 * pi / cells;
  patch.domain = {Box3(Vec3::Zero(), Vec3(2 * pi, 2 * pi, 4 * patch.spacing)), {true, true, true}};
  patch.fill(patch.domain.box, [](const Vec3&) { return true; });
  for (std::size_t i = 0; i < patch.x.size(); ++i) patch.v[i] = taylor_green(patch.x[i]);
  patch.phases[0].viscosity_pas = 1000 * viscosity;
  // The solver allows no negative pressures. In a full box, the density error that the solve leaves therefore
  // dissipates energy. A tolerance of 0.5 % keeps this dissipation small enough.
  patch.rate_limits.error = 5e-3;
  return patch;
}

double amplitude(const ForcePatch& patch) {
  double along = 0, whole = 0;
  for (std::size_t i = 0; i < patch.x.size(); ++i)
    along += patch.v[i].dot(taylor_green(patch.x[i])), whole += taylor_green(patch.x[i]).squaredNorm();
  return along / whole;
}

/// Errors of the amplitude A(t) until the amplitude has fallen to 1 / e: largest relative error, and mean decay rate in
/// units of 2 nu.
struct Decay {
  double error = 0, rate = 0;
};
Decay decay_of(ForcePatch& patch, double viscosity) {
  // The implicit viscosity solve at the end of a substep causes a relative error of nu dt in the decay rate.
  const double dt = std::min(0.3 * patch.spacing, 0.01 / viscosity), end = 1 / (2 * viscosity);
  Decay decay;
  double t = 0;
  while (t < end) {
    patch.step(dt);
    t += dt;
    const double is = amplitude(patch), should = std::exp(-2 * viscosity * t);
    decay.error = std::max(decay.error, std::abs(is / should - 1));
    decay.rate = -std::log(is) / (2 * viscosity * t);
  }
  return decay;
}

/// Stirs the fluid and then sets the velocities of the vortices again. A lattice resists shear like a crystal, so
/// vortices that start on a lattice would lose energy by breaking it up.
void melt(ForcePatch& patch) {
  const double dt = 0.3 * patch.spacing;
  for (int round = 0; round < 2; ++round) {
    for (double t = 0; t < 1; t += dt) patch.step(dt);
    for (std::size_t i = 0; i < patch.x.size(); ++i) patch.v[i] = taylor_green(patch.x[i]);
  }
}

TEST(TaylorGreen, AFewRowsAWaveAreEnoughForATenth) {
  ForcePatch patch = vortex_patch(20, 0.3);
  melt(patch);
  EXPECT_NEAR(decay_of(patch, 0.3).rate, 1, 0.1);
}

TEST(TaylorGreenValidation, VorticesDecayByViscosityAlone) {
  // This test covers both viscosity methods with 32 particles per wavelength and a Reynolds number of 3 (based on the
  // wave number). The next test records the dissipation by the discretisation itself.
  for (const ViscosityMethod method : {ViscosityMethod::implicit, ViscosityMethod::morris}) {
    ForcePatch patch = vortex_patch(32, 0.3);
    patch.settings.viscosity_method = method;
    melt(patch);
    const Decay decay = decay_of(patch, 0.3);
    const std::string name = method == ViscosityMethod::implicit ? "implicit viscosity" : "Morris viscosity";
    expect_case("fluid", "Taylor-Green, 32 rows a wave, nu 0.3, decay over exp(-2 nu t), " + name, decay.rate, 1, 0.05);
    expect_case("fluid", "Taylor-Green, 32 rows a wave, nu 0.3, worst amplitude, " + name, decay.error, 0, 0.05);
  }
}

TEST(TaylorGreenValidation, VorticesDecayAlikeWithTheCubicSplineAndInTougherLiquids) {
  for (const double viscosity : {0.3, 1.0}) {
    ForcePatch patch = vortex_patch(32, viscosity);
    patch.space.scale.kernel = SphKernel::cubic;
    melt(patch);
    const std::string name = "Taylor-Green, 32 rows a wave, cubic spline, nu " + std::to_string(viscosity).substr(0, 3);
    expect_case("fluid", name + ", worst amplitude", decay_of(patch, viscosity).error, 0, 0.05);
  }
}

TEST(TaylorGreenValidation, TheDiscretisationDissipatesLittle) {
  // Disordered particles dissipate energy like an additional viscosity of about U d / 40 (U: speed, d: spacing). The
  // additional viscosity is 0.005 in this test, compared with the set viscosity of 0.1.
  ForcePatch patch = vortex_patch(32, 0.1);
  melt(patch);
  const Decay decay = decay_of(patch, 0.1);
  const double numerical = 0.1 * (decay.rate - 1) / patch.spacing;
  expect_case("fluid", "Taylor-Green, 32 rows a wave, nu 0.1, numerical viscosity over U d", numerical, 0, 0.05);
}

}  // namespace
}  // namespace vw::test
