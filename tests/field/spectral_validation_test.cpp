// Random fields with a prescribed spectrum, measured over 24 seeds. The fields have 64^3 vectors and wavelengths
// between half the period and four node spacings.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/field/spectral_case.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;
using test::made;
using test::mean_product;
using test::power_recipe;
using test::values_of;

constexpr int seed_count = 24;

/// Largest magnitude and sum of the errors of all seeds. The sum gives the mean error.
struct Errors {
  double worst = 0, sum = 0;
  void add(double error) {
    worst = std::max(worst, std::abs(error));
    sum += error;
  }
  [[nodiscard]] double mean() const { return std::abs(sum) / seed_count; }
};

void expect_slope(const std::string& name, SpectralRecipe recipe, double jitter) {
  Errors slope;
  recipe.jitter = jitter;
  for (int seed = 1; seed <= seed_count; ++seed) {
    recipe.seed = static_cast<std::uint64_t>(seed);
    const auto modes = made(recipe);
    const NominalSpectrum asked = modes->asked_spectrum();
    const MeasuredSpectrum measured = measure_spectrum(values_of(*modes), &asked);
    slope.add(measured.slope - measured.asked_slope);
    if (!std::isnan(asked.slope)) {
      EXPECT_NEAR(measured.asked_slope, asked.slope, 1e-9);
    }
  }
  expect_case("field", fmt::format("slope of {} (jitter {:g}), worst of {} seeds", name, jitter, seed_count),
              slope.worst, 0, 0.08);
  expect_case("field", fmt::format("slope of {} (jitter {:g}), mean of {} seeds", name, jitter, seed_count),
              slope.mean(), 0, 0.02);
}

TEST(SpectralValidation, SlopesAreTheAskedOnes) {
  SpectralRecipe kolmogorov = power_recipe(0), von_karman = power_recipe(0), band = power_recipe(0),
                 table = power_recipe(0);
  kolmogorov.spectrum.spectrum = SpectrumShape::kolmogorov;
  von_karman.spectrum.spectrum = SpectrumShape::von_karman;
  von_karman.spectrum.outer_scale_m = 0.5;
  band.spectrum.spectrum = SpectrumShape::band;
  table.spectrum.spectrum = SpectrumShape::table;
  table.spectrum.spectrum_table = {2 * pi, 1, 6 * pi, 3, 16 * pi, 0.1};
  for (const double jitter : {0.2, 1.0}) {
    expect_slope("Kolmogorov's spectrum", kolmogorov, jitter);
    expect_slope("k^-3", power_recipe(-3), jitter);
    expect_slope("k^-1", power_recipe(-1), jitter);
    expect_slope("k^1", power_recipe(1), jitter);
    expect_slope("von Karman's spectrum", von_karman, jitter);
    expect_slope("a band of white noise", band, jitter);
    expect_slope("a table", table, jitter);
  }
}

double variance(const std::vector<float>& values) { return mean_product(values, values); }
double kurtosis(const std::vector<float>& values) {
  double fourth = 0;
  for (const float v : values) fourth += std::pow(static_cast<double>(v), 4);
  return fourth / static_cast<double>(values.size()) / std::pow(variance(values), 2);
}

TEST(SpectralValidation, OneSeedIsAsGoodAsAnother) {
  for (const double slope : {-3.0, -5.0 / 3, 0.0}) {
    Errors rms, divergence, component, normal, mixed;
    for (int seed = 1; seed <= seed_count; ++seed) {
      const auto modes = made(power_recipe(slope, static_cast<std::uint64_t>(seed)));
      const NominalSpectrum asked = modes->asked_spectrum();
      const GridValues values = values_of(*modes);
      rms.add(test::rms_of(values) - 1);
      divergence.add(measure_spectrum(values, &asked).divergence);
      for (const auto* u : {&values.x, &values.y, &values.z}) {
        component.add(variance(*u) - 1);  // the variance, averaged over the three components, is 1
        normal.add(kurtosis(*u) - 3);
      }
      for (const auto& [a, b] :
           {std::pair{&values.x, &values.y}, std::pair{&values.y, &values.z}, std::pair{&values.z, &values.x}})
        mixed.add(mean_product(*a, *b));
    }
    const auto name = [&](const char* what) {
      return fmt::format("{} of k^{:.3g}, worst of {} seeds", what, slope, seed_count);
    };
    expect_case("field", name("rms of a spectral field less the asked one"), rms.worst, 0, 1e-5);
    expect_case("field", name("sum |k.u| / sum |k||u|"), divergence.worst, 0, 1e-6);
    expect_case("field", name("a component's variance less the components' mean"), component.worst, 0, 0.2);
    expect_case("field", name("correlation of two components"), mixed.worst, 0, 0.2);
    // In a steep spectrum a few eddies hold most of the energy, so a single field is not normally distributed. Its
    // kurtosis is 3 only in the mean over seeds.
    if (slope < -2)
      expect_case("field",
                  fmt::format("kurtosis of a component less 3 of k^{:.3g}, mean of {} seeds", slope, seed_count),
                  normal.mean() / 3, 0, 0.1);
    else
      expect_case("field", name("kurtosis of a component less 3"), normal.worst, 0, 0.3);
  }
}

/// Returns the expected autocorrelation of the field after a time t. It is the mean of exp(-s^2 k^2 t^2 / 2) over the
/// modes, weighted by the prescribed energy of each mode, with the spread s and the wave number k.
double correlation_due(const SpectralModes& modes, double time) {
  const NominalSpectrum asked = modes.asked_spectrum();
  const double unit = 2 * pi / modes.recipe().period_m;
  double sum = 0, whole = 0;
  for (int i = -16; i <= 16; ++i)
    for (int j = -16; j <= 16; ++j)
      for (int k = -16; k <= 16; ++k) {
        const double square = unit * unit * (i * i + j * j + k * k);
        if (square == 0) continue;
        const double energy = asked.energy(std::sqrt(square)) / square;
        sum += energy * std::exp(-std::pow(modes.recipe().spread_mps * time, 2) * square / 2);
        whole += energy;
      }
  return sum / whole;
}

void expect_correlation(const std::string& name, SpectralRecipe recipe) {
  recipe.spread_mps = 0.5;
  recipe.repeat_s = 5;
  // The largest eddies have the wave number k = 2 pi rad/m and live for 1 / (s k) = 0.32 s, where s is the spread.
  const auto times = std::to_array<double>({0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.3});
  std::array<Errors, times.size()> error;
  std::array<double, times.size()> due{};
  // The expected correlation is equal for all seeds.
  for (std::size_t i = 0; i < times.size(); ++i) due[i] = correlation_due(*made(recipe), times[i]);
  for (int seed = 1; seed <= seed_count; ++seed) {
    recipe.seed = static_cast<std::uint64_t>(seed);
    const auto modes = made(recipe);
    const GridValues start = values_of(*modes);
    const double whole = mean_product(start, start);
    for (std::size_t i = 0; i < times.size(); ++i)
      error[i].add(mean_product(start, values_of(*modes, times[i])) / whole - due[i]);
  }
  double worst = 0, mean = 0;
  for (const Errors& e : error) worst = std::max(worst, e.worst), mean = std::max(mean, e.mean());
  expect_case("field", fmt::format("time correlation of {}, worst of {} seeds and 7 times", name, seed_count), worst, 0,
              0.15);
  expect_case("field", fmt::format("time correlation of {}, mean of {} seeds, worst of 7 times", name, seed_count),
              mean, 0, 0.05);
}

TEST(SpectralValidation, EddiesLiveAsLongAsAsked) {
  const test::Variable no_cache("VOXWAKE_CACHE", "off");
  for (const SpectralTime time : {SpectralTime::rotating, SpectralTime::periodic}) {
    const char* kind = time == SpectralTime::rotating ? "rotating modes" : "4-D modes";
    for (const double slope : {-5.0 / 3, -1.0}) {
      SpectralRecipe recipe = power_recipe(slope);
      recipe.time = time;
      expect_correlation(fmt::format("{}, k^{:.3g}", kind, slope), recipe);
    }
  }
}

}  // namespace
}  // namespace vw
