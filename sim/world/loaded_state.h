// Checks of a state that was just read from a file, beyond those of single values (StateBounds): lengths, indices, sums. The file may be hostile.
#pragma once

#include <string>

#include "sim/world/grab.h"
#include "sim/world/parts.h"

namespace vw {

/// Why a world cannot go on from this state, or empty. Called before System::state_restored.
[[nodiscard]] std::string loaded_state_problem(const WorldParts& parts, const GrabSpring& grab, const PendingPushes& pushes);
/// Which of a system's or a rule's sums is not finite, or empty. Called after System::state_restored.
[[nodiscard]] std::string endless_sum(const WorldParts& parts, const StepContext& context);

}  // namespace vw
