// Axisymmetric sources of air: jets, fans, vortices and updrafts. Each has a Stokes stream function psi(along, r) and a
// swirl, so its flow is divergence-free. With subscripts for derivatives, the velocity is psi_r / r along the axis and
// -psi_along / r outwards. If a source has a limited range, psi fades to zero: the air circulates within the range, and
// the flow stays divergence-free. All quantities that are divided by r here are finite on the axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "sim/base/elementary/elementary.h"
#include "sim/field/field_kinds.h"

namespace vw {

/// Smallest diameter or radius of a source [m]. A thinner source produces no flow. A vortex with a thinner core is
/// treated as a line. Otherwise, velocities would not be finite.
inline constexpr double least_source_m = 1e-6;

/// Returns the value of the parameter `key` as a unit vector, or an error if its length is zero.
[[nodiscard]] inline Result<Vec3> unit_direction(const Node& self, const char* key, const Vec3& direction) {
  if (!(direction.norm() > 1e-12)) return wrong_value(self.line, key, to_text(Value(direction)), "must not be zero");
  return direction.normalized();
}

/// Parameters that all axisymmetric kinds have. make_axial() normalises the direction before it creates the field.
struct AxialParams : FieldParams {
  Vec3 position = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();
  Vec3 travel = Vec3::Zero();
  double range_m = 0;
};

/// The functions from here to axial_range() return the table rows of AxialParams.
[[nodiscard]] inline Param<AxialParams> axial_position(std::string doc) {
  return Param<AxialParams>{.member = &AxialParams::position,
                            .key = "position",
                            .unit = Unit::meter,
                            .range = {-1e6, 1e6},
                            .live = Live::yes,
                            .doc = std::move(doc)};
}
[[nodiscard]] inline Param<AxialParams> axial_direction(std::string doc) {
  return Param<AxialParams>{.member = &AxialParams::direction,
                            .key = "direction",
                            .range = {-1e3, 1e3},
                            .live = Live::yes,
                            .doc = std::move(doc)};
}
[[nodiscard]] inline Param<AxialParams> axial_travel() {
  return Param<AxialParams>{
      .member = &AxialParams::travel,
      .key = "travel",
      .label = "Velocity of source",
      .unit = Unit::meter_per_second,
      .range = {-200, 200},
      .live = Live::yes,
      .doc = "Velocity with which the source of the flow moves. At time 0, the source is at `position`."};
}
[[nodiscard]] inline Param<AxialParams> axial_range() {
  return Param<AxialParams>{.member = &AxialParams::range_m,
                            .key = "range",
                            .unit = Unit::meter,
                            .range = {0, 1e6},
                            .live = Live::yes,
                            .doc =
                                "Distance from the source at which its flow ends. Beyond half of this distance, the "
                                "flow weakens and the air flows back. 0 means no limit."};
}

/// Creates a source from its parameters, after normalising the direction.
template <class F, class P>
[[nodiscard]] Result<std::unique_ptr<Field>> make_axial(const Node& self, P params) {
  auto axis = unit_direction(self, "direction", params.direction);
  if (!axis) return Unexpected(axis.error());
  params.direction = *axis;
  return make_field<F>(params);
}

/// Flow of a source at a point whose distance from the axis is r.
struct AxialFlow {
  double along = 0;         ///< Axial velocity [m/s].
  double out_over_r = 0;    ///< Outward radial velocity divided by r [1/s].
  double swirl_over_r = 0;  ///< Azimuthal velocity divided by r [1/s], right-handed about the axis.
  double psi_over_r2 = 0;   ///< Stream function divided by r^2 [m/s].
};

/// Returns the quintic step: 0 for t <= 0, 1 for t >= 1, twice continuously differentiable.
[[nodiscard]] inline double smooth_step(double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  return s * s * s * (s * (s * 6 - 15) + 10);
}
[[nodiscard]] inline double smooth_step_slope(double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  return 30 * s * s * (1 - s) * (1 - s);
}

/// Returns `flow` with its stream function multiplied by a factor f that depends only on the axial coordinate.
/// `f_slope` is the derivative of f [1/m].
[[nodiscard]] inline AxialFlow faded_along(AxialFlow flow, double f, double f_slope) {
  return {f * flow.along, f * flow.out_over_r - f_slope * flow.psi_over_r2, f * flow.swirl_over_r,
          f * flow.psi_over_r2};
}

/// Returns `flow` modified so that it starts at 0 and reaches its full strength over the axial distance `rise` [m]. The
/// flow fades over the last third below `height` [m], unless `height` is 0.
[[nodiscard]] inline AxialFlow between(const AxialFlow& flow, double along, double rise, double height) {
  double f = smooth_step(along / rise), f_slope = smooth_step_slope(along / rise) / rise;
  if (height > 0) {
    const double third = height / 3, down = (height - along) / third;
    f_slope = f_slope * smooth_step(down) - f * smooth_step_slope(down) / third;
    f *= smooth_step(down);
  }
  return faded_along(flow, f, f_slope);
}

/// Adds the velocity of a source, flow(along, r), at each position at `time` [s]. Positions beyond the range of the
/// source are skipped.
template <class Flow>
void add_axial(const AxialParams& params, double time, std::span<const Vec3> position, std::span<Vec3> velocity,
               const Flow& flow) {
  const Vec3 middle = params.position + time * params.travel;
  const Vec3& axis = params.direction;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3 from = position[i] - middle;
    const double along = from.dot(axis), distance = from.norm();
    if (params.range_m > 0 && !(distance < params.range_m)) continue;
    const Vec3 out = from - along * axis;
    const double r2 = out.squaredNorm();
    AxialFlow u = flow(along, std::sqrt(r2));
    if (params.range_m > 0 && distance > 0.5 * params.range_m) {
      const double t = 2 - 2 * distance / params.range_m, f = smooth_step(t);
      // Derivative of the fade f along the axis, divided by `along`. It equals the radial derivative of f, divided by
      // r.
      const double slope = -2 * smooth_step_slope(t) / (params.range_m * distance);
      u = {f * u.along + u.psi_over_r2 * r2 * slope, f * u.out_over_r - u.psi_over_r2 * along * slope,
           f * u.swirl_over_r, f * u.psi_over_r2};
    }
    velocity[i] += u.along * axis + u.out_over_r * out + u.swirl_over_r * axis.cross(out);
  }
}

/// Returns (1 - exp(-x)) / x, with the limit 1 at x = 0.
[[nodiscard]] inline double one_less_exp(double x) { return x > 1e-12 ? -elementary::expm1(-x) / x : 1; }

}  // namespace vw
