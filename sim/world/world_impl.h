// Data and internal functions of World. Only world.cpp and the files world_*.cpp include this file.
#pragma once

#include "sim/world/world.h"

#include <chrono>

#include "sim/world/air/field_visualizer.h"
#include "sim/world/equilibrium.h"
#include "sim/world/flow/fluid_visualizer.h"
#include "sim/world/health/energy_growth.h"
#include "sim/world/parts.h"
#include "sim/world/recording/motion_record.h"
#include "sim/world/state/scene_version.h"
#include "sim/world/step/element_lifecycle.h"
#include "sim/world/step/field_obstacles.h"
#include "sim/world/step/grab.h"
#include "sim/world/step/step_cost.h"
#include "sim/world/step/stepper.h"

namespace vw {

/// Returns the wall time since `start` [s].
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct World::Impl : SceneVersion {
  const Registry& registry;
  WorldParts parts;
  FieldObstacles obstacles{parts.colliders};
  Stepper stepper;
  StepCostCheck costs;
  EnergyWatch energies;
  /// Whether a command that may add energy was applied since the last step. The added energy is unknown, so the next
  /// step skips the check of energy growth.
  bool is_touched = false;

  // State of the world in addition to the states of the systems and rules.
  std::uint64_t step = 0;
  /// time = base_time + (step - base_step) dt, so that rounding errors do not accumulate and dt may change.
  std::uint64_t base_step = 0;
  double base_time = 0;
  GrabSpring grab;
  PendingPushes pushes;

  StaticOptions settling;                ///< options of Settle commands
  std::unique_ptr<Equilibrium> settled;  ///< result of the last Settle command
  Health health;
  bool has_rule_failed = false;  ///< whether the last failed check was that of a rule; `health.system` is then the name
                                 ///< of the rule
  std::uint64_t epoch = 0;
  double step_wall_s = 0;
  MotionSum motion_sum;
  std::vector<MotionSum::Row> motion;         ///< motion of each system at the last step boundary
  std::vector<MotionSum::Row> motion_before;  ///< scratch
  std::vector<std::string> system_scopes, rule_scopes;
  /// For each system: 1 if it saved its own state before this step (System::keep_state).
  std::vector<std::uint8_t> has_own_backup;
  StateBlock last_good;  ///< backup of the other systems, the rules and the clock from before the step
  StateWriter last_good_writer{last_good};
  std::vector<std::pair<std::string, double>> stages;
  SnapshotRequest wanted;                                 ///< data requested for snapshots
  std::vector<DrivenValue> driven;                        ///< scratch of drive()
  std::vector<std::pair<DrivenNumber, double>> replaced;  ///< former values of the numbers that set_driven() changed
  Snapshot sensed;  ///< snapshot of the last step boundary, from which sensors measure
  FieldVisualizer air;
  FluidVisualizer fluids;
  MotionRecord vectors;  ///< per-element vectors for snapshots

  Impl(Node tree, const Registry& tables, WorldParts made)
      : SceneVersion{.original = tree, .scene = tree, .in_force = std::move(tree), .changes = {}},
        registry(tables),
        parts(std::move(made)),
        stepper(parts) {
    prepare();
  }

  [[nodiscard]] double time() const { return base_time + static_cast<double>(step - base_step) * parts.params.dt_s; }
  [[nodiscard]] StepContext context() const;
  void prepare();
  void restart_clock();
  /// Passes the data requested for snapshots and the data that sensors need to the records of motion and forces.
  void ask_records();
  /// Sets the parameters that actuators drive in the next step. On error nothing changes.
  [[nodiscard]] Result<void> drive();
  [[nodiscard]] Result<void> set_driven();
  /// Takes back the changes of parameters and states by drive() in a step that is not taken. The states must be those
  /// before the step, apart from these changes.
  void undo_drive();
  /// Sets the driven parameters to the values that drive() set in the step that led to the present state. `state` must
  /// be the block from which the state was read. Returns whether parts may have been configured, which may change their
  /// states.
  [[nodiscard]] bool repeat_drive(const StateBlock& state);
  /// Returns the numbers that are targets of formulas with sensors, by actuator and target.
  [[nodiscard]] std::vector<DrivenNumber> measured_numbers() const;
  /// Writes the present values of measured_numbers(), from which repeat_drive() reads them. A state alone does not
  /// determine them, because the sensors are measured after the values are set.
  void write_measured(StateWriter& writer);
  /// Sets the targets of actuators to the values in the scene. drive() then sets the targets that are still driven.
  void release(const TextList& targets);
  /// Updates `sensed` to the present state.
  void picture_for_sensors();
  void measure_sensors();
  void remember_motion();
  void visit(StateVisitor& visitor, bool last_good_only = false);
  void keep_state();
  void stop(std::string system, HealthIssue issue);
  [[nodiscard]] bool check_health(const StepContext& context);
  void roll_back();
  void revert_failed_step();

  [[nodiscard]] std::size_t find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> system_names() const;
  [[nodiscard]] Result<std::size_t> find_element(const std::string& system, std::int64_t element) const;
  /// Checks the names to which nodes refer after a live edit of the parameter at `path`, of which `scene` already
  /// contains the new value.
  [[nodiscard]] Result<void> check_edit(const std::string& path, const Value& value) const;
  [[nodiscard]] Result<void> take_over(const std::string& path);
  /// Builds the actuators and sensors of `in_force` again and keeps their states. take_over_control() also sets former
  /// targets to the values in the scene.
  [[nodiscard]] Result<void> rebuild_control();
  [[nodiscard]] Result<void> take_over_control();
  [[nodiscard]] Result<void> do_command(const SetParameter& command);
  [[nodiscard]] Result<void> do_command(const Grab& command);
  [[nodiscard]] Result<void> do_command(const MoveGrab& command);
  [[nodiscard]] Result<void> do_command(const Release& command);
  [[nodiscard]] Result<void> do_command(const Push& command);
  [[nodiscard]] Result<void> do_command(const Settle& command);
  [[nodiscard]] Result<void> do_command(const SetPose& command);
  [[nodiscard]] Result<void> do_command(const Reset& command);
  [[nodiscard]] Result<void> restart_from(SceneVersion version);
  [[nodiscard]] Result<void> do_command(const ChangeNodes& command);
  void replace_parts(WorldParts made);
  /// Sets the values in use to `values` and passes them to the present parts. Returns false if a part must be rebuilt
  /// to use a changed value, or if the trees have different nodes. Some values may then have been changed already.
  [[nodiscard]] bool take_over_values(const Node& values);
  /// Discards measurements that refer to the state before it was replaced.
  void state_replaced();
  [[nodiscard]] Result<void> do_command(const Remove& command) { return remove_elements(parts.systems, command); }
  [[nodiscard]] Result<void> do_command(const Spawn& command) { return spawn_members(parts.systems, command); }
};

}  // namespace vw
