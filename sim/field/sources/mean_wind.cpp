// Mean wind with a boundary layer above the ground. Its gusts occur everywhere at the same time.
#include <algorithm>

#include "sim/base/elementary/elementary.h"
#include "sim/field/sources/axial.h"

namespace vw {
namespace {

enum class WindProfile { flat, log, power };

struct UniformParams : FieldParams {
  Vec3 velocity{1, 0, 0};
  double gust = 0;
  double gust_period_s = 3;
  WindProfile profile = WindProfile::flat;
  double ground_m = 0;
  Vec3 up{0, 1, 0};
  double reference_height_m = 10;
  double roughness_m = 0.03;
  double exponent = 0.14;
};

const ParamTable<UniformParams>& uniform_params() {
  using P = UniformParams;
  static const ParamTable<P> table{
      field_params(),
      Param<P>{.member = &P::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-200, 200},
               .live = Live::yes,
               .doc = "Velocity of the air. If `profile` is not \"flat\", this is the velocity at the height "
                      "`reference_height`."},
      Param<P>{.member = &P::gust,
               .key = "gust",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Strength of regular gusts relative to the wind. At the time t, the velocity is multiplied by 1 "
                      "+ gust * sin(2 pi t / gust_period). 0 means no gusts."},
      Param<P>{.member = &P::gust_period_s,
               .key = "gust_period",
               .unit = Unit::second,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Time from one regular gust to the next."},
      Param<P>{.member = &P::profile,
               .key = "profile",
               .live = Live::yes,
               .choices = {"flat", "log", "power"},
               .doc = "Dependence of the wind on the height h above the ground. If profile = \"log\" or \"power\", the "
                      "wind has no component along `up` and is zero below the ground. flat: the wind is the same at "
                      "all heights. log: the wind is proportional to ln(h / roughness), and zero below the height "
                      "`roughness`. power: the wind is proportional to h^exponent."},
      Param<P>{.member = &P::ground_m,
               .key = "ground",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Height of the ground, measured from the origin of the world along `up`."},
      Param<P>{
          .member = &P::up,
          .key = "up",
          .range = {-1e3, 1e3},
          .live = Live::yes,
          .doc =
              "Direction in which height is measured. The length of the vector has no effect, but must not be zero."},
      Param<P>{.member = &P::reference_height_m,
               .key = "reference_height",
               .unit = Unit::meter,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Height above the ground at which the wind has the velocity `velocity`, if profile = \"log\" or "
                      "\"power\". For \"log\", it must be greater than `roughness`."},
      Param<P>{.member = &P::roughness_m,
               .key = "roughness",
               .unit = Unit::meter,
               .range = {1e-7, 10},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Roughness length of the ground, if profile = \"log\". Typical values are 0.0002 for open sea, "
                      "0.03 for grass, 0.3 for hedges, and 1 or more for woods and towns."},
      Param<P>{.member = &P::exponent,
               .key = "exponent",
               .unit = Unit::ratio,
               .range = {0, 2},
               .live = Live::yes,
               .doc = "Exponent of the profile, if profile = \"power\". Typical values are 1/7 over smooth land and up "
                      "to 0.4 over towns."},
  };
  return table;
}

class UniformWind final : public Field {
 public:
  explicit UniformWind(const UniformParams& params) : p_(params) {
    if (p_.profile != WindProfile::flat) p_.velocity -= p_.velocity.dot(p_.up) * p_.up;
  }

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    const Vec3 air = p_.velocity * gusty(moment.time);
    if (p_.profile == WindProfile::flat) {
      for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += air;
      return;
    }
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += share(height(position[i])) * air;
  }

  /// Adds curl (f(h) V) = f'(h) up x V, where f is the profile over the height h and V is the wind at the reference
  /// height.
  void add_vorticity(std::span<const Vec3> position, const FieldMoment& moment,
                     std::span<Vec3> vorticity) const override {
    if (p_.profile == WindProfile::flat) return;
    const Vec3 across = gusty(moment.time) * p_.up.cross(p_.velocity);
    for (std::size_t i = 0; i < position.size(); ++i) vorticity[i] += slope(height(position[i])) * across;
  }

  [[nodiscard]] double length_m() const override {
    switch (p_.profile) {
      case WindProfile::flat: break;
      case WindProfile::log: return std::min(10 * p_.roughness_m, p_.reference_height_m);
      case WindProfile::power: return 0.1 * p_.reference_height_m;
    }
    return Field::length_m();
  }

 private:
  [[nodiscard]] double gusty(double time) const {
    return 1 + p_.gust * elementary::sin(2 * pi * time / p_.gust_period_s);
  }
  [[nodiscard]] double height(const Vec3& x) const { return x.dot(p_.up) - p_.ground_m; }
  /// Returns the wind at the height h, divided by the wind at the reference height.
  [[nodiscard]] double share(double h) const {
    if (p_.profile == WindProfile::power) return h > 0 ? elementary::pow(h / p_.reference_height_m, p_.exponent) : 0;
    return h > p_.roughness_m
               ? elementary::log(h / p_.roughness_m) / elementary::log(p_.reference_height_m / p_.roughness_m)
               : 0;
  }
  [[nodiscard]] double slope(double h) const {
    if (p_.profile == WindProfile::power) return h > 0 ? p_.exponent / h * share(h) : 0;
    return h > p_.roughness_m ? 1 / (h * elementary::log(p_.reference_height_m / p_.roughness_m)) : 0;
  }

  UniformParams p_;
};

const Schema& uniform_schema() {
  static const Schema schema{
      "uniform",
      "The mean wind. It is uniform or increases with the height above the ground, and is steady or gusty.",
      uniform_params().specs(),
      {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_uniform(const Node& self, std::uint64_t) {
  UniformParams params = uniform_params().read(self.values);
  const auto up = unit_direction(self, "up", params.up);
  if (!up) return Unexpected(up.error());
  params.up = *up;
  if (params.profile == WindProfile::log && !(params.reference_height_m > params.roughness_m))
    return wrong_value(self.line, "reference_height", to_text(Value(params.reference_height_m)) + " m",
                       "must be greater than roughness = " + to_text(Value(params.roughness_m)) + " m");
  return make_field<UniformWind>(params);
}

}  // namespace

FieldKind uniform_kind() { return {&uniform_schema(), create_uniform}; }

}  // namespace vw
