// Arithmetic that paces steps to wall time, with clock readings from the test.
#include "sim/world/step/pacing.h"

#include <gtest/gtest.h>

namespace vw {
namespace {

TEST(Pacer, OwesOneStepAStepLengthAndForgivesWhatIsTooMuch) {
  Pacer pacer;
  constexpr double dt = 0.01;
  pacer.advance(0.025, 1, dt);
  int steps = 0;
  for (; pacer.step_due(dt); ++steps) pacer.stepped(dt);
  EXPECT_EQ(steps, 2);
  EXPECT_NEAR(pacer.wait_s(1, dt), 0.005, 1e-12);
  EXPECT_NEAR(pacer.wait_s(2, dt), 0.0025, 1e-12);
  pacer.advance(100, 1, dt);  // a gap as after a debugger stop or the suspension of a laptop
  for (steps = 0; pacer.step_due(dt); ++steps) pacer.stepped(dt);
  EXPECT_LE(steps, 10);  // At most 0.1 s is caught up.
  pacer.clear();
  pacer.advance(1, 1, 5.0);  // a step longer than the limit of 0.1 s is still due
  pacer.advance(10, 1, 5.0);
  EXPECT_TRUE(pacer.step_due(5.0));
}

TEST(Pacer, TheRateIsThatOfTheLastSecond) {
  RateMeter meter;
  EXPECT_EQ(meter.rate(), 0);
  for (int i = 0; i <= 500; ++i) meter.sample(i * 0.01, i * 0.005);
  EXPECT_NEAR(meter.rate(), 0.5, 1e-6);
  for (int i = 1; i <= 150; ++i) meter.sample(5 + i * 0.01, 2.5 + i * 0.02);
  EXPECT_NEAR(meter.rate(), 2.0, 1e-6);  // 1.5 s later, the slow period no longer counts.
}

}  // namespace
}  // namespace vw
