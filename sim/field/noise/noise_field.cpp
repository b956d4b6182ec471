// Scalar noise for display and measurement. It causes no wind.
#include "sim/field/field_kinds.h"
#include "sim/field/noise/noise_sum.h"

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
      field_params(),
      Param<P>{.member = &P::of,
               .key = "of",
               .label = "Kind of noise",
               .live = Live::yes,
               .choices = {"white", "perlin", "turbulence"},
               .doc =
                   "Kind of noise. white: each cell of a grid has one random value, with uniform distribution. perlin: "
                   "one octave of Perlin noise. turbulence: a sum of octaves of Perlin noise, each finer than the one "
                   "before. Only turbulence uses `octaves`, `beta`, `slope`, `alpha`, `f` and `curve`."},
      Param<P>{.member = &P::amplitude,
               .key = "amplitude",
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Root mean square deviation of the noise from its mean."},
      Param<P>{.member = &P::length_m,
               .key = "length",
               .unit = Unit::meter,
               .range = {1e-4, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Edge length of the grid cells from which the noise is made. Structures of the noise have about "
                      "this size. If of = \"turbulence\", this is the cell size of the coarsest octave."},
      Param<P>{.member = &P::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-200, 200},
               .live = Live::yes,
               .doc = "Velocity with which the whole pattern of the noise moves."},
      Param<P>{.member = &P::time_s,
               .key = "time",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time after which the coarsest octave has a pattern that hardly resembles the earlier one. The "
                      "time of each further octave is shorter by the factor `beta`. 0 means that the pattern does not "
                      "change."},
      noise_octaves(),
      noise_beta(),
      noise_slope("Decay of the amplitudes from octave to octave. Each octave has beta^(-slope) times the amplitude of "
                  "the octave before."),
      noise_alpha(),
      noise_f(),
      noise_curve(),
      noise_seed(),
  };
  return table;
}

class ScalarNoise final : public Field {
 public:
  ScalarNoise(const NoiseParams& params, NoiseSum sum, const ShapeMoments& moments)
      : params_(params), shape_(std::move(sum.shape)) {
    const double gain = params.amplitude / (params.of == NoiseKind::white ? white_noise_rms : moments.rms);
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
    const bool in_time = params_.time_s > 0;
    OctavesNow now;
    add_noise(position,
              {octaves_at(octaves_, moment.time, in_time ? &SliceGain::value : nullptr, now), &shape_, 0, drift},
              in_time, value);
  }

  [[nodiscard]] double length_m() const override { return 1 / octaves_.back().scale; }

  [[nodiscard]] std::optional<NominalSpectrum> asked_spectrum() const override {
    if (shape_.form() != NoiseForm::identity) return std::nullopt;
    const NoiseSpectrum of = params_.of == NoiseKind::white ? NoiseSpectrum::white
                             : params_.time_s > 0           ? NoiseSpectrum::slice
                                                            : NoiseSpectrum::frozen;
    return asked_of_octaves(octaves_, of);
  }

 private:
  NoiseParams params_;
  NoiseShape shape_;
  /// Octaves whose w is the value at the time 1 s. octaves_at() multiplies it by the time.
  std::vector<NoiseOctave> octaves_;
};

const Schema& noise_schema() {
  static const Schema schema{
      "noise", "Scalar noise for display and measurement, without effect on systems.", noise_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_noise(const Node& self, std::uint64_t world_seed) {
  auto params = noise_params().read(self.values);
  if (params.of != NoiseKind::turbulence) {  // White and Perlin noise have one octave.
    params.octaves = 1;
    params.alpha.clear();
    params.f = NoiseForm::identity;
  }
  auto sum = make_noise_sum(params, self, world_seed);
  if (!sum) return Unexpected(sum.error());
  const auto moments = moments_to_scale_by(params, self, sum->shape, params.time_s > 0, &ShapeMoments::rms);
  if (!moments) return Unexpected(moments.error());
  return make_field<ScalarNoise>(params, std::move(*sum), *moments);
}

}  // namespace

FieldKind noise_kind() { return {&noise_schema(), create_noise}; }

}  // namespace vw
