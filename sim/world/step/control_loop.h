// Actuators and sensors of a world. Before every step, actuators set parameters of other parts. After every step,
// sensors measure. The phases of waves and the values of sensors belong to the state.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/control/actuator.h"
#include "sim/control/sensor.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// A value for a number in the scene. It comes from an actuator or, if no actuator drives the number now, from the
/// scene.
struct DrivenValue {
  DrivenNumber number;
  double value = 0;
  bool is_own = false;       ///< whether `value` comes from the scene
  bool is_measured = false;  ///< whether `value` depends on sensors
};

class ControlLoop {
 public:
  [[nodiscard]] static Result<ControlLoop> create(const Node& scene);

  [[nodiscard]] bool empty() const { return actuators_.empty() && sensors_.names().empty(); }
  [[nodiscard]] SensorSet& sensors() { return sensors_; }
  [[nodiscard]] const SensorSet& sensors() const { return sensors_; }
  [[nodiscard]] const std::vector<Actuator>& actuators() const { return actuators_; }
  /// Returns the targets of all actuators.
  [[nodiscard]] TextList targets() const;

  /// Computes the values of all targets for the step that ends at the time t [s]. An error names the actuator that has
  /// no value.
  [[nodiscard]] Result<void> evaluate(double t, const Node& scene, std::vector<DrivenValue>& out);

  /// Measures the sensors at the end of a step. `snapshot` must contain the data that SensorSet::wanted() lists.
  void measure(const Snapshot& snapshot) { sensors_.measure(snapshot); }
  void write(std::vector<SignalSnapshot>& out) const;

  void visit_state(StateVisitor& visit);
  /// Checks a state that was read from a file. Returns a description of the first fault, or an empty text.
  [[nodiscard]] std::string state_problem() const { return sensors_.state_problem(); }
  /// Takes over the state of `before`, the loop of the scene before a change, at the time t [s]. `former` gives the
  /// former names of actuators by their present names, and `present_name` the present names of renamed parts.
  void continue_from(const ControlLoop& before, const std::map<std::string, std::string>& former, double t,
                     const PresentName& present_name = {});

 private:
  std::vector<Actuator> actuators_;  ///< ordered by name
  std::vector<double> outputs_;      ///< last value of each actuator, for display
  std::vector<double> largest_;      ///< largest magnitude of the values of each actuator so far, for display
  SensorSet sensors_;
};

}  // namespace vw
