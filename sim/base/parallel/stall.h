// The shortest wait of a thread team that counts as a stall.
#pragma once

#include <chrono>

namespace vw {

/// Shorter waits are usual at the end of a loop. If the operating system interrupts a thread, the wait is longer.
inline constexpr auto least_stall = std::chrono::microseconds(500);

}  // namespace vw
