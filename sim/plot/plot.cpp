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
               .doc = "Name of the curve in the legend; empty: the name of its node."},
      Param<C>{.member = &C::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour, linear red, green, blue; black: the colour of the system, or one of the palette."},
  };
}

Param<C> formula_param() {
  return Param<C>{
      .member = &C::formula,
      .key = "formula",
      .live = Live::yes,
      .doc =
          "Theoretical value: numbers, + - * / ^, comparisons, c ? a : b, functions (abs acos asin atan atan2 ceil cos "
          "cosh exp floor ln log10 max min mod round sign sin sinh sqrt tan tanh), t [s], g [m/s^2], dt [s], pi, nan "
          "(no value) and the plot's own names; error curves also know those of expression."};
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
          "Measured quantity. height: against gravity; energy_height: height + v^2 / 2g; distance: from the initial "
          "position; gap: distance to the collider; count, mass, energies, momenta and total belong to the whole "
          "system. at_point: value of a channel at `point`; surface_height: top of the fluid over `point`; flow_rate: "
          "volume per time through a rectangle about `point`. vector_x (_y, _z, _length): component or length of "
          "`vector`. joint_force, joint_torque: reaction of a joint, mean over a step (for a rod or rope its tension, "
          "for a hinge the torque about its axis, motor included); joint_angle, joint_length, joint_speed: angle or "
          "displacement of a joint, length of a rod or rope, and their rate of change. air_speed, air_velocity_x "
          "[m/s], air_vorticity (its magnitude), air_vorticity_x [1/s], air_pressure [m^2/s^2: divided by density, "
          "relative to still air], air_value (of noise): of the air at `point`, over time, without a system."};
}

ParamTable<C> measured_params() {
  return {
      common_params(),
      Param<C>{.member = &C::system,
               .key = "system",
               .live = Live::yes,
               .refers_to = "system",
               .doc = "Name of the measured system; in plots over a parameter, name* selects all systems whose names "
                      "begin with name."},
      quantity_param(),
      Param<C>{.member = &C::over,
               .key = "over",
               .live = Live::yes,
               .choices = {"center", "mean", "max", "min", "sum", "rms"},
               .doc = "How the values of several elements are combined: center treats the elements as one at their "
                      "centre of mass; the others combine the elements' values."},
      Param<C>{.member = &C::element,
               .key = "element",
               .range = {-1, 4294967295.0},
               .live = Live::yes,
               .doc = "One element by its identity; -1: all."},
      Param<C>{.member = &C::collider,
               .key = "collider",
               .live = Live::yes,
               .refers_to = "collider",
               .doc = "Name of the collider to which gap is measured."},
      Param<C>{.member = &C::channel,
               .key = "channel",
               .live = Live::yes,
               .doc = "Name of the channel or total, for the quantities channel, total and at_point."},
      Param<C>{.member = &C::vector,
               .key = "vector",
               .live = Live::yes,
               .doc = "Name of the vector, for vector quantities: velocity, acceleration, net_force, a vector that the "
                      "system provides (vorticity), or a rule, for its force on the element. Values of several "
                      "elements are combined; center means their mean."},
      Param<C>{
          .member = &C::joint, .key = "joint", .live = Live::yes, .doc = "Name of the joint, for joint quantities."},
      Param<C>{.member = &C::field,
               .key = "field",
               .live = Live::yes,
               .refers_to = "field",
               .doc = "Name of the field, for quantities of the air; empty: the sum of all."},
      Param<C>{
          .member = &C::expression,
          .key = "expression",
          .live = Live::yes,
          .doc =
              "For quantity expression: a formula of an element's x y z vx vy vz, their initial values (x0 ... vz0), "
              "radius, gap, t, g, dt, pi, the plot's own names and, in plots over a parameter, that parameter."},
      Param<C>{.member = &C::point,
               .key = "point",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Position at which at_point and quantities of the air are measured; a point on the vertical line "
                      "of surface_height; centre of flow_rate's rectangle."},
      Param<C>{.member = &C::direction,
               .key = "direction",
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "flow_rate: direction of positive flow."},
      Param<C>{.member = &C::width_m,
               .key = "width",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "flow_rate: horizontal side of the rectangle, which is perpendicular to `direction`."},
      Param<C>{.member = &C::height_m,
               .key = "height",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "flow_rate: the other side of the rectangle."},
  };
}

ParamTable<C> analytic_params() { return {common_params(), formula_param()}; }

ParamTable<C> error_params() { return {measured_params(), formula_param()}; }

struct KindOfCurve : NodeKind<C> {
  KindOfCurve(CurveKind which, const char* name, const char* doc, const ParamTable<C>& rows)
      : NodeKind<C>(name, doc, rows), kind(which) {}
  CurveKind kind;
};

const std::vector<KindOfCurve>& curve_kinds() {
  static const std::vector<KindOfCurve> all{
      {CurveKind::analytic, "analytic", "A theoretical curve, drawn dashed.", analytic_params()},
      {CurveKind::error, "error", "Absolute difference between the measured value and the formula.", error_params()},
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
               .doc = "Heading of the plot; empty: the name of its node."},
      Param<P>{.member = &P::unit, .key = "unit", .live = Live::yes, .doc = "Unit of y, as text."},
      Param<P>{.member = &P::x,
               .key = "x",
               .label = "Horizontal axis",
               .live = Live::yes,
               .doc = "Horizontal axis: time, or a parameter of systems (collision_dt), in which case curves have one "
                      "point for each system."},
      Param<P>{.member = &P::x_max,
               .key = "x_max",
               .label = "Minimum end of x axis",
               .range = {0, 1e12},
               .live = Live::yes,
               .doc = "Smallest right end of the horizontal axis; 0: the end of the data."},
      Param<P>{.member = &P::x_log,
               .key = "x_log",
               .label = "Logarithmic x",
               .live = Live::yes,
               .doc = "Logarithmic horizontal axis."},
      Param<P>{.member = &P::y_log,
               .key = "y_log",
               .label = "Logarithmic y",
               .live = Live::yes,
               .doc = "Logarithmic vertical axis."},
      Param<P>{.member = &P::y_auto,
               .key = "y_auto",
               .label = "Automatic y range",
               .live = Live::yes,
               .doc = "The vertical range follows the curves."},
      Param<P>{
          .member = &P::y_min, .key = "y_min", .range = any, .live = Live::yes, .doc = "Lower end when y_auto is off."},
      Param<P>{
          .member = &P::y_max, .key = "y_max", .range = any, .live = Live::yes, .doc = "Upper end when y_auto is off."},
      Param<P>{.member = &P::until_s,
               .key = "until",
               .label = "End time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Plots over time: time at which measuring ends, while the world continues; 0: never."},
      Param<P>{.member = &P::span_s,
               .key = "span",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Length of the time window shown, up to the present; 0: all since the start."},
      Param<P>{.member = &P::at_s,
               .key = "at",
               .label = "Measuring time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Plots over a parameter: time at which values are taken (curves added later have none until a "
                      "reset); 0: the present."},
      Param<P>{.member = &P::legend, .key = "legend", .live = Live::yes, .doc = "Show the names of the curves."},
      Param<P>{.member = &P::let,
               .key = "let",
               .label = "Named formulas",
               .live = Live::yes,
               .doc = "Names for formulas, each \"name = formula\", which may use the names before it, or \"name = "
                      "path\" of a parameter of this scene (of a vector with .x, .y, .z)."},
  };
  return table;
}

const Schema& plot_schema() {
  static const Schema schema = [] {
    Schema plot{"plot",
                "Curves over time or over a parameter, measured and analytic. Not part of the simulation's state.",
                plot_params().specs(),
                {}};
    plot.slots.push_back({"curve", true, schemas_of(curve_kinds()), "Curves of the plot."});
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
