// Drag of balls by Reynolds number.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/field/sphere_drag.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

TEST(SphereDrag, FollowsTheStandardCurve) {
  // C_d of a smooth ball: Stokes, and the standard drag curve (Clift, Grace & Weber 1978, table 5.2), within what the correlation claims.
  expect_case("field", "C_d Re / 24 of a ball at Re = 1e-6", sphere_drag(1e-6) * 1e-6 / 24, 1, 1e-4);
  const double curve[][2] = {{1, 27.1}, {10, 4.26}, {100, 1.087}, {1000, 0.471}, {1e4, 0.405}, {1e5, 0.474}};
  for (const auto& [reynolds, drag] : curve)
    expect_case("field", "C_d of a ball at Re = " + std::to_string(static_cast<int>(reynolds)), sphere_drag(reynolds), drag, 0.07);
}

TEST(SphereDrag, IsFiniteAtRestAndContinuousBeyondTheCorrelation) {
  EXPECT_EQ(drag_over_stokes(0), 1);
  EXPECT_EQ(drag_over_stokes(std::numeric_limits<double>::quiet_NaN()), 1);
  EXPECT_NEAR(sphere_drag(3e5 * (1 + 1e-9)), sphere_drag(3e5), 1e-6);
  EXPECT_NEAR(sphere_drag(1e9), sphere_drag(3e5), 1e-12);
  for (double reynolds = 1e-3; reynolds < 1e7; reynolds *= 1.1) EXPECT_LT(drag_over_stokes(reynolds), drag_over_stokes(1.1 * reynolds)) << reynolds;
}

TEST(SphereDrag, RateAndTerminalSpeedBalanceTheForce) {
  const DragMedium air;
  const double radius = 0.01, mass = 0.003, force = mass * 9.81;
  const double speed = terminal_speed(air, radius, force);
  EXPECT_NEAR(0.5 * air.density * sphere_drag(2 * air.density * radius * speed / air.viscosity) * pi * radius * radius * speed * speed, force,
              1e-12 * force);
  EXPECT_NEAR(mass * sphere_drag_rate(air, radius, mass, speed) * speed, force, 1e-12 * force);
}

}  // namespace
}  // namespace vw::test
