// Finds the cell that a ray hits. Rays are given in lattice coordinates (voxel_grid.h), that is, in the frame of the
// body, in units of the voxel edge.
#pragma once

#include <optional>

#include "app/window/voxel_edit/cells/voxel_grid.h"

namespace vw {

struct VoxelHit {
  VoxelCell cell = VoxelCell::Zero();
  CellFace face = CellFace::minus_x;       ///< face through which the ray enters the cell
  VoxelCell adjacent = VoxelCell::Zero();  ///< cell on the other side of the face; it may lie outside the grid
  double distance = 0;                     ///< distance from the origin, in lengths of `direction`; at least 0
};

/// Returns the first voxel that a ray hits among the cells of `visible` (VoxelVisibility::visible_box()), or nullopt.
/// If the ray starts within a voxel, this voxel is hit at the distance 0, and the face is the one behind the origin.
/// `direction` may have any length above 0. Values that are not finite give nullopt.
/// Amanatides & Woo, "A fast voxel traversal algorithm for ray tracing", Eurographics 1987.
[[nodiscard]] std::optional<VoxelHit> pick_voxel(const VoxelGrid& grid, const VoxelBox& visible, const Vec3& origin,
                                                 const Vec3& direction);

/// Returns the cell of a layer that a ray hits: the cell that contains the intersection with the plane through the
/// middle of the layer. Voxels are ignored, so that empty space can be drawn on. Nullopt if the ray is parallel to the
/// layer, points away from it, or the cell is out of range.
[[nodiscard]] std::optional<VoxelCell> pick_in_layer(int axis, int coordinate, const Vec3& origin,
                                                     const Vec3& direction);

}  // namespace vw
