// Axial fan. It draws in air from behind and blows it through its disc, with swirl, as a widening jet.
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/field/sources/axial.h"

namespace vw {
namespace {

struct FanParams : AxialParams {
  FanParams() { direction = Vec3::UnitX(); }
  double speed = 3;
  double radius_m = 0.2;
  double swirl = 0.3;
  double spread = 0.1;
};

const ParamTable<FanParams>& fan_params() {
  using P = FanParams;
  static const ParamTable<P> table{
      field_params(),
      axial_position("Centre of the disc of the fan."),
      axial_direction(
          "Direction in which the fan blows. The length of the vector has no effect, but must not be zero."),
      Param<P>{.member = &P::speed,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {0, 200},
               .live = Live::yes,
               .doc = "Mean speed of the air through the disc of the fan. The volume flow is pi * radius^2 * speed. On "
                      "the axis, the air has 1.5 times this speed in the disc. The largest speed of the air is nearly "
                      "3 times this speed, 1 to 3 radii in front of the disc."},
      Param<P>{.member = &P::radius_m,
               .key = "radius",
               .unit = Unit::meter,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Radius of the disc of the fan."},
      Param<P>{
          .member = &P::swirl,
          .key = "swirl",
          .unit = Unit::ratio,
          .range = {-5, 5},
          .live = Live::yes,
          .doc = "Strength of the right-handed swirl in front of the fan. Close to the fan, at the distance r from the "
                 "axis, the rotational velocity is swirl * r / radius times the axial velocity. Negative values give "
                 "left-handed swirl. Behind the fan, the flow has no swirl."},
      Param<P>{.member = &P::spread,
               .key = "spread",
               .unit = Unit::ratio,
               .range = {0.01, 0.5},
               .live = Live::yes,
               .doc = "Growth of the jet: its half-width far in front of the fan divided by the distance from the fan. "
                      "At the half-width, the speed is half of the speed on the axis. Turbulent jets have 0.1."},
      axial_travel(),
      axial_range(),
  };
  return table;
}

/// Inflow into a disc of radius 1 at z = 0 that draws in air from z > 0. The velocity through the disc is 1.5 sqrt(1 -
/// r^2). The inflow is the potential flow of sinks of that strength. The stream function is an integral over point
/// sources at the imaginary positions z + i t with the weights 1 - t^2 (Lamb, Hydrodynamics, 1932, section 107).
struct Inflow {
  double toward = 0;  ///< Velocity towards the plane of the disc.
  double out_over_r = 0;
  double psi_over_r2 = 0;  ///< Stream function of the inflow divided by r^2.
};
Inflow inflow(double z, double r) {
  constexpr double far = 1e3;
  // At a large distance rho, the disc acts as a point sink with the speed 1.5 (2 pi / 3) / (2 pi rho^2). The flow of
  // the point sink is radial, so no air crosses the plane z = 0 outside the disc.
  if (const double rho = elementary::hypot(z, r); rho > far) {
    const double speed = 0.5 / (rho * rho);
    return {speed * z / rho, -speed / rho, 0.5 / (rho * (rho + z))};
  }
  // Let s = z + i, d = sqrt(s^2 + r^2), q = 1 / (d + s) and l = log(d + s), all complex. The
  // velocity towards the plane is 1.5 Im(d - z l), and the outward velocity divided by r is
  // 0.75 Im((i - z) q - l). psi / r^2 is 1.5 Im(q (d^2 + d s + s^2) / 3 - z (l + s q) / 2).
  const double re = z * z - 1 + r * r, size = std::sqrt(re * re + 4 * z * z);
  const double larger = std::sqrt(0.5 * (size + std::abs(re))), smaller = larger > 0 ? z / larger : 0;
  const double dr = re > 0 ? larger : smaller, di = re > 0 ? smaller : larger;
  const double norm2 = (dr + z) * (dr + z) + (di + 1) * (di + 1), qr = (dr + z) / norm2, qi = -(di + 1) / norm2;
  const double angle = elementary::atan2(di + 1, dr + z);
  const double sum_r = dr * dr - di * di + dr * z - di + z * z - 1, sum_i = 2 * dr * di + dr + di * z + 2 * z;
  return {1.5 * (di - z * angle), 0.75 * (qr - z * qi - angle),
          (qr * sum_i + qi * sum_r) / 2 - 0.75 * z * (angle + z * qi + qr)};
}

/// Air flow of a fan. Behind the disc, it is the inflow. In front of the disc, linear actuator disc theory applies:
/// each ring of equal load sheds a straight tube of vorticity. The flow there is twice the velocity at the disc, minus
/// the mirror image of the inflow. Farther away, the flow blends into a Gaussian jet of equal momentum.
class Fan final : public Field {
 public:
  explicit Fan(const FanParams& params) : p_(params), tan_(p_.spread / std::sqrt(elementary::log(2.0))) {}

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    if (p_.speed == 0 || !(p_.radius_m >= least_source_m)) return;
    add_axial(p_, moment.time, position, velocity,
              [this](double along, double r) { return flow(along / p_.radius_m, r / p_.radius_m); });
  }
  [[nodiscard]] double length_m() const override {
    return p_.radius_m >= least_source_m ? 0.5 * p_.radius_m : Field::length_m();
  }

 private:
  /// Returns the flow at the axial distance x and the distance r from the axis, both in units of the disc's radius.
  [[nodiscard]] AxialFlow flow(double x, double r) const {
    const Inflow in = inflow(std::abs(x), r);
    if (x <= 0) return scaled({in.toward, in.out_over_r, 0, in.psi_over_r2});
    const double r2 = r * r, disc = r2 < 1 ? std::sqrt(1 - r2) : 0;  // The velocity in the disc is 1.5 `disc`.
    // disc_psi is (1 - disc^3) / (2 r^2), in a form that is finite on the axis.
    const double disc_psi = r2 < 1 ? 0.5 * (1 + disc + disc * disc) / (1 + disc) : 0.5 / r2;
    const AxialFlow tube{3 * disc - in.toward, in.out_over_r, 0, 2 * disc_psi - in.psi_over_r2};
    // Far in front of the disc, `tube` has the momentum of a flow with the velocity 3 sqrt(1 - r^2). A Gaussian jet of
    // width b with the velocity 3 / b on the axis has the same momentum.
    const double b = elementary::hypot(1, tan_ * x), b_slope = tan_ * tan_ * x / b;
    const double eta = r2 / (b * b), bell = elementary::exp(-eta), fill = one_less_exp(eta);
    const AxialFlow jet{3 / b * bell, 1.5 * b_slope / (b * b) * (2 * bell - fill), 0, 1.5 / b * fill};
    const double mixed = 1 / tan_, f = smooth_step(x / mixed), rest = 1 - f;
    const AxialFlow near = faded_along(tube, rest, -smooth_step_slope(x / mixed) / mixed),
                    far = faded_along(jet, f, smooth_step_slope(x / mixed) / mixed);
    // The swirl develops over a tenth of the radius, which is the depth of the blades. The jet then conserves angular
    // momentum as it widens.
    const double turning = p_.swirl * smooth_step(10 * x) / (b * b) * (rest * 3 * disc + f * jet.along);
    return scaled(
        {near.along + far.along, near.out_over_r + far.out_over_r, turning, near.psi_over_r2 + far.psi_over_r2});
  }
  [[nodiscard]] AxialFlow scaled(const AxialFlow& u) const {
    return {p_.speed * u.along, p_.speed / p_.radius_m * u.out_over_r, p_.speed / p_.radius_m * u.swirl_over_r,
            p_.speed * u.psi_over_r2};
  }

  FanParams p_;
  /// Growth rate of the width b of the jet. At the distance b from the axis, the speed is 1 / e of that on the axis.
  double tan_;
};

const Schema& fan_schema() {
  static const Schema schema{
      "fan",
      "An axial fan that draws in air from behind and blows it out as a swirling jet of the same volume flow.",
      fan_params().specs(),
      {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_fan(const Node& self, std::uint64_t) {
  return make_axial<Fan>(self, fan_params().read(self.values));
}

}  // namespace

FieldKind fan_kind() { return {&fan_schema(), create_fan}; }

}  // namespace vw
