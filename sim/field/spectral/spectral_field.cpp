// Random divergence-free wind with a given energy spectrum. For Kolmogorov's spectrum, this is the method of Stam &
// Fiume, "Turbulent wind fields for gaseous phenomena", SIGGRAPH 1993.
#include <array>

#include "sim/field/spectral/spectral_field_grids.h"

namespace vw {
namespace {

const ParamTable<SpectralParams>& spectral_params() {
  using P = SpectralParams;
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
                      "about `mean`."},
      spectrum_params(),
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
               .doc = "Speed that determines the lifetime of eddies. An eddy of wave number k lives for about 1 / "
                      "(spread * k), so higher values give shorter lifetimes. 0 means the value of `strength`, as "
                      "in turbulence whose large eddies carry the small ones along (random sweeping). It has no "
                      "effect if change = \"frozen\"."},
      spectral_repeat(),
      spectral_seed(),
  };
  return table;
}

class Spectral final : public SpectralField, public VelocityWriter {
 public:
  Spectral(const SpectralParams& params, std::unique_ptr<SpectralGrids> grids)
      : SpectralField(std::move(grids)), mean_(params.mean) {}

  void add_velocity(std::span<const Vec3> position, const FieldMoment& /*moment*/,
                    std::span<Vec3> velocity) const override {
    grids().add(position, velocity, GridStore::add, mean_);
  }
  void write_velocity(std::span<const Vec3> position, std::span<Vec3> velocity, bool past_caches) const override {
    grids().add(position, velocity, past_caches ? GridStore::stream : GridStore::set, mean_);
  }
  void add_vorticity(std::span<const Vec3> position, const FieldMoment& /*moment*/,
                     std::span<Vec3> vorticity) const override {
    constexpr std::size_t chunk = 64;
    std::array<Mat3, chunk> slope;
    for (std::size_t first = 0; first < position.size(); first += chunk) {
      const std::size_t count = std::min(chunk, position.size() - first);
      std::fill_n(slope.begin(), count, Mat3::Zero());
      grids().add_gradients(position.subspan(first, count), std::span(slope).first(count));
      for (std::size_t i = 0; i < count; ++i)
        vorticity[first + i] +=
            Vec3(slope[i](2, 1) - slope[i](1, 2), slope[i](0, 2) - slope[i](2, 0), slope[i](1, 0) - slope[i](0, 1));
    }
  }

 private:
  Vec3 mean_;
};

const Schema& spectral_schema() {
  static const Schema schema{"spectral",
                             "Random wind with a given strength, given sizes of eddies and a given energy spectrum, "
                             "such as the spectrum of Kolmogorov (Stam & Fiume 1993). The flow is divergence-free.",
                             spectral_params().specs(),
                             {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_spectral(const Node& self, std::uint64_t world_seed) {
  return make_spectral<Spectral>(spectral_params().read(self.values), SpectralKind::vector, self, world_seed);
}

}  // namespace

FieldKind spectral_kind() { return {&spectral_schema(), create_spectral}; }

}  // namespace vw
