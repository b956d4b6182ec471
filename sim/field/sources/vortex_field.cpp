// Straight vortex of one of three types: Rankine, Lamb-Oseen (widened by viscosity), or Burgers (kept thin by
// stretching). With an updraft, the vortex is a whirlwind.

#include "sim/base/elementary/elementary.h"
#include "sim/field/sources/axial.h"

namespace vw {
namespace {

enum class VortexProfile { lamb_oseen, rankine, burgers };

struct VortexParams : AxialParams {
  VortexProfile profile = VortexProfile::lamb_oseen;
  double circulation = 1;
  double core_m = 0.1;
  double viscosity = 0;
  double stretch_hz = 1;
  double updraft = 0;
  double height_m = 0;
};

const ParamTable<VortexParams>& vortex_params() {
  using P = VortexParams;
  static const ParamTable<P> table{
      field_params(),
      axial_position("Point on the axis of the vortex. An updraft begins at this point."),
      axial_direction("Direction of the axis. The air rotates about the axis in the right-handed sense if the "
                      "circulation is positive. The length of the vector has no effect, but must not be zero."),
      Param<P>{.member = &P::profile,
               .key = "profile",
               .live = Live::yes,
               .choices = {"lamb_oseen", "rankine", "burgers"},
               .doc = "Rotational velocity at the distance r from the axis. lamb_oseen: circulation / (2 pi r) * (1 - "
                      "exp(-(r / core)^2)), which is largest at r = 1.12 * core. rankine: circulation / (2 pi r) "
                      "outside the core, and solid-body rotation inside. burgers: as lamb_oseen, with an inflow "
                      "towards the axis that `stretch` determines."},
      Param<P>{.member = &P::circulation,
               .key = "circulation",
               .unit = Unit::meter2_per_second,
               .range = {-1e5, 1e5},
               .live = Live::yes,
               .doc = "Circulation of the vortex, which is 2 pi r times the rotational velocity at a large distance r "
                      "from the axis."},
      Param<P>{
          .member = &P::core_m,
          .key = "core",
          .unit = Unit::meter,
          .range = {0, 1e4},
          .live = Live::yes,
          .doc = "Radius of the core. 0 means a line vortex, whose velocity grows without limit towards the axis."},
      Param<P>{.member = &P::viscosity,
               .key = "viscosity",
               .unit = Unit::meter2_per_second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Kinematic viscosity that widens the vortex over time, if profile = \"lamb_oseen\". At the time "
                      "t, core^2 is replaced by core^2 + 4 * viscosity * t. Air has 1.5e-5. Mixing by turbulence "
                      "corresponds to much larger values."},
      Param<P>{.member = &P::stretch_hz,
               .key = "stretch",
               .unit = Unit::per_second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Rate at which the vortex is stretched along its axis, if profile = \"burgers\". At the distance "
                      "r from the axis, the air flows towards the axis at the speed stretch * r / 2. At the distance z "
                      "from `position` along the axis, the air flows away from `position` at the speed stretch * z."},
      Param<P>{
          .member = &P::updraft,
          .key = "updraft",
          .unit = Unit::meter_per_second,
          .range = {-200, 200},
          .live = Live::yes,
          .doc = "Velocity of an updraft on the axis of the vortex. At the distance r from the axis, the velocity of "
                 "the updraft is updraft * exp(-(r / core)^2). Negative values give a downdraft. 0 means no updraft."},
      Param<P>{.member = &P::height_m,
               .key = "height",
               .unit = Unit::meter,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Length of the updraft along the axis. The updraft draws in air over its first third and "
                      "releases this air over its last third. 0 means no limit."},
      axial_travel(),
      axial_range(),
  };
  return table;
}

/// Returns E1(x) - E1(2 x) of the exponential integral E1, which equals the integral of (exp(-t) - exp(-2 t)) / t from
/// x to infinity.
double exponential_gap(double x) {
  if (x > 700) return 0;
  if (x < 1e-5) return elementary::log(2.0) - x;  // The next term of the series is 3 x^2 / 4.
  return std::expint(-2 * x) - std::expint(-x);
}

class Vortex final : public Field {
 public:
  explicit Vortex(const VortexParams& params) : p_(params) {
    if (p_.core_m < least_source_m) p_.core_m = 0;
  }

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    const double core2 = core2_at(moment.time);
    add_axial(p_, moment.time, position, velocity,
              [this, core2](double along, double r) { return flow(along, r, core2); });
  }

  /// Returns whether the pressure is known. It is known if only swirl and stretching move the air, and if the vortex
  /// neither travels nor has a limited range. The radial balance p' = u^2 / r of the kinematic pressure p and the swirl
  /// velocity u is then exact (Saffman, Vortex Dynamics, 1992, chapter 13).
  [[nodiscard]] bool has_pressure() const override { return p_.updraft == 0 && p_.range_m == 0 && p_.travel.isZero(0); }
  void add_pressure(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<double> pressure) const override {
    if (!has_pressure()) return;
    const double core2 = core2_at(moment.time);
    for (std::size_t i = 0; i < position.size(); ++i) {
      const Vec3 from = position[i] - p_.position;
      const double along = from.dot(p_.direction), r2 = (from - along * p_.direction).squaredNorm();
      pressure[i] += swirl_pressure(r2, core2);
      if (p_.profile == VortexProfile::burgers)
        pressure[i] -= p_.stretch_hz * p_.stretch_hz * (r2 / 8 + along * along / 2);
    }
  }
  [[nodiscard]] double length_m() const override { return p_.core_m > 0 ? p_.core_m : Field::length_m(); }

 private:
  [[nodiscard]] double core2_at(double time) const {
    const double core2 = p_.core_m * p_.core_m;
    return p_.profile == VortexProfile::lamb_oseen ? std::max(0.0, core2 + 4 * p_.viscosity * time) : core2;
  }

  /// Returns the azimuthal velocity divided by r [1/s].
  [[nodiscard]] double turning(double r2, double core2) const {
    const double gamma = p_.circulation / (2 * pi);
    if (!(core2 > 0)) return r2 > 0 ? gamma / r2 : 0;
    if (p_.profile == VortexProfile::rankine) return gamma / std::max(r2, core2);
    return gamma / core2 * one_less_exp(r2 / core2);
  }

  /// Returns the kinematic pressure of the swirl [m^2/s^2] in closed form: minus the integral of u^2 / r from r to
  /// infinity, where u is the azimuthal velocity.
  [[nodiscard]] double swirl_pressure(double r2, double core2) const {
    const double gamma = p_.circulation / (2 * pi), scale = 0.5 * gamma * gamma;
    if (!(core2 > 0)) return r2 > 0 ? -scale / r2 : 0;
    if (p_.profile == VortexProfile::rankine) return r2 > core2 ? -scale / r2 : -scale / core2 * (2 - r2 / core2);
    const double eta = r2 / core2, part = one_less_exp(eta);
    return -scale / core2 * (part * part * eta + 2 * exponential_gap(eta));
  }

  [[nodiscard]] AxialFlow flow(double along, double r, double core2) const {
    AxialFlow u;
    u.swirl_over_r = turning(r * r, core2);
    if (p_.profile == VortexProfile::burgers) {
      u.along += p_.stretch_hz * along;
      u.out_over_r -= 0.5 * p_.stretch_hz;
      u.psi_over_r2 += 0.5 * p_.stretch_hz * along;
    }
    if (p_.updraft != 0 && core2 > 0) {
      const double eta = r * r / core2;
      AxialFlow column{p_.updraft * elementary::exp(-eta), 0, 0, 0.5 * p_.updraft * one_less_exp(eta)};
      if (p_.height_m > 0) column = between(column, along, p_.height_m / 3, p_.height_m);
      u.along += column.along;
      u.out_over_r += column.out_over_r;
      u.psi_over_r2 += column.psi_over_r2;
    }
    return u;
  }

  VortexParams p_;
};

const Schema& vortex_schema() {
  static const Schema schema{
      "vortex",
      "A straight vortex of given circulation and core, with an optional updraft as in a whirlwind.",
      vortex_params().specs(),
      {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_vortex(const Node& self, std::uint64_t) {
  return make_axial<Vortex>(self, vortex_params().read(self.values));
}

}  // namespace

FieldKind vortex_kind() { return {&vortex_schema(), create_vortex}; }

}  // namespace vw
