// Shapes of waves at single points of the period.
#include "sim/control/waveform.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/math.h"

namespace vw {
namespace {

TEST(Waveforms, HaveTheirShapeInEveryPeriod) {
  for (const double period : {0.0, 3.0, -2.0}) {
    for (const double part : {0.0, 0.1, 0.25, 0.4, 0.5, 0.75, 0.9}) {
      const double cycles = period + part;
      EXPECT_NEAR(wave_value(Waveform::sine, cycles, 0.5), std::sin(2 * pi * part), 1e-12);
      EXPECT_NEAR(wave_value(Waveform::sawtooth, cycles, 0.5), 2 * part - 1, 1e-12);
      EXPECT_NEAR(wave_value(Waveform::triangle, cycles, 0.5), std::asin(std::sin(2 * pi * part)) / (pi / 2), 1e-7);
    }
    EXPECT_EQ(wave_value(Waveform::square, period + 0.29, 0.3), 1);
    EXPECT_EQ(wave_value(Waveform::square, period + 0.31, 0.3), -1);
    EXPECT_EQ(wave_value(Waveform::pulse, period + 0.29, 0.3), 1);
    EXPECT_EQ(wave_value(Waveform::pulse, period + 0.31, 0.3), 0);
  }
}

TEST(Waveforms, ADutyOfZeroOrOneIsConstant) {
  for (const double part : {0.0, 0.5, 0.999}) {
    EXPECT_EQ(wave_value(Waveform::square, part, 0), -1);
    EXPECT_EQ(wave_value(Waveform::square, part, 1), 1);
    EXPECT_EQ(wave_value(Waveform::pulse, part, 0), 0);
    EXPECT_EQ(wave_value(Waveform::pulse, part, 1), 1);
  }
}

}  // namespace
}  // namespace vw
