// Gradient noise at scattered points on one thread. The vector code for every instruction set of the machine is
// compared with scalar evaluation in double precision.
#include <cmath>

#include <hwy/targets.h>

#include "bench/measure.h"
#include "sim/base/random.h"
#include "sim/field/noise/perlin.h"
#include "sim/field/noise/turbulence_lanes.h"

namespace vw::bench {
namespace {

template <int N>
struct Points {
  std::array<std::vector<float>, N> offset, gradient;
  std::vector<float> value;
  NoisePlaces<N> places;
  NoiseRows<N> values, gradients;
  explicit Points(std::size_t count) : value(count) {
    values.value = gradients.value = value;
    for (std::size_t a = 0; a < N; ++a) {
      for (std::size_t i = 0; i < count; ++i)
        offset[a].push_back(static_cast<float>(200 * random_uniform({1, a}, i) - 100));
      places.offset[a] = offset[a];
      gradients.gradient[a] = gradient[a] = std::vector<float>(count);
    }
  }
};

/// Rates for one kind of noise: values only, and values with gradients.
struct Rates {
  Windows values, gradients;
  [[nodiscard]] Row row(const std::string& noise, const std::string& by) const {
    return {{{"noise", noise}, {"by", by}},
            {{"values_per_s", values.median_rate()},
             {"best_values_per_s", values.best_rate()},
             {"gradients_per_s", gradients.median_rate()},
             {"best_gradients_per_s", gradients.best_rate()}}};
  }
};

template <int N>
Rates lanes_rates(std::size_t count, std::int64_t milliseconds) {
  const Points<N> points(count);
  const auto rate = [&](const NoiseRows<N>& rows) {
    return measure(milliseconds, [&] {
      gradient_noise<N>(points.places, 1, rows);
      return static_cast<double>(count);
    });
  };
  return {rate(points.values), rate(points.gradients)};
}

std::vector<Vec3> some_places(std::size_t count) {
  std::vector<Vec3> at;
  for (std::size_t i = 0; i < count; ++i)
    at.push_back(
        200 * Vec3(random_uniform({1, 0}, i) - 0.5, random_uniform({1, 1}, i) - 0.5, random_uniform({1, 2}, i) - 0.5));
  return at;
}

/// Returns the rates for one octave of turbulence at positions in double precision. `values` holds the rate of noise
/// values in space and time, and `gradients` the rate of velocities, which are the curl of the noise.
Rates wind_rates(std::size_t count, std::int64_t milliseconds) {
  const auto at = some_places(count);
  std::vector<Vec3> velocity(count, Vec3::Zero());
  std::vector<double> value(count, 0);
  const NoiseOctave octave{.w = 0.3, .seed = 1};
  const NoiseShape shape;
  const TurbulenceSum sum{.octaves = std::span(&octave, 1), .shape = &shape};
  return {measure(milliseconds,
                  [&] {
                    add_noise(at, sum, true, value);
                    return static_cast<double>(count);
                  }),
          measure(milliseconds, [&] {
            add_turbulence(at, sum, {}, velocity);
            return static_cast<double>(count);
          })};
}

/// Returns the rates of scalar evaluation in double precision, which computes a value and its gradient together.
Rates plain_rates(bool wind, std::int64_t milliseconds) {
  const auto at = some_places(1000);
  double sum = 0;
  const Windows windows = measure(milliseconds, [&] {
    for (const Vec3& x : at) sum += wind ? curl_noise(x, 0.3, 1).x() : gradient_noise(x, 1).value;
    return std::isfinite(sum) ? static_cast<double>(at.size()) : 0;
  });
  return {windows, windows};
}

}  // namespace

Result<Outcome> noise(const Arguments& arguments) {
  const auto count = static_cast<std::size_t>(arguments.whole("points"));
  const std::int64_t milliseconds = std::max<std::int64_t>(1, arguments.whole("milliseconds") / 12);
  Outcome outcome;
  outcome.columns = {"values_per_s", "best_values_per_s", "gradients_per_s", "best_gradients_per_s"};
  const std::int64_t supported = hwy::SupportedTargets();
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_SCALAR}) {
    if ((supported & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    const std::string by = target == HWY_SCALAR ? "lowest" : hwy::TargetName(target);
    outcome.rows.push_back(lanes_rates<2>(count, milliseconds).row("2-D", by));
    outcome.rows.push_back(lanes_rates<3>(count, milliseconds).row("3-D", by));
    outcome.rows.push_back(lanes_rates<4>(count, milliseconds).row("4-D", by));
    outcome.rows.push_back(wind_rates(count, milliseconds).row("wind", by));
  }
  hwy::SetSupportedTargetsForTest(0);
  const Rates lanes = lanes_rates<3>(count, milliseconds), wind = wind_rates(count, milliseconds);
  const Rates plain = plain_rates(false, milliseconds), plain_wind = plain_rates(true, milliseconds);
  outcome.rows.push_back(plain.row("3-D", "plain double"));
  outcome.rows.push_back(plain_wind.row("wind", "plain double"));
  outcome.rates = {{"values_per_s", lanes.values.median_rate()},
                   {"gradients_per_s", lanes.gradients.median_rate()},
                   {"wind_samples_per_s", wind.gradients.median_rate()},
                   {"plain_values_per_s", plain.values.median_rate()},
                   {"plain_wind_samples_per_s", plain_wind.values.median_rate()}};
  outcome.figures = {{"points", static_cast<double>(count)},
                     {"values_over_plain", lanes.values.median_rate() / plain.values.median_rate()},
                     {"wind_over_plain", wind.gradients.median_rate() / plain_wind.values.median_rate()}};
  return outcome;
}

}  // namespace vw::bench
