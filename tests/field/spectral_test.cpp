// Random fields with a prescribed spectrum: properties that hold exactly for every seed.
#include "sim/field/spectral/spectral_modes.h"

#include <array>
#include <atomic>
#include <cmath>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/generation_progress.h"
#include "sim/field/spectral/fourier.h"
#include "tests/field/spectral_case.h"

namespace vw {
namespace {

using test::made;
using test::power_recipe;
using test::rms_of;
using test::same_bits;
using test::values_of;

std::string recipe_complaint(const SpectralRecipe& recipe) {
  const auto modes = SpectralModes::make(recipe);
  return modes ? "" : modes.error().message();
}

TEST(SpectralModes, RmsIsTheAskedOne) {
  for (const int nodes : {8, 27, 54, 64, 80})
    for (const bool vector : {true, false})
      for (const double slope : {-3.0, -5.0 / 3, 1.0}) {
        SpectralRecipe recipe = power_recipe(slope, 5, nodes);
        recipe.vector = vector;
        recipe.rms = 0.7;
        const GridValues values = values_of(recipe);
        EXPECT_NEAR(rms_of(values) / 0.7, 1, 1e-5) << nodes << " " << slope;
        EXPECT_EQ(values.is_vector(), vector);
        EXPECT_EQ(values.x.size(), static_cast<std::size_t>(nodes * nodes * nodes));
      }
}

TEST(SpectralModes, NothingOutsideTheScalesNorAtZeroNorOnNyquistPlanes) {
  SpectralRecipe recipe = power_recipe(-1, 3, 32);
  recipe.spectrum.outer_scale_m = 2.0 / 3;   // three cycles per period
  recipe.spectrum.inner_scale_m = 2.0 / 11;  // eleven cycles per period
  const GridValues values = values_of(recipe);
  const Fourier fourier(32);
  std::vector<std::complex<float>> modes(fourier.mode_count());
  fourier.to_modes(values.x, modes);
  double within = 0, outside = 0;
  for (int k = 0, at = 0; k < 32; ++k)
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i <= 16; ++i, ++at) {
        const int y = j > 16 ? j - 32 : j, z = k > 16 ? k - 32 : k, square = i * i + y * y + z * z;
        (square >= 9 && square <= 121 ? within : outside) += std::norm(modes[static_cast<std::size_t>(at)]);
      }
  EXPECT_GT(within, 0.3);
  EXPECT_LT(outside, 1e-12);  // rounding errors are about 1e-7, and `outside` is a sum of squares
}

TEST(SpectralModes, AirIsNeitherMadeNorLost) {
  for (const double jitter : {0.0, 0.2, 1.0}) {
    SpectralRecipe recipe = power_recipe(-5.0 / 3, 9, 32);
    recipe.jitter = jitter;
    const auto asked = made(recipe)->asked_spectrum();
    EXPECT_LT(measure_spectrum(values_of(recipe), &asked).divergence, 1e-6);
  }
}

TEST(SpectralModes, SameSeedSameBitsOnAnyThreads) {
  const test::ThreadsKept kept;
  for (const SpectralTime time : {SpectralTime::frozen, SpectralTime::rotating, SpectralTime::periodic}) {
    SpectralRecipe recipe = power_recipe(-2, 11, 40);
    recipe.time = time;
    recipe.spread_mps = 0.4;
    std::array<GridValues, 3> values;
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      // No object refers to the modes of the earlier pass any more, so this pass computes its modes again.
      values[static_cast<std::size_t>(threads - 1)] = values_of(recipe, 1.7);
    }
    EXPECT_TRUE(same_bits(values[0], values[1]));
    EXPECT_TRUE(same_bits(values[0], values[2]));
    recipe.seed = 12;
    EXPECT_FALSE(same_bits(values[0], values_of(recipe, 1.7)));
  }
}

TEST(SpectralModes, AFinerGridHasTheSameEddies) {
  for (const SpectralTime time : {SpectralTime::frozen, SpectralTime::rotating, SpectralTime::periodic}) {
    SpectralRecipe coarse = power_recipe(-2, 4, 24);
    coarse.time = time;
    coarse.spread_mps = 0.3;
    coarse.spectrum.inner_scale_m = 2.0 / 8;
    SpectralRecipe fine = coarse;
    fine.nodes = 48;
    const GridValues a = values_of(coarse, 0.6), b = values_of(fine, 0.6);
    double worst = 0;
    for (std::size_t z = 0, at = 0; z < 24; ++z)
      for (std::size_t y = 0; y < 24; ++y)
        for (std::size_t x = 0; x < 24; ++x, ++at)
          worst = std::max<double>(worst, std::abs(a.y[at] - b.y[2 * x + 48 * (2 * y + 48 * 2 * z)]));
    EXPECT_LT(worst, 1e-5);
  }
}

TEST(SpectralModes, FrozenStandsStill) {
  const auto modes = made(power_recipe(-2, 1, 16));
  EXPECT_TRUE(same_bits(values_of(*modes, 0), values_of(*modes, 1e9)));
}

TEST(SpectralModes, RotatingKeepsItsRmsAndNeverEnds) {
  SpectralRecipe recipe = power_recipe(-5.0 / 3, 2, 32);
  recipe.time = SpectralTime::rotating;
  recipe.spread_mps = 0.5;
  const auto modes = made(recipe);
  const GridValues start = values_of(*modes);
  for (const double time : {0.1, 33.0, -7.0, 1e6, 1e15}) {
    const GridValues later = values_of(*modes, time);
    EXPECT_NEAR(rms_of(later), 1, 1e-5) << time;
    EXPECT_GT(test::difference(start, later), 0.1) << time;
  }
  EXPECT_TRUE(same_bits(start, values_of(*modes, std::numeric_limits<double>::quiet_NaN())));
  recipe.spread_mps = 0;
  EXPECT_LT(test::difference(values_of(recipe, 0), values_of(recipe, 100)), 1e-6);
}

TEST(SpectralModes, PeriodicRepeats) {
  SpectralRecipe recipe = power_recipe(-5.0 / 3, 2, 32);
  recipe.time = SpectralTime::periodic;
  recipe.spread_mps = 0.5;
  recipe.repeat_s = 4;
  const auto modes = made(recipe);
  const GridValues start = values_of(*modes, 0.3);
  EXPECT_LT(test::difference(start, values_of(*modes, 4.3)), 1e-4);
  EXPECT_LT(test::difference(start, values_of(*modes, -3.7)), 1e-4);
  EXPECT_GT(test::difference(start, values_of(*modes, 2.3)), 0.5);
  // By Parseval's theorem in space and time, the mean over one period is exact if there are more frames than
  // frequencies.
  double mean = 0;
  const int frames = 128;
  for (int frame = 0; frame < frames; ++frame)
    mean += std::pow(rms_of(values_of(*modes, frame * 4.0 / frames)), 2) / frames;
  EXPECT_NEAR(std::sqrt(mean), 1, 1e-5);
}

TEST(SpectralModes, ChangesSmoothly) {
  // Within dt, a mode of wave number k changes by about s k dt of its rms, where s is the spread. A second difference
  // is about (s k dt)^2 of the rms.
  for (const SpectralTime time : {SpectralTime::rotating, SpectralTime::periodic}) {
    SpectralRecipe recipe = power_recipe(-5.0 / 3, 6, 32);
    recipe.time = time;
    recipe.spread_mps = 0.5;
    const auto modes = made(recipe);
    const GridValues a = values_of(*modes, 0.999), b = values_of(*modes, 1.0), c = values_of(*modes, 1.001);
    double first = 0, second = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      first = std::max<double>(first, std::abs(b.x[i] - a.x[i]));
      second = std::max<double>(second, std::abs(c.x[i] - 2 * b.x[i] + a.x[i]));
    }
    EXPECT_LT(first, 0.06);
    EXPECT_LT(second, 0.002);
    EXPECT_GT(first, 1e-3);
  }
}

/// Returns the mean square of the linear interpolation between the nodes. Simpson's rule along each axis of a cell is
/// exact for the square of a linear function.
double interpolated_mean_square(const GridValues& values) {
  const auto n = static_cast<std::size_t>(values.n);
  const auto at = [&](std::size_t x, std::size_t y, std::size_t z) {
    return static_cast<double>(values.x[x % n + n * (y % n + n * (z % n))]);
  };
  const std::array<double, 3> simpson{1.0 / 6, 4.0 / 6, 1.0 / 6};
  double sum = 0;
  for (std::size_t z = 0; z < n; ++z)
    for (std::size_t y = 0; y < n; ++y)
      for (std::size_t x = 0; x < n; ++x)
        for (std::size_t c = 0; c < 27; ++c) {
          const std::array<std::size_t, 3> half{c % 3, c / 3 % 3, c / 9};
          double value = 0, weight = 1;
          for (std::size_t corner = 0; corner < 8; ++corner) {
            double share = 1;
            for (std::size_t a = 0; a < 3; ++a) {
              const double offset = static_cast<double>(half[a]) / 2;
              share *= (corner >> a & 1) != 0 ? offset : 1 - offset;
            }
            value += share * at(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2 & 1));
          }
          for (std::size_t a = 0; a < 3; ++a) weight *= simpson[half[a]];
          sum += weight * value * value;
        }
  return sum / static_cast<double>(n * n * n);
}

TEST(SpectralModes, WhatIsInterpolatedLinearlyHasTheAskedVariance) {
  SpectralRecipe recipe = power_recipe(0, 7, 24);
  recipe.vector = false;
  EXPECT_LT(interpolated_mean_square(values_of(recipe)), 0.9);  // interpolation reduces the variance
  recipe.compensation = Compensation::linear;
  EXPECT_NEAR(interpolated_mean_square(values_of(recipe)), 1, 1e-5);
}

TEST(SpectralModes, CubicCoefficientsMakeSplinesThroughTheValues) {
  SpectralRecipe recipe = power_recipe(-1, 7, 20);
  const GridValues values = values_of(recipe);
  recipe.compensation = Compensation::cubic;
  const GridValues coefficients = values_of(recipe);
  const auto at = [&](int x, int y, int z) {
    return coefficients.z[static_cast<std::size_t>((x + 20) % 20 + 20 * ((y + 20) % 20 + 20 * ((z + 20) % 20)))];
  };
  double worst = 0;
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 20; ++x) {
        double spline = 0;
        for (int c = 0; c < 27; ++c) {
          const int dx = c % 3 - 1, dy = c / 3 % 3 - 1, dz = c / 9 - 1;
          spline += (dx == 0 ? 4 : 1) * (dy == 0 ? 4 : 1) * (dz == 0 ? 4 : 1) / 216.0 *
                    static_cast<double>(at(x + dx, y + dy, z + dz));
        }
        worst = std::max(
            worst, std::abs(spline - static_cast<double>(values.z[static_cast<std::size_t>(x + 20 * (y + 20 * z))])));
      }
  EXPECT_LT(worst, 1e-5);
}

TEST(SpectralModes, AskedSpectrumHoldsHalfTheMeanSquare) {
  for (const bool vector : {true, false}) {
    SpectralRecipe recipe = power_recipe(-5.0 / 3);
    recipe.vector = vector;
    recipe.rms = 3;
    recipe.jitter = 0;
    const auto modes = made(recipe);
    const NominalSpectrum asked = modes->asked_spectrum();
    double sum = 0;
    const double step = (asked.highest - asked.lowest) / 2000;
    for (int i = 0; i < 2000; ++i) sum += step * asked.energy(asked.lowest + (i + 0.5) * step);
    const double half_mean_square = (vector ? 3 : 1) * 9 / 2.0;
    // The tolerance covers the difference between the integral and the sum over discrete modes, of which few have a
    // long wavelength.
    EXPECT_NEAR(sum / half_mean_square, 1, 0.06);
    for (const SpectrumRow& row : measure_spectrum(values_of(*modes), &asked).rows)
      EXPECT_NEAR(row.measured / row.asked, 1, 1e-5) << row.k;
    EXPECT_EQ(asked.nodes, 64);
    EXPECT_EQ(asked.period_m, 2);
  }
}

TEST(SpectralModes, EqualRecipesThatAreAliveShareTheirModes) {
  SpectralRecipe recipe = power_recipe(-2, 1, 16);
  const auto modes = made(recipe);
  recipe.repeat_s = 77;  // has an effect only for periodic fields
  EXPECT_EQ(made(recipe), modes);
  recipe.rms = 2;
  EXPECT_NE(made(recipe), modes);
}

TEST(SpectralModes, WhatCannotBeMadeIsSaid) {
  const SpectralRecipe good = power_recipe(-2);
  const auto with = [&](auto change) {
    SpectralRecipe recipe = good;
    change(recipe);
    return recipe_complaint(recipe);
  };
  EXPECT_EQ(recipe_complaint(good), "");
  EXPECT_EQ(with([](SpectralRecipe& r) { r.nodes = 3; }), "nodes = 3: must lie in [4, 512]");
  EXPECT_EQ(with([](SpectralRecipe& r) { r.period_m = 0; }), "period = 0: must be a length above 0 m");
  EXPECT_EQ(with([](SpectralRecipe& r) { r.rms = -1; }), "rms = -1: must not be negative");
  EXPECT_EQ(with([](SpectralRecipe& r) { r.jitter = 1.5; }), "jitter = 1.5: must lie in [0, 1]");
  EXPECT_EQ(with([](SpectralRecipe& r) { r.spread_mps = NAN; }), "spread = nan: must not be negative");
  EXPECT_EQ(with([](SpectralRecipe& r) { r.time = SpectralTime::periodic, r.repeat_s = 0; }),
            "repeat = 0: must be a time above 0 s");
  EXPECT_THAT(with([](SpectralRecipe& r) { r.spectrum.outer_scale_m = 0.05; }),
              testing::HasSubstr("outer_scale = 0.05 m: must be above the inner scale, 0.125 m"));
  EXPECT_THAT(with([](SpectralRecipe& r) { r.time = SpectralTime::periodic, r.spread_mps = 1, r.repeat_s = 1e9; }),
              testing::AllOf(testing::HasSubstr("512 MiB"), testing::HasSubstr("a shorter repeat time")));
  // The range is from 2.6 to 2.7 cycles per period. The squared wave number of a mode is a sum of three integer
  // squares. None of these sums lies between 2.6^2 and 2.7^2.
  EXPECT_THAT(with([](SpectralRecipe& r) { r.spectrum.outer_scale_m = 2 / 2.6, r.spectrum.inner_scale_m = 2 / 2.7; }),
              testing::HasSubstr("no mode"));
}

TEST(SpectralModes, TheSmallestGridAndNoStrength) {
  SpectralRecipe recipe = power_recipe(-2, 1, 4);
  recipe.spectrum.outer_scale_m = 2;
  recipe.spectrum.inner_scale_m = 1;
  EXPECT_NEAR(rms_of(values_of(recipe)), 1, 1e-5);
  recipe.rms = 0;
  EXPECT_EQ(rms_of(values_of(recipe)), 0);
}

TEST(GenerationProgress, IsListedWhileItLives) {
  ASSERT_TRUE(generations_running().empty());
  {
    GenerationProgress progress("a field");
    progress.add(0.25);
    progress.add(0.5);
    const auto states = generations_running();
    ASSERT_EQ(states.size(), 1U);
    EXPECT_EQ(states[0].name, "a field");
    EXPECT_DOUBLE_EQ(states[0].share, 0.75);
    EXPECT_FALSE(progress.cancelled());
    cancel_generations();
    EXPECT_TRUE(progress.cancelled());
    EXPECT_FALSE(GenerationProgress("another").cancelled());
  }
  EXPECT_TRUE(generations_running().empty());
}

TEST(GenerationProgress, AFieldThatTakesLongCanBeCancelled) {
  SpectralRecipe recipe = power_recipe(-5.0 / 3, 1, 96);
  recipe.time = SpectralTime::periodic;
  recipe.spread_mps = 1;
  recipe.repeat_s = 3;
  std::atomic<bool> over = false;
  std::thread user([&over] {
    while (!over) cancel_generations();
  });
  const std::string said = recipe_complaint(recipe);
  over = true;
  user.join();
  EXPECT_EQ(said, "the generation of a spectral field was cancelled");
  EXPECT_TRUE(generations_running().empty());
}

}  // namespace
}  // namespace vw
