// Advances all systems and rules through one world step, each system with its own substep. A stepper contains only
// scratch memory, timings and records for display. None of its data belongs to the state.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/world/health/health.h"
#include "sim/world/parts.h"
#include "sim/world/recording/force_record.h"
#include "sim/world/step/grab.h"
#include "sim/world/step/schedule.h"

namespace vw {

/// The system that prevents a step, and the reason.
struct PlanFailure {
  std::size_t system = 0;
  HealthIssue issue;
};

class Stepper {
 public:
  explicit Stepper(const WorldParts& parts);

  /// Determines every system's substeps for the next step. Changes no state.
  [[nodiscard]] std::optional<PlanFailure> plan(WorldParts& parts, double dt);
  /// Takes the planned step. Applies and clears `pushes`.
  void run(WorldParts& parts, StepContext context, GrabSpring& grab, PendingPushes& pushes);

  [[nodiscard]] const std::vector<SystemTiming>& timings() const { return timings_; }
  /// Returns the wall time [s] of each stage of the last step. The stages are the systems, then "rules".
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& stages() const { return stages_; }

  /// Returns the forces of rules in the last step.
  [[nodiscard]] ForceRecord& forces() { return forces_; }
  [[nodiscard]] const ForceRecord& forces() const { return forces_; }

 private:
  /// Impulses on one system by rules of rate `step`, which are evaluated once per step. Equal fractions of them are
  /// applied in the system's substeps.
  struct Held {
    bool any = false;
    std::vector<Vec3> impulse, angular_impulse;
  };

  void begin(WorldParts& parts, const StepContext& context, PendingPushes& pushes);
  void pose_colliders(const WorldParts& parts, double from, double to);
  [[nodiscard]] StepContext seen_by(std::size_t system, const WorldParts& parts, StepContext context);
  void apply_held_rules(WorldParts& parts, const StepContext& context);
  [[nodiscard]] bool is_alone(std::size_t label, const WorldParts& parts, const GrabSpring& grab) const;
  void run_cluster(std::size_t label, WorldParts& parts, const StepContext& context, GrabSpring& grab);
  void apply_rules_due(std::size_t label, std::int64_t tick, std::int64_t ticks, WorldParts& parts,
                       const StepContext& context);
  /// Returns the context (times, and ages of the two sides) in which a rule of the cluster is evaluated at a tick.
  /// Returns nullopt if the rule is not due.
  [[nodiscard]] std::optional<PairContext> due(const Rule& rule, std::size_t label, std::int64_t tick,
                                               std::int64_t ticks, const StepContext& context) const;
  void apply(const Rule& rule, const WorldParts& parts, const PairContext& context);
  void substep(std::size_t i, std::int64_t index, WorldParts& parts, const StepContext& context, GrabSpring& grab);
  void finish(WorldParts& parts, const StepContext& context);

  SubstepPlan plan_;
  std::vector<SystemPair> joins_;    // scratch
  std::vector<double> coupled_npm_;  // scratch
  /// The longest substep [s] that rules allow a system, and the rule that sets this limit.
  struct RuleBound {
    double dt_s = std::numeric_limits<double>::infinity();
    const Rule* rule = nullptr;
  };
  [[nodiscard]] StepBound bound_of(const WorldParts& parts, std::size_t system) const;
  std::vector<RuleBound> rule_bound_;  // scratch
  std::vector<Held> held_;
  std::vector<Collider> posed_;  // colliders in their poses at the current substep
  // scratch: for each system that carries colliders, the colliders of posed_ without those that it carries
  std::vector<std::vector<Collider>> seen_;
  std::vector<SystemTiming> timings_;
  ForceRecord forces_;
  double rules_wall_s_ = 0;
  std::vector<std::pair<std::string, double>> stages_;
};

}  // namespace vw
