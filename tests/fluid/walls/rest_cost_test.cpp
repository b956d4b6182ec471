// Cost of fluid at rest. Without a warm start, a pressure solver needs most iterations when the fluid is at rest.
#include "tests/fluid/fluid_world.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using namespace test;

/// Returns the mean number of pressure iterations per substep between two times [s], summed over both solves.
double mean_iterations(World& world, double from_s, double to_s) {
  run_until(world, from_s);
  double sum = 0;
  int steps = 0;
  while (world.time() + 0.5 * world.dt() < to_s) {
    if (!world.step()) {
      ADD_FAILURE() << world.health().sentence();
      break;
    }
    sum += total_of(world, "iterations") + total_of(world, "divergence_iterations");
    ++steps;
  }
  return sum / std::max(1, steps);
}

TEST(FluidRestCost, ATankAtRestTakesNoMoreIterationsThanADamThatBreaksInIt) {
  const std::string tank = tank_text({0.4, 1, 0.2});
  const auto still =
      world_from(water_text("", fill_text("box", "pool", "position = [0.2, 0.1, 0.1]\nsize = [0.4, 0.2, 0.2]") + tank));
  const auto dam =
      world_from(water_text("", fill_text("box", "pool", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]") + tank));
  const double rest = mean_iterations(*still, 0.5, 1), motion = mean_iterations(*dam, 0, 0.5);
  record_case("fluid", "iterations at rest over those of a dam break in the same tank", rest / motion, 0, 1);
  EXPECT_GE(rest, 1) << "it presses on its floor, so something is solved";
  EXPECT_LE(rest, motion);
}

}  // namespace
}  // namespace vw
