#include "sim/world/step/control_loop.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

/// Returns the value of a target in the scene. The target must have been checked.
double own_number(const Node& scene, const DrivenNumber& number) {
  const Value& value = find_parameter(const_cast<Node&>(scene), number.parameter)->value();  // NOLINT: read only
  return number.axis < 0 ? std::get<double>(value) : std::get<Vec3>(value)[number.axis];
}

}  // namespace

Result<ControlLoop> ControlLoop::create(const Node& scene) {
  ControlLoop loop;
  auto sensors = SensorSet::create(scene);
  if (!sensors) return Unexpected(sensors.error());
  loop.sensors_ = std::move(*sensors);
  auto nodes = scene.all("actuator");
  std::ranges::sort(nodes, {}, [](const Node* node) { return node->name; });
  for (const Node* node : nodes) {
    auto made = Actuator::create(*node, loop.sensors_.names());
    if (!made) {
      Error error = made.error();
      error.key = "actuator." + node->name + "." + error.key;
      return fail(std::move(error));
    }
    loop.actuators_.push_back(std::move(*made));
  }
  loop.outputs_.assign(loop.actuators_.size(), std::nan(""));
  loop.largest_.assign(loop.actuators_.size(), 0);
  return loop;
}

TextList ControlLoop::targets() const {
  TextList all;
  for (const Actuator& actuator : actuators_)
    all.insert(all.end(), actuator.targets().begin(), actuator.targets().end());
  return all;
}

Result<void> ControlLoop::evaluate(double t, const Node& scene, std::vector<DrivenValue>& out) {
  out.clear();
  for (std::size_t i = 0; i < actuators_.size(); ++i) {
    Actuator& actuator = actuators_[i];
    const bool drives = actuator.drives_at(t);
    outputs_[i] = drives ? actuator.value(t, sensors_.values()) : std::nan("");
    if (drives && !std::isfinite(outputs_[i]))
      return fail(fmt::format("actuator.{}: the formula has no finite value at t = {:g} s", actuator.name(), t));
    if (drives) largest_[i] = std::max(largest_[i], std::abs(outputs_[i]));
    for (const std::string& target : actuator.targets()) {
      const auto number = driven_number(scene, target);
      if (!number) continue;  // cannot happen, because the scene has been checked
      if (drives) {
        out.push_back({*number, outputs_[i], false, actuator.uses_sensors()});
      } else if (std::ranges::none_of(actuators_, [&](const Actuator& other) {
                   return other.drives_at(t) && std::ranges::find(other.targets(), target) != other.targets().end();
                 })) {
        out.push_back({*number, own_number(scene, *number), true});
      }
    }
  }
  return {};
}

void ControlLoop::write(std::vector<SignalSnapshot>& out) const {
  out.resize(actuators_.size() + sensors_.names().size());
  for (std::size_t i = 0; i < actuators_.size(); ++i) {
    out[i].name.assign("actuator.").append(actuators_[i].name());
    out[i].value = outputs_[i];
    out[i].largest = largest_[i];
    out[i].places.clear();
  }
  for (std::size_t i = 0; i < sensors_.names().size(); ++i) {
    SignalSnapshot& signal = out[actuators_.size() + i];
    signal.name.assign("sensor.").append(sensors_.names()[i]);
    signal.value = sensors_.values()[i];
    signal.largest = 0;
    signal.places.clear();
  }
}

void ControlLoop::visit_state(StateVisitor& visit) {
  for (Actuator& actuator : actuators_) {
    visit.scope("actuator." + actuator.name() + ".");
    actuator.visit_state(visit);
  }
  if (sensors_.names().empty()) return;
  visit.scope("sensor.");
  sensors_.visit_state(visit);
}

void ControlLoop::continue_from(const ControlLoop& before, const std::map<std::string, std::string>& former, double t,
                                const PresentName& present_name) {
  for (Actuator& actuator : actuators_) {
    const auto was = former.find(actuator.name());
    if (was == former.end()) continue;
    const auto found = std::ranges::find(before.actuators_, was->second, &Actuator::name);
    if (found != before.actuators_.end()) actuator.continue_from(*found, t);
  }
  sensors_.continue_from(before.sensors_, present_name);
}

}  // namespace vw
