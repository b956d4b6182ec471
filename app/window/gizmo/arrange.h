// Alignment and distribution of several parts of a scene. This file does not use the GUI.
#pragma once

#include <vector>

#include "app/window/gizmo/group_pose.h"

namespace vw {

enum class Alignment { low, center, high };

/// Assignments that move all parts along an axis of the world (0, 1 or 2) until the low sides, the centres or the high
/// sides of their bounds coincide with those of the group.
[[nodiscard]] std::vector<Assignment> aligned(const PosedGroup& group, int axis, Alignment alignment);
/// Assignments that move the parts along an axis of the world until the centres of their bounds have equal distances.
/// The outermost two parts do not move. Empty if the group has less than three parts.
[[nodiscard]] std::vector<Assignment> distributed(const PosedGroup& group, int axis);

}  // namespace vw
