// The field kind `noise`, and measured spectra of noise compared with theory.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/field/noise/perlin.h"
#include "sim/field/noise/perlin_spectrum.h"
#include "sim/field/spectral/spectrum_measure.h"
#include "tests/support/field_node.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

double value_at(const Field& field, const Vec3& x, double time = 0) {
  double value = 0;
  field.add_value(std::span(&x, 1), {time, nullptr}, std::span(&value, 1));
  return value;
}

Node noise_node(const char* of) {
  Node node = test::field_node("noise", "grain");
  node.set("of", std::string(of));
  node.set("amplitude", 3.0);
  node.set("length", 0.2);
  return node;
}

TEST(NoiseField, IsAValueAndNoWind) {
  FieldSet fields;
  fields.add("grain", test::made_field(noise_node("perlin")));
  EXPECT_TRUE(fields.has(FieldQuantity::value));
  EXPECT_FALSE(fields.has(FieldQuantity::velocity));
  EXPECT_TRUE(fields.empty());
  EXPECT_EQ(test::air_at(fields, Vec3(0.1, 0.2, 0.3)), Vec3(Vec3::Zero()));
  std::vector<Vec3> x{Vec3(0.11, 0.23, 0.37)};
  std::vector<double> value{7};
  fields.sample(FieldQuantity::value, "grain", x, 0.0, value);
  EXPECT_NE(value[0], 0);
  EXPECT_EQ(value[0], value_at(*fields.find("grain"), x[0]));
}

TEST(NoiseField, HasTheAskedStrengthAtAnyTime) {
  for (const char* of : {"white", "perlin", "turbulence"})
    for (const double time_scale : {0.0, 0.7})
      for (const char* f : {"identity", "ridge"}) {
        Node node = noise_node(of);
        node.set("time", time_scale);
        node.set("f", std::string(f));
        const auto field = test::made_field(node);
        for (const double time : {0.0, 0.35}) {
          std::vector<Vec3> x;
          for (std::uint64_t i = 0; i < 40000; ++i)
            x.push_back(500 * Vec3(random_uniform({1, 1}, i), random_uniform({1, 2}, i), random_uniform({1, 3}, i)));
          std::vector<double> value(x.size(), 0);
          field->add_value(x, {time, nullptr}, value);
          double mean = 0, square = 0;
          for (const double v : value) {
            mean += v / static_cast<double>(x.size());
            square += v * v / static_cast<double>(x.size());
          }
          EXPECT_NEAR(std::sqrt(square - mean * mean), 3, 0.09)
              << of << " f " << f << " in " << time_scale << " s, t = " << time;
        }
      }
}

TEST(NoiseField, DriftsStandsOrChanges) {
  const Vec3 x(0.13, 0.29, 0.41), velocity(0.5, -1, 2);
  for (const char* of : {"white", "perlin", "turbulence"}) {
    Node node = noise_node(of);
    EXPECT_EQ(value_at(*test::made_field(node), x, 0), value_at(*test::made_field(node), x, 12.3));
    node.set("velocity", velocity);
    EXPECT_NEAR(value_at(*test::made_field(node), x, 0), value_at(*test::made_field(node), x + 3 * velocity, 3), 1e-5)
        << of;
    node.set("velocity", Vec3(0, 0, 0));
    node.set("time", 0.5);
    EXPECT_NE(value_at(*test::made_field(node), x, 0), value_at(*test::made_field(node), x, 2.3)) << of;
  }
}

TEST(NoiseField, IsTheNoiseThatItsNameSays) {
  const Vec3 lattice(0.2 * 7, 0.2 * -3, 0.2 * 11);
  EXPECT_NEAR(value_at(*test::made_field(noise_node("perlin")), lattice), 0, 1e-5);
  const auto white = test::made_field(noise_node("white"));
  // The two points lie in the same cell.
  EXPECT_EQ(value_at(*white, Vec3(0.05, 0.01, 0.3)), value_at(*white, Vec3(0.15, 0.19, 0.21)));
  EXPECT_NE(value_at(*white, Vec3(0.05, 0.01, 0.3)), value_at(*white, Vec3(-0.05, 0.01, 0.3)));
  EXPECT_LE(std::abs(value_at(*white, Vec3(0.05, 0.01, 0.3))), 3 * std::sqrt(3));
  Node perlin = noise_node("perlin"), one = noise_node("turbulence");
  one.set("octaves", std::int64_t{1});
  EXPECT_EQ(value_at(*test::made_field(perlin), Vec3(0.3, 0.1, 0.7)),
            value_at(*test::made_field(one), Vec3(0.3, 0.1, 0.7)));
  EXPECT_DOUBLE_EQ(test::made_field(noise_node("turbulence"))->length_m(), 0.05);  // cell size of the third octave
  one.set("f", std::string("absolute"));
  EXPECT_FALSE(test::made_field(one)->asked_spectrum().has_value());
  EXPECT_TRUE(test::made_field(perlin)->asked_spectrum().has_value());
}

TEST(NoiseField, KeepsSilentAboutPlacesThatAreNone) {
  for (const char* of : {"white", "perlin", "turbulence"}) {
    const auto field = test::made_field(noise_node(of));
    EXPECT_TRUE(std::isnan(value_at(*field, Vec3(NAN, 0, 0)))) << of;
    EXPECT_TRUE(std::isfinite(value_at(*field, Vec3(1e300, -1e300, 1e18)))) << of;
    EXPECT_TRUE(std::isfinite(value_at(*field, Vec3(1e6, -1e6, 1e6)))) << of;
  }
}

/// Fractions of the energy below a quarter and above three halves of the lattice's wave number.
struct Shares {
  double below_quarter = 0, above_three_halves = 0;
};
Shares measured_shares(const GridValues& grid) {
  const auto spectrum = measure_spectrum(grid, nullptr, SpectrumWindow::hann);
  Shares shares;
  double all = 0;
  for (const SpectrumRow& row : spectrum.rows) {
    all += row.measured;
    if (row.k < 0.25 * 2 * pi) shares.below_quarter += row.measured;
    if (row.k > 1.5 * 2 * pi) shares.above_three_halves += row.measured;
  }
  return {shares.below_quarter / all, shares.above_three_halves / all};
}

TEST(NoiseSpectrumValidation, PerlinNoiseKeepsToItsLatticesFrequency) {
  Shares mean;
  const int seeds = 4, n = 128;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    // The cube is 25.6 cells wide, with five nodes per cell. The energy beyond the highest frequency of such a grid is
    // negligible.
    GridValues grid;
    grid.n = n;
    grid.period_m = 0.2 * n;
    grid.x.resize(static_cast<std::size_t>(n) * n * n);
    NoiseRows<3> rows;
    rows.value = grid.x;
    gradient_noise<3>(NoiseGrid<3>{{0.1, 0.37, 0.71}, {0.2, 0.2, 0.2}, {n, n, n}}, seed, rows);
    const Shares shares = measured_shares(grid);
    mean.below_quarter += shares.below_quarter / seeds;
    mean.above_three_halves += shares.above_three_halves / seeds;
  }
  test::expect_case("field", "3-D Perlin noise: share of energy below a quarter of the lattice frequency",
                    mean.below_quarter, 0, 0.02);
  test::expect_case("field", "3-D Perlin noise: share of energy above 1.5 times the lattice frequency",
                    mean.above_three_halves, 0, 0.01);
}

double integral(NoiseSpectrum of, double from, double to) {
  double sum = 0;
  const double step = 0.01;
  for (double k = from + step / 2; k < to; k += step) sum += noise_energy(of, k) * step;
  return sum;
}

TEST(NoiseSpectrumValidation, TheoryAddsUpToTheStrengthsThatAreStated) {
  test::expect_case("field", "spectrum of 3-D Perlin noise: rms by its integral",
                    std::sqrt(2 * integral(NoiseSpectrum::frozen, 0, 60)), gradient_noise_rms(3), 2e-3);
  test::expect_case("field", "spectrum of 4-D Perlin noise at one time: rms by its integral",
                    std::sqrt(2 * integral(NoiseSpectrum::slice, 0, 60)), gradient_noise_rms(4), 2e-3);
  test::expect_case("field", "spectrum of curl noise: rms of a component by its integral",
                    std::sqrt(2 * integral(NoiseSpectrum::curl_of_slice, 0, 60) / 3), curl_noise_rms(), 2e-3);
}

TEST(NoiseSpectrumValidation, ATurbulentWindHasTheSpectrumThatItAsksFor) {
  // A turbulent wind and a scalar noise, both of two octaves, are sampled on a cube. The measured spectra are compared
  // with the sum of the octaves' spectra.
  for (const bool wind : {true, false}) {
    Node node = wind ? test::field_node("turbulence") : noise_node("turbulence");
    node.set("octaves", std::int64_t{2});
    node.set("length", 1.0);
    if (wind) node.set("mean", Vec3(0, 0, 0));
    const auto field = test::made_field(node);
    const int n = 128;
    GridValues grid;
    grid.n = n;
    grid.period_m = 0.125 * n;  // 16 cells of the first octave
    std::vector<Vec3> x;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) x.push_back(0.125 * Vec3(i, j, k));
    std::vector<Vec3> u(x.size(), Vec3::Zero());
    std::vector<double> value(x.size(), 0);
    if (wind)
      field->add_velocity(x, {0.3, nullptr}, u);
    else
      field->add_value(x, {0.3, nullptr}, value);
    for (std::size_t i = 0; i < x.size(); ++i) {
      grid.x.push_back(static_cast<float>(wind ? u[i].x() : value[i]));
      if (!wind) continue;
      grid.y.push_back(static_cast<float>(u[i].y()));
      grid.z.push_back(static_cast<float>(u[i].z()));
    }
    const auto asked = field->asked_spectrum();
    ASSERT_TRUE(asked.has_value());
    EXPECT_TRUE(std::isnan(asked->slope));
    const auto spectrum = measure_spectrum(grid, &*asked, SpectrumWindow::hann);
    double log_ratio = 0, worst = 0;
    int rows = 0;
    for (const SpectrumRow& row : spectrum.rows) {
      // Only the range that holds most of the energy is compared.
      if (row.k < 0.5 * 2 * pi || row.k > 2 * 2 * pi) continue;
      const double ratio = std::log(row.measured / row.asked);
      log_ratio += ratio;
      worst = std::max(worst, std::abs(ratio));
      ++rows;
    }
    ASSERT_GT(rows, 10);
    test::expect_case(
        "field", std::string(wind ? "turbulence" : "noise, turbulence") + ": mean log of measured over asked spectrum",
        log_ratio / rows, 0, 0.1);
    // The tolerance covers the scatter of a single shell of wave numbers and the spectral leakage of the window.
    EXPECT_LT(worst, 0.5);
  }
}

}  // namespace
}  // namespace vw
