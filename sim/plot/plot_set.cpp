#include "sim/plot/plot_set.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/ranges.h>

#include "sim/collision/collider_kinds.h"
#include "sim/plot/place_measure.h"
#include "sim/plot/plot_compile.h"
#include "sim/plot/plot_match.h"

namespace vw {
namespace {

const SystemSnapshot* find_system(const Snapshot& snapshot, const std::string& name) {
  for (const SystemSnapshot& system : snapshot.systems)
    if (system.name == name) return &system;
  return nullptr;
}

void set_vector(std::vector<double>& values, std::size_t first, const Vec3& v) {
  for (std::size_t k = 0; k < 3; ++k) values[first + k] = v[static_cast<Eigen::Index>(k)];
}

/// Returns the time `t` for a plot's formulas. In a plot over a parameter, it is limited to the measuring time `at`.
double moment_of(const PlotPlan& plan, double time_s) {
  return plan.over_time || plan.params.at_s == 0 ? time_s : std::min(time_s, plan.params.at_s);
}

bool is_due(double at_s, double time_s, double dt_s) { return time_s + 0.5 * dt_s > at_s; }

/// Data that the measurement of one curve needs.
struct Moment {
  const Snapshot& snapshot;
  const SystemSnapshot& system;
  const Beginning& beginning;
  const CompiledScene& scene;
  double x = 0;  ///< value of the parameter on the plot's horizontal axis
};

/// Sets the values of the predefined names, then evaluates the plot's own names (`let`).
void set_values(CompiledPlot& plot, const CompiledScene& scene, double time_s, double x, const ElementState* element,
                double gap) {
  auto& values = plot.values;
  std::fill(values.begin(), values.end(), no_value);
  values[name_t] = time_s;
  values[name_g] = scene.gravity.norm();
  values[name_dt] = scene.dt_s;
  values[name_pi] = pi;
  values[name_parameter] = x;
  if (element != nullptr) {
    set_vector(values, name_x, element->x);
    set_vector(values, name_v, element->v);
    set_vector(values, name_x0, element->x0);
    set_vector(values, name_v0, element->v0);
    values[name_radius] = element->radius;
    values[name_gap] = gap;
  }
  for (std::size_t i = 0; i < plot.lets.size(); ++i) {
    CompiledLet& let = plot.lets[i];
    values[first_let_name + i] = let.formula ? (*let.formula)(values) : let.value;
  }
}

/// Returns the value of one element or, for an error curve, its absolute difference from the formula.
double element_value(CompiledPlot& plot, CompiledCurve& curve, const Moment& moment, const ElementState& element) {
  const CurveParams& params = curve.params;
  const double gap =
      curve.collider < 0 ? no_value : gap_to(moment.scene.placed[static_cast<std::size_t>(curve.collider)], element);
  if (curve.expression || curve.formula)
    set_values(plot, moment.scene, moment.snapshot.time_s, moment.x, &element, gap);
  double value = no_value;
  if (params.quantity == Quantity::gap) {
    value = gap;
  } else if (params.quantity == Quantity::expression) {
    value = (*curve.expression)(plot.values);
  } else if (params.quantity == Quantity::channel) {
    for (const Channel& channel : moment.system.channels)
      if (channel.name == params.channel && element.row < channel.values.size())
        value = static_cast<double>(channel.values[element.row]);
  } else if (names_a_vector(params.quantity)) {
    value = part_of(curve.by_rule ? rule_force(moment.snapshot, params.vector, moment.system, element.row)
                                  : element_vector(moment.system, element, params.vector),
                    params.quantity);
  } else {
    value = element_quantity(element, params.quantity, moment.scene.gravity);
  }
  return curve.formula ? std::abs(value - (*curve.formula)(plot.values)) : value;
}

double whole_value(CompiledPlot& plot, CompiledCurve& curve, const Moment& moment) {
  const CurveParams& params = curve.params;
  const double value =
      is_of_place(params.quantity)     ? place_quantity(moment.system, params, moment.scene.gravity, plot.scratch)
      : names_a_joint(params.quantity) ? joint_quantity(moment.system, params.quantity, params.joint)
                                       : whole_quantity(moment.system, params.quantity, params.channel);
  if (!curve.formula) return value;
  const ElementState center = center_state(moment.system, moment.beginning);
  set_values(plot, moment.scene, moment.snapshot.time_s, moment.x, &center, no_value);
  return std::abs(value - (*curve.formula)(plot.values));
}

/// A name to which a curve's quantity refers, such as the name of a channel.
struct NameUse {
  const char* what;
  const char* key;  ///< parameter that contains the name
  const std::string* name;
};
std::optional<NameUse> named_by(const CurveParams& params) {
  if (names_a_joint(params.quantity)) return NameUse{"joint", "joint", &params.joint};
  if (names_a_vector(params.quantity)) return NameUse{"vector", "vector", &params.vector};
  if (names_a_channel(params.quantity)) return NameUse{"channel", "channel", &params.channel};
  if (params.quantity == Quantity::total) return NameUse{"total", "channel", &params.channel};
  return std::nullopt;
}

std::vector<std::string> known_names(const Snapshot& snapshot, const SystemSnapshot& system, Quantity quantity) {
  std::vector<std::string> names;
  if (names_a_joint(quantity)) {
    for (const JointMark& joint : joints_of(system)) names.push_back(joint.name);
  } else if (names_a_vector(quantity)) {
    names.emplace_back("velocity");
    for (const ChannelInfo& vector : system.available_vectors) names.push_back(vector.name);
    for (const RuleSnapshot& rule : snapshot.rules)
      if (&snapshot.systems[rule.a] == &system || &snapshot.systems[rule.b] == &system) names.push_back(rule.node);
  } else if (quantity == Quantity::total) {
    for (const Total& total : system.totals) names.emplace_back(total.name);
  } else {
    for (const ChannelInfo& channel : system.available) names.push_back(channel.name);
  }
  return names;
}

double measured_value(CompiledPlot& plot, CompiledCurve& curve, const Moment& moment) {
  const CurveParams& params = curve.params;
  if (is_of_whole_system(params.quantity) || is_of_place(params.quantity) || names_a_joint(params.quantity))
    return whole_value(plot, curve, moment);
  const std::size_t count = moment.system.position.size();
  if (params.element >= 0) {
    const auto row = row_of(moment.system, static_cast<std::uint32_t>(params.element));
    return row ? element_value(plot, curve, moment, element_state(moment.system, moment.beginning, *row)) : no_value;
  }
  if (params.over == Over::center && params.quantity != Quantity::channel && !names_a_vector(params.quantity))
    return count == 0 ? no_value : element_value(plot, curve, moment, center_state(moment.system, moment.beginning));
  Reduction reduction(params.over);
  for (std::size_t row = 0; row < count; ++row)
    reduction.add(element_value(plot, curve, moment, element_state(moment.system, moment.beginning, row)));
  return reduction.result();
}

}  // namespace

/// Largest number of other runs whose initial states are kept, because the user may return to them.
constexpr std::size_t other_runs_limit = 8;

struct PlotSet::Impl {
  CompiledScene scene;
  std::shared_ptr<AirGauge> air;                              ///< null if the air cannot be measured
  std::vector<std::pair<std::string, Beginning>> beginnings;  ///< initial states of the systems that curves measure
  std::vector<double> kept;                                   ///< last value of each column; final if is_kept is 1
  std::vector<std::uint8_t> is_kept;
  std::uint64_t run = 0;        ///< number of the run that is measured (Snapshot::run)
  double time_s = 0, dt_s = 0;  ///< time and step of the last snapshot [s]
  bool begun = false;
  /// Data of another run, to which the user may return.
  struct OtherRun {
    std::uint64_t run = 0;
    std::vector<std::pair<std::string, Beginning>> beginnings;
    std::vector<double> kept;
    std::vector<std::uint8_t> is_kept;
  };
  std::vector<OtherRun> other_runs;  ///< from the least to the most recent

  /// Starts the measurement of a run, or continues that of a run measured before. Returns true if the run is new.
  [[nodiscard]] bool begin(std::uint64_t new_run);
  [[nodiscard]] bool is_missed(double at_s, const Snapshot& snapshot, bool is_first) const;
  void measure_plot(std::size_t plot, const Snapshot& snapshot, bool is_first, std::vector<double>& row);
  void look_for_new(const Snapshot& snapshot);
  [[nodiscard]] double column_value(std::size_t plot, std::size_t column, const Snapshot& snapshot);
  [[nodiscard]] double air_value(CompiledPlot& plot, CompiledCurve& curve, double now_s);
  [[nodiscard]] double signal_value(CompiledPlot& plot, CompiledCurve& curve, const Snapshot& snapshot);
  [[nodiscard]] double deviation(CompiledPlot& plot, CompiledCurve& curve, double value, double now_s);
  [[nodiscard]] const Beginning& beginning_of(const std::string& system) const;
  [[nodiscard]] bool needs_beginning(const std::string& system) const;
};

bool PlotSet::Impl::begin(std::uint64_t new_run) {
  if (begun && new_run == run) return false;
  const auto known = std::ranges::find(other_runs, new_run, &OtherRun::run);
  const bool is_known = begun && known != other_runs.end();
  OtherRun next =
      is_known ? std::move(*known) : OtherRun{new_run, beginnings, kept, std::vector<std::uint8_t>(kept.size())};
  if (!is_known)
    for (auto& [name, beginning] : next.beginnings) beginning.taken = false;
  if (known != other_runs.end()) other_runs.erase(known);
  if (begun) other_runs.push_back({run, std::move(beginnings), std::move(kept), std::move(is_kept)});
  if (other_runs.size() > other_runs_limit) other_runs.erase(other_runs.begin());
  begun = true;
  run = new_run;
  beginnings = std::move(next.beginnings);
  kept = std::move(next.kept);
  is_kept = std::move(next.is_kept);
  return !is_known;
}

/// Records the initial state of systems that are measured for the first time.
void PlotSet::Impl::look_for_new(const Snapshot& snapshot) {
  for (auto& [name, beginning] : beginnings)
    if (const SystemSnapshot* system = beginning.taken ? nullptr : find_system(snapshot, name)) beginning.take(*system);
}

const Beginning& PlotSet::Impl::beginning_of(const std::string& system) const {
  return std::find_if(beginnings.begin(), beginnings.end(), [&](const auto& entry) { return entry.first == system; })
      ->second;
}

/// Returns whether a curve that measures this system may use initial positions and velocities.
bool PlotSet::Impl::needs_beginning(const std::string& system) const {
  for (std::size_t p = 0; p < scene.plans.size(); ++p)
    for (const PlotColumn& column : scene.plans[p].columns) {
      const CompiledCurve& curve = scene.plots[p].curves[column.curve];
      if (column.system == system && (curve.params.quantity == Quantity::distance || curve.expression || curve.formula))
        return true;
    }
  return false;
}

double PlotSet::Impl::column_value(std::size_t plot_index, std::size_t column_index, const Snapshot& snapshot) {
  const PlotPlan& plan = scene.plans[plot_index];
  CompiledPlot& plot = scene.plots[plot_index];
  const PlotColumn& column = plan.columns[column_index];
  CompiledCurve& curve = plot.curves[column.curve];
  if (curve.kind == CurveKind::analytic) {
    set_values(plot, scene, moment_of(plan, snapshot.time_s), column.x, nullptr, no_value);
    return (*curve.formula)(plot.values);
  }
  if (is_of_the_air(curve.params.quantity)) return air_value(plot, curve, snapshot.time_s);
  if (curve.params.quantity == Quantity::signal) return signal_value(plot, curve, snapshot);
  const SystemSnapshot* system = find_system(snapshot, column.system);
  if (system == nullptr) return no_value;
  return measured_value(plot, curve, {snapshot, *system, beginning_of(column.system), scene, column.x});
}

double PlotSet::Impl::air_value(CompiledPlot& plot, CompiledCurve& curve, double now_s) {
  const double value = air ? air->read(curve.params.quantity, curve.params.field, curve.params.point, now_s) : no_value;
  return deviation(plot, curve, value, now_s);
}

double PlotSet::Impl::signal_value(CompiledPlot& plot, CompiledCurve& curve, const Snapshot& snapshot) {
  for (const SignalSnapshot& signal : snapshot.signals)
    if (signal.name == curve.params.channel) return deviation(plot, curve, signal.value, snapshot.time_s);
  return no_value;
}

/// Returns the result for a curve that belongs to no system: `value` or, for an error curve, its difference from the
/// formula.
double PlotSet::Impl::deviation(CompiledPlot& plot, CompiledCurve& curve, double value, double now_s) {
  if (!curve.formula) return value;
  set_values(plot, scene, now_s, no_value, nullptr, no_value);
  return std::abs(value - (*curve.formula)(plot.values));
}

PlotSet::PlotSet(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PlotSet::PlotSet(PlotSet&&) noexcept = default;
PlotSet& PlotSet::operator=(PlotSet&&) noexcept = default;
PlotSet::~PlotSet() = default;

Result<void> check_plots(const Node& scene, std::span<const Node> more) {
  const auto compiled = compile_plots(scene, nullptr, more);
  if (!compiled) return Unexpected(compiled.error());
  return {};
}

Result<PlotSet> PlotSet::compile(const Node& scene) {
  ShapeStore shapes;
  return compile(scene, shapes);
}

std::shared_ptr<ShapeStore> make_shape_store() { return std::make_shared<ShapeStore>(); }

Result<PlotSet> PlotSet::compile(const Node& scene, ShapeStore& shapes, std::span<const Node> more) {
  auto compiled = compile_plots(scene, &shapes, more);
  if (!compiled) return Unexpected(compiled.error());
  auto impl = std::make_unique<Impl>();
  impl->scene = std::move(*compiled);
  std::map<std::string, Beginning> beginnings;
  for (const PlotPlan& plan : impl->scene.plans)
    for (const PlotColumn& column : plan.columns)
      if (!column.system.empty()) beginnings.try_emplace(column.system);
  impl->beginnings.assign(beginnings.begin(), beginnings.end());
  impl->kept.assign(impl->scene.column_count, no_value);
  impl->is_kept.assign(impl->scene.column_count, 0);
  impl->scene.placed = impl->scene.colliders;
  return PlotSet(std::move(impl));
}

const std::vector<PlotPlan>& PlotSet::plans() const { return impl_->scene.plans; }
std::size_t PlotSet::column_count() const { return impl_->scene.column_count; }
const SnapshotRequest& PlotSet::wanted() const { return impl_->scene.wanted; }

bool PlotSet::wants_air() const { return impl_->scene.wants_air; }
void PlotSet::set_air(std::shared_ptr<AirGauge> air) { impl_->air = std::move(air); }

void PlotSet::take_world(const Node& scene) {
  const Node* world = scene.only("world");
  if (world == nullptr) return;
  impl_->scene.gravity = std::get<Vec3>(world->value("gravity"));
  impl_->scene.dt_s = std::get<double>(world->value("dt"));
}

void PlotSet::take_collider(const Node& scene, const std::string& collider, ShapeStore& shapes) {
  CompiledScene& own = impl_->scene;
  const auto known = std::ranges::find(own.colliders, collider, &Collider::name);
  const Node* node = scene.find("collider", collider);
  if (known == own.colliders.end() || node == nullptr) return;
  if (auto made = make_collider(*node, shapes)) *known = std::move(*made);
  shapes.forget_unused();
  own.placed = own.colliders;
}

Result<void> PlotSet::check_names(const Snapshot& snapshot) const {
  for (const PlotPlan& plan : plans())
    for (const PlotColumn& column : plan.columns) {
      const PlotCurve& curve = plan.curves[column.curve];
      const SystemSnapshot* system = find_system(snapshot, column.system);
      const auto use = system == nullptr ? std::nullopt : named_by(curve.node.params);
      if (!use) continue;
      const auto known = known_names(snapshot, *system, curve.node.params.quantity);
      if (std::find(known.begin(), known.end(), *use->name) != known.end()) continue;
      const std::string hint = nearest_word(*use->name, known);
      std::string expected = std::string("must name a ") + use->what + " of " + column.system;
      if (hint.empty()) expected += known.empty() ? ", which has none" : fmt::format(": {}", fmt::join(known, ", "));
      return wrong_value(curve.node.line, "plot." + plan.name + ".curve." + curve.name + "." + use->key,
                         "\"" + *use->name + "\"", std::move(expected), hint);
    }
  return {};
}

/// Returns whether the measuring time `at` passed before these plots began to measure. The measured columns of the
/// plots then have no value, because values of a later time would be wrong.
bool PlotSet::Impl::is_missed(double at_s, const Snapshot& snapshot, bool is_first) const {
  return at_s > 0 && snapshot.time_s > at_s + 0.5 * snapshot.dt_s && (is_first || is_due(at_s, time_s, dt_s));
}

void PlotSet::Impl::measure_plot(std::size_t plot, const Snapshot& snapshot, bool is_first, std::vector<double>& row) {
  const PlotPlan& plan = scene.plans[plot];
  const double at = plan.over_time ? 0 : plan.params.at_s;
  if (!is_due(at, snapshot.time_s, snapshot.dt_s) || plan.is_over(snapshot)) return;
  const bool missed = is_missed(at, snapshot, is_first);
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const std::size_t k = plan.first_column + c;
    const bool is_theory = plan.columns[c].system.empty();  // an analytic curve has a value at any time
    if (is_kept[k] == 0) kept[k] = missed && !is_theory ? no_value : column_value(plot, c, snapshot);
    is_kept[k] = at > 0 && !is_theory ? 1 : 0;
    row[k] = kept[k];
  }
}

void PlotSet::measure(const Snapshot& snapshot, std::vector<double>& row) {
  Impl& self = *impl_;
  const bool is_first = self.begin(snapshot.run);
  self.look_for_new(snapshot);
  for (std::size_t i = 0; i < self.scene.placed.size(); ++i)
    place_as_seen(self.scene.colliders[i], snapshot, self.scene.placed[i]);
  row.assign(self.scene.column_count, no_value);
  for (std::size_t p = 0; p < self.scene.plans.size(); ++p) self.measure_plot(p, snapshot, is_first, row);
  self.time_s = snapshot.time_s;
  self.dt_s = snapshot.dt_s;
}

void PlotSet::visit_state(StateVisitor& visit) {
  for (auto& [name, beginning] : impl_->beginnings) {
    if (!impl_->needs_beginning(name)) continue;
    const std::string prefix = "begin." + name + ".";
    std::uint8_t taken = beginning.taken ? 1 : 0;
    visit(prefix + "taken", taken, state_flag);
    beginning.taken = taken != 0;
    visit(prefix + "id", beginning.id, {0, 4294967295.0});
    visit(prefix + "position", beginning.x, state_motion);
    visit(prefix + "velocity", beginning.v, state_motion);
    visit(prefix + "center", beginning.center, state_motion);
    visit(prefix + "center_velocity", beginning.center_velocity, state_motion);
    // The arrays in a file may have different lengths.
    const std::size_t rows = std::min({beginning.id.size(), beginning.x.size(), beginning.v.size()});
    beginning.id.resize(rows), beginning.x.resize(rows), beginning.v.resize(rows);
  }
  std::uint8_t begun = impl_->begun ? 1 : 0;
  visit("begun", begun, state_flag);
  impl_->begun = begun != 0;
  visit("measured_at", impl_->time_s, state_clock);
  visit("measured_dt", impl_->dt_s, state_positive);
}

void PlotSet::go_on_from(const PlotSet& before, const PresentName& present_name) {
  const Impl& from = *before.impl_;
  impl_->begun = from.begun;
  impl_->run = from.run;
  impl_->time_s = from.time_s;
  impl_->dt_s = from.dt_s;
  // Reuses the air gauge of `before`, whose fields are already built.
  if (impl_->air && from.air && impl_->air->is_like(*from.air)) impl_->air = from.air;
  using Beginnings = std::vector<std::pair<std::string, Beginning>>;
  const auto take_beginnings = [&](const Beginnings& before_run, Beginnings& own, bool takes_all) {
    for (const auto& [former_name, first] : before_run) {
      const std::string now = present_name ? present_name("system", former_name) : former_name;
      for (auto& [name, beginning] : own)
        if (name == now && (takes_all || impl_->needs_beginning(name))) beginning = first;
    }
  };
  impl_->other_runs.clear();
  for (const Impl::OtherRun& other : from.other_runs) {
    impl_->other_runs.push_back({other.run, impl_->beginnings, std::vector<double>(column_count(), no_value),
                                 std::vector<std::uint8_t>(column_count(), 0)});
    take_beginnings(other.beginnings, impl_->other_runs.back().beginnings, false);
  }
  take_beginnings(from.beginnings, impl_->beginnings, true);
  std::vector<PlotPlan> former = before.plans();
  if (present_name) rename_parts(former, present_name);
  for (const PlotPlan& plan : plans()) {
    const PlotPlan* old = find_plan(former, plan.name);
    const auto columns = matching_columns(old, plan);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] == no_column) continue;
      const std::size_t own = plan.first_column + c, its = old->first_column + columns[c];
      impl_->kept[own] = from.kept[its];
      impl_->is_kept[own] = from.is_kept[its];
      for (std::size_t i = 0; i < from.other_runs.size(); ++i) {
        impl_->other_runs[i].kept[own] = from.other_runs[i].kept[its];
        impl_->other_runs[i].is_kept[own] = from.other_runs[i].is_kept[its];
      }
    }
  }
}

double PlotSet::analytic(std::size_t plot, std::size_t curve, double time_s, double x) {
  CompiledPlot& compiled = impl_->scene.plots[plot];
  if (!compiled.curves[curve].formula) return no_value;
  set_values(compiled, impl_->scene, moment_of(plans()[plot], time_s), x, nullptr, no_value);
  return (*compiled.curves[curve].formula)(compiled.values);
}

}  // namespace vw
