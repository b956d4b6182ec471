// Turbulent wind: the curl of Perlin noise.
#include <algorithm>
#include <array>

#include "sim/base/elementary/elementary.h"
#include "sim/field/field_kinds.h"
#include "sim/field/noise/noise_sum.h"

namespace vw {
namespace {

/// Parameters of Perlin turbulence: a divergence-free wind, which is added to a mean wind.
struct TurbulenceParams : NoiseSumParams {
  Vec3 mean{1, 0, 0};
  double strength = 0.5;
  double length_m = 0.5;
  double time_s = 1;
  double obstacle_distance_m = 0;
};

const ParamTable<TurbulenceParams>& turbulence_params() {
  using P = TurbulenceParams;
  static const ParamTable<P> table{
      field_params(),
      Param<P>{.member = &P::mean,
               .key = "mean",
               .unit = Unit::meter_per_second,
               .range = {-200, 200},
               .live = Live::yes,
               .doc = "Mean velocity of the air. The eddies move with this velocity."},
      Param<P>{.member = &P::strength,
               .key = "strength",
               .unit = Unit::meter_per_second,
               .range = {0, 200},
               .live = Live::yes,
               .doc = "Strength of the turbulence: root mean square of each component of the velocity fluctuations "
                      "about `mean`. The sum of all octaves has this value, whatever the octave function `f` is."},
      Param<P>{.member = &P::length_m,
               .key = "length",
               .unit = Unit::meter,
               .range = {1e-4, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Size of the largest eddies, which are those of the first octave."},
      Param<P>{.member = &P::time_s,
               .key = "time",
               .unit = Unit::second,
               .range = {1e-4, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Lifetime of the largest eddies. Smaller eddies change faster, unless `slope` is 1 or more."},
      noise_octaves(),
      noise_beta(),
      noise_slope("Decay of the velocities from octave to octave. Each octave has beta^(-slope) times the velocity of "
                  "the octave before. The value 1/3 corresponds to the spectrum of Kolmogorov, and larger values give "
                  "smoother flows."),
      noise_alpha(),
      noise_f(),
      noise_curve(),
      Param<P>{.member = &P::obstacle_distance_m,
               .key = "obstacle_distance",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc =
                   "Thickness of the layer around colliders in which the largest eddies turn parallel to the surface. "
                   "The layer of each further octave is thinner by the factor `beta`. The mean wind is not deflected. "
                   "Values between 0 and a tenth of `length` act as a tenth of `length`, because a thinner layer would "
                   "make the air too fast. 0 means no layer, so that eddies pass through colliders."},
      noise_seed(),
  };
  return table;
}

class Turbulence final : public Field {
 public:
  Turbulence(const TurbulenceParams& params, NoiseSum sum, const ShapeMoments& moments)
      : params_(params), shape_(std::move(sum.shape)), shape_mean_(moments.mean) {
    const double gain = params.strength / moments.curl;
    double frequency = 1;
    for (std::size_t i = 0; i < sum.amplitude.size(); ++i, frequency *= params.beta) {
      // An eddy of size l has the speed u(l) ~ l^slope and the lifetime l / u. Rates of change therefore grow from
      // octave to octave as beta^(1 - slope). They are not allowed to decrease.
      const double tempo = elementary::pow(frequency, std::max(0.0, 1 - params.slope)) / params.time_s;
      octaves_.push_back({.scale = frequency / params.length_m,
                          .w = tempo,
                          .seed = sum.seed + i,
                          .gain = gain * sum.amplitude[i],
                          .wall_m = params.obstacle_distance_m / frequency});
    }
  }

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    OctavesNow now;
    const TurbulenceSum sum{octaves_at(octaves_, moment.time, &SliceGain::curl, now), &shape_, shape_mean_,
                            moment.time * params_.mean};
    const bool walled = params_.obstacle_distance_m > 0 && moment.obstacles != nullptr && !moment.obstacles->empty();
    constexpr std::size_t chunk = 256;
    std::array<NearSurface, chunk> walls;
    for (std::size_t first = 0; first < position.size(); first += chunk) {
      const std::size_t count = std::min(chunk, position.size() - first);
      const auto near = std::span(walls).first(walled ? count : 0);
      if (walled)
        moment.obstacles->nearest(position.subspan(first, count), moment.time, params_.obstacle_distance_m, near);
      add_turbulence(position.subspan(first, count), sum, near, velocity.subspan(first, count));
    }
    for (Vec3& v : velocity.first(position.size())) v += params_.mean;
  }

  [[nodiscard]] double length_m() const override {
    return octaves_.empty() ? Field::length_m() : 1 / octaves_.back().scale;
  }

  [[nodiscard]] std::optional<NominalSpectrum> asked_spectrum() const override {
    if (shape_.form() != NoiseForm::identity || octaves_.empty()) return std::nullopt;
    return asked_of_octaves(octaves_, NoiseSpectrum::curl_of_slice);
  }

 private:
  TurbulenceParams params_;
  NoiseShape shape_;
  double shape_mean_ = 0;
  /// Octaves whose w is the value at the time 1 s. octaves_at() multiplies it by the time.
  std::vector<NoiseOctave> octaves_;
};

const Schema& turbulence_schema() {
  static const Schema schema{
      "turbulence",
      "Turbulent wind with eddies of several sizes, made from Perlin noise. The flow is divergence-free.",
      turbulence_params().specs(),
      {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_turbulence(const Node& self, std::uint64_t world_seed) {
  auto params = turbulence_params().read(self.values);
  // The layer must not be too thin. The air that eddies move along a surface passes through the layer at a speed that
  // is inversely proportional to its thickness.
  if (params.obstacle_distance_m > 0)
    params.obstacle_distance_m = std::max(params.obstacle_distance_m, 0.1 * params.length_m);
  auto sum = make_noise_sum(params, self, world_seed);
  if (!sum) return Unexpected(sum.error());
  const auto moments = moments_to_scale_by(params, self, sum->shape, true, &ShapeMoments::curl);
  if (!moments) return Unexpected(moments.error());
  return make_field<Turbulence>(params, std::move(*sum), *moments);
}

}  // namespace

FieldKind turbulence_kind() { return {&turbulence_schema(), create_turbulence}; }

}  // namespace vw
