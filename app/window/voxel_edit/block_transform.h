// Copies, rotations and reflections of blocks of voxels. A block is a grid, and its paint layers are transformed too.
#pragma once

#include "app/window/voxel_edit/cells/cell_set.h"

namespace vw {

/// Returns the voxels of a set with their values. The box of the block is `box`, which must pass check_grid_box(). All
/// other cells of the block are empty. The block has the paint layers of the grid.
[[nodiscard]] VoxelGrid block_of(const VoxelGrid& grid, const CellSet& cells, const VoxelBox& box);

/// Returns the block rotated by quarter turns about an axis (0, 1 or 2), counter-clockwise if the axis points at the
/// viewer: one turn about y takes +z to +x. The lower corner of the box does not change. Any number of turns is
/// allowed.
[[nodiscard]] VoxelGrid rotated(const VoxelGrid& block, int axis, int quarter_turns);

/// Returns the block reflected along an axis within its box.
[[nodiscard]] VoxelGrid flipped(const VoxelGrid& block, int axis);

}  // namespace vw
