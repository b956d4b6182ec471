// Describes the position of a faulty element and the nearby object that may be the cause. The description is made after
// the world has returned to its last good state.
#pragma once

#include <string>

#include "sim/world/health/health.h"
#include "sim/world/parts.h"

namespace vw {

/// Position and surroundings of a faulty element.
struct IssuePlace {
  std::string place;  ///< "at (0.1, 0.2, 0.3) m with a speed of 4 m/s, next to collider ground, ..."
  std::string cause;  ///< sentence on an object that moves too fast for the step, or empty
};
/// Describes the surroundings of the element in `row`. If `row` is -1, no element is described, and the cause is the
/// fastest collider that the system may hit, if that collider moves too fast for the step.
[[nodiscard]] IssuePlace place_of_issue(const WorldParts& parts, std::size_t system, std::int64_t row, double time,
                                        const SystemTiming& timing);

}  // namespace vw
