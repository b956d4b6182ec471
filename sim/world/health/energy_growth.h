// Detects growth of kinetic energy that no energy source explains. Such growth precedes non-finite values if a step is
// too long, a stiffness is too large or the program has a bug. The check compares the motion before and after a step
// with the energy available in the step. Its cost is negligible while energies grow slowly.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/world/health/health.h"
#include "sim/world/parts.h"

namespace vw {

class EnergyWatch {
 public:
  /// Records the energy that the step may release, and the last element id of each system. Must be called before the
  /// step.
  void begin_step(const WorldParts& parts, const StepContext& context);
  /// Checks one system. Must be called after the step. `before` is the motion of every system before the step, `after`
  /// the motion of the checked system.
  [[nodiscard]] std::optional<HealthIssue> look(const WorldParts& parts, std::size_t system,
                                                std::span<const MotionSum::Row> before, const MotionSum::Row& after,
                                                const StepContext& context, const SystemTiming& timing) const;

 private:
  struct Before {
    /// Energy [J] that the system may convert to kinetic energy in the step (System::convertible_energy). It is 0 for
    /// systems that are moved by motors or by a recording (System::is_driven).
    double stored_j = 0;
    std::int64_t last_id = -1;  ///< elements with a higher id were created during the step
  };
  [[nodiscard]] double energy_budget_j(const WorldParts& parts, std::size_t system,
                                       std::span<const MotionSum::Row> before, double mass,
                                       const StepContext& context) const;
  std::vector<Before> before_;
  double rules_j_ = 0;
};

}  // namespace vw
