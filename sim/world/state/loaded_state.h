// Checks a state that was read from a file, which may be malicious: array lengths, indices, sums. Single values have
// already been checked (StateBounds).
#pragma once

#include <string>

#include "sim/world/parts.h"
#include "sim/world/step/grab.h"

namespace vw {

/// Returns the reason why a world cannot continue from this state, or an empty text if it can. Must be called before
/// System::state_restored.
[[nodiscard]] std::string loaded_state_problem(const WorldParts& parts, const GrabSpring& grab,
                                               const PendingPushes& pushes);
/// Returns the name of the first sum of a system or rule (energy, mass, momentum) that is not finite, or an empty text.
/// Must be called after System::state_restored.
[[nodiscard]] std::string first_nonfinite_sum(const WorldParts& parts, const StepContext& context);

}  // namespace vw
