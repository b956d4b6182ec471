// Actuators: nodes in the slot `actuator` of a scene that set parameters of other nodes to a value that varies in time.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/data/state.h"
#include "sim/control/waveform.h"

namespace vw {

/// Parameters that all kinds of actuators have.
struct ActuatorParams {
  TextList targets;  ///< paths of the driven parameters: "system.creature.muscle.left.strain"
  bool enabled = true;
  double start_s = 0;  ///< time at which the actuator begins to drive [s]
  double end_s = 0;    ///< time at which the actuator stops driving [s]; 0 means never
};

struct WaveParams : ActuatorParams {
  Waveform wave = Waveform::sine;
  double amplitude = 0.2;
  double offset = 0;
  double frequency_hz = 1;
  double phase_cycles = 0;
  double duty = 0.5;
  double fade_in_s = 0;  ///< time over which the amplitude grows from 0 after start_s [s]
};

struct FormulaParams : ActuatorParams {
  std::string formula = "0";
};

enum class TableLine { linear, steps };

struct TableParams : ActuatorParams {
  std::string source;      ///< CSV file; when a scene is loaded, its content replaces `times` and `values`
  NumberList times{0, 1};  ///< times of the rows, in ascending order [s]
  NumberList values{0, 0};
  TableLine line = TableLine::linear;
  bool repeat = false;
};

struct ManualParams : ActuatorParams {
  double value = 0;
};

[[nodiscard]] const Schema& wave_actuator_schema();
[[nodiscard]] const Schema& formula_actuator_schema();
[[nodiscard]] const Schema& table_actuator_schema();
[[nodiscard]] const Schema& manual_actuator_schema();
/// Returns the schemas of the slot `actuator`.
[[nodiscard]] std::span<const Schema* const> actuator_schemas();

/// A sensor whose value a formula may contain.
struct SensorValue {
  std::string name;  ///< name of the sensor's node
  double value = 0;
};

/// Value of an actuator as a function of time. Waves keep their phase when the frequency changes during a run.
class Actuator {
 public:
  /// Reads an actuator from its node. `sensors` must contain the names of the scene's sensors, in the order in which
  /// value() receives their values. An error names the key without the path of the node.
  [[nodiscard]] static Result<Actuator> create(const Node& self, std::span<const std::string> sensors);
  Actuator(Actuator&&) noexcept;
  Actuator& operator=(Actuator&&) noexcept;
  ~Actuator();

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const TextList& targets() const;
  /// Returns whether the value depends on sensors: the actuator has a formula that contains the name of a sensor.
  [[nodiscard]] bool uses_sensors() const;
  /// Returns whether the actuator drives its targets at the time t [s].
  [[nodiscard]] bool drives_at(double t) const;
  /// Returns the value at the time `t` [s]. The time must not decrease from call to call. `sensors` must contain the
  /// present values of the sensors, in the order of create(). The result is NaN if a formula has no value.
  [[nodiscard]] double value(double t, std::span<const double> sensors);

  void visit_state(StateVisitor& visit);
  /// Takes over the phase of `former` if both actuators are waves, even if their parameters differ. `t` is the present
  /// time [s].
  void continue_from(const Actuator& former, double t);

 private:
  struct Impl;
  explicit Actuator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns the name of a sensor in formulas: the sensor's name with every "-" replaced by "_".
[[nodiscard]] std::string name_in_formulas(const std::string& sensor);

/// Checks that the targets of all actuators of a scene are numbers, or components of vectors, that may change during a
/// run. No two enabled actuators may drive the same target. Also checks formulas and tables.
[[nodiscard]] Result<void> check_actuators(const Node& scene);

/// A driven number: a parameter, and its component if the parameter is a vector.
struct DrivenNumber {
  std::string parameter;  ///< path of the parameter
  int axis = -1;          ///< 0, 1 or 2 for a component of a vector, -1 for a number
};
/// Splits the path of a target: "collider.fan.rotation.z" refers to the component z of a vector. An error has only the
/// member `expected`; the caller adds the others.
[[nodiscard]] Result<DrivenNumber> driven_number(const Node& scene, const std::string& target);

}  // namespace vw
