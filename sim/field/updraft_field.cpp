// A plume of warm air that rises from a hot spot, entrains the air around it, and spreads sideways at its top.
#include <cmath>

#include "sim/field/axial.h"

namespace vw {
namespace {

struct UpdraftParams : AxialParams {
  double speed = 2;
  double radius_m = 0.5;
  double spread = 0.12;
  double height_m = 0;
};

const ParamTable<UpdraftParams>& updraft_params() {
  using P = UpdraftParams;
  static const ParamTable<P> table{
      field_enabled<P>(),
      field_region<P>(),
      field_region_center<P>(),
      field_region_size<P>(),
      field_region_edge<P>(),
      axial_position<P>("Centre of the hot spot on the ground. Below its plane the air is at rest."),
      axial_direction<P>(Vec3(0, 1, 0), "Direction in which the air rises (any non-zero length)."),
      {&P::speed,
       "speed",
       Unit::meter_per_second,
       2.0,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Speed scale s: the speed on the axis is s (width / radius)^(-1/3) at heights above 2 radius, below which the "
       "plume develops."},
      {&P::radius_m,
       "radius",
       Unit::meter,
       0.5,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Width of the plume on the ground: the radius at which the speed falls to 1 / e."},
      {&P::spread,
       "spread",
       Unit::ratio,
       0.12,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Growth of the width per height. Turbulent plumes have 0.12; 0 is a column."},
      {&P::height_m,
       "height",
       Unit::meter,
       0.0,
       {0, 1e5},
       Scale::linear,
       Live::yes,
       "Height of the plume. Over the last third the air spreads sideways. 0: unlimited."},
      axial_travel<P>(),
      axial_range<P>(),
  };
  return table;
}

/// Plume of Morton, Taylor & Turner 1956: Gaussian with the width b = radius + spread z and the speed w ~ b^(-1/3), so
/// that the buoyancy flux, ~ w^3 b, is the same at all heights. psi = w b^2 / 2 (1 - exp(-(r / b)^2)), times a factor
/// that lets the plume begin at the ground and end at its height.
class Updraft final : public Field {
 public:
  explicit Updraft(const UpdraftParams& params) : p_(params) {}

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    if (p_.speed == 0 || !(p_.radius_m >= least_source_m)) return;
    add_axial(p_, moment.time, position, velocity, [this](double along, double r) {
      return along > 0 && (p_.height_m == 0 || along < p_.height_m) ? flow(along, r) : AxialFlow{};
    });
  }
  [[nodiscard]] double length_m() const override {
    return p_.radius_m >= least_source_m ? p_.radius_m : Field::length_m();
  }

 private:
  [[nodiscard]] AxialFlow flow(double z, double r) const {
    const double width = 1 + p_.spread * z / p_.radius_m, b = p_.radius_m * width, w = p_.speed / std::cbrt(width);
    const double eta = r * r / (b * b), bell = std::exp(-eta), fill = one_less_exp(eta);
    // psi / r^2 = w fill(eta) / 2. Along the axis: w' / w = -b' / (3 b), eta' = -2 eta b' / b, eta fill' = bell - fill.
    const double out = -0.5 * w * p_.spread / b * (-fill / 3 - 2 * (bell - fill));
    return between({w * bell, out, 0, 0.5 * w * fill}, z, 2 * p_.radius_m, p_.height_m);
  }

  UpdraftParams p_;
};

const Schema& updraft_schema() {
  static const Schema schema{
      "updraft", "A plume of rising air over a hot spot on the ground.", updraft_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_updraft(const Node& self, std::uint64_t) {
  return make_axial<Updraft>(self, updraft_params().read(self.values));
}

}  // namespace

FieldKind updraft_kind() { return {&updraft_schema(), create_updraft}; }

}  // namespace vw
