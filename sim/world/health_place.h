// Where an element is that a health check found fault with, and what near it may be the cause. Used after the world returned to its last good state.
#pragma once

#include <string>

#include "sim/world/health.h"
#include "sim/world/parts.h"

namespace vw {

/// What is near an element of a system.
struct Surroundings {
  std::string place;  ///< "at (0.1, 0.2, 0.3) m, 4 m/s, next to collider ground, which moves at 1000 m/s"
  std::string cause;  ///< of something that moves too fast for the step; empty: none does
};
/// `row` is the element's row now. Without one (-1) the fastest of whatever moves too fast for the step is the cause, if anything does.
[[nodiscard]] Surroundings surroundings_of(const WorldParts& parts, std::size_t system, std::int64_t row, double time, const SystemTiming& timing);

}  // namespace vw
