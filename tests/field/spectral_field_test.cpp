// Spectral fields of a scene: strength, spectrum, zero divergence, superposed grids that hide the period, blending in
// time.
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/field/field.h"
#include "sim/field/spectral/key_frames.h"
#include "sim/field/spectral/spectrum_measure.h"
#include "tests/support/field_node.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::air_at;
using test::expect_case;
using test::field_node;
using test::made_field;
using test::record_case;

constexpr RandomKey field_key{5, 9};

std::vector<Vec3> places_in(double extent, std::size_t count = 20000) {
  std::vector<Vec3> places;
  for (std::uint64_t i = 0; i < count; ++i)
    places.push_back(extent * Vec3(random_uniform(field_key, i, 0), random_uniform(field_key, i, 1),
                                   random_uniform(field_key, i, 2)));
  return places;
}

/// Returns a field with a period of 4 m and 32 nodes along each axis. The grid is smaller than the default to save
/// time.
Node small_node(std::string_view kind = "spectral") {
  Node node = field_node(kind);
  node.set("nodes", std::int64_t{32});
  return node;
}

std::vector<Vec3> air_over(const Field& field, std::span<const Vec3> places, double time = 0) {
  std::vector<Vec3> air(places.size(), Vec3::Zero());
  const FieldMoment moment{time, nullptr};
  field.prepare(moment);
  field.add_velocity(places, moment, air);
  return air;
}
std::vector<double> values_over(const Field& field, std::span<const Vec3> places, double time = 0) {
  std::vector<double> values(places.size());
  const FieldMoment moment{time, nullptr};
  field.prepare(moment);
  field.add_value(places, moment, values);
  return values;
}

/// Returns the mean of the scalar product a . b over the points.
double mean_product(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum / static_cast<double>(a.size());
}
double rms_component(std::span<const Vec3> air) { return std::sqrt(mean_product(air, air) / 3); }

/// Returns the field on a lattice over the given period, for measure_spectrum(). The lattice points lie between the
/// nodes of the field.
GridValues resampled(const Field& field, double period, int n, double time = 0) {
  std::vector<Vec3> places;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) places.push_back(period / n * Vec3(i + 0.37, j + 0.61, k + 0.13));
  GridValues out{.n = n, .period_m = period, .x = {}, .y = {}, .z = {}};
  if (field.has_value()) {
    for (const double value : values_over(field, places, time)) out.x.push_back(static_cast<float>(value));
    return out;
  }
  for (const Vec3& u : air_over(field, places, time)) {
    out.x.push_back(static_cast<float>(u.x()));
    out.y.push_back(static_cast<float>(u.y()));
    out.z.push_back(static_cast<float>(u.z()));
  }
  return out;
}

TEST(SpectralField, IsAsStrongAsAskedWhateverInterpolatesAndHoweverManyGrids) {
  for (const std::string spline : {"linear", "cubic"})
    for (const std::int64_t grids : {1, 2, 4}) {
      Node node = small_node();
      node.set("interpolation", spline);
      node.set("grids", grids);
      node.set("strength", 0.8);
      node.set("outer_scale", 1.0);
      const auto field = made_field(node);
      const double rms = rms_component(air_over(*field, places_in(grids == 1 ? 4 : 40)));
      // A single grid has the exact strength over its period, apart from the sampling error of 1 % at 20,000 points.
      // Several grids also have random correlations.
      EXPECT_NEAR(rms, 0.8, grids == 1 ? 0.02 : 0.03) << spline << ", " << grids << " grids";
    }
}

TEST(SpectralField, MeanBlowsAndCarriesTheEddies) {
  Node node = small_node();
  node.set("change", std::string("frozen"));
  const auto still = made_field(node);
  const Vec3 mean(3, -1, 0.5);
  node.set("mean", mean);
  const auto carried = made_field(node);
  for (const Vec3& place : places_in(10, 50)) {
    EXPECT_LT((air_at(*carried, place, 0) - air_at(*still, place) - mean).norm(), 1e-12);
    // The tolerance covers the rounding of values to float and the rounding of the position.
    EXPECT_LT((air_at(*carried, place + 2.5 * mean, 2.5) - air_at(*still, place) - mean).norm(), 1e-5);
  }
}

TEST(SpectralField, VorticityIsTheCurlOfItsVelocity) {
  const auto field = made_field(small_node());
  const auto places = places_in(8, 200);
  std::vector<Vec3> own(places.size(), Vec3::Zero()), differences(places.size(), Vec3::Zero());
  const FieldMoment moment{0.31, nullptr};
  field->prepare(moment);
  field->add_vorticity(places, moment, own);
  field->Field::add_vorticity(places, moment, differences);
  const double scale = std::sqrt(mean_product(own, own));
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_LT((own[i] - differences[i]).norm(), 2e-3 * scale);
  EXPECT_GT(scale, 1);
}

TEST(SpectralField, AnswersAreTheSameOnAnyThreads) {
  Node node = small_node();
  node.set("spread", 2.0);
  const auto places = places_in(5, 5000);
  const int before = thread_count();
  std::vector<std::vector<Vec3>> answers;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    FieldSet set;
    set.add("wind", made_field(node));
    std::vector<Vec3> air(places.size());
    // A key frame may be computed by the worker thread or by this thread.
    for (int step = 0; step < 40; ++step) set.velocity(places, 0.011 * step, air);
    answers.push_back(air);
  }
  set_thread_count(before);
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

TEST(SpectralField, DoesNotRememberWhenItWasAskedBefore) {
  Node node = small_node();
  node.set("spread", 2.0);
  const auto places = places_in(5, 300);
  const auto field = made_field(node), fresh = made_field(node);
  for (const double time : {0.0, 7.3, 0.02, -4.0, 1e5, 0.02}) (void)air_over(*field, places, time);
  for (const double time : {0.02, 3.1}) EXPECT_EQ(air_over(*field, places, time), air_over(*fresh, places, time));
}

TEST(SpectralField, IsSmoothInTimeAndAsStrongBetweenFramesAsAtThem) {
  Node node = small_node();
  node.set("grids", std::int64_t{1});
  node.set("spread", 1.0);
  const auto field = made_field(node);
  const double interval = KeyFrames::turn_a_frame / field->asked_spectrum()->highest;
  const auto places = places_in(4, 4000);
  const double at_frame = rms_component(air_over(*field, places, 0));
  for (const double share : {0.25, 0.5, 0.9})
    EXPECT_NEAR(rms_component(air_over(*field, places, (3 + share) * interval)), at_frame, 0.01);
  // Neither values nor slopes jump at a key frame. Differences over a tiny time before and after the frame agree.
  const double tiny = 1e-3 * interval;
  const auto before = air_over(*field, places, 4 * interval - tiny), here = air_over(*field, places, 4 * interval),
             after = air_over(*field, places, 4 * interval + tiny);
  double jump = 0, rate = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    jump += ((after[i] - here[i]) - (here[i] - before[i])).squaredNorm();
    rate += (after[i] - before[i]).squaredNorm() / 4;
  }
  EXPECT_LT(std::sqrt(jump / rate), 0.02);
}

TEST(SpectralField, PeriodicOnesRepeatInTime) {
  Node node = small_node();
  node.set("change", std::string("periodic"));
  node.set("repeat", 2.0);
  node.set("nodes", std::int64_t{16});
  const auto field = made_field(node);
  const auto places = places_in(4, 500);
  const auto start = air_over(*field, places, 0.3), half = air_over(*field, places, 1.3),
             whole = air_over(*field, places, 2.3);
  const double strength = rms_component(start);
  double apart = 0, again = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    apart += (half[i] - start[i]).squaredNorm(), again += (whole[i] - start[i]).squaredNorm();
  EXPECT_LT(std::sqrt(again / static_cast<double>(3 * places.size())), 1e-5 * strength);
  EXPECT_GT(std::sqrt(apart / static_cast<double>(3 * places.size())), 0.5 * strength);
}

TEST(SpectralField, EditsOfOtherThingsMakeNoFramesAnew) {
  Node node = small_node();
  SpectralRecipe recipe;
  recipe.nodes = 16;
  recipe.time = SpectralTime::rotating;
  recipe.spread_mps = 1;
  const auto modes = *SpectralModes::make(recipe);
  const auto frames = KeyFrames::of(modes);
  EXPECT_EQ(KeyFrames::of(*SpectralModes::make(recipe)), frames);
  EXPECT_EQ(frames->at(3), frames->at(3));
  const auto one = made_field(node);
  (void)air_at(*one, Vec3::Zero());
  node.set("strength", 2.0);
  node.set("spread", 0.5);
  node.set("mean", Vec3(1, 0, 0));
  const auto other = made_field(node);  // This field has the same modes with four times the strength.
  EXPECT_LT((air_at(*other, Vec3(1, 2, 3), 0) - Vec3(1, 0, 0) - 4 * air_at(*one, Vec3(1, 2, 3), 0)).norm(), 1e-5);
}

TEST(SpectralField, SaysWhatIsWrong) {
  const auto message = [](const Node& node) {
    for (const FieldKind& row : field_kinds())
      if (row.schema == node.schema) {
        const auto made = row.create(node, 1);
        return made ? std::string() : made.error().message();
      }
    return std::string("no such kind");
  };
  Node node = field_node("spectral");
  node.set("nodes", std::int64_t{256});
  node.set("grids", std::int64_t{4});
  EXPECT_NE(message(node).find("nodes = 256: must be smaller, because 4 grids with key frames would need"),
            std::string::npos)
      << message(node);
  node.set("nodes", std::int64_t{16});
  node.set("outer_scale", 0.5);
  node.set("inner_scale", 1.0);
  EXPECT_NE(message(node), "");
}

TEST(SpectralField, AnySpectrumWorksOnTheFewestNodesOfEveryKind) {
  for (const std::string kind : {"spectral", "spectral_noise"})
    for (const std::string shape : {"power_law", "kolmogorov", "von_karman", "band", "table"})
      for (const std::int64_t grids : {1, 4})
        for (const std::string change : {"frozen", "rotating", "periodic"}) {
          Node node = field_node(kind);
          node.set("nodes", std::int64_t{16});
          node.set("spectrum", shape);
          node.set("spectrum_table", NumberList{1, 1, 3, 2, 20, 0.01});
          node.set("grids", grids);
          node.set("change", change);
          node.set("repeat", 1.0);
          const auto field = made_field(node);
          ASSERT_NE(field, nullptr) << kind << " " << shape;
          const Vec3 place(0.1, 0.2, 0.3);
          double value = kind == "spectral" ? air_at(*field, place, 0.77).norm()
                                            : std::abs(values_over(*field, std::span(&place, 1), 0.77)[0]);
          EXPECT_TRUE(std::isfinite(value) && value > 0) << kind << " " << shape << " " << grids << " " << change;
        }
}

TEST(SpectralNoise, HasItsAmplitudeAndIsNoWind) {
  Node node = small_node("spectral_noise");
  node.set("amplitude", 2.0);
  for (const std::string of : {"spectrum", "dilated"}) {
    node.set("of", of);
    const auto field = made_field(node);
    EXPECT_TRUE(field->has_value());
    EXPECT_EQ(air_at(*field, Vec3(1, 2, 3)), Vec3::Zero());
    double sum = 0, mean = 0;
    const auto places = places_in(40);
    for (const double value : values_over(*field, places)) sum += value * value, mean += value;
    const auto count = static_cast<double>(places.size());
    EXPECT_NEAR(std::sqrt(sum / count), 2, 0.08) << of;
    EXPECT_NEAR(mean / count, 0, 0.1) << of;
  }
}

TEST(SpectralNoise, DriftsWithItsVelocityAndChangesWithItsSpread) {
  Node node = small_node("spectral_noise");
  node.set("velocity", Vec3(1, 2, 3));
  const auto drifting = made_field(node);
  const auto places = places_in(4, 200);
  std::vector<Vec3> ahead;
  for (const Vec3& place : places) ahead.push_back(place + 2 * Vec3(1, 2, 3));
  const auto start = values_over(*drifting, places), later = values_over(*drifting, ahead, 2);
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_NEAR(later[i], start[i], 2e-5);
  node.set("change", std::string("rotating"));
  node.set("velocity", Vec3(0, 0, 0));
  const auto changing = made_field(node);
  EXPECT_NE(values_over(*changing, places), values_over(*changing, places, 2));
}

// The following tests sample the field between its nodes, as a scene does.

TEST(SpectralFieldValidation, SpectrumIsAsAskedFromEndToEnd) {
  for (const std::string spline : {"linear", "cubic"})
    for (const double slope : {-5.0 / 3, -3.0}) {
      double fitted = 0;
      const int seeds = 4;
      for (std::int64_t seed = 1; seed <= seeds; ++seed) {
        Node node = field_node("spectral");
        node.set("grids", std::int64_t{1});
        node.set("spectrum", std::string("power_law"));
        node.set("spectrum_slope", slope);
        node.set("seed", seed);
        node.set("interpolation", spline);
        const auto field = made_field(node);
        const NominalSpectrum asked = *field->asked_spectrum();
        const MeasuredSpectrum measured = measure_spectrum(resampled(*field, asked.period_m, 80, 1.234), &asked);
        fitted += measured.slope / seeds;
        EXPECT_NEAR(measured.slope, slope, 0.08) << spline << " " << seed;
        EXPECT_NEAR(std::sqrt(measured.mean_square / 3), 0.5, 0.01) << spline << " " << seed;
      }
      expect_case("field",
                  "slope of the spectrum of `spectral`, " + spline + ", asked " + std::to_string(slope).substr(0, 5) +
                      " (mean of 4 seeds)",
                  fitted, slope, spline == "cubic" ? 0.02 : 0.04);
    }
}

TEST(SpectralFieldValidation, WhatInterpolationLeavesOfDivergence) {
  for (const std::string spline : {"linear", "cubic"}) {
    Node node = field_node("spectral");
    node.set("interpolation", spline);
    node.set("change", std::string("frozen"));
    const auto field = made_field(node);
    const auto places = places_in(40, 5000);
    std::vector<Vec3> curl(places.size(), Vec3::Zero());
    const FieldMoment moment;
    field->prepare(moment);
    field->add_vorticity(places, moment, curl);
    // The differences extend over 1e-3 of the node spacing of 1/16 m. Rounding to float leaves an error of 1e-3 of a
    // gradient.
    const double h = 1e-3 / 16;
    std::vector<double> divergence(places.size());
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3> ahead = places, behind = places;
      for (Vec3& place : ahead) place += h * Vec3::Unit(axis);
      for (Vec3& place : behind) place -= h * Vec3::Unit(axis);
      const auto a = air_over(*field, ahead), b = air_over(*field, behind);
      for (std::size_t i = 0; i < places.size(); ++i) divergence[i] += (a[i] - b[i])[axis] / (2 * h);
    }
    const double rms = std::sqrt(std::inner_product(divergence.begin(), divergence.end(), divergence.begin(), 0.0) /
                                 static_cast<double>(places.size()));
    const double share = rms / std::sqrt(mean_product(curl, curl));
    expect_case(
        "field",
        "divergence that " + spline + " interpolation leaves of `spectral`, root mean square over that of the curl",
        share, 0, spline == "cubic" ? 0.01 : 0.15);
  }
}

/// Returns the largest |autocorrelation| of the field along an axis, over all lags from half a period to ten periods.
double ghost(std::int64_t grids, std::int64_t seed, int axis) {
  Node node = field_node("spectral");
  node.set("grids", grids);
  node.set("seed", seed);
  node.set("change", std::string("frozen"));
  const auto field = made_field(node);
  const double period = 4;
  const auto places = places_in(10 * period, 3000);
  const auto here = air_over(*field, places);
  double worst = 0;
  std::vector<Vec3> there(places.size());
  for (int step = 16; step <= 320; ++step) {  // A step of the lag is half the wavelength of the smallest eddies.
    for (std::size_t i = 0; i < places.size(); ++i) there[i] = places[i] + step * period / 32 * Vec3::Unit(axis);
    worst = std::max(worst, std::abs(mean_product(here, air_over(*field, there))));
  }
  return worst / mean_product(here, here);
}

TEST(SpectralFieldValidation, SeveralGridsHideThePeriod) {
  const std::vector<double> most{1.001, 0.65, 0.45};
  for (std::int64_t grids = 1; grids <= 3; ++grids) {
    double worst = 0;
    for (std::int64_t seed = 1; seed <= (grids == 1 ? 1 : 3); ++seed)
      for (int axis = 0; axis < 3; ++axis) worst = std::max(worst, ghost(grids, seed, axis));
    record_case("field",
                "likeness of `spectral` with itself half a period to ten away, " + std::to_string(grids) +
                    " grids (worst of seeds and axes)",
                worst, 1.0 / static_cast<double>(grids), grids == 1 ? 0.01 : 0.35);
    EXPECT_LT(worst, most[static_cast<std::size_t>(grids - 1)]) << grids;
    EXPECT_GT(worst, grids == 1 ? 0.99 : 0.0);
  }
}

TEST(SpectralFieldValidation, EddiesDieAsTheirSpreadSays) {
  const double k = 2 * pi / 0.5;
  const int steps = 24, seeds = 8;
  std::vector<double> mean(steps);
  const auto places = places_in(4, 4000);
  const auto time = [&](int step) { return 0.125 * (step + 1) / (0.7 * k); };
  const auto theory = [&](int step) { return std::exp(-0.5 * std::pow(0.7 * k * time(step), 2)); };
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    Node node = field_node("spectral");
    node.set("grids", std::int64_t{1});
    node.set("spectrum", std::string("band"));
    node.set("outer_scale", 0.52);
    node.set("inner_scale", 0.48);
    node.set("spread", 0.7);
    node.set("seed", seed);
    const auto field = made_field(node);
    const auto start = air_over(*field, places);
    const double variance = mean_product(start, start);
    for (int step = 0; step < steps; ++step) {
      const double found = mean_product(start, air_over(*field, places, time(step))) / variance;
      mean[static_cast<std::size_t>(step)] += found / seeds;
      EXPECT_NEAR(found, theory(step), 0.15) << seed;
    }
  }
  double worst = 0;
  for (int step = 0; step < steps; ++step)
    worst = std::max(worst, std::abs(mean[static_cast<std::size_t>(step)] - theory(step)));
  expect_case(
      "field",
      "correlation in time of `spectral`, blended between frames, against exp(-s^2 k^2 t^2 / 2) (mean of 8 seeds)",
      worst, 0, 0.05);
}

TEST(SpectralField, TurnedGridsAreMeasuredWithoutWhatTheWindowDoes) {
  // Two grids have no common period, so the spectrum is measured with a window. The window spreads energy beyond the
  // prescribed range of wave numbers. This energy must not count as divergence of the wind.
  for (const double slope : {-1.0, -5.0 / 3, -3.0}) {
    double sum = 0;
    const int seeds = 8;
    for (std::int64_t seed = 1; seed <= seeds; ++seed) {
      Node node = small_node();
      node.set("spectrum", std::string("power_law"));
      node.set("spectrum_slope", slope);
      node.set("seed", seed);
      const auto field = made_field(node);
      const NominalSpectrum asked = *field->asked_spectrum();
      constexpr int n = 64;
      const auto found =
          measure_spectrum(resampled(*field, n * pi / (1.25 * asked.highest), n), &asked, SpectrumWindow::hann);
      EXPECT_NEAR(found.slope, slope, 0.08) << seed;
      EXPECT_LT(found.divergence, 0.003) << seed;
      sum += found.slope;
    }
    // Cubic interpolation weakens the smallest eddies between nodes, which accounts for 0.012 of the tolerance.
    EXPECT_NEAR(sum / seeds, slope, 0.03);
  }
}

TEST(SpectralFieldValidation, DilatedNoiseHasTheSpectrumOfItsSum) {
  Node node = field_node("spectral_noise");
  node.set("of", std::string("dilated"));
  node.set("octaves", std::int64_t{3});
  node.set("period", 8.0);
  const auto field = made_field(node);
  const NominalSpectrum asked = *field->asked_spectrum();
  // The field has no period. It is measured with a window in a box that holds several of the largest eddies.
  const MeasuredSpectrum measured = measure_spectrum(resampled(*field, 8, 96), &asked, SpectrumWindow::hann);
  EXPECT_NEAR(measured.mean_square, 1, 0.2);
  double sum = 0, rows = 0;
  for (const SpectrumRow& row : measured.rows)
    if (row.asked > 0 && row.k > 1.2 * asked.lowest && row.k < 0.8 * asked.highest)
      sum += std::log(row.measured / row.asked), ++rows;
  EXPECT_GT(rows, 10);
  expect_case("field", "spectrum of dilated noises against the sum of theirs (mean log ratio)", sum / rows, 0, 0.15);
}

TEST(SpectralField, AMillionPlacesHearWhatOneHears) {
  // If the wind is the only field, the values of large batches are written with non-temporal stores. If there are other
  // winds, the values are added.
  Node node = small_node();
  node.set("mean", Vec3(1, 0.5, -2));
  Node calm = field_node("uniform");
  calm.set("velocity", Vec3(0, 0, 0));
  FieldSet alone, both;
  alone.add("wind", made_field(node));
  both.add("wind", made_field(node));
  both.add("calm", made_field(calm));
  const auto places = places_in(20, 300'000);
  std::vector<Vec3> many(places.size()), sum(places.size()), few(1000);
  alone.velocity(places, 0.7, many);
  both.velocity(places, 0.7, sum);
  alone.velocity(std::span(places).first(few.size()), 0.7, few);
  EXPECT_TRUE(many == air_over(*alone.find("wind"), places, 0.7));
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_TRUE(many == sum);
}

}  // namespace
}  // namespace vw
