#include "sim/plot/plot_compile.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "sim/collision/collider_kinds.h"

namespace vw {
namespace {

constexpr std::size_t most_columns = 1000;  // largest total number of columns of all plots of a scene
constexpr std::size_t most_lets = 1000;     // largest total number of definitions of all plots of a scene

/// Names of the elements' values, in the order of the indices name_x to name_gap.
constexpr std::array<const char*, first_let_name - name_x> element_names{
    "x", "y", "z", "vx", "vy", "vz", "x0", "y0", "z0", "vx0", "vy0", "vz0", "radius", "gap"};

std::string between_quotes(const std::string& text) { return "\"" + text + "\""; }

std::vector<std::string> names_in(const Node& scene, const char* slot) {
  std::vector<std::string> names;
  for (const Node* node : scene.all(slot)) names.push_back(node->name);
  return names;
}

Unexpected in_place(Error error, const Node& node, std::string key) {
  error.line = node.line;
  error.key = std::move(key);
  return fail(std::move(error));
}

/// Compiles one plot.
struct Builder {
  const Node& scene;
  const Node& node;
  std::string key;  ///< "plot.NAME."
  PlotPlan plan;
  CompiledPlot plot;
  std::vector<std::string> names;           ///< names of all values
  std::vector<std::string> analytic_names;  ///< copy of `names` in which names that depend on an element are empty
  ShapeStore* shapes;
  CompiledScene& out;

  Builder(const Node& whole, const Node& self, ShapeStore* store, CompiledScene& compiled)
      : scene(whole), node(self), key("plot." + self.name + "."), shapes(store), out(compiled) {
    plan.name = self.name;
    plan.params = plot_params().read(self.values);
    plan.over_time = plan.params.x == "time";
    names = {"t", "g", "dt", "pi", "nan", plan.over_time ? "" : plan.params.x};
    names.insert(names.end(), element_names.begin(), element_names.end());
    analytic_names = names;
    std::fill(analytic_names.begin() + name_x, analytic_names.end(), std::string());
  }

  [[nodiscard]] Result<void> read_x();
  [[nodiscard]] Result<void> read_lets();
  [[nodiscard]] Result<void> read_let(const std::string& text);
  [[nodiscard]] std::optional<double> scene_number(const std::string& path) const;
  [[nodiscard]] Result<void> read_curve(const Node& child);
  [[nodiscard]] Result<void> read_measured(const Node& child, CompiledCurve& curve);
  [[nodiscard]] Result<void> read_collider(const Node& child, CompiledCurve& curve);
  [[nodiscard]] Result<void> add_signal(const Node& child, const CurveParams& params, std::size_t curve);
  [[nodiscard]] Result<void> add_air(const Node& child, const CurveParams& params, std::size_t curve);
  [[nodiscard]] Result<void> add_columns(const Node& child, const CurveParams& params, std::size_t curve);
  [[nodiscard]] Result<void> spread_analytic();
  [[nodiscard]] Result<void> check_room(std::size_t more) const;
};

/// Returns an error if `more` further columns would exceed the limit `most_columns`. Must be called before the columns
/// are created, because a short scene file can request millions of points.
Result<void> Builder::check_room(std::size_t more) const {
  const std::size_t count = out.column_count + plan.columns.size() + more;
  if (count <= most_columns) return {};
  return wrong_value(node.line, "plot." + node.name, fmt::format("at least {} curves and points", count),
                     fmt::format("the plots of a scene may have at most {} curves and points in total", most_columns));
}

/// Value and unit of a system's numeric parameter.
struct ParameterValue {
  double value = 0;
  Unit unit = Unit::none;
};
std::optional<ParameterValue> number_of(const Node& system, const std::string& param) {
  for (std::size_t i = 0; i < system.schema->params.size(); ++i) {
    if (system.schema->params[i].name != param) continue;
    if (const auto* real = std::get_if<double>(&system.values[i]))
      return ParameterValue{*real, system.schema->params[i].unit};
    if (const auto* whole = std::get_if<std::int64_t>(&system.values[i]))
      return ParameterValue{static_cast<double>(*whole), system.schema->params[i].unit};
  }
  return std::nullopt;
}

Result<void> Builder::read_x() {
  if (plan.over_time) {
    plan.x_unit = "s";
    return {};
  }
  std::vector<std::string> known{"time"};
  for (const Node* system : scene.all("system"))
    for (const ParamSpec& spec : system->schema->params)
      if (spec.type == ParamType::real || spec.type == ParamType::integer) known.push_back(spec.name);
  if (std::find(known.begin(), known.end(), plan.params.x) == known.end() || !is_formula_name(plan.params.x))
    return wrong_value(node.line, key + "x", between_quotes(plan.params.x),
                       "must be \"time\" or the name of a numeric parameter of a system, such as collision_dt",
                       nearest_word(plan.params.x, known));
  for (const Node* system : scene.all("system"))
    if (const auto number = number_of(*system, plan.params.x)) plan.x_unit = unit_symbol(number->unit);
  return {};
}

/// Returns the number at a path such as `system.ball.restitution` or `collider.ramp.rotation.z`. Returns nullopt if the
/// path does not refer to a number.
std::optional<double> Builder::scene_number(const std::string& path) const {
  if (path.find('.') == std::string::npos) return std::nullopt;
  Node& root = const_cast<Node&>(scene);  // NOLINT: read only
  if (const auto ref = find_parameter(root, path)) {
    if (const auto* real = std::get_if<double>(&ref->value())) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&ref->value())) return static_cast<double>(*whole);
    return std::nullopt;
  }
  const std::size_t dot = path.rfind('.');
  const auto axis = std::string("xyz").find(path.substr(dot + 1));
  if (path.size() != dot + 2 || axis == std::string::npos) return std::nullopt;
  if (const auto ref = find_parameter(root, path.substr(0, dot)))
    if (const auto* vector = std::get_if<Vec3>(&ref->value())) return (*vector)[static_cast<Eigen::Index>(axis)];
  return std::nullopt;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Reads all definitions of the plot. The number of definitions is limited, because the memory and the time that they
/// need grow with its square.
Result<void> Builder::read_lets() {
  out.let_count += plan.params.let.size();
  if (out.let_count > most_lets)
    return wrong_value(node.line, key + "let", fmt::format("at least {} definitions", out.let_count),
                       fmt::format("the plots of a scene may have at most {} definitions in total", most_lets));
  for (const std::string& let : plan.params.let)
    if (auto good = read_let(let); !good) return good;
  return {};
}

Result<void> Builder::read_let(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  const std::string right = equals == std::string::npos ? std::string() : trimmed(text.substr(equals + 1));
  if (right.empty() || !is_formula_name(name))
    return wrong_value(node.line, key + "let", between_quotes(text),
                       "must be \"name = formula\", where the name consists of at most 40 letters, digits and _, does "
                       "not begin with a digit and is not the name of a function");
  if (std::find(names.begin(), names.end(), name) != names.end())
    return wrong_value(node.line, key + "let", between_quotes(text),
                       "must define another name; " + name + " is in use already");
  CompiledLet let;
  bool of_element = false;
  if (const auto number = scene_number(right)) {
    let.value = *number;
  } else {
    of_element = !Formula::compile(right, analytic_names).has_value();
    auto formula = Formula::compile(right, names);
    if (!formula) return in_place(formula.error(), node, key + "let");
    let.formula = std::move(*formula);
  }
  // Names are evaluated in the order of this list. A formula can use only the names that precede it in the list.
  names.push_back(name);
  analytic_names.push_back(of_element ? std::string() : name);
  plot.lets.push_back(std::move(let));
  return {};
}

/// Checks the collider of a curve and stores its index. The quantity `gap` requires a collider, and a named collider
/// must exist.
Result<void> Builder::read_collider(const Node& child, CompiledCurve& curve) {
  const CurveParams& params = curve.params;
  const std::string where = key + "curve." + child.name + ".collider";
  if (params.collider.empty() && params.quantity != Quantity::gap) return {};
  const auto known = names_in(scene, "collider");
  const Node* collider = scene.find("collider", params.collider);
  if (collider == nullptr)
    return wrong_value(child.line, where, between_quotes(params.collider), "must name a collider of this scene",
                       nearest_word(params.collider, known));
  if (shapes == nullptr) return {};
  const auto there = std::find_if(out.colliders.begin(), out.colliders.end(),
                                  [&](const Collider& c) { return c.name == params.collider; });
  curve.collider = static_cast<int>(there - out.colliders.begin());
  if (there != out.colliders.end()) return {};
  auto made = make_collider(*collider, *shapes);
  if (!made) return Unexpected(made.error());
  out.colliders.push_back(std::move(*made));
  return {};
}

/// Returns the systems to which a curve refers. If `system` ends with a star, these are all systems whose names begin
/// with the text before the star. Otherwise, it is the system with the name `system`.
std::vector<const Node*> systems_meant(const Node& scene, const std::string& system) {
  std::vector<const Node*> meant;
  const bool star = !system.empty() && system.back() == '*';
  const std::string stem = star ? system.substr(0, system.size() - 1) : system;
  for (const Node* node : scene.all("system"))
    if (star ? node->name.compare(0, stem.size(), stem) == 0 : node->name == system) meant.push_back(node);
  return meant;
}

Result<void> Builder::add_columns(const Node& child, const CurveParams& params, std::size_t curve) {
  const std::string where = key + "curve." + child.name + ".system";
  const auto meant = systems_meant(scene, params.system);
  if (meant.empty())
    return wrong_value(child.line, where, between_quotes(params.system), "must name a system of this scene",
                       nearest_word(params.system, names_in(scene, "system")));
  if (plan.over_time && meant.size() > 1)
    return wrong_value(child.line, where, between_quotes(params.system),
                       fmt::format("must name a single system in a plot over time, but selects {}", meant.size()));
  if (auto good = check_room(meant.size()); !good) return good;
  std::vector<PlotColumn> columns;
  for (const Node* system : meant) {
    PlotColumn column{curve, system->name, 0};
    if (!plan.over_time) {
      const auto number = number_of(*system, plan.params.x);
      if (!number)
        return wrong_value(child.line, where, between_quotes(params.system),
                           fmt::format("must select systems with the parameter {}; {} has no such parameter",
                                       plan.params.x, system->name));
      column.x = number->value;
    }
    columns.push_back(std::move(column));
  }
  std::stable_sort(columns.begin(), columns.end(), [](const PlotColumn& a, const PlotColumn& b) { return a.x < b.x; });
  plan.columns.insert(plan.columns.end(), columns.begin(), columns.end());
  return {};
}

/// Adds the column of a curve that shows an actuator or a sensor. Such curves are allowed in plots over time only.
Result<void> Builder::add_signal(const Node& child, const CurveParams& params, std::size_t curve) {
  const std::string where = key + "curve." + child.name + ".";
  if (!plan.over_time)
    return wrong_value(child.line, where + "quantity", "\"signal\"",
                       "is possible only in a plot over time (x = \"time\"), because a signal belongs to no system");
  std::vector<std::string> known;
  for (const char* slot : {"actuator", "sensor"})
    for (const std::string& name : names_in(scene, slot)) known.push_back(std::string(slot) + "." + name);
  if (std::find(known.begin(), known.end(), params.channel) == known.end())
    return wrong_value(child.line, where + "channel", between_quotes(params.channel),
                       "must be sensor.NAME or actuator.NAME with the name of a sensor or actuator of this scene",
                       nearest_word(params.channel, known));
  if (auto good = check_room(1); !good) return good;
  plan.columns.push_back({curve, {}, 0});
  return {};
}

/// Adds the column of a curve that measures the air. Such curves are allowed in plots over time only.
Result<void> Builder::add_air(const Node& child, const CurveParams& params, std::size_t curve) {
  const std::string where = key + "curve." + child.name + ".";
  if (!plan.over_time)
    return wrong_value(child.line, where + "quantity", between_quotes(to_text(child.value("quantity"))),
                       "is possible only in a plot over time (x = \"time\"), because the air belongs to no system");
  const auto known = names_in(scene, "field");
  if (!params.field.empty() && scene.find("field", params.field) == nullptr)
    return wrong_value(child.line, where + "field", between_quotes(params.field), "must name a field of this scene",
                       nearest_word(params.field, known));
  if (auto good = check_room(1); !good) return good;
  out.wants_air = true;
  plan.columns.push_back({curve, {}, 0});
  return {};
}

Result<void> Builder::read_measured(const Node& child, CompiledCurve& curve) {
  const std::string where = key + "curve." + child.name + ".";
  CurveParams& params = curve.params;
  if (auto good = read_collider(child, curve); !good) return good;
  if (params.quantity == Quantity::expression) {
    auto expression = Formula::compile(params.expression, names);
    if (!expression) return in_place(expression.error(), child, where + "expression");
    curve.expression = std::move(*expression);
  }
  const bool named = names_a_channel(params.quantity) || params.quantity == Quantity::total;
  if (named && params.channel.empty())
    return wrong_value(child.line, where + "channel", "\"\"", "must name the channel or total that is measured");
  if (names_a_joint(params.quantity) && params.joint.empty())
    return wrong_value(child.line, where + "joint", "\"\"", "must name the joint that is measured");
  if (names_a_channel(params.quantity)) out.wanted.channels.push_back(params.channel);
  if (names_a_vector(params.quantity)) {
    if (params.vector.empty())
      return wrong_value(child.line, where + "vector", "\"\"", "must name the vector or the rule that is measured");
    curve.by_rule = scene.find("interaction", params.vector) != nullptr;
    (curve.by_rule ? out.wanted.rules : out.wanted.vectors).push_back(params.vector);
  }
  if (params.quantity == Quantity::flow_rate && params.direction.isZero(0))
    return wrong_value(child.line, where + "direction", to_text(Value(params.direction)),
                       "must not be zero: it is the direction of positive flow");
  return {};
}

Result<void> Builder::read_curve(const Node& child) {
  const CurveNode read = vw::read_curve(child);
  CompiledCurve curve;
  curve.kind = read.kind;
  curve.params = read.params;
  const std::string where = key + "curve." + child.name + ".";
  if (read.kind != CurveKind::measured) {
    auto formula = Formula::compile(read.params.formula, read.kind == CurveKind::analytic ? analytic_names : names);
    if (!formula) return in_place(formula.error(), child, where + "formula");
    curve.formula = std::move(*formula);
  }
  const std::size_t index = plan.curves.size();
  if (read.kind == CurveKind::analytic) {
    if (auto good = check_room(1); !good) return good;
    plan.columns.push_back({index, {}, 0});
  } else {
    if (auto good = read_measured(child, curve); !good) return good;
    const Quantity quantity = read.params.quantity;
    if (auto good = is_of_the_air(quantity)        ? add_air(child, read.params, index)
                    : quantity == Quantity::signal ? add_signal(child, read.params, index)
                                                   : add_columns(child, read.params, index);
        !good)
      return good;
  }
  plan.curves.push_back({child.name, read});
  plot.curves.push_back(std::move(curve));
  return {};
}

/// Gives each analytic curve in a plot over a parameter a point at the parameter value of every measured system.
Result<void> Builder::spread_analytic() {
  if (plan.over_time) return {};
  std::set<double> places;
  for (const PlotColumn& column : plan.columns)
    if (!column.system.empty()) places.insert(column.x);
  const auto theories = static_cast<std::size_t>(std::count_if(
      plan.columns.begin(), plan.columns.end(), [](const PlotColumn& column) { return column.system.empty(); }));
  if (auto good = check_room(theories * std::max<std::size_t>(places.size(), 1) - theories); !good) return good;
  std::vector<PlotColumn> columns;
  for (const PlotColumn& column : plan.columns) {
    if (!column.system.empty())
      columns.push_back(column);
    else
      for (const double x : places) columns.push_back({column.curve, {}, x});
  }
  plan.columns = std::move(columns);
  return {};
}

Result<void> compile_plot(const Node& scene, const Node& node, ShapeStore* shapes, CompiledScene& out) {
  Builder builder(scene, node, shapes, out);
  if (auto good = builder.read_x(); !good) return good;
  if (auto good = builder.read_lets(); !good) return good;
  for (const Node* curve : node.all("curve"))
    if (auto good = builder.read_curve(*curve); !good) return good;
  if (auto good = builder.spread_analytic(); !good) return good;
  builder.plot.values.assign(builder.names.size(), 0);
  builder.plan.first_column = out.column_count;
  out.column_count += builder.plan.columns.size();
  out.plans.push_back(std::move(builder.plan));
  out.plots.push_back(std::move(builder.plot));
  return {};
}

}  // namespace

Result<CompiledScene> compile_plots(const Node& scene, ShapeStore* shapes, std::span<const Node> more) {
  CompiledScene out;
  if (const Node* world = scene.only("world")) {
    out.gravity = std::get<Vec3>(world->value("gravity"));
    out.dt_s = std::get<double>(world->value("dt"));
  }
  for (const Node* node : scene.all("plot"))
    if (auto good = compile_plot(scene, *node, shapes, out); !good) return Unexpected(good.error());
  for (const Node& node : more)
    if (auto good = compile_plot(scene, node, shapes, out); !good) return Unexpected(good.error());
  for (auto* names : {&out.wanted.channels, &out.wanted.vectors, &out.wanted.rules}) {
    std::sort(names->begin(), names->end());
    names->erase(std::unique(names->begin(), names->end()), names->end());
  }
  return out;
}

}  // namespace vw
