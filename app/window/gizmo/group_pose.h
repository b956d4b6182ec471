// Motion of several nodes together about their common centre. This file does not use the GUI.
#pragma once

#include <string>
#include <vector>

#include "app/window/gizmo/gizmo.h"

namespace vw {

/// Smallest box that contains the place and the outline of a part [m].
struct PartBounds {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};
[[nodiscard]] PartBounds bounds_of(const PosedPart& part);

/// Parts that move together, with the smallest box that contains them.
struct PosedGroup {
  std::vector<PosedPart> parts;
  PartBounds bounds;
  [[nodiscard]] Vec3 center() const { return 0.5 * (bounds.low + bounds.high); }
};
[[nodiscard]] PosedGroup group_of(std::vector<PosedPart> parts);
/// Group of the first part (posed_parts()) of each node at `paths`. Nodes without a place are left out.
[[nodiscard]] PosedGroup group_of(const Node& root, const std::vector<std::string>& paths);

/// Returns the point after `change`: scaled along the axes of `frame` and rotated, both about its place, and
/// translated.
[[nodiscard]] Vec3 moved_point(const Vec3& point, const PoseChange& change, const GizmoFrame& frame);
/// Change of one part of a group to which `change` is applied about the place of `frame`. If the axes of the part
/// differ from the axes of `frame`, the part is not sheared: each of its own axes is scaled by the length of its scaled
/// unit vector.
[[nodiscard]] PoseChange change_in_group(const PosedPart& part, const PoseChange& change, const GizmoFrame& frame);
/// Assignments that apply `change` to all parts about the place of `frame`. A single part moves about its own place.
[[nodiscard]] std::vector<Assignment> assignments_of(const PosedGroup& group, const PoseChange& change,
                                                     const GizmoFrame& frame);

}  // namespace vw
