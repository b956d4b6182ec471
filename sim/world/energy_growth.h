// Detects unexplained growth of kinetic energy, which precedes non-finite values if a step is too long, a stiffness is
// too large or the program has a fault. In: motion before and after a step, and the energy sources in between. The cost
// is negligible while energies grow slowly.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/world/health.h"
#include "sim/world/parts.h"

namespace vw {

class EnergyWatch {
 public:
  /// Discards cached properties of the systems after a command, because parameters may have changed.
  void forget() { before_.clear(); }
  /// Before a step: records the energies that may be released in it and the last element id of each system. `scene` is
  /// the tree in force.
  void begin_step(const WorldParts& parts, const Node& scene, const StepContext& context);
  /// After a step: checks one system. `before` has one row for each system, `after` is the row of this system.
  [[nodiscard]] std::optional<HealthIssue> look(const WorldParts& parts, std::size_t system,
                                                std::span<const MotionSum::Row> before, const MotionSum::Row& after,
                                                const StepContext& context, const SystemTiming& timing) const;

 private:
  struct Before {
    /// Energy of a rigid system, elastic and kinetic including rotation, that the step may turn into translation; 0 for
    /// other systems.
    double stored_j = 0;
    std::int64_t last_id = -1;  ///< elements with a higher id were created in the step
    bool is_rigid = false;
    bool is_driven = false;  ///< moved by motors or a recording: exempt from the check
  };
  [[nodiscard]] double energy_budget_j(const WorldParts& parts, std::size_t system,
                                       std::span<const MotionSum::Row> before, double mass,
                                       const StepContext& context) const;
  std::vector<Before> before_;
  double rules_j_ = 0;
};

}  // namespace vw
