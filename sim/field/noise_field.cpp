// Scalar noise: a value that is no wind, to be looked at and measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/field/field_kinds.h"
#include "sim/field/noise_sum.h"
#include "sim/field/perlin_spectrum.h"

namespace vw {
namespace {

enum class NoiseKind { white, perlin, turbulence };

struct NoiseParams : NoiseSumParams {
  NoiseKind of = NoiseKind::perlin;
  double amplitude = 1;
  double length_m = 0.5;
  Vec3 velocity = Vec3::Zero();
  double time_s = 0;
};

const ParamTable<NoiseParams>& noise_params() {
  using P = NoiseParams;
  static const ParamTable<P> table{
      field_enabled<P>(),
      field_region<P>(),
      field_region_center<P>(),
      field_region_size<P>(),
      field_region_edge<P>(),
      {&P::of,
       "of",
       NoiseKind::perlin,
       {"white", "perlin", "turbulence"},
       Live::yes,
       "One value a cell, evenly spread; one octave of Perlin noise; or a sum of octaves."},
      {&P::amplitude, "amplitude", Unit::none, 1.0, {0, 1e6}, Scale::linear, Live::yes, "Root mean square of the value about its mean."},
      {&P::length_m, "length", Unit::meter, 0.5, {1e-4, 1e4}, Scale::log, Live::yes, "Size of a cell: lattice spacing of the first octave."},
      {&P::velocity, "velocity", Unit::meter_per_second, Vec3(0, 0, 0), {-200, 200}, Live::yes, "Velocity with which the pattern drifts."},
      {&P::time_s,
       "time",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Time in which the pattern changes, smaller octaves in beta^-i of it; 0: it does not."},
      noise_octaves<P>(),
      noise_beta<P>(),
      noise_slope<P>("Octave i has beta^(-i slope) of the first one's amplitude."),
      noise_alpha<P>(),
      noise_f<P>(),
      noise_curve<P>(),
      noise_seed<P>(),
  };
  return table;
}

class ScalarNoise final : public Field {
 public:
  ScalarNoise(const NoiseParams& params, NoiseSum sum) : params_(params), shape_(std::move(sum.shape)) {
    const double rms = params.of == NoiseKind::white ? white_noise_rms : shape_moments(shape_, params.time_s > 0).rms;
    const double gain = rms > 0 ? params.amplitude / rms : 0;
    double frequency = 1;
    for (std::size_t i = 0; i < sum.amplitude.size(); ++i, frequency *= params.beta)
      octaves_.push_back({.scale = frequency / params.length_m,
                          .w = params.time_s > 0 ? frequency / params.time_s : 0,
                          .seed = sum.seed + i,
                          .gain = gain * sum.amplitude[i]});
  }

  void add_velocity(std::span<const Vec3>, const FieldMoment&, std::span<Vec3>) const override {}
  [[nodiscard]] bool has_value() const override { return true; }

  void add_value(std::span<const Vec3> position, const FieldMoment& moment, std::span<double> value) const override {
    const Vec3 drift = moment.time * params_.velocity;
    if (params_.of == NoiseKind::white) {
      const NoiseOctave& cells = octaves_.front();
      for (std::size_t i = 0; i < position.size(); ++i)
        value[i] += cells.gain * white_noise((position[i] - drift) * cells.scale, moment.time * cells.w, cells.seed);
      return;
    }
    std::array<NoiseOctave, most_octaves> at_time;
    for (std::size_t i = 0; i < octaves_.size(); ++i) {
      at_time[i] = octaves_[i];
      at_time[i].w = moment.time * octaves_[i].w;
      if (params_.time_s > 0) at_time[i].level = slice_gain(at_time[i].w).value;
    }
    add_noise(position, {std::span(at_time).first(octaves_.size()), &shape_, 0, drift}, params_.time_s > 0, value);
  }

  [[nodiscard]] double length_m() const override { return 1 / octaves_.back().scale; }

  [[nodiscard]] std::optional<AskedSpectrum> asked_spectrum() const override {
    if (shape_.form() != NoiseForm::identity) return std::nullopt;
    const NoiseSpectrum of = params_.of == NoiseKind::white ? NoiseSpectrum::white
                             : params_.time_s > 0           ? NoiseSpectrum::slice
                                                            : NoiseSpectrum::frozen;
    AskedSpectrum asked;
    asked.energy = [octaves = octaves_, of](double k) {
      double sum = 0;
      for (const NoiseOctave& o : octaves) sum += o.gain * o.gain / o.scale * noise_energy(of, k / o.scale);
      return of == NoiseSpectrum::white ? white_noise_rms * white_noise_rms * sum : sum;
    };
    asked.lowest = 0.25 * 2 * pi * octaves_.front().scale;
    asked.highest = 1.5 * 2 * pi * octaves_.back().scale;
    asked.slope = std::numeric_limits<double>::quiet_NaN();
    return asked;
  }

 private:
  NoiseParams params_;
  NoiseShape shape_;
  std::vector<NoiseOctave> octaves_;  ///< their w is that of one second
};

const Schema& noise_schema() {
  static const Schema schema{"noise", "Scalar noise, to be looked at and measured: it moves nothing.", noise_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_noise(const Node& self, std::uint64_t world_seed) {
  auto params = noise_params().read(self.values);
  if (params.of != NoiseKind::turbulence) {  // one octave as it is
    params.octaves = 1;
    params.alpha.clear();
    params.f = NoiseForm::identity;
  }
  auto sum = make_noise_sum(params, self, world_seed);
  if (!sum) return Unexpected(sum.error());
  return make_field<ScalarNoise>(params, std::move(*sum));
}

}  // namespace

FieldKind noise_kind() { return {&noise_schema(), create_noise}; }

}  // namespace vw
