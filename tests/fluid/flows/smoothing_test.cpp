// The damping by XSPH smoothing and the residual motion at rest must not depend on the length of the substeps.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;
using test::tank_of_planes;
using test::WalledFluid;

/// Returns the decay rate [1/s] of a shear wave u = U sin(k x) with velocities along y, under smoothing. The wavelength
/// is `cells` spacings. The substeps have length `dt`.
double decay_rate(int cells, double smoothing, double dt) {
  WalledFluid fluid(0.02);
  const double d = fluid.params.spacing_m, wave = 2 * pi / (cells * d);
  fluid.params.smoothing = smoothing;
  fluid.params.max_dt_s = dt;
  fluid.gravity.setZero();
  fluid.domain = {Box3(Vec3::Zero(), d * Vec3(cells, 8, 8)), {true, true, true}};
  fluid.fill(fluid.domain.box);
  for (std::size_t i = 0; i < fluid.rows.size(); ++i)
    fluid.rows.elements.velocity[i] = Vec3(0, 0.01 * std::sin(wave * fluid.x()[i].x()), 0);
  const auto amplitude = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < fluid.rows.size(); ++i) sum += fluid.v()[i].y() * std::sin(wave * fluid.x()[i].x());
    return sum;
  };
  const double before = amplitude();
  EXPECT_TRUE(fluid.run(0.1));
  return std::log(before / amplitude()) / fluid.time_s;
}

TEST(FluidSmoothing, TakesTheSameASecondHoweverLongSubstepsAre) {
  // Smoothing moves a velocity towards the mean velocity of the neighbours. The expected decay rate is -ln(1 -
  // smoothing) S / (0.08 sqrt(d / g)). Here d is the spacing, and S is the lattice sum of V W (1 - cos k x) with the
  // particle volume V, the kernel W and the wave number k.
  constexpr int cells = 16;
  constexpr double smoothing = 0.05, d = 0.02;
  double taken = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z)
        taken += kernel_shape(SphKernel::wendland, std::sqrt(x * x + y * y + z * z) / 2) *
                 lattice_factor(SphKernel::wendland) / 8 * (1 - std::cos(2 * pi * x / cells));
  const double expected = -std::log(1 - smoothing) * taken / (0.08 * std::sqrt(d / 9.81));
  for (const double dt : {0.004, 0.001, 0.00025}) {
    const std::string name = "smoothing 0.05, decay of a shear wave of 16 spacings in substeps of " +
                             std::to_string(dt * 1e3).substr(0, 4) + " ms";
    expect_case("fluid", name, decay_rate(cells, smoothing, dt), expected, 0.05, "1/s");
  }
}

/// Returns the root mean square speed [m/s] in a column of 15 layers from 1.5 s to 2 s.
double unrest(double smoothing, double dt) {
  WalledFluid fluid(0.02);
  const double d = fluid.params.spacing_m;
  fluid.params.smoothing = smoothing;
  fluid.params.max_dt_s = dt;
  fluid.colliders = tank_of_planes(Box3(Vec3::Zero(), d * Vec3(8, 24, 8)));
  fluid.fill(Box3(Vec3::Zero(), d * Vec3(8, 15, 8)));
  double sum = 0, count = 0;
  while (fluid.time_s < 2) {
    EXPECT_TRUE(fluid.step());
    if (fluid.time_s < 1.5) continue;
    for (const Vec3& v : fluid.v()) sum += v.squaredNorm();
    count += static_cast<double>(fluid.rows.size());
  }
  return std::sqrt(sum / count);
}

TEST(FluidSmoothing, AColumnRestsAsQuietlyInShortSubstepsAsInLongOnes) {
  // The bound is a hundredth of 0.6 m/s, the speed after a fall through one spacing.
  for (const double dt : {0.004, 0.0025, 0.001})
    expect_case(
        "fluid",
        "column at rest in substeps of " + std::to_string(dt * 1e3).substr(0, 4) + " ms, root mean square of speeds",
        unrest(0.05, dt), 0, 0.006, "m/s");
}

TEST(FluidSmoothing, WithoutItAColumnIsUneasyBySomeCentimetresASecond) {
  expect_case("fluid", "column at rest without smoothing, root mean square of speeds", unrest(0, 0.0025), 0, 0.05,
              "m/s");
}

}  // namespace
}  // namespace vw
