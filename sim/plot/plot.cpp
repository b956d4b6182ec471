// The one place where parameters of plots and curves are declared.
#include "sim/plot/plot.h"

#include <tuple>

namespace vw {
namespace {

using C = CurveParams;

std::vector<Param<C>> common_params() {
  return {
      {&C::label, "label", "", Live::yes, "What the legend calls it; empty: its name."},
      {&C::color,
       "color",
       Unit::ratio,
       Vec3(0, 0, 0),
       {0, 1},
       Live::yes,
       "Colour, linear red, green, blue; black: as the system is coloured, or one of the palette.",
       ParamType::color},
  };
}

Param<C> formula_param() {
  return {&C::formula, "formula", "", Live::yes,
          "What theory says: numbers, + - * / ^, comparisons, c ? a : b, functions (abs acos asin atan atan2 ceil cos cosh exp floor ln log10 max "
          "min mod "
          "round sign sin sinh sqrt tan tanh), t [s], g [m/s^2], dt [s], pi, nan (no value) and the plot's own names; error curves also know those "
          "of expression."};
}

Param<C> quantity_param() {
  return {
      &C::quantity,
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
      "What is measured. height: against gravity; energy_height: height + v^2 / 2g; distance: from where it was at first; gap: to the "
      "collider; count, mass, energies, momenta and total are of the whole system. at_point: a channel read at `point`; surface_height: top of the "
      "fluid over `point`; flow_rate: volume per time through a rectangle about `point`. vector_x (_y, _z, _length): of the vector that `vector` "
      "names. joint_force, joint_torque: what a joint "
      "holds with, means over a step (of a rod or rope its pull, of a hinge the torque about its axis, motor included); joint_angle, joint_length, "
      "joint_speed: how far it has turned or slid, or how long it is, and how fast that changes. air_speed, air_velocity_x [m/s], air_vorticity "
      "(its length), air_vorticity_x [1/s], air_pressure [m^2/s^2: over density, relative to still air], air_value (of noise): of the air at "
      "`point`, over time, without a system."};
}

std::vector<Param<C>> measured_params() {
  auto params = common_params();
  params.push_back({&C::system, "system", "", Live::yes,
                    "Whose quantity it is: a system's name; name* stands for all that begin so, for plots over a parameter."});
  params.push_back(quantity_param());
  params.push_back({&C::over,
                    "over",
                    Over::center,
                    {"center", "mean", "max", "min", "sum", "rms"},
                    Live::yes,
                    "What becomes of several elements: center takes them as one at their centre of mass; the others are of the elements' values."});
  params.push_back(
      {&C::element, "element", Unit::none, std::int64_t{-1}, {-1, 4294967295.0}, Scale::linear, Live::yes, "One element by its identity; -1: all."});
  params.push_back({&C::collider, "collider", "", Live::yes, "The collider to which gap is measured."});
  params.push_back({&C::channel, "channel", "", Live::yes, "Name of the channel or total, for those quantities and at_point."});
  params.push_back(
      {&C::vector, "vector", "", Live::yes,
       "Name of the vector, for its quantities: velocity, acceleration, net_force, one that the system has (vorticity), or a rule by its name: "
       "its force on the element. Values over all elements are taken of each, with center their mean."});
  params.push_back({&C::joint, "joint", "", Live::yes, "Name of the joint, for its quantities."});
  params.push_back({&C::field, "field", "", Live::yes, "Of quantities of the air: the field by its name; empty: the sum of all."});
  params.push_back(
      {&C::expression, "expression", "", Live::yes,
       "For quantity expression: a formula of an element's x y z vx vy vz, of these at first (x0 ... vz0), radius, gap, t, g, dt, pi, the "
       "plot's own names and, in plots over a parameter, that parameter."});
  params.push_back(
      {&C::point,
       "point",
       Unit::meter,
       Vec3(0, 0, 0),
       {-1e6, 1e6},
       Live::yes,
       "Where at_point and quantities of the air read; any point on the line along which surface_height looks; middle of flow_rate's rectangle."});
  params.push_back(
      {&C::direction, "direction", Unit::none, Vec3(1, 0, 0), {-1e6, 1e6}, Live::yes, "flow_rate: what goes this way counts as positive."});
  params.push_back(
      {&C::width_m, "width", Unit::meter, 1.0, {1e-6, 1e6}, Scale::log, Live::yes, "flow_rate: level side of the rectangle across `direction`."});
  params.push_back({&C::height_m, "height", Unit::meter, 1.0, {1e-6, 1e6}, Scale::log, Live::yes, "flow_rate: the rectangle's other side."});
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
        {CurveKind::analytic, analytic_params(), {"analytic", "What theory says, drawn dashed.", {}, {}}},
        {CurveKind::error, error_params(), {"error", "What is measured minus what the formula says, without its sign.", {}, {}}},
        {CurveKind::measured, measured_params(), {"measured", "A quantity of a system, taken after every step.", {}, {}}},
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
      {&P::title, "title", "", Live::yes, "Its heading; empty: its name."},
      {&P::unit, "unit", "", Live::yes, "Unit of y, as text."},
      {&P::x, "x", "time", Live::yes, "The horizontal axis: time, or a parameter of systems (collision_dt): then curves have one point a system."},
      {&P::x_max, "x_max", Unit::none, 0.0, {0, 1e12}, Scale::linear, Live::yes, "Least right end of the horizontal axis; 0: as far as the data."},
      {&P::x_log, "x_log", false, Live::yes, "Logarithmic horizontal axis."},
      {&P::y_log, "y_log", false, Live::yes, "Logarithmic vertical axis."},
      {&P::y_auto, "y_auto", true, Live::yes, "The vertical range follows the curves."},
      {&P::y_min, "y_min", Unit::none, 0.0, any, Scale::linear, Live::yes, "Lower end when y_auto is off."},
      {&P::y_max, "y_max", Unit::none, 1.0, any, Scale::linear, Live::yes, "Upper end when y_auto is off."},
      {&P::until_s, "until", Unit::second, 0.0, {0, 1e9}, Scale::linear, Live::yes, "Plots over time end here, while the world goes on; 0: never."},
      {&P::span_s, "span", Unit::second, 0.0, {0, 1e9}, Scale::linear, Live::yes, "Show the last so many seconds; 0: all since the start."},
      {&P::at_s,
       "at",
       Unit::second,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "Plots over a parameter: take the values at this time (none of what is added later, until a reset); 0: at the present one."},
      {&P::legend, "legend", true, Live::yes, "Name the curves."},
      {&P::let, "let", Live::yes,
       "Names for formulas, each \"name = formula\" of those before it, or \"name = path\" of a parameter of this scene (of a vector with .x, .y, "
       ".z)."},
  };
  return table;
}

const Schema& plot_schema() {
  static const Schema schema = [] {
    Schema plot{"plot", "Curves over time or over a parameter, measured and analytic. No part of the simulation's state.", plot_params().specs(), {}};
    std::vector<const Schema*> kinds;
    for (const CurveTable& table : curve_tables()) kinds.push_back(&table.schema);
    plot.slots.push_back({"curve", true, kinds, "What is drawn."});
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
    return std::tie(c.kind, p.system, p.quantity, p.over, p.element, p.collider, p.channel, p.vector, p.joint, p.expression, p.field, p.point,
                    p.direction, p.width_m, p.height_m);
  };
  return what(a) == what(b) && (a.kind != CurveKind::error || a.params.formula == b.params.formula);
}

}  // namespace vw
