// Sensors: nodes in the slot `sensor` of a scene. A sensor measures a quantity at the end of every step, in the same
// way as a measured curve of a plot. The formulas of actuators can contain the values of sensors, so these values
// belong to the state.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/data/state.h"
#include "sim/plot/plot_set.h"

namespace vw {

/// Number that a sensor outputs: the measured quantity, or its derivative or integral with respect to time.
enum class SensorOutput { value, rate, integral };

struct SensorParams : CurveParams {
  SensorOutput output = SensorOutput::value;
  double filter_s = 0;  ///< time constant of a first-order low-pass filter [s]; 0 means no filter
};
[[nodiscard]] const Schema& sensor_schema();

/// Checks the sensors of a scene without building a world: names, formulas and systems.
[[nodiscard]] Result<void> check_sensors(const Node& scene);

/// All sensors of a scene, ordered by name.
class SensorSet {
 public:
  /// Creates the sensors of a scene. An error names file, line and key.
  [[nodiscard]] static Result<SensorSet> create(const Node& scene);
  SensorSet();
  SensorSet(SensorSet&&) noexcept;
  SensorSet& operator=(SensorSet&&) noexcept;
  ~SensorSet();

  [[nodiscard]] const std::vector<std::string>& names() const;
  /// Returns the present values, in the order of names(). The value of a sensor is 0 before its first measurement.
  [[nodiscard]] std::span<const double> values() const;
  /// Returns the data that measure() needs beyond the usual contents of snapshots.
  [[nodiscard]] const SnapshotRequest& wanted() const;
  /// Returns whether a sensor measures this system.
  [[nodiscard]] bool measures(std::string_view system) const;
  [[nodiscard]] bool wants_air() const;
  void set_air(std::shared_ptr<AirGauge> air);
  /// Takes over gravity and the step length from the scene after an edit of the world.
  void take_world(const Node& scene);
  /// Takes over a collider from the scene after an edit of its values.
  void take_collider(const Node& scene, const std::string& collider);
  /// Checks that the measured systems have the channels, totals, vectors and joints that the sensors name.
  [[nodiscard]] Result<void> check_names(const Snapshot& snapshot) const;

  /// Measures at the end of a step. While a quantity has no value, for example because the measured element does not
  /// exist, the sensor keeps its last value.
  void measure(const Snapshot& snapshot);

  void visit_state(StateVisitor& visit);
  /// Checks arrays that visit_state() has read from a file. Returns a description of the first invalid value, or an
  /// empty text.
  [[nodiscard]] std::string state_problem() const;
  /// Takes over the values of sensors that measure the same quantity from `former`, the set before an edit of the
  /// scene. If measured parts were renamed, `present_name` is needed to find them.
  void continue_from(const SensorSet& former, const PresentName& present_name = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
