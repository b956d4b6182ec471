// Warnings about a flock whose goals or species need a rule that the scene does not have.
#pragma once

#include <string>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/system.h"

namespace vw {

/// Returns one warning, a sentence, for each missing rule. A goal at a system needs an enabled rule that couples this
/// system with the flock. A species whose medium is water needs an enabled rule that couples the flock with a liquid.
/// `name` is the name of the flock.
[[nodiscard]] std::vector<std::string> flock_notes(const std::string& name, const FlockPlan& plan, const Setup& setup);

}  // namespace vw
