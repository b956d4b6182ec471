// Random scalar field with a given spectrum, for display and measurement. It causes no wind.
#include <array>

#include "sim/field/spectral/spectral_field_grids.h"

namespace vw {
namespace {

/// Returns the default parameters of a scalar field, some of which differ from those of a wind.
SpectralParams spectral_noise_defaults() {
  SpectralParams params;
  params.strength = 1;
  params.change = SpectralTime::frozen;
  params.spread_mps = 0.5;
  return params;
}

const ParamTable<SpectralParams>& spectral_noise_params() {
  using P = SpectralParams;
  static const ParamTable<P> table{
      {
          field_params(),
          Param<P>{.member = &P::of,
                   .key = "of",
                   .label = "Kind of noise",
                   .live = Live::yes,
                   .choices = {"spectrum", "dilated"},
                   .doc = "Kind of noise. spectrum: noise with the energy spectrum that `spectrum` selects. dilated: a "
                          "sum of scaled copies of one band of noise, which approximates a power-law spectrum."},
          Param<P>{.member = &P::strength,
                   .key = "amplitude",
                   .range = {0, 1e6},
                   .live = Live::yes,
                   .doc = "Root mean square of the noise."},
          Param<P>{.member = &P::mean,
                   .key = "velocity",
                   .unit = Unit::meter_per_second,
                   .range = {-200, 200},
                   .live = Live::yes,
                   .doc = "Velocity with which the whole pattern of the noise moves."},
          spectrum_params(),
          Param<P>{.member = &P::octaves,
                   .key = "octaves",
                   .unit = Unit::count,
                   .range = {1, 12},
                   .live = Live::yes,
                   .doc = "Number of scaled copies of the noise that are added, if of = \"dilated\"."},
          Param<P>{.member = &P::beta,
                   .key = "beta",
                   .label = "Octave ratio",
                   .unit = Unit::ratio,
                   .range = {1.1, 8},
                   .live = Live::yes,
                   .doc = "Ratio of the spatial frequencies of successive copies, if of = \"dilated\". The first copy "
                          "contains wavelengths from outer_scale down to outer_scale / beta. If outer_scale is 0, a "
                          "quarter of the period is used instead."},
          Param<P>{.member = &P::slope,
                   .key = "slope",
                   .unit = Unit::ratio,
                   .range = {-8, 8},
                   .live = Live::yes,
                   .doc = "Decay of the amplitudes from copy to copy, if of = \"dilated\". Each copy has beta^(-slope) "
                          "times the amplitude of the copy before. The energy then falls with the wave number k as "
                          "k^(-1 - 2 slope)."},
          spectral_period(),
          spectral_nodes(),
          spectral_grids(),
          spectral_interpolation(),
          spectral_jitter(),
          spectral_change(),
          Param<P>{.member = &P::spread_mps,
                   .key = "spread",
                   .label = "Speed of change",
                   .unit = Unit::meter_per_second,
                   .range = {0, 200},
                   .live = Live::yes,
                   .doc = "Speed that determines the lifetime of structures of the noise. A structure of wave number k "
                          "lives for about 1 / (spread * k), so higher values give shorter lifetimes. 0 means no "
                          "change."},
          spectral_repeat(),
          spectral_seed(),
      },
      spectral_noise_defaults()};
  return table;
}

class SpectralNoise final : public SpectralField {
 public:
  SpectralNoise(const SpectralParams& /*params*/, std::unique_ptr<SpectralGrids> grids)
      : SpectralField(std::move(grids)) {}

  void add_velocity(std::span<const Vec3> /*position*/, const FieldMoment& /*moment*/,
                    std::span<Vec3> /*velocity*/) const override {}
  [[nodiscard]] bool has_value() const override { return true; }
  void add_value(std::span<const Vec3> position, const FieldMoment& /*moment*/,
                 std::span<double> value) const override {
    constexpr std::size_t chunk = 256;
    std::array<Vec3, chunk> found;
    for (std::size_t first = 0; first < position.size(); first += chunk) {
      const std::size_t count = std::min(chunk, position.size() - first);
      grids().add(position.subspan(first, count), std::span(found).first(count), GridStore::set);
      for (std::size_t i = 0; i < count; ++i) value[first + i] += found[i].x();
    }
  }
};

const Schema& spectral_noise_schema() {
  static const Schema schema{"spectral_noise",
                             "Scalar noise with a given energy spectrum, or a sum of scaled bands of noise for "
                             "comparison. The noise has no effect on systems.",
                             spectral_noise_params().specs(),
                             {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_spectral_noise(const Node& self, std::uint64_t world_seed) {
  return make_spectral<SpectralNoise>(spectral_noise_params().read(self.values), SpectralKind::scalar, self,
                                      world_seed);
}

}  // namespace

FieldKind spectral_noise_kind() { return {&spectral_noise_schema(), create_spectral_noise}; }

}  // namespace vw
