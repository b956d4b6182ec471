// Turbulent wind of Perlin noise.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/random.h"
#include "sim/field/field_kinds.h"
#include "sim/field/noise.h"
#include "sim/field/turbulence_lanes.h"

namespace vw {
namespace {

/// Perlin turbulence as a divergence-free wind on top of a mean one.
struct TurbulenceParams : FieldParams {
  Vec3 mean{1, 0, 0};
  double strength = 0.5;
  double length_m = 0.5;
  double time_s = 1;
  std::int64_t octaves = 3;
  double beta = 2;
  double slope = 0.833;
  std::int64_t seed = 1;
};

constexpr std::size_t most_octaves = 12;

const ParamTable<TurbulenceParams>& turbulence_params() {
  using P = TurbulenceParams;
  static const ParamTable<P> table{
      field_enabled<P>(),
      field_region<P>(),
      field_region_center<P>(),
      field_region_size<P>(),
      field_region_edge<P>(),
      {&P::mean, "mean", Unit::meter_per_second, Vec3(1, 0, 0), {-200, 200}, Live::yes, "Mean velocity of the air; it carries the eddies along."},
      {&P::strength,
       "strength",
       Unit::meter_per_second,
       0.5,
       {0, 200},
       Scale::linear,
       Live::yes,
       "Root mean square of each component of the fluctuation, all octaves together."},
      {&P::length_m,
       "length",
       Unit::meter,
       0.5,
       {1e-4, 1e4},
       Scale::log,
       Live::yes,
       "Size of the largest eddies: lattice spacing of the first octave."},
      {&P::time_s,
       "time",
       Unit::second,
       1.0,
       {1e-4, 1e6},
       Scale::log,
       Live::yes,
       "Time in which the largest eddies change; smaller ones change faster."},
      {&P::octaves, "octaves", Unit::count, std::int64_t{3}, {1, most_octaves}, Scale::linear, Live::yes, "Number of octaves."},
      {&P::beta, "beta", Unit::ratio, 2.0, {1.1, 8}, Scale::linear, Live::yes, "Ratio of spatial frequencies from one octave to the next."},
      {&P::slope,
       "slope",
       Unit::ratio,
       0.833,
       {0, 8},
       Scale::linear,
       Live::yes,
       "Velocity of octave i falls as beta^(-i slope); 1/3 is Kolmogorov's law for velocity, larger is smoother."},
      {&P::seed, "seed", Unit::none, std::int64_t{1}, {0, 1e15}, Scale::linear, Live::yes, "Another seed, another wind; mixed with the world's."},
  };
  return table;
}

class Turbulence final : public Field {
 public:
  Turbulence(const TurbulenceParams& params, std::uint64_t seed) : params_(params) {
    double sum = 0, frequency = 1;
    for (std::int64_t i = 0; i < params.octaves; ++i, frequency *= params.beta) {
      const double gain = std::pow(frequency, -params.slope);
      // An eddy of size l and speed u(l) ~ l^slope lives for l / u: time frequencies grow as beta^(1 - slope), at least not falling.
      const double tempo = std::pow(frequency, std::max(0.0, 1 - params.slope)) / params.time_s;
      octaves_.push_back({frequency / params.length_m, tempo, seed + static_cast<std::uint64_t>(i), gain});
      sum += gain * gain;
    }
    // Octaves are independent, so their variances add.
    for (CurlOctave& octave : octaves_) octave.gain *= params.strength / (curl_noise_rms * std::sqrt(sum));
  }

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment, std::span<Vec3> velocity) const override {
    std::array<CurlOctave, most_octaves> at_time;
    for (std::size_t i = 0; i < octaves_.size(); ++i) {
      at_time[i] = octaves_[i];
      at_time[i].w = moment.time * octaves_[i].w;
    }
    add_turbulence(position, moment.time * params_.mean, std::span(at_time).first(octaves_.size()), params_.mean, velocity);
  }

 private:
  TurbulenceParams params_;
  std::vector<CurlOctave> octaves_;  ///< their w is that of one second
};

const Schema& turbulence_schema() {
  static const Schema schema{
      "turbulence", "Turbulent wind: the curl of Perlin turbulence, so that no air is made or lost.", turbulence_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_turbulence(const Node& self, std::uint64_t world_seed) {
  const auto params = turbulence_params().read(self.values);
  const auto words = random_words({world_seed, stream_id(self.name)}, static_cast<std::uint64_t>(params.seed));
  const std::uint64_t seed = static_cast<std::uint64_t>(words[0]) << 24;  // room for octaves and components
  return make_field<Turbulence>(params, seed);
}

}  // namespace

FieldKind turbulence_kind() { return {&turbulence_schema(), create_turbulence}; }

}  // namespace vw
