// Front of a collapsing column of water with width a and height 2a, compared with the experiment of Martin & Moyce
// 1952, "An experimental study of the collapse of liquid columns on a rigid horizontal plane".
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/fluid/fluid_world.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

struct Reading {
  double time = 0, front = 0;  ///< dimensionless time T = t sqrt(2 g / a) and front position Z = x / a
};
constexpr auto experiment = std::to_array<Reading>({{.41, 1.11},
                                                    {.84, 1.22},
                                                    {1.19, 1.44},
                                                    {1.43, 1.67},
                                                    {1.63, 1.89},
                                                    {1.83, 2.11},
                                                    {1.98, 2.33},
                                                    {2.20, 2.56},
                                                    {2.32, 2.78},
                                                    {2.51, 3.00},
                                                    {2.65, 3.22},
                                                    {2.83, 3.44},
                                                    {2.98, 3.67},
                                                    {3.11, 3.89},
                                                    {3.33, 4.11}});

/// Returns the position of the front along x [m]: the farthest point that the fluid reaches without a gap of more than
/// one spacing. Drops that fly ahead of the front do not count.
double connected_front(const FluidSystem& water, double width) {
  const double d = water.spacing();
  const double needed = 0.5 * width / d;  // half of the particles of a row across the tank
  std::vector<double> count;
  for (const Vec3& x : water.elements().position) {
    const auto column = static_cast<std::size_t>(std::max(0.0, x.x() / d));
    if (column >= count.size()) count.resize(column + 1, 0);
    ++count[column];
  }
  std::size_t reached = 0;
  while (reached < count.size() && count[reached] >= needed) ++reached;
  return static_cast<double>(reached) * d;
}

/// Returns the front position on a curve at the dimensionless time T, by linear interpolation.
double at(const std::vector<Reading>& curve, double time) {
  for (std::size_t i = 1; i < curve.size(); ++i)
    if (time <= curve[i].time)
      return curve[i - 1].front +
             (curve[i].front - curve[i - 1].front) * (time - curve[i - 1].time) / (curve[i].time - curve[i - 1].time);
  return curve.back().front;
}

/// Returns the largest relative difference between the curve and the experiment after the best time shift. The time
/// shift must not exceed the opening time of the gate.
double worst_difference(const std::vector<Reading>& curve) {
  double best = 1;
  for (double shift = 0; shift <= 0.1751; shift += 0.005) {
    double worst = 0;
    for (const Reading& reading : experiment)
      worst = std::max(worst, std::abs(at(curve, reading.time - shift) / reading.front - 1));
    best = std::min(best, worst);
  }
  return best;
}

double dam_break_difference(const std::string& method, double spacing) {
  const double a = 0.2, width = 0.1;
  const auto world =
      world_from(water_text("spacing = " + std::to_string(spacing) + "\nmethod = \"" + method + "\"\n",
                            fill_text("box", "column", "position = [0.1, 0.2, 0.05]\nsize = [0.2, 0.4, 0.1]") +
                                tank_text({1.4, 0.6, width})));
  std::vector<Reading> curve;
  while (curve.empty() || curve.back().time < 3.5) {
    curve.push_back({world->time() * std::sqrt(2 * 9.81 / a), connected_front(water_of(*world), width) / a});
    if (!world->step()) {
      ADD_FAILURE() << world->health().sentence();
      break;
    }
  }
  return worst_difference(curve);
}

class DamBreakValidation : public testing::TestWithParam<const char*> {};

TEST_P(DamBreakValidation, TheFrontRunsAsInTheExperimentOfMartinAndMoyce) {
  for (const double spacing : {0.0125, 0.01}) {
    const double difference = dam_break_difference(GetParam(), spacing);
    expect_case(
        "fluid",
        std::string("dam break, front, ") + GetParam() + ", a / d = " + std::to_string(std::lround(0.2 / spacing)),
        difference, 0, 0.08);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, DamBreakValidation, testing::Values("dfsph", "wcsph"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace vw::test
