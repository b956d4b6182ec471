// Commands that take elements out of a system and put some into it: what comes and goes is the system's own to say.
#pragma once

#include <memory>
#include <span>

#include "sim/system/system.h"
#include "sim/world/command.h"

namespace vw {

/// Elements go as the next step begins. Errors name what is wrong: no such system or element, or one whose elements do not come and go.
[[nodiscard]] Result<void> remove_elements(std::span<const std::unique_ptr<System>> systems, const Remove& command);
/// Members come as the next step begins.
[[nodiscard]] Result<void> spawn_members(std::span<const std::unique_ptr<System>> systems, const Spawn& command);

}  // namespace vw
