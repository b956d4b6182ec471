// Removal and creation of elements during a run: executes the commands Remove (flocks, particles) and Spawn (flocks).
// The system that owns the elements decides how they are removed or added.
#pragma once

#include <memory>
#include <span>

#include "sim/system/system.h"
#include "sim/world/state/command.h"

namespace vw {

/// Checks a position in a command. Positions beyond the bounds of states (state_motion) are refused too, because they
/// could not be loaded from a checkpoint. `key` names the position in the error.
[[nodiscard]] Result<void> check_place(const char* key, const Vec3& place);

/// Marks the elements selected by the command, which are removed at the beginning of the next step. Returns an error if
/// the system or the element does not exist, if the position or radius is invalid, or if the system has a fixed number
/// of elements.
[[nodiscard]] Result<void> remove_elements(std::span<const std::unique_ptr<System>> systems, const Remove& command);
/// Requests new members, which appear at the beginning of the next step. Returns an error if the system is not a flock,
/// the species is unknown, the position is invalid or the count is out of range.
[[nodiscard]] Result<void> spawn_members(std::span<const std::unique_ptr<System>> systems, const Spawn& command);

}  // namespace vw
