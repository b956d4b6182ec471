#include "sim/control/actuator.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/control/sensor.h"
#include "sim/plot/formula.h"

namespace vw {
namespace {

constexpr Bounds any_number{-1e12, 1e12};
constexpr std::size_t max_targets = 1000, max_table_rows = 1'000'000;

/// Index of the first sensor among the names that a formula may contain. The names `t` and `pi` precede it.
constexpr std::size_t first_sensor_name = 2;
std::vector<std::string> formula_names(std::span<const std::string> sensors) {
  std::vector<std::string> names{"t", "pi"};
  for (const std::string& sensor : sensors) names.push_back(name_in_formulas(sensor));
  return names;
}

const ParamTable<ActuatorParams>& actuator_params() {
  using P = ActuatorParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::targets,
               .key = "targets",
               .label = "Driven parameters",
               .live = Live::yes,
               .refers_to = "parameter",
               .doc = "Paths of the parameters that the actuator sets, such as system.fish.muscle.left.strain. Each "
                      "must be a number that may change during a run. For a vector, .x, .y or .z at the end of the "
                      "path selects a component, as in world.gravity.y. All targets get the same value, limited to the "
                      "range of each parameter."},
      Param<P>{.member = &P::enabled,
               .key = "enabled",
               .live = Live::yes,
               .doc = "Whether the actuator sets its targets. While this is off, and before `start` or after `end`, "
                      "each target has the value that the scene gives it."},
      Param<P>{.member = &P::start_s,
               .key = "start",
               .label = "Start time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Time at which the actuator begins to set its targets."},
      Param<P>{.member = &P::end_s,
               .key = "end",
               .label = "End time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Time from which the actuator no longer sets its targets. 0 means never."},
  };
  return table;
}

const ParamTable<WaveParams>& wave_params() {
  using P = WaveParams;
  static const ParamTable<P> table{
      actuator_params(),
      Param<P>{.member = &P::wave,
               .key = "wave",
               .live = Live::yes,
               .choices = {"sine", "square", "triangle", "sawtooth", "pulse"},
               .doc = "Shape of a period with the amplitude A. sine: a sine wave that begins at 0. square: A during "
                      "the fraction `duty` at the start of the period, and -A in the rest. triangle: straight lines "
                      "from 0 to A, to -A and back to 0. sawtooth: a straight line from -A to A. pulse: A during the "
                      "fraction `duty` at the start of the period, and 0 in the rest."},
      Param<P>{.member = &P::amplitude,
               .key = "amplitude",
               .range = any_number,
               .live = Live::yes,
               .doc = "Amplitude of the wave, in the unit of the driven parameter."},
      Param<P>{.member = &P::offset,
               .key = "offset",
               .range = any_number,
               .live = Live::yes,
               .doc = "Constant that is added to the wave, in the unit of the driven parameter."},
      Param<P>{.member = &P::frequency_hz,
               .key = "frequency",
               .unit = Unit::hertz,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Number of periods of the wave per second. When the frequency changes during a run, the wave "
                      "continues without a jump."},
      Param<P>{.member = &P::phase_cycles,
               .key = "phase",
               .unit = Unit::cycle,
               .range = {-1e3, 1e3},
               .live = Live::yes,
               .doc = "Fraction of a period by which the wave is ahead of a wave with the phase 0. Two waves with the "
                      "phases 0 and 0.5 are in antiphase."},
      Param<P>{.member = &P::duty,
               .key = "duty",
               .label = "Duty cycle",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Fraction of a period in which a square wave or a pulse has its upper value. Other waves do not "
                      "use `duty`."},
      Param<P>{.member = &P::fade_in_s,
               .key = "fade_in",
               .label = "Fade-in time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Time after `start` over which the amplitude grows linearly from 0 to its full value."},
  };
  return table;
}

const ParamTable<FormulaParams>& formula_params() {
  using P = FormulaParams;
  static const ParamTable<P> table{
      actuator_params(),
      Param<P>{.member = &P::formula,
               .key = "formula",
               .live = Live::yes,
               .doc = "Formula of the value that the targets get. It can contain the time t [s], pi and the names of "
                      "the sensors of the scene, with _ in place of -. A sensor has the value that it measured at the "
                      "end of the previous step. Example: 0.2*sin(2*pi*t) - 3*tilt."},
  };
  return table;
}

const ParamTable<TableParams>& table_params() {
  using P = TableParams;
  static const ParamTable<P> table{
      actuator_params(),
      Param<P>{.member = &P::source,
               .key = "source",
               .doc = "CSV file with the times [s] in the first column and the values in the second. A first line "
                      "without numbers is a heading. The file is read when the scene is opened, and its rows then "
                      "replace `times` and `values`."},
      Param<P>{.member = &P::times,
               .key = "times",
               .unit = Unit::second,
               .range = {-1e9, 1e9},
               .doc = "Times of the rows of the table, counted from `start`, in ascending order."},
      Param<P>{.member = &P::values,
               .key = "values",
               .range = any_number,
               .doc = "Values of the rows of the table, in the unit of the driven parameter. Before the first row, the "
                      "first value applies, and after the last row, the last value."},
      Param<P>{.member = &P::line,
               .key = "line",
               .label = "Interpolation between rows",
               .live = Live::yes,
               .choices = {"linear", "steps"},
               .doc = "Value between two rows of the table. linear: on the straight line through them. steps: the "
                      "value of the earlier row."},
      Param<P>{.member = &P::repeat,
               .key = "repeat",
               .live = Live::yes,
               .doc = "Whether the table starts again after its last row."},
  };
  return table;
}

const ParamTable<ManualParams>& manual_params() {
  using P = ManualParams;
  static const ParamTable<P> table{
      actuator_params(),
      Param<P>{.member = &P::value,
               .key = "value",
               .range = any_number,
               .live = Live::yes,
               .doc = "Value that the actuator gives to its `targets`, in their unit. The user, a script or a command "
                      "can change it during a run."},
  };
  return table;
}

/// Returns the error of a parameter of an actuator. The caller adds the path of the actuator to the key.
Unexpected wrong_actuator(const Node& self, std::string key, std::string found, std::string expected) {
  return wrong_value(self.line, std::move(key), std::move(found), std::move(expected));
}

Result<void> check_table(const Node& self, const TableParams& table) {
  if (table.times.empty() || table.times.size() != table.values.size())
    return wrong_actuator(self, "values",
                          fmt::format("{} times and {} values", table.times.size(), table.values.size()),
                          "must have at least one row, and as many values as times");
  if (table.times.size() > max_table_rows)
    return wrong_actuator(self, "times", fmt::format("{} times", table.times.size()),
                          fmt::format("must have at most {} rows", max_table_rows));
  for (std::size_t i = 1; i < table.times.size(); ++i)
    if (!(table.times[i - 1] < table.times[i]))
      return wrong_actuator(self, "times", fmt::format("{:g} s after {:g} s", table.times[i], table.times[i - 1]),
                            "must be in ascending order");
  return {};
}

/// Returns the value of a table at the time `t` after ActuatorParams::start_s [s].
double table_value(const TableParams& table, double t) {
  const auto& times = table.times;
  if (table.repeat && times.back() > times.front() && t > times.front()) {
    const double length = times.back() - times.front();
    const double periods = std::floor((t - times.front()) / length);
    t -= periods * length;
  }
  const auto after = std::ranges::upper_bound(times, t);
  if (after == times.begin()) return table.values.front();
  const auto i = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end() || table.line == TableLine::steps) return table.values[i];
  const double part = (t - times[i]) / (times[i + 1] - times[i]);
  return table.values[i] + part * (table.values[i + 1] - table.values[i]);
}

struct FormulaSignal : FormulaParams {
  Formula compiled;
  std::vector<double> inputs;
  bool uses_sensors = false;
};

/// Returns whether `name` occurs in the formula as a whole word.
bool contains_name(std::string_view formula, std::string_view name) {
  const auto is_part = [&](std::size_t i) {
    return i < formula.size() && (formula[i] == '_' || std::isalnum(static_cast<unsigned char>(formula[i])) != 0);
  };
  for (std::size_t at = formula.find(name); at != std::string_view::npos; at = formula.find(name, at + 1))
    if (!(at > 0 && is_part(at - 1)) && !is_part(at + name.size())) return true;
  return false;
}

/// Phase of a wave: at the time `time_s` [s], `cycles` periods of the wave have passed.
struct WaveClock {
  double cycles = 0, time_s = 0;
};

}  // namespace

struct Actuator::Impl {
  std::string name;
  std::variant<WaveParams, FormulaSignal, TableParams, ManualParams> signal;
  WaveClock clock;  // state

  [[nodiscard]] const ActuatorParams& params() const {
    return std::visit([](const auto& one) -> const ActuatorParams& { return one; }, signal);
  }
  [[nodiscard]] double cycles_at(const WaveParams& wave, double t) const {
    return clock.cycles + wave.frequency_hz * (t - clock.time_s);
  }
};

const Schema& wave_actuator_schema() {
  static const Schema schema{
      .kind = "wave",
      .doc = "Drives parameters by a periodic wave.",
      .params = wave_params().specs(),
      .slots = {},
      .label = "Wave",
  };
  return schema;
}
const Schema& formula_actuator_schema() {
  static const Schema schema{
      .kind = "formula",
      .doc = "Drives parameters by a formula of the time and of sensors.",
      .params = formula_params().specs(),
      .slots = {},
      .label = "Formula",
  };
  return schema;
}
const Schema& table_actuator_schema() {
  static const Schema schema{
      .kind = "table",
      .doc = "Drives parameters by a table of times and values.",
      .params = table_params().specs(),
      .slots = {},
      .label = "Table",
  };
  return schema;
}
const Schema& manual_actuator_schema() {
  static const Schema schema{
      .kind = "manual",
      .doc = "Drives parameters by a value that edits and commands change during a run.",
      .params = manual_params().specs(),
      .slots = {},
      .label = "Manual value",
  };
  return schema;
}

std::span<const Schema* const> actuator_schemas() {
  static const std::vector<const Schema*> all{&formula_actuator_schema(), &manual_actuator_schema(),
                                              &table_actuator_schema(), &wave_actuator_schema()};
  return all;
}

Actuator::Actuator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Actuator::Actuator(Actuator&&) noexcept = default;
Actuator& Actuator::operator=(Actuator&&) noexcept = default;
Actuator::~Actuator() = default;

Result<Actuator> Actuator::create(const Node& self, std::span<const std::string> sensors) {
  auto impl = std::make_unique<Impl>();
  impl->name = self.name;
  if (self.schema == &wave_actuator_schema()) {
    impl->signal = wave_params().read(self.values);
  } else if (self.schema == &manual_actuator_schema()) {
    impl->signal = manual_params().read(self.values);
  } else if (self.schema == &table_actuator_schema()) {
    TableParams table = table_params().read(self.values);
    if (auto good = check_table(self, table); !good) return Unexpected(good.error());
    impl->signal = std::move(table);
  } else {
    const FormulaParams params = formula_params().read(self.values);
    const std::vector<std::string> names = formula_names(sensors);
    auto compiled = Formula::compile(params.formula, names);
    if (!compiled) {
      Error error = compiled.error();
      error.line = self.line;
      error.key = "formula";
      return fail(std::move(error));
    }
    const bool uses_sensors = std::any_of(names.begin() + first_sensor_name, names.end(),
                                          [&](const std::string& name) { return contains_name(params.formula, name); });
    impl->signal = FormulaSignal{params, std::move(*compiled), std::vector<double>(names.size(), 0.0), uses_sensors};
  }
  impl->clock.time_s = impl->params().start_s;
  return Actuator(std::move(impl));
}

const std::string& Actuator::name() const { return impl_->name; }
const TextList& Actuator::targets() const { return impl_->params().targets; }

bool Actuator::uses_sensors() const {
  const auto* formula = std::get_if<FormulaSignal>(&impl_->signal);
  return formula != nullptr && formula->uses_sensors;
}

bool Actuator::drives_at(double t) const {
  const ActuatorParams& params = impl_->params();
  return params.enabled && t >= params.start_s && (params.end_s <= 0 || t < params.end_s);
}

double Actuator::value(double t, std::span<const double> sensors) {
  Impl& self = *impl_;
  if (const auto* wave = std::get_if<WaveParams>(&self.signal)) {
    const double fade = wave->fade_in_s > 0 ? std::clamp((t - wave->start_s) / wave->fade_in_s, 0.0, 1.0) : 1;
    const double cycles = self.cycles_at(*wave, t) + wave->phase_cycles;
    return wave->offset + fade * wave->amplitude * wave_value(wave->wave, cycles, wave->duty);
  }
  if (const auto* table = std::get_if<TableParams>(&self.signal)) return table_value(*table, t - table->start_s);
  if (const auto* manual = std::get_if<ManualParams>(&self.signal)) return manual->value;
  auto& formula = std::get<FormulaSignal>(self.signal);
  formula.inputs[0] = t;
  formula.inputs[1] = pi;
  std::ranges::copy(sensors, formula.inputs.begin() + first_sensor_name);
  return formula.compiled(formula.inputs);
}

void Actuator::visit_state(StateVisitor& visit) {
  visit("cycles", impl_->clock.cycles);
  visit("clock", impl_->clock.time_s, state_clock);
}

void Actuator::continue_from(const Actuator& former, double t) {
  const auto* was = std::get_if<WaveParams>(&former.impl_->signal);
  const auto* wave = std::get_if<WaveParams>(&impl_->signal);
  if (was == nullptr || wave == nullptr || t <= was->start_s) return;
  impl_->clock = former.impl_->clock;
  if (was->frequency_hz != wave->frequency_hz) impl_->clock = {former.impl_->cycles_at(*was, t), t};
}

std::string name_in_formulas(const std::string& sensor) {
  std::string name = sensor;
  std::ranges::replace(name, '-', '_');
  return name;
}

Result<DrivenNumber> driven_number(const Node& scene, const std::string& target) {
  Node& root = const_cast<Node&>(scene);  // NOLINT: read only
  const auto wrong = [](std::string expected) {
    Error error;
    error.expected = std::move(expected);
    return fail(std::move(error));
  };
  const std::string slot = target.substr(0, target.find('.'));
  for (const char* driven : {"world", "material", "field", "collider", "system", "interaction"}) {
    if (slot != driven) continue;
    if (target == "world.dt" || target == "world.seed" || target == "world.speed")
      return wrong("must be another parameter: actuators cannot set world.dt, world.seed or world.speed");
    const auto found = find_component(root, target);
    if (!found) return wrong("must be the path of a parameter of this scene; " + found.error().message());
    const ParamSpec& spec = *found->parameter.spec;
    if (found->axis < 0 && spec.type == ParamType::vec3)
      return wrong("must name a component of the vector: " + target + ".x, " + target + ".y or " + target + ".z");
    if (found->axis < 0 && spec.type != ParamType::real)
      return wrong("must be the path of a real number: actuators cannot set whole numbers, choices or texts");
    if (spec.live == Live::no) return wrong("must be the path of a parameter that may change during a run");
    return DrivenNumber{found->parameter.path, found->axis};
  }
  return wrong(
      "must be the path of a parameter of a system, material, field, collider, rule or the world, such as "
      "system.fish.muscle.left.strain");
}

Result<void> check_actuators(const Node& scene) {
  std::vector<std::string> sensors;
  for (const Node* sensor : scene.all("sensor")) sensors.push_back(sensor->name);
  std::map<std::string, std::string> driven;  // name of the actuator that drives each target
  for (const Node* node : scene.all("actuator")) {
    const std::string path = "actuator." + node->name + ".";
    auto made = Actuator::create(*node, sensors);
    if (!made) {
      Error error = made.error();
      error.key = path + error.key;
      return fail(std::move(error));
    }
    if (made->targets().size() > max_targets)
      return wrong_value(node->line, path + "targets", fmt::format("{} paths", made->targets().size()),
                         fmt::format("must hold at most {} paths", max_targets));
    for (const std::string& target : made->targets()) {
      if (const auto number = driven_number(scene, target); !number)
        return wrong_value(node->line, path + "targets", "\"" + target + "\"", number.error().expected);
      if (!std::get<bool>(node->value("enabled"))) continue;
      const auto [other, is_new] = driven.emplace(target, node->name);
      if (!is_new)
        return wrong_value(node->line, path + "targets", "\"" + target + "\"",
                           other->second == node->name ? "must be listed once"
                                                       : "must not be a target of another enabled actuator; actuator." +
                                                             other->second + " sets it already");
    }
  }
  return {};
}

}  // namespace vw
