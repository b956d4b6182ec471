// Prescribed energy spectra, and spectra measured on grids.
#include "sim/field/spectral/spectrum.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/field/spectral_case.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

constexpr double spectrum_period = 2;    // [m]
constexpr double unit_wave_number = pi;  // lowest wave number [rad/m]
constexpr int spectrum_nodes = 64;

Spectrum spectrum_of(const SpectrumParams& params) {
  return test::checked(Spectrum::make(params, spectrum_period, spectrum_nodes));
}
std::string spectrum_complaint(const SpectrumParams& params) {
  const auto made = Spectrum::make(params, spectrum_period, spectrum_nodes);
  return made ? "" : made.error().message();
}

TEST(Spectrum, PowersOfTheWaveNumberBetweenTheScales) {
  struct Case {
    SpectrumShape shape;
    double slope;
  };
  for (const auto& [shape, slope] : {Case{SpectrumShape::power_law, -2.5}, Case{SpectrumShape::kolmogorov, -5.0 / 3},
                                     Case{SpectrumShape::band, 2}}) {
    const Spectrum spectrum =
        spectrum_of({.spectrum = shape, .spectrum_slope = -2.5, .outer_scale_m = 0.5, .inner_scale_m = 0.1});
    EXPECT_NEAR(spectrum.lowest(), 4 * pi, 1e-12);
    EXPECT_NEAR(spectrum.highest(), 20 * pi, 1e-12);
    EXPECT_NEAR(spectrum.energy(50) / spectrum.energy(25), std::pow(2, slope), 1e-12);
    EXPECT_EQ(spectrum.slope(), slope);
    EXPECT_EQ(spectrum.energy(3.99 * pi), 0);
    EXPECT_EQ(spectrum.energy(20.01 * pi), 0);
    EXPECT_GT(spectrum.energy(4 * pi), 0);
    EXPECT_GT(spectrum.energy(20 * pi), 0);
  }
}

TEST(Spectrum, ScalesOfZeroAreHalfThePeriodAndFourNodes) {
  const Spectrum spectrum = spectrum_of({});
  EXPECT_NEAR(spectrum.lowest(), 2 * unit_wave_number, 1e-12);
  EXPECT_NEAR(spectrum.highest(), 16 * unit_wave_number, 1e-12);
  // A range of wavelengths that exceeds the range of the grid is cut at the grid's limits.
  const Spectrum wide = spectrum_of({.outer_scale_m = 100, .inner_scale_m = 1e-3});
  EXPECT_NEAR(wide.lowest(), unit_wave_number, 1e-12);
  EXPECT_NEAR(wide.highest(), 32 * unit_wave_number, 1e-12);
}

TEST(Spectrum, VonKarmansPeaksAtTheOuterScaleAndFallsAsKolmogorovs) {
  const Spectrum spectrum =
      spectrum_of({.spectrum = SpectrumShape::von_karman, .outer_scale_m = 0.5, .inner_scale_m = 1e-3});
  const double peak = 4 * pi;
  EXPECT_NEAR(spectrum.lowest(), unit_wave_number, 1e-12);
  EXPECT_GT(spectrum.energy(peak), spectrum.energy(0.98 * peak));
  EXPECT_GT(spectrum.energy(peak), spectrum.energy(1.02 * peak));
  // The von Karman spectrum is proportional to (k / k_e)^4 / (1 + (k / k_e)^2)^(17/6) with k_e = peak / sqrt(12/5). It
  // rises as k^4 below the peak and falls as k^(-5/3) above.
  const auto closed = [&](double k) {
    const double square = 2.4 * k * k / (peak * peak);
    return square * square / std::pow(1 + square, 17.0 / 6);
  };
  EXPECT_NEAR(spectrum.energy(30) / spectrum.energy(7), closed(30) / closed(7), 1e-12);
  EXPECT_NEAR(std::log(spectrum.energy(100) / spectrum.energy(90)) / std::log(100.0 / 90), -5.0 / 3, 0.05);
  EXPECT_TRUE(std::isnan(spectrum.slope()));
}

TEST(Spectrum, OfATablesEnergiesOnlyRatiosCount) {
  const auto table = [](double a, double b) {
    return spectrum_of({.spectrum = SpectrumShape::table, .spectrum_table = {10, a, 20, b}});
  };
  const Spectrum tiny = table(2e-300, 1e-300), plain = table(2, 1), mixed = table(1e-320, 1e12);
  for (const double k : {10.0, 13.0, 20.0})
    EXPECT_NEAR(tiny.energy(k) / tiny.energy(20), plain.energy(k) / plain.energy(20), 1e-12) << k;
  EXPECT_GT(tiny.energy(15), 1e-16) << "or floats would not hold a mode of it";
  EXPECT_EQ(mixed.energy(10), 0);
  EXPECT_GT(mixed.energy(15), 0);
  EXPECT_LT(mixed.energy(15), mixed.energy(20));
}

TEST(Spectrum, ATableIsStraightOnLogarithmicPaper) {
  const Spectrum spectrum =
      spectrum_of({.spectrum = SpectrumShape::table, .spectrum_table = {10, 4, 20, 1, 40, 0, 50, 3}});
  EXPECT_EQ(spectrum.lowest(), 10);
  EXPECT_EQ(spectrum.highest(), 50);
  EXPECT_NEAR(spectrum.energy(10), 4, 1e-12);
  EXPECT_NEAR(spectrum.energy(std::sqrt(200.0)), 2, 1e-12);
  EXPECT_NEAR(spectrum.energy(20), 1, 1e-12);
  // A power law cannot reach 0. Towards the value 0, the energy is linear in log k.
  EXPECT_NEAR(spectrum.energy(std::sqrt(800.0)), 0.5, 1e-12);
  EXPECT_NEAR(spectrum.energy(50), 3, 1e-12);
  EXPECT_EQ(spectrum.energy(9.9), 0);
  EXPECT_EQ(spectrum.energy(50.1), 0);
  const Spectrum cut =
      spectrum_of({.spectrum = SpectrumShape::table, .outer_scale_m = 2 * pi / 15, .spectrum_table = {10, 4, 20, 1}});
  EXPECT_NEAR(cut.lowest(), 15, 1e-12);
}

TEST(Spectrum, WhatCannotBeIsSaid) {
  EXPECT_THAT(spectrum_complaint({.outer_scale_m = 0.1, .inner_scale_m = 0.5}),
              testing::HasSubstr("inner_scale = 0.5 m: must be less than the outer scale"));
  EXPECT_THAT(spectrum_complaint({.outer_scale_m = 0.01}),
              testing::HasSubstr("outer_scale = 0.01 m: must be above the inner scale"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table, .spectrum_table = {1e6, 1, 2e6, 1}}),
              testing::HasSubstr("spectrum_table = wavelengths from 3.14159e-06 to 6.28319e-06 m: must overlap"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table}),
              testing::HasSubstr("spectrum_table = 0 numbers: must contain at least two pairs"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table, .spectrum_table = {1, 2, 3}}),
              testing::HasSubstr("3 numbers"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table, .spectrum_table = {5, 2, 5, 2}}),
              testing::HasSubstr("wave number 5: must be above 5"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table, .spectrum_table = {0, 2, 5, 2}}),
              testing::HasSubstr("wave number 0: must be above 0"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table, .spectrum_table = {4, 0, 5, 0}}),
              testing::HasSubstr("sum of the energies 0"));
  EXPECT_THAT(spectrum_complaint({.spectrum = SpectrumShape::table, .spectrum_table = {1e4, 1, 1e5, 1}}),
              testing::HasSubstr("the cube of 2 m"));
}

GridValues plane_wave(double cycles) {
  GridValues values{.n = spectrum_nodes, .period_m = spectrum_period, .x = {}, .y = {}, .z = {}};
  for (int z = 0; z < spectrum_nodes; ++z)
    for (int y = 0; y < spectrum_nodes; ++y)
      for (int x = 0; x < spectrum_nodes; ++x) {
        const double u = 3 + std::cos(2 * pi * cycles * y / spectrum_nodes);
        values.x.push_back(static_cast<float>(u));
        values.y.push_back(0);
        values.z.push_back(0);
      }
  return values;
}

double sum_of_energy(const MeasuredSpectrum& measured) {
  double sum = 0;
  for (const SpectrumRow& row : measured.rows) sum += row.measured * unit_wave_number;
  return sum;
}

TEST(MeasuredSpectrum, AWaveStandsInItsShell) {
  const MeasuredSpectrum measured = measure_spectrum(plane_wave(5), nullptr);
  EXPECT_NEAR(measured.mean_square, 0.5, 1e-6);
  EXPECT_LT(measured.divergence, 1e-5);  // velocity along x, wave vector along y
  ASSERT_EQ(measured.rows.size(), 32U);
  for (std::size_t i = 0; i < 32; ++i) {
    // The wave number of a row is the mean over the modes of the shell.
    EXPECT_NEAR(measured.rows[i].k / unit_wave_number, static_cast<double>(i + 1), 0.3);
    EXPECT_TRUE(std::isnan(measured.rows[i].asked));
    if (i != 4) {
      EXPECT_LT(measured.rows[i].measured, 1e-10) << i;
    }
  }
  // The energy is half the mean square, scaled by the ratio of 4 pi k^2 to the number of modes in shell 5.
  EXPECT_NEAR(measured.rows[4].measured * unit_wave_number, 0.25, 0.05);
}

TEST(MeasuredSpectrum, AWindowKeepsTheEnergyOfWhatDoesNotRepeat) {
  const MeasuredSpectrum raw = measure_spectrum(plane_wave(7.5), nullptr);
  const MeasuredSpectrum windowed = measure_spectrum(plane_wave(7.5), nullptr, SpectrumWindow::hann);
  EXPECT_NEAR(sum_of_energy(windowed), 0.25, 0.02);
  const auto far_energy = [](const MeasuredSpectrum& measured) {
    double sum = 0;
    for (std::size_t i = 11; i < 31; ++i) sum += measured.rows[i].measured * unit_wave_number;
    return sum;
  };
  EXPECT_LT(far_energy(windowed), 1e-3 * sum_of_energy(windowed));
  // Without a window, the jump at the periodic border spreads energy over the spectrum.
  EXPECT_GT(far_energy(raw), 30 * far_energy(windowed));
}

TEST(MeasuredSpectrum, WhiteNoiseIsAlikeInAllModes) {
  GridValues values{.n = spectrum_nodes,
                    .period_m = spectrum_period,
                    .x = std::vector<float>(spectrum_nodes * spectrum_nodes * spectrum_nodes),
                    .y = {},
                    .z = {}};
  for (std::size_t i = 0; i < values.x.size(); ++i) values.x[i] = static_cast<float>(random_normal({8, 1}, i));
  const MeasuredSpectrum measured = measure_spectrum(values, nullptr);
  EXPECT_NEAR(measured.mean_square, 1, 0.01);
  EXPECT_NEAR(measured.slope, 2, 0.01);
  // The energy, half the variance of 1, is divided equally among all n^3 modes. The spectrum is (1/2) n^-3 4 pi k^2 /
  // unit^3 at the wave number k.
  const SpectrumRow& row = measured.rows[20];
  EXPECT_NEAR(
      row.measured / (0.5 / std::pow(spectrum_nodes, 3) * 4 * pi * row.k * row.k / std::pow(unit_wave_number, 3)), 1,
      0.05);
}

TEST(MeasuredSpectrum, WhatIsTheSameEverywhereHasNoMeanSquare) {
  GridValues values = plane_wave(5);
  for (const float level : {0.1F, 0.3F, -1.7F, 1e3F / 7}) {
    values.x.assign(values.x.size(), level);
    // If rounding made the mean square negative, the root mean square would be NaN.
    EXPECT_EQ(measure_spectrum(values, nullptr, SpectrumWindow::hann).mean_square, 0) << level;
  }
}

TEST(MeasuredSpectrum, AMeanWindChangesNothing) {
  GridValues values = test::values_of(test::power_recipe(-2));
  const auto asked = test::made(test::power_recipe(-2))->asked_spectrum();
  const MeasuredSpectrum before = measure_spectrum(values, &asked);
  for (float& x : values.x) x += 10;
  const MeasuredSpectrum after = measure_spectrum(values, &asked);
  EXPECT_NEAR(before.mean_square, after.mean_square, 1e-4);
  ASSERT_EQ(before.rows.size(), after.rows.size());
  for (std::size_t i = 0; i < before.rows.size(); ++i)
    EXPECT_NEAR(after.rows[i].measured / before.rows[i].measured, 1, 1e-3);
}

}  // namespace
}  // namespace vw
