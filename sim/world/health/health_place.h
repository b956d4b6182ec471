// Describes where a faulty element is and which nearby object may be the cause. Used after the world has returned to
// its last good state.
#pragma once

#include <string>

#include "sim/world/health/health.h"
#include "sim/world/parts.h"

namespace vw {

/// Description of where a faulty element is.
struct IssuePlace {
  std::string place;  ///< "at (0.1, 0.2, 0.3) m, 4 m/s, next to collider ground, which moves at 1000 m/s"
  std::string cause;  ///< sentence on an object that moves too fast for the step, or empty
};
/// Describes the surroundings of the element in `row`. If `row` is -1, no element is described. Then the fastest
/// collider that the system may hit is reported as the cause if it moves too fast for the step.
[[nodiscard]] IssuePlace place_of_issue(const WorldParts& parts, std::size_t system, std::int64_t row, double time,
                                        const SystemTiming& timing);

}  // namespace vw
