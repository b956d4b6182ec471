// Parameter tables of plots and curves.
#include "sim/plot/plot.h"

#include <tuple>

#include "sim/base/data/node_kind.h"

namespace vw {
namespace {

using C = CurveParams;

ParamTable<C> common_params() {
  return {
      Param<C>{.member = &C::label,
               .key = "label",
               .live = Live::yes,
               .doc = "Name of the curve in the legend. Empty means the `name` of the curve in the scene file."},
      Param<C>{.member = &C::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour of the curve as linear red, green and blue. Black (all zero) means automatic: the colour "
                      "of the measured system, or a colour that no other curve has."},
  };
}

Param<C> formula_param() {
  return Param<C>{.member = &C::formula,
                  .key = "formula",
                  .live = Live::yes,
                  .doc =
                      "Formula of the theoretical value of the curve. It can contain the operators + - * / ^, "
                      "comparisons, c ? a : b, and the functions abs acos asin atan atan2 ceil cos cosh exp floor "
                      "ln log10 max min mod round sign sin sinh sqrt tan tanh. It can also contain the time t [s], "
                      "the gravity g [m/s^2], the time step dt [s], pi, nan (no value) and the names that `let` "
                      "defines. Formulas of error curves can also contain the names that `expression` can contain."};
}

Param<C> quantity_param() {
  return Param<C>{
      .member = &C::quantity,
      .key = "quantity",
      .live = Live::yes,
      .choices = {"position_x",
                  "position_y",
                  "position_z",
                  "velocity_x",
                  "velocity_y",
                  "velocity_z",
                  "speed",
                  "height",
                  "energy_height",
                  "distance",
                  "gap",
                  "count",
                  "mass",
                  "kinetic_energy",
                  "potential_energy",
                  "elastic_energy",
                  "energy",
                  "momentum_x",
                  "momentum_y",
                  "momentum_z",
                  "channel",
                  "total",
                  "expression",
                  "at_point",
                  "surface_height",
                  "flow_rate",
                  "vector_x",
                  "vector_y",
                  "vector_z",
                  "vector_length",
                  "joint_force",
                  "joint_torque",
                  "joint_angle",
                  "joint_length",
                  "joint_speed",
                  "signal",
                  "air_speed",
                  "air_velocity_x",
                  "air_velocity_y",
                  "air_velocity_z",
                  "air_vorticity",
                  "air_vorticity_x",
                  "air_vorticity_y",
                  "air_vorticity_z",
                  "air_pressure",
                  "air_value"},
      .doc =
          "Quantity that the curve shows. docs/guide/window.md explains all of them. height: coordinate in "
          "the direction opposite to gravity. energy_height: height + v^2 / (2 g). distance: distance from "
          "the initial position. gap: distance to `collider`. total: the total of the whole system that "
          "`channel` names. at_point: the channel `channel` of a fluid at `point`. surface_height: height "
          "of a fluid's surface. flow_rate: volume flow through a rectangle. vector_x: component of "
          "`vector` along x. vector_length: length of `vector`. joint_force: reaction force. joint_torque: "
          "reaction torque. joint_angle: angle or displacement. joint_length: length of a rod or rope. "
          "joint_speed: rate of change of the angle or length. signal: value of the actuator or sensor that "
          "`channel` names. air_value: value of a noise."};
}

}  // namespace

ParamTable<CurveParams> measurement_params() {
  return {
      Param<C>{.member = &C::system,
               .key = "system",
               .live = Live::yes,
               .refers_to = "system",
               .doc = "Name of the measured system. If the horizontal axis of the plot is a parameter, a * at the end "
                      "selects all systems whose names begin with the text before it."},
      quantity_param(),
      Param<C>{.member = &C::over,
               .key = "over",
               .label = "Combination",
               .live = Live::yes,
               .choices = {"center", "mean", "max", "min", "sum", "rms"},
               .doc = "Combination of the values of several elements into one value. center: the elements are treated "
                      "as one element at their centre of mass. mean: the mean of the values. max: the largest value. "
                      "min: the smallest value. sum: the sum of the values. rms: the root mean square of the values."},
      Param<C>{.member = &C::element,
               .key = "element",
               .range = {-1, 4294967295.0},
               .live = Live::yes,
               .doc = "Number (id) of the element that is measured. -1 means all elements of the system."},
      Param<C>{.member = &C::collider,
               .key = "collider",
               .label = "Obstacle",
               .live = Live::yes,
               .refers_to = "collider",
               .doc = "Name of the collider to which the distance is measured, for the quantity `gap` and for the name "
                      "gap in `expression`."},
      Param<C>{.member = &C::channel,
               .key = "channel",
               .live = Live::yes,
               .doc = "Name of the measured channel, such as strain or pressure, for the quantities `channel` and "
                      "`at_point`. For the quantity `total`, it is the name of a total of the system. For the quantity "
                      "`signal`, it is sensor.NAME or actuator.NAME."},
      Param<C>{.member = &C::vector,
               .key = "vector",
               .live = Live::yes,
               .doc = "Name of the measured vector, for the quantities vector_x, vector_y, vector_z and vector_length. "
                      "The name is velocity, acceleration, net_force, a vector that the system provides (such as "
                      "vorticity), or the name of a rule. The name of a rule means the force of that rule on the "
                      "element. If several elements are measured, over = \"center\" gives the mean of their vectors."},
      Param<C>{.member = &C::joint,
               .key = "joint",
               .live = Live::yes,
               .doc = "Name of the measured joint, for the quantities joint_force, joint_torque, joint_angle, "
                      "joint_length and joint_speed."},
      Param<C>{.member = &C::field,
               .key = "field",
               .live = Live::yes,
               .refers_to = "field",
               .doc = "Name of the measured field, for quantities whose names begin with air. Empty means the sum of "
                      "all fields."},
      Param<C>{.member = &C::expression,
               .key = "expression",
               .live = Live::yes,
               .doc = "Formula that is evaluated for each element, for the quantity `expression`. It can contain the "
                      "present values x y z vx vy vz of the element, its initial values x0 y0 z0 vx0 vy0 vz0, its "
                      "radius, the gap to `collider`, the time t [s], the gravity g [m/s^2], the time step dt [s], pi "
                      "and the names that `let` defines. If the horizontal axis of the plot is a parameter, the "
                      "formula can also contain that parameter."},
      Param<C>{
          .member = &C::point,
          .key = "point",
          .unit = Unit::meter,
          .range = {-1e6, 1e6},
          .live = Live::yes,
          .doc =
              "Point at which a value is measured, for the quantity `at_point` and for quantities whose names "
              "begin with air. For `surface_height`, the surface is measured on the vertical line through this "
              "point. For `flow_rate`, this point is the centre of the rectangle through which the flow is measured."},
      Param<C>{.member = &C::direction,
               .key = "direction",
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Direction in which the flow through the measuring rectangle counts as positive, for the "
                      "quantity `flow_rate`."},
      Param<C>{.member = &C::width_m,
               .key = "width",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of the horizontal edges of the rectangle through which the flow is measured, for the "
                      "quantity `flow_rate`. The rectangle is perpendicular to `direction`. If `direction` is "
                      "vertical, these edges are parallel to z."},
      Param<C>{.member = &C::height_m,
               .key = "height",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of the other edges of the rectangle through which the flow is measured, for the quantity "
                      "`flow_rate`. They are perpendicular to the edges of the length `width`."},
  };
}

namespace {

ParamTable<C> measured_params() { return {common_params(), measurement_params()}; }

ParamTable<C> analytic_params() { return {common_params(), formula_param()}; }

ParamTable<C> error_params() { return {measured_params(), formula_param()}; }

struct KindOfCurve : NodeKind<C> {
  KindOfCurve(CurveKind which, const char* name, const char* doc, const ParamTable<C>& rows)
      : NodeKind<C>(name, doc, rows), kind(which) {}
  CurveKind kind;
};

const std::vector<KindOfCurve>& curve_kinds() {
  static const std::vector<KindOfCurve> all{
      {CurveKind::analytic, "analytic", "A theoretical curve from a formula. It is drawn dashed.", analytic_params()},
      {CurveKind::error, "error", "Absolute difference between a measured value and the value of a formula.",
       error_params()},
      {CurveKind::measured, "measured", "A quantity of a system or of the air, measured after every step.",
       measured_params()},
  };
  return all;
}

}  // namespace

const ParamTable<PlotParams>& plot_params() {
  using P = PlotParams;
  static const Bounds any{-1e12, 1e12};
  static const ParamTable<P> table{
      Param<P>{.member = &P::title,
               .key = "title",
               .live = Live::yes,
               .doc = "Heading of the plot. Empty means the name of the plot."},
      Param<P>{.member = &P::unit,
               .key = "unit",
               .live = Live::yes,
               .doc = "Text that is shown as the unit of the vertical axis. It does not convert values."},
      Param<P>{
          .member = &P::x,
          .key = "x",
          .label = "Horizontal axis",
          .live = Live::yes,
          .doc = "Quantity on the horizontal axis: time, or the name of a parameter of systems, such as collision_dt. "
                 "If it is a parameter, a curve has one point for each system that the curve selects."},
      Param<P>{.member = &P::x_max,
               .key = "x_max",
               .label = "Minimum end of x axis",
               .range = {0, 1e12},
               .live = Live::yes,
               .doc = "Smallest value at which the horizontal axis may end. The axis is longer if the data extend "
                      "further. 0 means that the axis ends with the data."},
      Param<P>{.member = &P::x_log,
               .key = "x_log",
               .label = "Logarithmic x",
               .live = Live::yes,
               .doc = "Whether the horizontal axis is logarithmic."},
      Param<P>{.member = &P::y_log,
               .key = "y_log",
               .label = "Logarithmic y",
               .live = Live::yes,
               .doc = "Whether the vertical axis is logarithmic."},
      Param<P>{.member = &P::y_auto,
               .key = "y_auto",
               .label = "Automatic y range",
               .live = Live::yes,
               .doc = "Whether the range of the vertical axis fits the curves. If off, the range extends from `y_min` "
                      "to `y_max`."},
      Param<P>{.member = &P::y_min,
               .key = "y_min",
               .range = any,
               .live = Live::yes,
               .doc = "Lower end of the vertical axis if `y_auto` is off."},
      Param<P>{.member = &P::y_max,
               .key = "y_max",
               .range = any,
               .live = Live::yes,
               .doc = "Upper end of the vertical axis if `y_auto` is off."},
      Param<P>{.member = &P::until_s,
               .key = "until",
               .label = "End time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Time at which the plot stops recording, if the horizontal axis is time. The simulation "
                      "continues. 0 means never."},
      Param<P>{.member = &P::span_s,
               .key = "span",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Length of the time span that the plot shows. The span ends at the present time. 0 means the "
                      "whole time since the start."},
      Param<P>{.member = &P::at_s,
               .key = "at",
               .label = "Measuring time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Time at which the values are measured, if the horizontal axis is a parameter. Curves that are "
                      "added after this time have no values until a reset. 0 means the present time."},
      Param<P>{.member = &P::legend,
               .key = "legend",
               .live = Live::yes,
               .doc = "Whether the plot has a legend with the names of the curves."},
      Param<P>{.member = &P::let,
               .key = "let",
               .label = "Named formulas",
               .live = Live::yes,
               .doc = "Definitions of names that formulas of this plot can contain. Each definition is \"name = "
                      "formula\" or \"name = path\". A formula can contain names that are defined before the formula. "
                      "A path names a parameter of this scene. For a vector, .x, .y or .z at its end selects a "
                      "component, as in system.ball.position.y."},
  };
  return table;
}

const Schema& plot_schema() {
  static const Schema schema = [] {
    Schema plot{"plot",
                "Measured and theoretical curves over time or over a parameter. Plots do not affect the simulation.",
                plot_params().specs(),
                {}};
    plot.slots.push_back({.name = "curve", .kinds = schemas_of(curve_kinds()), .doc = "Curves that the plot shows."});
    return plot;
  }();
  return schema;
}

CurveNode read_curve(const Node& self) {
  const KindOfCurve& kind = kind_of(curve_kinds(), self);
  CurveNode node;
  node.line = self.line;
  node.kind = kind.kind;
  node.params = kind.read(self);
  return node;
}

bool measure_alike(const CurveNode& a, const CurveNode& b) {
  const auto what = [](const CurveNode& c) {
    const CurveParams& p = c.params;
    return std::tie(c.kind, p.system, p.quantity, p.over, p.element, p.collider, p.channel, p.vector, p.joint,
                    p.expression, p.field, p.point, p.direction, p.width_m, p.height_m);
  };
  return what(a) == what(b) && (a.kind != CurveKind::error || a.params.formula == b.params.formula);
}

}  // namespace vw
