// `kernel = "auto"`: the smoothing kernel that a fluid chooses, and a change of the kernel while the fluid moves.
#include <cmath>

#include "sim/system/fluid/fluid_params.h"
#include "tests/fluid/fluid_world.h"

namespace vw {
namespace {

using namespace test;

const Vec3 earth(0, -9.81, 0);

FluidPhase liquid(double viscosity_pas, double density_kgpm3 = 1000) {
  FluidPhase phase;
  phase.viscosity_pas = viscosity_pas;
  phase.density_kgpm3 = density_kgpm3;
  return phase;
}

TEST(FluidKernelChoice, IsTheCubicSplineWhereEveryPhaseCreeps) {
  FluidParams params;
  params.spacing_m = 0.0125;
  const auto chosen = [&](std::vector<FluidPhase> phases) { return kernel_in_use(params, phases, earth); };
  // The kernel changes at a kinematic viscosity of 0.1 d sqrt(g d) = 4.38e-4 m^2/s (d: spacing).
  EXPECT_EQ(chosen({liquid(0.001)}), SphKernel::wendland);
  EXPECT_EQ(chosen({liquid(0.43)}), SphKernel::wendland);
  EXPECT_EQ(chosen({liquid(0.44)}), SphKernel::cubic);
  EXPECT_EQ(chosen({liquid(0.44, 2000)}), SphKernel::wendland);
  EXPECT_EQ(chosen({liquid(40), liquid(0.001)}), SphKernel::wendland);
  EXPECT_EQ(chosen({liquid(40), liquid(10)}), SphKernel::cubic);
}

TEST(FluidKernelChoice, CountsTheGravityThatTheFluidFeels) {
  FluidParams params;
  const std::vector<FluidPhase> syrup{liquid(40)};
  EXPECT_EQ(kernel_in_use(params, syrup, Vec3::Zero()), SphKernel::wendland);
  params.gravity_scale = 0;
  EXPECT_EQ(kernel_in_use(params, syrup, earth), SphKernel::wendland);
  params.gravity_scale = -1;
  EXPECT_EQ(kernel_in_use(params, syrup, earth), SphKernel::cubic);
}

TEST(FluidKernelChoice, YieldsToAKernelThatIsNamed) {
  FluidParams params;
  params.kernel_choice = KernelChoice::wendland;
  EXPECT_EQ(kernel_in_use(params, std::vector{liquid(40)}, earth), SphKernel::wendland);
  params.kernel_choice = KernelChoice::cubic;
  EXPECT_EQ(kernel_in_use(params, std::vector{liquid(0.001)}, earth), SphKernel::cubic);
}

/// Returns the state hash after ten steps of a splash.
std::uint64_t hash_after(const std::string& kernel, double viscosity) {
  const auto world =
      world_from(water_text("spacing = 0.025\n" + kernel +
                                "[[system.phase]]\nname = \"liquid\"\nviscosity = " + std::to_string(viscosity),
                            fill_text("box", "block", "position = [0.1, 0.15, 0.1]\nsize = [0.2, 0.3, 0.2]")) +
                 tank_text({0.4, 0, 0.2}));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(world->step());
  return world->hash();
}

TEST(FluidKernelChoice, IsWhatTheFluidMovesWith) {
  const std::string cubic = "kernel = \"cubic\"\n", wendland = "kernel = \"wendland\"\n";
  EXPECT_EQ(hash_after("", 40), hash_after(cubic, 40));
  EXPECT_NE(hash_after("", 40), hash_after(wendland, 40));
  EXPECT_EQ(hash_after("", 0.001), hash_after(wendland, 0.001));
  EXPECT_NE(hash_after("", 0.001), hash_after(cubic, 0.001));
}

TEST(FluidKernelChoice, MayChangeWithTheViscosityWhileItMoves) {
  const auto world =
      world_from(water_text("spacing = 0.025\n[[system.phase]]\nname = \"liquid\"",
                            fill_text("box", "block", "position = [0.1, 0.15, 0.1]\nsize = [0.2, 0.3, 0.2]")) +
                 tank_text({0.4, 0, 0.2}));
  double energy = world->diagnostics(0).potential;
  const std::size_t particles = water_of(*world).elements().size();
  for (const double viscosity : {0.001, 40.0, 0.001, 5.0}) {
    ASSERT_TRUE(world->apply(SetParameter{"system.water.phase.liquid.viscosity", Value(viscosity)}));
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
    const Diagnostics now = world->diagnostics(0);
    EXPECT_LT(now.potential + now.kinetic, 1.01 * energy) << viscosity;
    energy = now.potential + now.kinetic;
  }
  EXPECT_EQ(water_of(*world).elements().size(), particles);
}

}  // namespace
}  // namespace vw
