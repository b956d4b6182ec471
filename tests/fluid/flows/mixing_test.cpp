// Interpenetration of two liquids with surface tension. The liquids are miscible or immiscible, with density ratios of
// one and ten. The box is periodic and without gravity, so only tension separates the liquids. A further test checks
// tension across the periodic sides.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/random.h"
#include "tests/fluid/spacing.h"
#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::dx;
using test::WalledFluid;

constexpr int box_cells = 12;  ///< edge of the box in spacings

/// Returns an empty periodic box for two liquids with a tension of 2 N/m.
WalledFluid periodic_box(double density_ratio, double miscibility) {
  WalledFluid fluid(dx);
  fluid.gravity.setZero();
  const Vec3 half = Vec3::Constant(0.5 * box_cells * dx);
  fluid.domain = {Box3(-half, half), {true, true, true}};
  fluid.params.miscibility = miscibility;
  fluid.phases.resize(2);
  fluid.phases[1].density_kgpm3 = fluid.phases[0].density_kgpm3 / density_ratio;
  for (FluidPhase& phase : fluid.phases) phase.tension_npm = 2, phase.viscosity_pas = 0.1;
  return fluid;
}

/// Fills the box. Particles for whose index `second` is true belong to the second liquid.
template <class F>
void fill_with(WalledFluid& fluid, F second) {
  fluid.fill(fluid.domain.box);
  for (std::size_t i = 0; i < fluid.rows.size(); ++i) {
    fluid.rows.phase[i] = second(i) ? 1 : 0;
    fluid.rows.elements.mass[i] = fluid.phases[fluid.rows.phase[i]].density_kgpm3 * dx * dx * dx;
  }
}

/// Returns the mixing measure: number of neighbour pairs of unlike liquids, divided by the number of such pairs in a
/// random mixture of equal parts.
double mixed(const WalledFluid& fluid) {
  const auto x = fluid.x();
  double unlike = 0, all = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      Vec3 apart = x[i] - x[j];
      for (int a = 0; a < 3; ++a) apart[a] = std::remainder(apart[a], box_cells * dx);
      if (apart.squaredNorm() > 2.25 * dx * dx) continue;
      all += 1;
      unlike += fluid.rows.phase[i] != fluid.rows.phase[j] ? 1 : 0;
    }
  return 2 * unlike / all;
}

/// Returns the mixing measure after two seconds, for liquids that start as a random mixture.
double left_of_mixture(double density_ratio, double miscibility) {
  WalledFluid fluid = periodic_box(density_ratio, miscibility);
  fill_with(fluid, [](std::size_t i) { return random_uniform({5, 5}, i, 0) < 0.5; });
  EXPECT_NEAR(mixed(fluid), 1, 0.02);
  EXPECT_TRUE(fluid.run(2));
  return mixed(fluid);
}

/// Returns the mixing measure of two layers after two seconds of eddies that overturn the layers.
double mixed_by_eddies(double density_ratio, double miscibility) {
  WalledFluid fluid = periodic_box(density_ratio, miscibility);
  fill_with(fluid, [&](std::size_t i) { return fluid.x()[i].y() > 0; });
  const double k = 2 * pi / (box_cells * dx);
  for (std::size_t i = 0; i < fluid.rows.size(); ++i) {
    const Vec3 at = k * fluid.x()[i];
    fluid.rows.elements.velocity[i] =
        0.4 * Vec3(std::sin(at.x()) * std::cos(at.y()),
                   -std::cos(at.x()) * std::sin(at.y()) + 0.5 * std::cos(at.x()) + 0.1 * std::sin(at.z()),
                   0.5 * std::sin(at.x()));
  }
  EXPECT_TRUE(fluid.run(2));
  return mixed(fluid);
}

/// Mixing measure of two flat layers. A third of all particles lie beside the two interfaces. Of the eighteen
/// neighbours of such a particle, five belong to the other liquid.
constexpr double layered_mixing = 0.19;

TEST(FluidMixing, ImmiscibleLiquidsPartAndMiscibleOnesDoNot) {
  for (const double ratio : {1.0, 10.0}) {
    EXPECT_GT(left_of_mixture(ratio, 1), 0.9) << ratio;
    EXPECT_LT(left_of_mixture(ratio, 0), 0.5) << ratio;
  }
}

TEST(FluidMixing, EddiesMixMiscibleLiquidsAndNotImmiscibleOnes) {
  for (const double ratio : {1.0, 10.0}) {
    EXPECT_GT(mixed_by_eddies(ratio, 1), 3 * layered_mixing) << ratio;
    EXPECT_LT(mixed_by_eddies(ratio, 0), 1.2 * layered_mixing) << ratio;
  }
}

/// Returns the kinetic energy of a cube of liquid while surface tension rounds off the cube. `middle` is the position
/// of the centre of the cube in the periodic box.
double energy_of_rounding(const Vec3& middle) {
  WalledFluid fluid = periodic_box(1, 1);
  fluid.fill(Box3(Vec3::Constant(-3 * dx), Vec3::Constant(3 * dx)));
  for (Vec3& x : fluid.rows.elements.position) x = fluid.domain.wrapped(x + middle);
  EXPECT_TRUE(fluid.run(0.05));
  return fluid.kinetic();
}

TEST(FluidMixing, TensionActsAcrossPeriodicSidesAsInTheMiddle) {
  const double inside = energy_of_rounding(Vec3::Zero());
  EXPECT_GT(inside, 1e-4);
  // The cubes cross a side and a corner of the box. The tolerance allows for the different order of summation.
  EXPECT_NEAR(energy_of_rounding(Vec3(6 * dx, 0, 0)), inside, 1e-3 * inside);
  EXPECT_NEAR(energy_of_rounding(Vec3(6 * dx, 6 * dx, 6 * dx)), inside, 1e-3 * inside);
}

TEST(FluidMixing, AFullPeriodicBoxWithTensionRests) {
  WalledFluid fluid = periodic_box(1, 1);
  fluid.fill(fluid.domain.box);
  EXPECT_TRUE(fluid.run(0.5));
  EXPECT_LT(fluid.fastest(), 1e-3);
}

}  // namespace
}  // namespace vw
