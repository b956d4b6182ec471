// Flows with known solutions at the default settings of a fluid. The particles start on a lattice, as in fills.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fluid/force_patch.h"
#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;
using test::taylor_green;
using test::wall_of;
using test::WalledFluid;

/// Returns the largest relative error of the amplitude of a Taylor-Green vortex until the amplitude has fallen to 1 /
/// e. The vortex starts on a lattice.
double vortex_error(int cells, double viscosity, SphKernel kernel, double dt) {
  WalledFluid fluid(2 * pi / cells);
  fluid.params.kernel = kernel;
  fluid.params.max_dt_s = dt;
  fluid.phases[0].viscosity_pas = 1000 * viscosity;
  fluid.gravity.setZero();
  fluid.domain = {Box3(Vec3::Zero(), Vec3(2 * pi, 2 * pi, 8 * fluid.params.spacing_m)), {true, true, true}};
  fluid.fill(fluid.domain.box);
  for (std::size_t i = 0; i < fluid.rows.size(); ++i) fluid.rows.elements.velocity[i] = taylor_green(fluid.x()[i]);
  double worst = 0;
  while (fluid.time_s < 1 / (2 * viscosity)) {
    EXPECT_TRUE(fluid.step(dt));
    double along = 0, whole = 0;
    for (std::size_t i = 0; i < fluid.rows.size(); ++i)
      along += fluid.v()[i].dot(taylor_green(fluid.x()[i])), whole += taylor_green(fluid.x()[i]).squaredNorm();
    worst = std::max(worst, std::abs(along / whole * std::exp(2 * viscosity * fluid.time_s) - 1));
  }
  return worst;
}

TEST(UsualFlow, ALatticeFlowsAsALiquidFromTheStart) {
  // A lattice must not lock. If shear made the lattice denser, the solver would resist this compression and stop the
  // flow after a tenth of a second.
  EXPECT_LT(vortex_error(20, 0.3, SphKernel::wendland, 0.02), 0.05);
}

TEST(UsualFlowValidation, VorticesInALatticeDecayByViscosityAloneAtTheUsualSettings) {
  for (const SphKernel kernel : {SphKernel::wendland, SphKernel::cubic})
    for (const double viscosity : {0.1, 0.3, 1.0}) {
      const std::string name =
          "Taylor-Green from a lattice at usual settings, 32 rows a wave, nu " + std::to_string(viscosity).substr(0, 3);
      expect_case("fluid", name + (kernel == SphKernel::cubic ? ", cubic spline" : "") + ", worst amplitude",
                  vortex_error(32, viscosity, kernel, 0.01), 0, 0.05);
    }
}

/// Returns the largest velocity error divided by the largest velocity, 1 m/s. A body force drives the flow between
/// planes one metre apart. The flow starts as the exact parabola and runs for 0.3 / nu or three seconds, whichever is
/// shorter.
double channel_error(FluidMethod method, int layers, double viscosity) {
  WalledFluid fluid(1.0 / layers);
  const double d = fluid.params.spacing_m;
  fluid.params.method = method;
  fluid.phases[0].viscosity_pas = 1000 * viscosity;
  fluid.gravity = Vec3(8 * viscosity, 0, 0);
  fluid.domain = {Box3(Vec3(0, -1, 0), Vec3(8 * d, 2, 8 * d)), {true, false, true}};
  fluid.colliders = {wall_of(PlaneShape{}), wall_of(PlaneShape{}, Vec3(0, 1, 0), Vec3(pi, 0, 0))};
  fluid.fill(Box3(Vec3::Zero(), Vec3(8 * d, 1, 8 * d)));
  const auto exact = [](const Vec3& x) { return 4 * x.y() * (1 - x.y()); };
  for (std::size_t i = 0; i < fluid.rows.size(); ++i) fluid.rows.elements.velocity[i] = Vec3(exact(fluid.x()[i]), 0, 0);
  const double dt = method == FluidMethod::wcsph ? 0.4 * d / 20 : 0.01;  // the speed of sound is 18.7 m/s
  while (fluid.time_s < std::min(0.3 / viscosity, 3.0)) EXPECT_TRUE(fluid.step(dt));
  double worst = 0;
  for (std::size_t i = 0; i < fluid.rows.size(); ++i)
    worst = std::max(worst, std::abs(fluid.v()[i].x() - exact(fluid.x()[i])));
  return worst;
}

TEST(UsualFlow, SmoothingTakesNothingFromALiquidThatIsTougherItself) {
  // Smoothing must not add to the viscosity of a viscous liquid. If it did, the flow would be too slow by 9 % with
  // DFSPH and by a third with WCSPH.
  EXPECT_LT(channel_error(FluidMethod::dfsph, 12, 0.03), 0.05);
  EXPECT_LT(channel_error(FluidMethod::wcsph, 12, 0.03), 0.05);
}

TEST(UsualFlowValidation, AChannelsFlowStaysAParabola) {
  for (const FluidMethod method : {FluidMethod::dfsph, FluidMethod::wcsph})
    for (const int layers : {12, 20})
      for (const double viscosity : {0.1, 1.0}) {
        const std::string name =
            std::string("Poiseuille at usual settings, ") + (method == FluidMethod::dfsph ? "dfsph" : "wcsph");
        expect_case("fluid",
                    name + ", " + std::to_string(layers) + " layers, nu " + std::to_string(viscosity).substr(0, 3) +
                        ", worst speed",
                    channel_error(method, layers, viscosity), 0, 0.05);
      }
}

}  // namespace
}  // namespace vw
