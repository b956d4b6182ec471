// Plots: curves of what is measured against what theory says. Slot `plot` of a scene; like `view` no part of state or hash.
#pragma once

#include "sim/base/node.h"

namespace vw {

struct PlotParams {
  std::string title;  ///< empty: the node's name
  std::string unit;   ///< of y: "m"
  std::string x;      ///< "time", or a parameter of systems: one point a system
  double x_max = 0;   ///< right end of the axis at least; 0: as far as the data
  bool x_log = false, y_log = false;
  bool y_auto = true;  ///< the range of y follows the curves
  double y_min = 0, y_max = 1;
  double until_s = 0;  ///< plots over time: nothing is measured later; 0: for ever
  double span_s = 0;   ///< the last so many seconds; 0: all since the start
  double at_s = 0;     ///< plots over a parameter: values as they were at this time; 0: as they are now
  bool legend = true;
  TextList let;  ///< "e = 0.5", "h = system.ball.emitter.start.position.y", "t0 = sqrt(2*h/g)"
};

enum class CurveKind { analytic, error, measured };

enum class Quantity {
  position_x,
  position_y,
  position_z,
  velocity_x,
  velocity_y,
  velocity_z,
  speed,
  height,
  energy_height,
  distance,
  gap,
  count,
  mass,
  kinetic_energy,
  potential_energy,
  elastic_energy,
  energy,
  momentum_x,
  momentum_y,
  momentum_z,
  channel,
  total,
  expression,
  at_point,
  surface_height,
  flow_rate,
  vector_x,
  vector_y,
  vector_z,
  vector_length,
  joint_force,
  joint_torque,
  joint_angle,
  joint_length,
  joint_speed,
  air_speed,
  air_velocity_x,
  air_velocity_y,
  air_velocity_z,
  air_vorticity,
  air_vorticity_x,
  air_vorticity_y,
  air_vorticity_z,
  air_pressure,
  air_value
};

[[nodiscard]] constexpr bool names_a_channel(Quantity quantity) { return quantity == Quantity::channel || quantity == Quantity::at_point; }
[[nodiscard]] constexpr bool names_a_vector(Quantity quantity) { return quantity >= Quantity::vector_x && quantity <= Quantity::vector_length; }
[[nodiscard]] constexpr bool names_a_joint(Quantity quantity) { return quantity >= Quantity::joint_force && quantity <= Quantity::joint_speed; }
[[nodiscard]] constexpr bool is_of_the_air(Quantity quantity) { return quantity >= Quantity::air_speed; }

/// What becomes of the elements of a system. center: they count as one, at their centre of mass.
enum class Over { center, mean, max, min, sum, rms };

struct CurveParams {
  std::string label;    ///< empty: the node's name
  Vec3 color{0, 0, 0};  ///< black: as its system is coloured, or of the palette
  std::string formula;  ///< of analytic and error curves
  std::string system;   ///< its name; "loop-*": every system whose name begins so
  Quantity quantity = Quantity::height;
  Over over = Over::center;
  std::int64_t element = -1;  ///< lasting identity of one element; -1: all
  std::string collider;       ///< to which the gap is measured
  std::string channel;        ///< or total
  std::string vector;         ///< of quantities of a vector; or a rule, whose force on the element it is
  std::string joint;          ///< of quantities of a joint
  std::string expression;     ///< of x, y, z, vx, ...
  std::string field;          ///< of quantities of the air; empty: all together
  Vec3 point{0, 0, 0};        ///< of quantities of a place
  Vec3 direction{1, 0, 0};    ///< through the rectangle that flow_rate is measured in
  double width_m = 1, height_m = 1;
};

[[nodiscard]] const ParamTable<PlotParams>& plot_params();
[[nodiscard]] const Schema& plot_schema();

/// A curve's kind and parameters, from its node.
struct CurveNode {
  CurveKind kind = CurveKind::measured;
  CurveParams params;
  int line = 0;  ///< of the file that it is from; 0: none
};
[[nodiscard]] CurveNode read_curve(const Node& self);

/// Whether two curves measure the same, however they are drawn. (What an analytic curve says is not measured.)
[[nodiscard]] bool measure_alike(const CurveNode& a, const CurveNode& b);

}  // namespace vw
