// Estimates the cost of a step before the step is taken. A step whose cost exceeds the world's budget stops the world.
// A slow step causes a warning. The estimate depends on the numbers of substeps and elements, on parameters and on
// speeds. It uses no clock, so every machine rejects the same steps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/world/health/health.h"
#include "sim/world/parts.h"
#include "sim/world/step/stepper.h"

namespace vw {

class StepCostCheck {
 public:
  /// Checks the planned step against the budget. A failure identifies the most expensive system.
  [[nodiscard]] std::optional<PlanFailure> look(const WorldParts& parts, std::span<const SystemTiming> timings,
                                                StepContext context);
  /// Returns a warning if a simulated second is expected to take more than about three minutes of computing time on one
  /// core. Returns an empty text otherwise.
  [[nodiscard]] const std::string& slow() const { return slow_; }

 private:
  std::vector<Collider> posed_;  ///< scratch
  std::string slow_;
};

}  // namespace vw
