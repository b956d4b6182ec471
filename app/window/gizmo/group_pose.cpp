#include "app/window/gizmo/group_pose.h"

#include <algorithm>
#include <iterator>

#include "sim/base/rotation.h"

namespace vw {

PartBounds bounds_of(const PosedPart& part) {
  PartBounds bounds{part.at, part.at};
  for (const auto& line : outline_of(part))
    for (const Vec3& point : line) bounds = {bounds.low.cwiseMin(point), bounds.high.cwiseMax(point)};
  return bounds;
}

PosedGroup group_of(std::vector<PosedPart> parts) {
  PosedGroup group{.parts = std::move(parts), .bounds = {}};
  for (std::size_t i = 0; i < group.parts.size(); ++i) {
    const PartBounds one = bounds_of(group.parts[i]);
    group.bounds = i == 0 ? one : PartBounds{group.bounds.low.cwiseMin(one.low), group.bounds.high.cwiseMax(one.high)};
  }
  return group;
}

PosedGroup group_of(const Node& root, const std::vector<std::string>& paths) {
  std::vector<PosedPart> mains;
  for (const std::string& path : paths)
    if (std::vector<PosedPart> parts = posed_parts(root, path); !parts.empty()) mains.push_back(std::move(parts[0]));
  return group_of(std::move(mains));
}

Vec3 moved_point(const Vec3& point, const PoseChange& change, const GizmoFrame& frame) {
  const Vec3 scaled = frame.axes * change.factors.asDiagonal() * frame.axes.transpose() * (point - frame.at);
  return frame.at + rotation_of(change.rotation) * scaled + change.translation;
}

PoseChange change_in_group(const PosedPart& part, const PoseChange& change, const GizmoFrame& frame) {
  PoseChange own = change;
  const bool is_shift = change.rotation.isZero(0) && change.factors == Vec3::Ones();
  if (!is_shift) own.translation = moved_point(part.at, change, frame) - part.at;
  // Equal factors are kept, because the computation would round them.
  if (change.factors != Vec3::Constant(change.factors.x())) {
    const Mat3 scaled_axes =
        frame.axes * change.factors.asDiagonal() * frame.axes.transpose() * part.axes.toRotationMatrix();
    own.factors = scaled_axes.colwise().norm().transpose();
  }
  return own;
}

std::vector<Assignment> assignments_of(const PosedGroup& group, const PoseChange& change, const GizmoFrame& frame) {
  if (group.parts.size() == 1) return assignments_of(group.parts.front(), change);
  std::vector<Assignment> all;
  for (const PosedPart& part : group.parts)
    std::ranges::move(assignments_of(part, change_in_group(part, change, frame)), std::back_inserter(all));
  return all;
}

}  // namespace vw
