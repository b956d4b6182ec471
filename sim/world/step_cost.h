// The expected cost of a step, before it is taken: what costs more than the world's budget stops the world, what is slow is told.
// In: counts of substeps and elements, parameters, speeds. No clock: the same step is refused on every machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/world/health.h"
#include "sim/world/parts.h"
#include "sim/world/stepper.h"

namespace vw {

class CostWatch {
 public:
  /// Looks at the planned step. A failure names the most expensive system.
  [[nodiscard]] std::optional<PlanFailure> look(const WorldParts& parts, std::span<const SystemTiming> timings, StepContext context);
  /// A sentence while a simulated second is expected to cost more than some minutes; else empty.
  [[nodiscard]] const std::string& slow() const { return slow_; }

 private:
  std::vector<Collider> posed_;  ///< scratch
  std::string slow_;
};

}  // namespace vw
