// Warnings about a flock whose goals or species need a rule that the scene does not have.
#pragma once

#include <string>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/system.h"

namespace vw {

/// Returns warnings, one sentence each. A goal at a system needs an enabled rule that couples the system with the
/// flock. A species whose medium is water needs an enabled rule that couples the flock with a liquid. Each missing rule
/// gives a warning. `name` is the name of the flock.
[[nodiscard]] std::vector<std::string> flock_notes(const std::string& name, const FlockPlan& plan, const Setup& setup);

}  // namespace vw
