#include "sim/control/sensor.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/control/actuator.h"
#include "sim/plot/formula.h"
#include "sim/plot/plot_match.h"

namespace vw {
namespace {

const ParamTable<SensorParams>& sensor_params() {
  using P = SensorParams;
  static const ParamTable<P> table{
      measurement_params(),
      Param<P>{.member = &P::output,
               .key = "output",
               .live = Live::yes,
               .choices = {"value", "rate", "integral"},
               .doc =
                   "Value that the sensor passes to formulas of actuators. value: the measured quantity. rate: its "
                   "derivative with respect to time. integral: its integral over time since the sensor was created."},
      Param<P>{.member = &P::filter_s,
               .key = "filter",
               .label = "Filter time",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time constant of a first-order low-pass filter for the measured quantity. The filter acts "
                      "before `output` is computed. 0 means no filter."},
  };
  return table;
}

/// Returns the sensors of the scene, ordered by name.
std::vector<const Node*> sensors_of(const Node& scene) {
  auto nodes = scene.all("sensor");
  std::ranges::sort(nodes, {}, [](const Node* node) { return node->name; });
  return nodes;
}

constexpr std::string_view plot_name = "sensors";

/// Returns a plot with one measured curve for each sensor. Measuring this plot measures the sensors.
Node plot_of(const std::vector<const Node*>& sensors) {
  Node plot = make_node(plot_schema(), std::string(plot_name));
  for (const Node* sensor : sensors) {
    Node& curve = add_child(plot, "curve", "measured", sensor->name);
    curve.line = sensor->line;
    for (std::size_t i = 0; i < sensor->schema->params.size(); ++i)
      if (const std::string& name = sensor->schema->params[i].name; name != "output" && name != "filter")
        curve.set(name, sensor->values[i]);
  }
  return plot;
}

/// Returns the scene without its plots, so that only the plot of the sensors is checked and measured.
Node without_plots(const Node& scene) {
  Node bare = scene;
  std::erase_if(bare.children, [&](const Node& child) { return bare.schema->slots[child.slot].name == "plot"; });
  return bare;
}

/// If the key of the error refers to a curve of plot_of(), replaces it by the key of the corresponding sensor.
Unexpected of_sensor(Error error) {
  const std::string prefix = "plot." + std::string(plot_name) + ".curve.";
  if (error.key.starts_with(prefix)) error.key = "sensor." + error.key.substr(prefix.size());
  return fail(std::move(error));
}

Result<void> check_sensor_name(const Node& sensor) {
  const std::string name = name_in_formulas(sensor.name);
  if (is_formula_name(name) && name != "t" && name != "pi") return {};
  return wrong_value(
      sensor.line, "sensor." + sensor.name, "\"" + sensor.name + "\"",
      "must be a name that formulas can contain: at most 40 characters, not beginning with a digit, and not t, pi or "
      "the name of a function");
}

}  // namespace

const Schema& sensor_schema() {
  static const Schema schema{
      "sensor",
      "Measures a quantity at the end of every step. Formulas of actuators can contain the value.",
      sensor_params().specs(),
      {}};
  return schema;
}

Result<void> check_sensors(const Node& scene) {
  const auto sensors = sensors_of(scene);
  if (sensors.empty()) return {};
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (auto good = check_sensor_name(*sensors[i]); !good) return good;
    if (std::get<std::string>(sensors[i]->value("quantity")) == "signal")
      return wrong_value(sensors[i]->line, "sensor." + sensors[i]->name + ".quantity", "\"signal\"",
                         "must be a quantity of a system or of the air");
    for (std::size_t k = 0; k < i; ++k)
      if (name_in_formulas(sensors[k]->name) == name_in_formulas(sensors[i]->name))
        return wrong_value(sensors[i]->line, "sensor." + sensors[i]->name, "\"" + sensors[i]->name + "\"",
                           "must differ from \"" + sensors[k]->name +
                               "\" in more than _ and -, because formulas contain _ in place of -");
  }
  const Node plot = plot_of(sensors);
  if (auto good = check_plots(without_plots(scene), {&plot, 1}); !good) return of_sensor(good.error());
  return {};
}

struct SensorSet::Impl {
  std::vector<std::string> names;
  std::vector<SensorParams> params;
  PlotSet plot;
  std::shared_ptr<ShapeStore> shapes;  // shapes of the colliders to which sensors measure the gap
  std::vector<double> row;             // scratch
  // State, one number for each sensor
  std::vector<double> values, filtered;
  std::vector<std::uint8_t> has_measured;
  double time_s = 0;  ///< time of the last measurement [s]

  Impl(PlotSet set, std::shared_ptr<ShapeStore> store) : plot(std::move(set)), shapes(std::move(store)) {}
  void take(std::size_t i, double measured, double dt);
};

/// Passes a measured number through the filter of sensor i, and sets the value of the sensor.
void SensorSet::Impl::take(std::size_t i, double measured, double dt) {
  if (!std::isfinite(measured)) return;
  const bool is_first = has_measured[i] == 0;
  const double before = is_first ? measured : filtered[i];
  const double share = params[i].filter_s > 0 ? -elementary::expm1(-dt / params[i].filter_s) : 1;
  const double now = is_first || share == 1 ? measured : before + share * (measured - before);
  filtered[i] = now;
  has_measured[i] = 1;
  switch (params[i].output) {
    case SensorOutput::value: values[i] = now; break;
    case SensorOutput::rate:  // An edit of the scene measures again at the same time, which gives no new rate.
      if (is_first) values[i] = 0;
      if (!is_first && dt > 0) values[i] = (now - before) / dt;
      break;
    case SensorOutput::integral: values[i] += is_first ? 0 : 0.5 * (before + now) * dt; break;
  }
}

SensorSet::SensorSet() = default;
SensorSet::SensorSet(SensorSet&&) noexcept = default;
SensorSet& SensorSet::operator=(SensorSet&&) noexcept = default;
SensorSet::~SensorSet() = default;

Result<SensorSet> SensorSet::create(const Node& scene) {
  SensorSet set;
  const auto sensors = sensors_of(scene);
  if (sensors.empty()) return set;
  const Node plot = plot_of(sensors);
  auto shapes = make_shape_store();
  auto compiled = PlotSet::compile(without_plots(scene), *shapes, {&plot, 1});
  if (!compiled) return of_sensor(compiled.error());
  set.impl_ = std::make_unique<Impl>(std::move(*compiled), std::move(shapes));
  for (const Node* sensor : sensors) {
    set.impl_->names.push_back(sensor->name);
    set.impl_->params.push_back(sensor_params().read(sensor->values));
  }
  set.impl_->values.assign(sensors.size(), 0);
  set.impl_->filtered.assign(sensors.size(), 0);
  set.impl_->has_measured.assign(sensors.size(), 0);
  return set;
}

const std::vector<std::string>& SensorSet::names() const {
  static const std::vector<std::string> none;
  return impl_ == nullptr ? none : impl_->names;
}
std::span<const double> SensorSet::values() const {
  return impl_ == nullptr ? std::span<const double>() : std::span<const double>(impl_->values);
}
const SnapshotRequest& SensorSet::wanted() const {
  static const SnapshotRequest none;
  return impl_ == nullptr ? none : impl_->plot.wanted();
}
bool SensorSet::measures(std::string_view system) const {
  return impl_ != nullptr && std::ranges::any_of(impl_->plot.plans().front().columns,
                                                 [&](const PlotColumn& column) { return column.system == system; });
}
bool SensorSet::wants_air() const { return impl_ != nullptr && impl_->plot.wants_air(); }
void SensorSet::set_air(std::shared_ptr<AirGauge> air) {
  if (impl_ != nullptr) impl_->plot.set_air(std::move(air));
}
void SensorSet::take_world(const Node& scene) {
  if (impl_ != nullptr) impl_->plot.take_world(scene);
}
void SensorSet::take_collider(const Node& scene, const std::string& collider) {
  if (impl_ != nullptr) impl_->plot.take_collider(scene, collider, *impl_->shapes);
}
Result<void> SensorSet::check_names(const Snapshot& snapshot) const {
  if (impl_ == nullptr) return {};
  if (auto good = impl_->plot.check_names(snapshot); !good) return of_sensor(good.error());
  return {};
}

void SensorSet::measure(const Snapshot& snapshot) {
  if (impl_ == nullptr) return;
  Impl& self = *impl_;
  self.plot.measure(snapshot, self.row);
  const double dt = snapshot.time_s - self.time_s;
  self.time_s = snapshot.time_s;
  for (std::size_t i = 0; i < self.names.size(); ++i) self.take(i, self.row[i], dt);
}

void SensorSet::visit_state(StateVisitor& visit) {
  if (impl_ == nullptr) return;
  visit.rows("sensor");
  visit("value", impl_->values);
  visit("filtered", impl_->filtered);
  visit("has_measured", impl_->has_measured, state_flag);
  visit("time", impl_->time_s, state_clock);
  visit.rows({});
  impl_->plot.visit_state(visit);
}

std::string SensorSet::state_problem() const {
  if (impl_ == nullptr) return {};
  const std::size_t n = impl_->names.size();
  if (impl_->values.size() == n && impl_->filtered.size() == n && impl_->has_measured.size() == n) return {};
  return "the stored values do not match the " + std::to_string(n) + " sensors of the scene";
}

void SensorSet::continue_from(const SensorSet& former, const PresentName& present_name) {
  if (impl_ == nullptr || former.impl_ == nullptr) return;
  Impl& self = *impl_;
  const Impl& from = *former.impl_;
  self.time_s = from.time_s;
  self.plot.go_on_from(from.plot, present_name);
  std::vector<SensorParams> former_params = from.params;
  if (present_name)
    for (SensorParams& params : former_params) rename_parts(params, present_name);
  for (std::size_t i = 0; i < self.names.size(); ++i) {
    // Several former sensors may measure the quantity. The sensor of the same name goes first, then one with the same
    // filter.
    int best = -1;
    for (std::size_t k = 0; k < from.names.size(); ++k) {
      const CurveNode ours{CurveKind::measured, self.params[i], 0}, theirs{CurveKind::measured, former_params[k], 0};
      if (!measure_alike(ours, theirs) || self.params[i].output != from.params[k].output) continue;
      const int match =
          self.names[i] == from.names[k] ? 2 : static_cast<int>(self.params[i].filter_s == from.params[k].filter_s);
      if (match < best) continue;
      best = match;
      self.values[i] = from.values[k];
      self.filtered[i] = from.filtered[k];
      self.has_measured[i] = from.has_measured[k];
    }
  }
}

}  // namespace vw
