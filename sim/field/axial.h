// Sources of air that are round about an axis: jets, fans, vortices, updrafts. Each is given by a Stokes stream function psi(along, r) and a swirl,
// so that no air is made or lost: along the axis u = psi_r / r, outwards -psi_along / r. To end one at a distance psi is faded: the air turns back,
// and still none is lost. What is divided by r here is finite on the axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "sim/field/field_kinds.h"

namespace vw {

/// A source thinner than this [m] blows nothing, and a core is a line: speeds over its width would be no numbers.
inline constexpr double least_source_m = 1e-6;

/// The parameter `key` as a unit vector, or what is wrong with it.
[[nodiscard]] inline Result<Vec3> unit_direction(const Node& self, const char* key, const Vec3& direction) {
  if (!(direction.norm() > 1e-12)) return wrong_value(self.line, key, to_text(Value(direction)), "must have a length");
  return direction.normalized();
}

/// What the kinds have in common; a field's own has a unit direction (make_axial).
struct AxialParams : FieldParams {
  Vec3 position = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();
  Vec3 travel = Vec3::Zero();
  double range_m = 0;
};

template <class P>
[[nodiscard]] Param<P> axial_position(std::string doc) {
  return {static_cast<Vec3 P::*>(&P::position), "position", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::yes, std::move(doc)};
}
template <class P>
[[nodiscard]] Param<P> axial_direction(Vec3 value, std::string doc) {
  return {static_cast<Vec3 P::*>(&P::direction), "direction", Unit::none, value, {-1e3, 1e3}, Live::yes, std::move(doc)};
}
template <class P>
[[nodiscard]] Param<P> axial_travel() {
  return {&P::travel,
          "travel",
          Unit::meter_per_second,
          Vec3(0, 0, 0),
          {-200, 200},
          Live::yes,
          "Velocity with which it moves on; it is at position at time 0."};
}
template <class P>
[[nodiscard]] Param<P> axial_range() {
  return {static_cast<double P::*>(&P::range_m),
          "range",
          Unit::meter,
          0.0,
          {0, 1e6},
          Scale::linear,
          Live::yes,
          "Distance from position at which it has ended; from half of that on the air turns back. 0: without end."};
}

/// A source made of its parameters.
template <class F, class P>
[[nodiscard]] Result<std::unique_ptr<Field>> make_axial(const Node& self, P params) {
  auto axis = unit_direction(self, "direction", params.direction);
  if (!axis) return Unexpected(axis.error());
  params.direction = *axis;
  return make_field<F>(params);
}

/// A flow at a place `along` and `r` from the axis.
struct AxialFlow {
  double along = 0;         ///< velocity [m/s]
  double out_over_r = 0;    ///< outward velocity over r [1/s]
  double swirl_over_r = 0;  ///< velocity about the axis over r [1/s], right-handed
  double psi_over_r2 = 0;   ///< [m/s]
};

/// 0 up to 0, 1 from 1 on, twice continuously differentiable; and its slope.
[[nodiscard]] inline double smooth_step(double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  return s * s * s * (s * (s * 6 - 15) + 10);
}
[[nodiscard]] inline double smooth_step_slope(double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  return 30 * s * s * (1 - s) * (1 - s);
}

/// psi f(along): the flow of a stream function that is multiplied by a function of the place along the axis.
[[nodiscard]] inline AxialFlow faded_along(AxialFlow flow, double f, double f_slope) {
  return {f * flow.along, f * flow.out_over_r - f_slope * flow.psi_over_r2, f * flow.swirl_over_r, f * flow.psi_over_r2};
}

/// A flow that comes up over `rise` from 0 on, and over its last third comes to an end at `height` [m]; 0: it has none.
[[nodiscard]] inline AxialFlow between(const AxialFlow& flow, double along, double rise, double height) {
  double f = smooth_step(along / rise), f_slope = smooth_step_slope(along / rise) / rise;
  if (height > 0) {
    const double third = height / 3, down = (height - along) / third;
    f_slope = f_slope * smooth_step(down) - f * smooth_step_slope(down) / third;
    f *= smooth_step(down);
  }
  return faded_along(flow, f, f_slope);
}

/// Adds flow(along, r) of a source at each place at that time. `flow` is asked within its range alone.
template <class Flow>
void add_axial(const AxialParams& params, double time, std::span<const Vec3> position, std::span<Vec3> velocity, const Flow& flow) {
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
      const double slope = -2 * smooth_step_slope(t) / (params.range_m * distance);  // of f along and across, over along and r
      u = {f * u.along + u.psi_over_r2 * r2 * slope, f * u.out_over_r - u.psi_over_r2 * along * slope, f * u.swirl_over_r, f * u.psi_over_r2};
    }
    velocity[i] += u.along * axis + u.out_over_r * out + u.swirl_over_r * axis.cross(out);
  }
}

/// (1 - exp(-x)) / x.
[[nodiscard]] inline double one_less_exp(double x) { return x > 1e-12 ? -std::expm1(-x) / x : 1; }

}  // namespace vw
