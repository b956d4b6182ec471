// Drag of spheres as a function of the Reynolds number.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/field/drag/sphere_drag.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

TEST(SphereDrag, FollowsTheStandardCurve) {
  // Drag coefficient C_d of a smooth sphere. It is compared with Stokes' law and the standard drag curve (Clift, Grace
  // & Weber 1978, table 5.2), within the stated error of the correlation.
  expect_case("field", "C_d Re / 24 of a ball at Re = 1e-6", sphere_drag(1e-6) * 1e-6 / 24, 1, 1e-4);
  const double curve[][2] = {{1, 27.1}, {10, 4.26}, {100, 1.087}, {1000, 0.471}, {1e4, 0.405}, {1e5, 0.474}};
  for (const auto& [reynolds, drag] : curve)
    expect_case("field", "C_d of a ball at Re = " + std::to_string(static_cast<int>(reynolds)), sphere_drag(reynolds),
                drag, 0.07);
}

TEST(SphereDrag, IsFiniteAtRestAndContinuousBeyondTheCorrelation) {
  EXPECT_EQ(drag_over_stokes(0), 1);
  EXPECT_EQ(drag_over_stokes(std::numeric_limits<double>::quiet_NaN()), 1);
  EXPECT_NEAR(sphere_drag(3e5 * (1 + 1e-9)), sphere_drag(3e5), 1e-6);
  EXPECT_NEAR(sphere_drag(1e9), sphere_drag(3e5), 1e-12);
  for (double reynolds = 1e-3; reynolds < 1e7; reynolds *= 1.1)
    EXPECT_LT(drag_over_stokes(reynolds), drag_over_stokes(1.1 * reynolds)) << reynolds;
}

TEST(SphereDrag, RateAndTerminalSpeedBalanceTheForce) {
  const DragMedium air;
  const double radius = 0.01, mass = 0.003, force = mass * 9.81;
  const double speed = terminal_speed(air, radius, force);
  EXPECT_NEAR(0.5 * air.density * sphere_drag(2 * air.density * radius * speed / air.viscosity) * pi * radius * radius *
                  speed * speed,
              force, 1e-12 * force);
  EXPECT_NEAR(mass * sphere_drag_rate(air, radius, mass, speed) * speed, force, 1e-12 * force);
}

TEST(SphereDrag, BringsALightBallToTheAirInStepsOfAnyLength) {
  // Foam beads, drops and dust are shot into still air. The remaining speed after one long step is compared with ten
  // thousand small steps of growing length. A drag rate evaluated at the middle of the whole step would leave half of a
  // bead's 50 m/s.
  const DragMedium air;
  struct Case {
    double radius, density, speed, dt;
  };
  for (const Case& c : {Case{5e-4, 2, 50, 1.0 / 60},
                        {5e-4, 2, 200, 1.0 / 60},
                        {5e-3, 20, 100, 1.0 / 60},
                        {1e-4, 1000, 100, 1.0 / 60},
                        {1e-5, 1000, 200, 1.0 / 60},
                        {1e-6, 1000, 20, 1e-3},
                        {2e-3, 100, 50, 0.1},
                        {5e-4, 1000, 5, 1e-3}}) {
    const double mass = 4.0 / 3 * pi * c.radius * c.radius * c.radius * c.density;
    double sum = 0, speed = c.speed;
    for (double t = 0; t < c.dt;) {
      const double rate = sphere_drag_rate(air, c.radius, mass, speed), h = std::min(1e-3 / rate, c.dt - t);
      const double middle = sphere_drag_rate(air, c.radius, mass, speed * std::exp(-0.5 * h * rate));
      sum += h * middle, speed *= std::exp(-h * middle), t += h;
      if (h < 1e-12 * c.dt) break;
    }
    const double mean = mean_drag_rate(air, c.radius, mass, {c.speed, 0, 0}, Vec3::Zero(), c.dt);
    EXPECT_NEAR(mean, sum / c.dt, 0.01 * mean) << c.radius << " " << c.speed;
  }
}

TEST(SphereDrag, MeanRateOfWhatFallsAtItsTerminalSpeedIsExact) {
  const DragMedium air;
  for (const double radius : {1e-6, 1e-4, 1e-2})
    for (const double dt : {1e-3, 0.1, 10.0}) {
      const double mass = 4.0 / 3 * pi * radius * radius * radius * 50,
                   speed = terminal_speed(air, radius, 9.81 * mass);
      const double rate = mean_drag_rate(air, radius, mass, {0, -speed, 0}, {0, -9.81, 0}, dt);
      EXPECT_NEAR(rate * speed, 9.81, 1e-9) << radius << " " << dt;
      // Every sphere that starts at rest reaches the terminal speed in one step of ten seconds.
      const double from_rest = mean_drag_rate(air, radius, mass, Vec3::Zero(), {0, -9.81, 0}, 10);
      EXPECT_NEAR(9.81 / from_rest * -std::expm1(-10 * from_rest), speed, 0.1 * speed) << radius;
    }
}

}  // namespace
}  // namespace vw::test
