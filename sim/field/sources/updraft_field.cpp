// Plume of warm air that rises from a hot spot, draws in the surrounding air, and spreads sideways at its top.

#include "sim/base/elementary/elementary.h"
#include "sim/field/sources/axial.h"

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
      field_params(),
      axial_position("Centre of the hot spot on the ground. There is no flow below the plane of the hot spot."),
      axial_direction(
          "Direction in which the air rises. The length of the vector has no effect, but must not be zero."),
      Param<P>{.member = &P::speed,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Speed of the air on the axis of the plume at the height where the plume has the radius "
                      "`radius`. Where the plume has grown to the radius w, the speed on the axis is speed * (radius / "
                      "w)^(1/3). Below a height of 2 * radius, the air is slower, because it accelerates from rest."},
      Param<P>{.member = &P::radius_m,
               .key = "radius",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Radius of the plume on the ground. At the distance of one radius from the axis, the speed is 1 "
                      "/ e of the speed on the axis."},
      Param<P>{.member = &P::spread,
               .key = "spread",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Growth of the plume's radius per metre of height. Turbulent plumes have 0.12. 0 means a column "
                      "of constant width."},
      Param<P>{.member = &P::height_m,
               .key = "height",
               .unit = Unit::meter,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Height of the plume. In the uppermost third, the air slows down and spreads sideways. 0 means "
                      "no limit."},
      axial_travel(),
      axial_range(),
  };
  return table;
}

/// Plume of Morton, Taylor & Turner 1956: a Gaussian of width b = radius + spread * z and speed w ~ b^(-1/3). The
/// buoyancy flux, which is proportional to w^3 b, is then the same at all heights. The stream function is psi = w b^2 /
/// 2 (1 - exp(-(r / b)^2)), times a factor with which the plume begins at the ground and ends at its height.
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
    const double width = 1 + p_.spread * z / p_.radius_m, b = p_.radius_m * width,
                 w = p_.speed / elementary::cbrt(width);
    const double eta = r * r / (b * b), bell = elementary::exp(-eta), fill = one_less_exp(eta);
    // psi / r^2 = w fill(eta) / 2. Its derivative along the axis follows from
    // w' / w = -b' / (3 b), eta' = -2 eta b' / b, and eta fill' = bell - fill.
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
