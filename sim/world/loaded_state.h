// Checks of a state that was just read from an untrusted file, beyond the checks of single values (StateBounds): array
// lengths, indices, sums.
#pragma once

#include <string>

#include "sim/world/grab.h"
#include "sim/world/parts.h"

namespace vw {

/// Describes why a world cannot continue from this state, or is empty. Called before System::state_restored.
[[nodiscard]] std::string loaded_state_problem(const WorldParts& parts, const GrabSpring& grab,
                                               const PendingPushes& pushes);
/// Names a sum of a system or rule (energy, mass, momentum) that is not finite, or is empty. Called after
/// System::state_restored.
[[nodiscard]] std::string first_nonfinite_sum(const WorldParts& parts, const StepContext& context);

}  // namespace vw
