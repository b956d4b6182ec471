// Warnings about a flock whose goals or species need a rule that the scene does not have.
#pragma once

#include <string>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/system.h"

namespace vw {

/// Warnings, one sentence each: about goals towards a system that no enabled rule couples with the flock, and about
/// species with the medium water if no enabled rule couples the flock with a liquid. `name` is the name of the flock.
[[nodiscard]] std::vector<std::string> flock_notes(const std::string& name, const FlockPlan& plan, const Setup& setup);

}  // namespace vw
