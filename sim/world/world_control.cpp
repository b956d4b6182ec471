// Actuators and sensors in a running world.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "sim/base/data/replay_scope.h"
#include "sim/world/air/air_reading.h"
#include "sim/world/recording/world_picture.h"
#include "sim/world/world_impl.h"

namespace vw {
namespace {

double& number_at(const ParamRef& ref, int axis) {
  Value& value = ref.node->values[ref.index];
  return axis < 0 ? std::get<double>(value) : std::get<Vec3>(value)[axis];
}

/// Returns the names of both lists without duplicates.
std::vector<std::string> united(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::set<std::string> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return {all.begin(), all.end()};
}

constexpr const char* measured_array = "driven";

/// Returns the values that World::Impl::write_measured() wrote, or an empty list.
std::vector<double> measured_values(const StateBlock& state) {
  std::vector<double> values;
  if (state.entries.empty()) return values;
  const StateBlock::Entry& last = state.entries.back();
  if (last.name != std::string(replay_scope) + measured_array || last.element_bytes != sizeof(double)) return values;
  values.resize(last.size / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), state.bytes.data() + last.offset, values.size() * sizeof(double));
  return values;
}

}  // namespace

void World::Impl::ask_records() {
  const SnapshotRequest& more = parts.control.sensors().wanted();
  vectors.ask(united(wanted.vectors, more.vectors));
  stepper.forces().ask(united(wanted.rules, more.rules));
}

Result<void> World::Impl::drive() {
  replaced.clear();
  if (parts.control.empty()) return {};
  if (auto good = parts.control.evaluate(time() + parts.params.dt_s, scene, driven); !good) return good;
  return set_driven();
}

std::vector<DrivenNumber> World::Impl::measured_numbers() const {
  std::vector<DrivenNumber> numbers;
  for (const Actuator& actuator : parts.control.actuators()) {
    if (!actuator.uses_sensors()) continue;
    for (const std::string& target : actuator.targets())
      if (const auto number = driven_number(in_force, target)) numbers.push_back(*number);
  }
  return numbers;
}

void World::Impl::write_measured(StateWriter& writer) {
  std::vector<double> values;
  for (const DrivenNumber& number : measured_numbers())
    values.push_back(number_at(*find_parameter(in_force, number.parameter), number.axis));
  if (values.empty()) return;
  writer.scope(replay_scope);
  writer(measured_array, values);
}

bool World::Impl::repeat_drive(const StateBlock& state) {
  if (parts.control.empty() || step <= base_step) return false;
  const double begin = base_time + static_cast<double>(step - 1 - base_step) * parts.params.dt_s;
  if (!parts.control.evaluate(begin + parts.params.dt_s, scene, driven)) return false;
  // The sensors have been measured again since the step set its numbers, so the numbers that depend on them are taken
  // from the block. Blocks of earlier versions lack them; the next step then sets these numbers.
  const std::vector<DrivenNumber> measured = measured_numbers();
  const std::vector<double> values = measured_values(state);
  for (DrivenValue& one : driven) {
    if (!one.is_measured || values.size() != measured.size()) continue;
    const auto same = std::ranges::find_if(measured, [&](const DrivenNumber& other) {
      return other.parameter == one.number.parameter && other.axis == one.number.axis;
    });
    if (same == measured.end()) continue;
    const double value = values[static_cast<std::size_t>(same - measured.begin())];
    if (!std::isfinite(value)) continue;  // the block is from a damaged file
    one.value = value;
    one.is_measured = false;
  }
  std::erase_if(driven, [](const DrivenValue& one) { return one.is_measured; });
  if (driven.empty()) return false;
  (void)set_driven();  // after an error, the next step sets the numbers
  return true;
}

/// Sets the parameters in `driven` and passes them to the parts. On error nothing changes.
Result<void> World::Impl::set_driven() {
  std::map<std::string, std::string> changed;  // path of one of the changed parameters, by part
  replaced.clear();
  for (const DrivenValue& wish : driven) {
    const auto ref = find_parameter(in_force, wish.number.parameter);
    if (!ref) return Unexpected(ref.error());
    double& number = number_at(*ref, wish.number.axis);
    const double value =
        wish.is_own ? wish.value : std::clamp(wish.value, ref->spec->bounds.min, ref->spec->bounds.max);
    if (number == value) continue;
    replaced.emplace_back(wish.number, number);
    number = value;
    is_touched = true;
    const auto [slot, name] = slot_and_name(wish.number.parameter);
    const std::string part = slot + "." + name;
    if (slot == "system" && wish.number.axis < 0 && wish.number.parameter.size() > part.size() + 1 &&
        parts.systems[find(name)]->set_live(std::string_view(wish.number.parameter).substr(part.size() + 1), value))
      continue;
    changed.emplace(part, wish.number.parameter);
  }
  for (const auto& [part, path] : changed) {
    auto good = take_over(path);
    if (good) continue;
    for (const auto& [number, value] : replaced)
      number_at(*find_parameter(in_force, number.parameter), number.axis) = value;
    for (const auto& [other, other_path] : changed) (void)take_over(other_path);  // cannot fail
    Error error = good.error();
    if (error.key.empty()) error.key = path;
    return fail(std::move(error));
  }
  return {};
}

void World::Impl::undo_drive() {
  if (replaced.empty()) return;
  driven.clear();
  for (const auto& [number, value] : replaced) driven.push_back({number, value, true});
  (void)set_driven();  // cannot fail, because the parts had these values before
  replaced.clear();
  // Systems may change their states when they are configured. For example, sleeping bodies wake.
  StateReader reader(last_good);
  visit(reader, true);
  for (std::size_t i = 0; i < has_own_backup.size(); ++i)
    if (has_own_backup[i] == 0) parts.systems[i]->state_restored();
  remember_motion();
}

void World::Impl::release(const TextList& targets) {
  std::map<std::string, std::string> changed;
  for (const std::string& target : targets) {
    const auto number = driven_number(in_force, target);
    if (!number) continue;  // the node was removed or renamed
    const auto own = find_parameter(scene, number->parameter);
    const auto present = find_parameter(in_force, number->parameter);
    if (!own || !present || number_at(*own, number->axis) == number_at(*present, number->axis)) continue;
    number_at(*present, number->axis) = number_at(*own, number->axis);
    const auto [slot, name] = slot_and_name(number->parameter);
    changed.emplace(slot + "." + name, number->parameter);
  }
  for (const auto& [part, path] : changed) (void)take_over(path);  // cannot fail, because own values are valid
}

void World::Impl::picture_for_sensors() {
  const SensorSet& sensors = parts.control.sensors();
  const StepContext now = context();
  sensed.step = step;
  sensed.time_s = now.time;
  sensed.dt_s = now.dt;
  sensed.systems.resize(parts.systems.size());
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    const System& system = *parts.systems[i];
    SystemSnapshot& picture = sensed.systems[i];
    picture.name = system.name();
    if (!sensors.measures(system.name())) continue;
    system.snapshot(picture);
    picture.kind = system.schema().kind;
    fill_channels(system, sensors.wanted().channels, picture);
    vectors.write(system, i, picture);
    fill_statistics(system.diagnostics(now), stepper.timings()[i], picture);
    system.totals(picture.totals);
  }
  sensed.colliders.resize(parts.colliders.size());
  for (std::size_t i = 0; i < parts.colliders.size(); ++i)
    fill_collider(parts.colliders, i, now.time, sensed.colliders[i]);
  stepper.forces().write(parts, now.dt, sensed.rules);
}

void World::Impl::measure_sensors() {
  if (parts.control.sensors().names().empty()) return;
  picture_for_sensors();
  parts.control.measure(sensed);
}

Result<void> World::Impl::rebuild_control() {
  auto made = ControlLoop::create(in_force);
  if (!made) return Unexpected(made.error());
  std::map<std::string, std::string> same_names;
  for (const Node* node : in_force.all("actuator")) same_names.emplace(node->name, node->name);
  ControlLoop former = std::move(parts.control);
  parts.control = std::move(*made);
  parts.control.continue_from(former, same_names, time());
  parts.control.sensors().set_air(air_for_sensors(parts.fields));
  ask_records();
  if (auto good = check_sensor_names(parts); !good) {
    parts.control = std::move(former);
    ask_records();
    return good;
  }
  return {};
}

Result<void> World::Impl::take_over_control() {
  const TextList former_targets = parts.control.targets();
  if (auto good = rebuild_control(); !good) return good;
  release(former_targets);
  return {};
}

}  // namespace vw
