// Plots: measured curves beside theoretical curves. Plots are nodes in the slot `plot` of a scene. Like the settings of
// the view, plots do not belong to the state or its hash.
#pragma once

#include "sim/base/data/node.h"

namespace vw {

struct PlotParams {
  std::string title;       ///< title; if empty, the node's name is shown
  std::string unit;        ///< unit of y: "m"
  std::string x = "time";  ///< "time", or a parameter of systems; each system then yields one point
  double x_max = 0;        ///< value that the horizontal axis reaches at least; 0 means that the axis ends with the
                           ///< data
  bool x_log = false, y_log = false;
  bool y_auto = true;  ///< whether the range of y follows the curves
  double y_min = 0, y_max = 1;
  double until_s = 0;  ///< plots over time: end of the measurement [s]; 0 means no end
  double span_s = 0;   ///< length of the time window shown [s]; 0 means that all times are shown
  double at_s = 0;  ///< plots over a parameter: time of the measurement [s]; 0 means that the present state is measured
  bool legend = true;
  /// Definitions of names for formulas, such as "e = 0.5", "h = system.ball.emitter.start.position.y", "t0 =
  /// sqrt(2*h/g)".
  TextList let;
};

/// Value that marks a time at which a curve has no value (NaN).
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

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
  signal,
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

[[nodiscard]] constexpr bool names_a_channel(Quantity quantity) {
  return quantity == Quantity::channel || quantity == Quantity::at_point;
}
[[nodiscard]] constexpr bool names_a_vector(Quantity quantity) {
  return quantity >= Quantity::vector_x && quantity <= Quantity::vector_length;
}
[[nodiscard]] constexpr bool names_a_joint(Quantity quantity) {
  return quantity >= Quantity::joint_force && quantity <= Quantity::joint_speed;
}
[[nodiscard]] constexpr bool is_of_the_air(Quantity quantity) { return quantity >= Quantity::air_speed; }

/// Reduction of the values of several elements to one. `center` treats the elements as one element at their centre of
/// mass.
enum class Over { center, mean, max, min, sum, rms };

struct CurveParams {
  std::string label;  ///< display name of the curve; if empty, the node's name is shown
  /// Colour of the curve. Black means automatic: the colour of the measured system, or a colour of the palette that no
  /// other curve has.
  Vec3 color{0, 0, 0};
  std::string formula;  ///< formula of an analytic or error curve
  std::string system;   ///< name of a system; "loop-*" means every system whose name begins with "loop-"
  Quantity quantity = Quantity::height;
  Over over = Over::center;
  std::int64_t element = -1;  ///< permanent id of one element; -1 means all elements
  std::string collider;       ///< collider to which the quantity `gap` is measured
  /// Name of the channel, total or signal that the quantity measures. A signal is "sensor.NAME" or "actuator.NAME".
  std::string channel;
  /// Name of the vector that vector quantities measure, or of a rule whose force on the element they measure.
  std::string vector;
  std::string joint;       ///< name of the joint, for joint quantities
  std::string expression;  ///< formula for the quantity `expression`, in the names x, y, z, vx and others
  /// Name of the field that quantities of the air measure. If empty, the sum of all fields is measured.
  std::string field;
  Vec3 point{0, 0, 0};      ///< position at which quantities of a point or of the air are measured [m]
  Vec3 direction{1, 0, 0};  ///< for the quantity `flow_rate`: direction of positive flow through the rectangle
  double width_m = 1, height_m = 1;
};

[[nodiscard]] const ParamTable<PlotParams>& plot_params();
/// Returns the table of the parameters of a curve that determine the measured quantity.
[[nodiscard]] ParamTable<CurveParams> measurement_params();
[[nodiscard]] const Schema& plot_schema();

/// Kind and parameters of a curve, read from its node.
struct CurveNode {
  CurveKind kind = CurveKind::measured;
  CurveParams params;
  int line = 0;  ///< line in the scene file, or 0 if there is none
};
[[nodiscard]] CurveNode read_curve(const Node& self);

/// Returns whether two curves measure the same quantity of the same objects, regardless of their appearance. The
/// formulas of analytic curves are not compared, because analytic curves are not measured.
[[nodiscard]] bool measure_alike(const CurveNode& a, const CurveNode& b);

}  // namespace vw
