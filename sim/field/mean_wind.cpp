// The mean wind.
#include <cmath>

#include "sim/field/field_kinds.h"

namespace vw {
namespace {

/// The same wind everywhere, with an optional sinusoidal gust.
struct UniformParams : FieldParams {
  Vec3 velocity{1, 0, 0};
  double gust = 0;
  double gust_period_s = 3;
};

const ParamTable<UniformParams>& uniform_params() {
  using P = UniformParams;
  static const ParamTable<P> table{
      field_enabled<P>(),
      field_region<P>(),
      field_region_center<P>(),
      field_region_size<P>(),
      field_region_edge<P>(),
      {&P::velocity, "velocity", Unit::meter_per_second, Vec3(1, 0, 0), {-200, 200}, Live::yes, "Velocity of the air."},
      {&P::gust, "gust", Unit::ratio, 0.0, {0, 10}, Scale::linear, Live::yes, "Gusts: the wind is velocity (1 + gust sin(2 pi t / gust_period))."},
      {&P::gust_period_s, "gust_period", Unit::second, 3.0, {1e-3, 1e4}, Scale::log, Live::yes, "Period of the gusts."},
  };
  return table;
}

class UniformWind final : public Field {
 public:
  explicit UniformWind(const UniformParams& params) : params_(params) {}
  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment, std::span<Vec3> velocity) const override {
    const Vec3 air = params_.velocity * (1 + params_.gust * std::sin(2 * pi * moment.time / params_.gust_period_s));
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += air;
  }

 private:
  UniformParams params_;
};

const Schema& uniform_schema() {
  static const Schema schema{"uniform", "The same wind everywhere, steady or in gusts.", uniform_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_uniform(const Node& self, std::uint64_t) { return make_field<UniformWind>(uniform_params().read(self.values)); }

}  // namespace

FieldKind uniform_kind() { return {&uniform_schema(), create_uniform}; }

}  // namespace vw
