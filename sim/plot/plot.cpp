// Parameter tables of plots and curves.
#include "sim/plot/plot.h"

#include <tuple>

namespace vw {
namespace {

using C = CurveParams;

std::vector<Param<C>> common_params() {
  return {
      {&C::label, "label", "", Live::yes, "Name of the curve in the legend; empty: the name of its node."},
      {&C::color,
       "color",
       Unit::ratio,
       Vec3(0, 0, 0),
       {0, 1},
       Live::yes,
       "Colour, linear red, green, blue; black: the colour of the system, or one of the palette.",
       ParamType::color},
  };
}

Param<C> formula_param() {
  return {&C::formula, "formula", "", Live::yes,
          "Theoretical value: numbers, + - * / ^, comparisons, c ? a : b, functions (abs acos asin atan atan2 ceil cos "
          "cosh exp floor ln log10 max "
          "min mod "
          "round sign sin sinh sqrt tan tanh), t [s], g [m/s^2], dt [s], pi, nan (no value) and the plot's own names; "
          "error curves also know those "
          "of expression."};
}

Param<C> quantity_param() {
  return {&C::quantity,
          "quantity",
          Quantity::height,
          {"position_x",
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
          Live::yes,
          "Measured quantity. height: against gravity; energy_height: height + v^2 / 2g; distance: from the initial "
          "position; gap: distance to the "
          "collider; count, mass, energies, momenta and total belong to the whole system. at_point: value of a channel "
          "at `point`; surface_height: "
          "top of the "
          "fluid over `point`; flow_rate: volume per time through a rectangle about `point`. vector_x (_y, _z, "
          "_length): component or length of "
          "`vector`. "
          "joint_force, joint_torque: reaction of a joint, "
          "mean over a step (for a rod or rope its tension, for a hinge the torque about its axis, motor included); "
          "joint_angle, joint_length, "
          "joint_speed: angle or displacement of a joint, length of a rod or rope, and their rate of change. "
          "air_speed, air_velocity_x [m/s], "
          "air_vorticity "
          "(its magnitude), air_vorticity_x [1/s], air_pressure [m^2/s^2: divided by density, relative to still air], "
          "air_value (of noise): of the "
          "air at "
          "`point`, over time, without a system."};
}

std::vector<Param<C>> measured_params() {
  auto params = common_params();
  params.push_back({&C::system, "system", "", Live::yes,
                    "Name of the measured system; in plots over a parameter, name* selects all systems whose names "
                    "begin with name."});
  params.push_back(quantity_param());
  params.push_back({&C::over,
                    "over",
                    Over::center,
                    {"center", "mean", "max", "min", "sum", "rms"},
                    Live::yes,
                    "How the values of several elements are combined: center treats the elements as one at their "
                    "centre of mass; the others combine "
                    "the elements' values."});
  params.push_back({&C::element,
                    "element",
                    Unit::none,
                    std::int64_t{-1},
                    {-1, 4294967295.0},
                    Scale::linear,
                    Live::yes,
                    "One element by its identity; -1: all."});
  params.push_back({&C::collider, "collider", "", Live::yes, "Name of the collider to which gap is measured."});
  params.push_back({&C::channel, "channel", "", Live::yes,
                    "Name of the channel or total, for the quantities channel, total and at_point."});
  params.push_back({&C::vector, "vector", "", Live::yes,
                    "Name of the vector, for vector quantities: velocity, acceleration, net_force, a vector that the "
                    "system provides (vorticity), or a rule, "
                    "for its force on the element. Values of several elements are combined; center means their mean."});
  params.push_back({&C::joint, "joint", "", Live::yes, "Name of the joint, for joint quantities."});
  params.push_back(
      {&C::field, "field", "", Live::yes, "Name of the field, for quantities of the air; empty: the sum of all."});
  params.push_back({&C::expression, "expression", "", Live::yes,
                    "For quantity expression: a formula of an element's x y z vx vy vz, their initial values (x0 ... "
                    "vz0), radius, gap, t, g, dt, pi, the "
                    "plot's own names and, in plots over a parameter, that parameter."});
  params.push_back({&C::point,
                    "point",
                    Unit::meter,
                    Vec3(0, 0, 0),
                    {-1e6, 1e6},
                    Live::yes,
                    "Position at which at_point and quantities of the air are measured; a point on the vertical line "
                    "of surface_height; centre of "
                    "flow_rate's rectangle."});
  params.push_back({&C::direction,
                    "direction",
                    Unit::none,
                    Vec3(1, 0, 0),
                    {-1e6, 1e6},
                    Live::yes,
                    "flow_rate: direction of positive flow."});
  params.push_back({&C::width_m,
                    "width",
                    Unit::meter,
                    1.0,
                    {1e-6, 1e6},
                    Scale::log,
                    Live::yes,
                    "flow_rate: horizontal side of the rectangle, which is perpendicular to `direction`."});
  params.push_back({&C::height_m,
                    "height",
                    Unit::meter,
                    1.0,
                    {1e-6, 1e6},
                    Scale::log,
                    Live::yes,
                    "flow_rate: the other side of the rectangle."});
  return params;
}

std::vector<Param<C>> analytic_params() {
  auto params = common_params();
  params.push_back(formula_param());
  return params;
}

std::vector<Param<C>> error_params() {
  auto params = measured_params();
  params.push_back(formula_param());
  return params;
}

struct CurveTable {
  CurveKind kind;
  std::vector<Param<C>> params;
  Schema schema;
};

const std::vector<CurveTable>& curve_tables() {
  static const std::vector<CurveTable> all = [] {
    std::vector<CurveTable> tables{
        {CurveKind::analytic, analytic_params(), {"analytic", "A theoretical curve, drawn dashed.", {}, {}}},
        {CurveKind::error,
         error_params(),
         {"error", "Absolute difference between the measured value and the formula.", {}, {}}},
        {CurveKind::measured,
         measured_params(),
         {"measured", "A quantity of a system or of the air, measured after every step.", {}, {}}},
    };
    for (CurveTable& table : tables)
      for (const auto& param : table.params) table.schema.params.push_back(param.spec());
    return tables;
  }();
  return all;
}

}  // namespace

const ParamTable<PlotParams>& plot_params() {
  using P = PlotParams;
  static const Bounds any{-1e12, 1e12};
  static const ParamTable<P> table{
      {&P::title, "title", "", Live::yes, "Heading of the plot; empty: the name of its node."},
      {&P::unit, "unit", "", Live::yes, "Unit of y, as text."},
      {&P::x, "x", "time", Live::yes,
       "Horizontal axis: time, or a parameter of systems (collision_dt), in which case curves have one point for each "
       "system."},
      {&P::x_max,
       "x_max",
       Unit::none,
       0.0,
       {0, 1e12},
       Scale::linear,
       Live::yes,
       "Smallest right end of the horizontal axis; 0: the end of the data."},
      {&P::x_log, "x_log", false, Live::yes, "Logarithmic horizontal axis."},
      {&P::y_log, "y_log", false, Live::yes, "Logarithmic vertical axis."},
      {&P::y_auto, "y_auto", true, Live::yes, "The vertical range follows the curves."},
      {&P::y_min, "y_min", Unit::none, 0.0, any, Scale::linear, Live::yes, "Lower end when y_auto is off."},
      {&P::y_max, "y_max", Unit::none, 1.0, any, Scale::linear, Live::yes, "Upper end when y_auto is off."},
      {&P::until_s,
       "until",
       Unit::second,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "Plots over time: time at which measuring ends, while the world continues; 0: never."},
      {&P::span_s,
       "span",
       Unit::second,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "Length of the time window shown, up to the present; 0: all since the start."},
      {&P::at_s,
       "at",
       Unit::second,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "Plots over a parameter: time at which values are taken (curves added later have none until a reset); 0: the "
       "present."},
      {&P::legend, "legend", true, Live::yes, "Show the names of the curves."},
      {&P::let, "let", Live::yes,
       "Names for formulas, each \"name = formula\", which may use the names before it, or \"name = path\" of a "
       "parameter of this scene (of a vector "
       "with "
       ".x, .y, .z)."},
  };
  return table;
}

const Schema& plot_schema() {
  static const Schema schema = [] {
    Schema plot{"plot",
                "Curves over time or over a parameter, measured and analytic. Not part of the simulation's state.",
                plot_params().specs(),
                {}};
    std::vector<const Schema*> kinds;
    for (const CurveTable& table : curve_tables()) kinds.push_back(&table.schema);
    plot.slots.push_back({"curve", true, kinds, "Curves of the plot."});
    return plot;
  }();
  return schema;
}

CurveNode read_curve(const Node& self) {
  CurveNode node;
  node.line = self.line;
  for (const CurveTable& table : curve_tables()) {
    if (&table.schema != self.schema) continue;
    node.kind = table.kind;
    for (std::size_t i = 0; i < table.params.size(); ++i) table.params[i].set(node.params, self.values[i]);
  }
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
