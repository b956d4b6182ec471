// A round turbulent jet: air leaves a nozzle in a wall and draws in the air around it.
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/field/sources/axial.h"

namespace vw {
namespace {

struct JetParams : AxialParams {
  JetParams() { direction = Vec3::UnitX(); }
  double speed = 10;
  double diameter_m = 0.1;
  double spread = 0.1;
};

const ParamTable<JetParams>& jet_params() {
  using P = JetParams;
  static const ParamTable<P> table{
      field_params(),
      axial_position("Centre of the nozzle. There is no flow behind the plane of the nozzle."),
      axial_direction(
          "Direction in which the jet blows. The length of the vector has no effect, but must not be zero."),
      Param<P>{.member = &P::speed,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {0, 200},
               .live = Live::yes,
               .doc = "Speed of the air where it leaves the nozzle."},
      Param<P>{.member = &P::diameter_m,
               .key = "diameter",
               .unit = Unit::meter,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Diameter of the nozzle."},
      Param<P>{.member = &P::spread,
               .key = "spread",
               .unit = Unit::ratio,
               .range = {0.01, 0.5},
               .live = Live::yes,
               .doc = "Growth of the jet: its half-width far from the nozzle divided by the distance from the nozzle. "
                      "At the half-width, the speed is half of the speed on the axis. Turbulent jets have 0.1. On the "
                      "axis, the air keeps its full speed up to the distance 0.59 * diameter / spread. Farther away, "
                      "the speed falls as 1 / distance."},
      axial_travel(),
      axial_range(),
  };
  return table;
}

/// Returns the logistic function 1 / (1 + exp(-x)).
double logistic(double x) { return 1 / (1 + elementary::exp(-x)); }
/// Returns the softplus function log(1 + exp(x)).
double soft_plus(double x) {
  return x > 0 ? x + elementary::log1p(elementary::exp(-x)) : elementary::log1p(elementary::exp(x));
}
/// Returns soft_plus(m) - logistic(m). For small y = exp m, the two functions are nearly equal, so the series y^2 / 2 -
/// 2 y^3 / 3 + ... is used instead.
double plateau(double m) {
  if (m > -4) return soft_plus(m) - logistic(m);
  double sum = 0;
  for (int n = 10; n >= 2; --n) sum = (n - 1.0) / n - elementary::exp(m) * sum;
  return elementary::exp(2 * m) * sum;
}
/// Returns soft_plus(m) - soft_plus(m - eta), computed without cancellation.
double filling(double m, double eta) {
  return m > 5 ? soft_plus(m) - soft_plus(m - eta) : -elementary::log1p(logistic(m) * elementary::expm1(-eta));
}

/// Self-similar turbulent jet. At the distance x from the nozzle and the distance r from the axis, the speed is U / (1
/// + exp(eta - m)) with eta = (r / b)^2, a speed scale U(x), a width b(x) and a shape parameter m(x). For large m, the
/// profile is a plateau with a soft edge; for m -> -inf, it is a Gaussian. With L(m) = log(1 + exp m), the stream
/// function is psi = U b^2 / 2 (L(m) - L(m - eta)), and the momentum flux is pi U^2 b^2 (L(m) - 1 / (1 + exp -m)). b(x)
/// is chosen so that the momentum flux equals that at the nozzle. The speed on the axis is p_.speed * (1 + X^8)^(-1/8)
/// with X = x / core_. Far from the nozzle, the jet is thus a Gaussian with the half-width p_.spread * x (Pope,
/// Turbulent Flows, 2000, section 5.1).
class Jet final : public Field {
 public:
  explicit Jet(const JetParams& params)
      : p_(params), core_(p_.diameter_m * std::sqrt(0.5 * elementary::log(2.0)) / p_.spread) {}

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    if (p_.speed == 0 || !(p_.diameter_m >= least_source_m)) return;
    add_axial(p_, moment.time, position, velocity,
              [this](double along, double r) { return along > 0 ? flow(along, r) : AxialFlow{}; });
  }
  [[nodiscard]] double length_m() const override {
    return p_.diameter_m >= least_source_m ? 0.25 * p_.diameter_m : Field::length_m();
  }

 private:
  [[nodiscard]] AxialFlow flow(double along, double r) const {
    const double x = std::max(along / core_, 1e-6), dx = 1 / core_;
    // Velocity on the axis, and shape parameter m. The prefix `d_` marks derivatives along the axis.
    const double x8 = elementary::pow(x, 8), axis = x8 < 1e300 ? elementary::pow(1 + x8, -0.125) : 1 / x;
    const double d_axis = x8 < 1e300 ? -axis * x8 / (x * (1 + x8)) * dx : -axis / x * dx;
    const double m = 1.3 / x - 3 * x * x, d_m = (-1.3 / (x * x) - 6 * x) * dx;
    if (m < -36) return gaussian(axis, d_axis, r);
    // The derivative of `flux` with respect to m is s - s (1 - s) = s^2.
    const double s = logistic(m), flux = plateau(m);
    // U = axis / s. b follows from b^2 U^2 flux = (diameter / 2)^2. B = U b^2 / 2 is the factor in the stream function.
    const double U = axis / s, d_log_U = d_axis / axis - (1 - s) * d_m;
    const double d_log_b = -d_log_U - 0.5 * s * s / flux * d_m;
    const double b2 = 0.25 * p_.diameter_m * p_.diameter_m / (U * U * flux);
    const double B = 0.5 * U * b2, d_log_B = d_log_U + 2 * d_log_b;
    const double eta = r * r / b2, edge = logistic(m - eta);
    AxialFlow u;
    u.along = p_.speed * U * edge;
    if (eta < 1e-8) {
      u.psi_over_r2 = 0.5 * u.along;
      u.out_over_r = -0.5 * p_.speed * d_axis;
      return u;
    }
    const double fill = filling(m, eta);
    u.psi_over_r2 = p_.speed * B * fill / (r * r);
    u.out_over_r = -p_.speed * B / (r * r) * (d_log_B * fill + (s - edge) * d_m - 2 * edge * eta * d_log_b);
    return u;
  }

  /// Returns the flow in the limit m -> -inf, where b = diameter / (sqrt 2 axis).
  [[nodiscard]] AxialFlow gaussian(double axis, double d_axis, double r) const {
    const double b2 = 0.5 * p_.diameter_m * p_.diameter_m / (axis * axis);
    const double eta = r * r / b2, bell = elementary::exp(-eta), fill = one_less_exp(eta);
    // psi / r^2 = axis fill(eta) / 2, where eta is proportional to axis^2 and eta fill' = bell - fill.
    return {p_.speed * axis * bell, -0.5 * p_.speed * d_axis * (2 * bell - fill), 0, 0.5 * p_.speed * axis * fill};
  }

  JetParams p_;
  double core_;  ///< Length of the potential core [m].
};

const Schema& jet_schema() {
  static const Schema schema{"jet",
                             "A round turbulent jet from a nozzle. Farther from the nozzle, the jet is wider and "
                             "slower, and draws in air from the sides.",
                             jet_params().specs(),
                             {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_jet(const Node& self, std::uint64_t) {
  return make_axial<Jet>(self, jet_params().read(self.values));
}

}  // namespace

FieldKind jet_kind() { return {&jet_schema(), create_jet}; }

}  // namespace vw
