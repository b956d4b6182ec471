#include "app/window/voxel_edit/cells/voxel_pick.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Interval of the ray parameter within a box, and the axis of the face through which the ray enters the box.
struct RayInterval {
  double enter = -infinite, leave = infinite;
  int enter_axis = 0;
};

std::optional<RayInterval> clip(const VoxelBox& box, const Vec3& origin, const Vec3& direction) {
  RayInterval part;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = box.lower[axis], high = box.upper()[axis];
    if (direction[axis] == 0) {
      if (origin[axis] < low || origin[axis] >= high) return std::nullopt;
      continue;
    }
    double first = (low - origin[axis]) / direction[axis], last = (high - origin[axis]) / direction[axis];
    if (first > last) std::swap(first, last);
    if (first > part.enter) {
      part.enter = first;
      part.enter_axis = axis;
    }
    part.leave = std::min(part.leave, last);
  }
  if (part.enter > part.leave || part.leave < 0) return std::nullopt;
  return part;
}

/// Face of a cell through which a ray enters along an axis.
CellFace entered_face(int axis, const Vec3& direction) {
  return static_cast<CellFace>(2 * axis + (direction[axis] > 0 ? 0 : 1));
}

/// Axis of the face of `cell` that the line of the ray crosses last before `origin`.
int axis_behind(const VoxelCell& cell, const Vec3& origin, const Vec3& direction) {
  double latest = -infinite;
  int axis_of_latest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (direction[axis] == 0) continue;
    const double plane = direction[axis] > 0 ? cell[axis] : cell[axis] + 1;
    if (const double at = (plane - origin[axis]) / direction[axis]; at > latest) {
      latest = at;
      axis_of_latest = axis;
    }
  }
  return axis_of_latest;
}

}  // namespace

std::optional<VoxelHit> pick_voxel(const VoxelGrid& grid, const VoxelBox& visible, const Vec3& origin,
                                   const Vec3& direction) {
  const VoxelBox box = common(grid.box(), visible);
  const double length = direction.cwiseAbs().maxCoeff();
  if (box.is_empty() || !origin.allFinite() || !direction.allFinite() || !(length > 0)) return std::nullopt;
  const auto part = clip(box, origin, direction);
  if (!part) return std::nullopt;

  const bool is_start_inside = part->enter < 0;
  const double start = std::max(part->enter, 0.0);
  const Vec3 point = origin + start * direction;
  VoxelCell cell;
  Vec3 next, spacing;  // ray parameter of the next crossing along each axis, and between crossings
  for (int axis = 0; axis < 3; ++axis) {
    // Rounding may put the point just outside the box, so the cell is clamped.
    const double at = std::clamp(std::floor(point[axis]), double(box.lower[axis]), double(box.upper()[axis] - 1));
    cell[axis] = static_cast<int>(at);
    if (!is_start_inside && axis == part->enter_axis)
      cell[axis] = direction[axis] > 0 ? box.lower[axis] : box.upper()[axis] - 1;
    const double plane = direction[axis] > 0 ? cell[axis] + 1.0 : cell[axis];
    next[axis] = direction[axis] == 0 ? infinite : (plane - origin[axis]) / direction[axis];
    spacing[axis] = direction[axis] == 0 ? infinite : 1 / std::abs(direction[axis]);
  }
  int axis = is_start_inside ? axis_behind(cell, origin, direction) : part->enter_axis;
  double distance = start;
  while (box.contains(cell)) {
    if (grid.code(cell) != 0) {
      const CellFace face = entered_face(axis, direction);
      return VoxelHit{cell, face, cell + normal_of(face), distance};
    }
    next.minCoeff(&axis);
    distance = std::max(distance, next[axis]);
    cell[axis] += direction[axis] > 0 ? 1 : -1;
    next[axis] += spacing[axis];
  }
  return std::nullopt;
}

std::optional<VoxelCell> pick_in_layer(int axis, int coordinate, const Vec3& origin, const Vec3& direction) {
  if (axis < 0 || axis > 2 || !origin.allFinite() || !direction.allFinite() || direction[axis] == 0)
    return std::nullopt;
  const double at = (coordinate + 0.5 - origin[axis]) / direction[axis];
  const Vec3 point = origin + at * direction;
  const double limit = max_cell_coordinate - 1;
  if (!(at >= 0) || !point.allFinite() || point.cwiseAbs().maxCoeff() > limit || std::abs(double(coordinate)) > limit)
    return std::nullopt;
  VoxelCell cell = point.array().floor().cast<int>();
  cell[axis] = coordinate;
  return cell;
}

}  // namespace vw
