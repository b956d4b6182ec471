// Regions of a grid that are found from one cell: connected cells and flat faces.
#pragma once

#include "app/window/voxel_edit/cells/cell_set.h"

namespace vw {

/// Condition for cells that belong to the region of a first cell.
enum class CellMatch {
  same_code,  ///< cells with the code of the first cell; for an empty first cell, the empty cells of the grid
  filled      ///< voxels of any material
};
/// Returns the cells that are connected with `cell` by faces. The set is empty if the cell lies outside the grid or,
/// for CellMatch::filled, is empty.
[[nodiscard]] CellSet connected_cells(const VoxelGrid& grid, const VoxelCell& cell, CellMatch match);

/// Returns the flat region of a voxel's face: voxels of the same layer and material whose neighbours in the direction
/// of the face are empty, and which are connected within the layer. The set is empty if `cell` is not such a voxel.
[[nodiscard]] CellSet flat_region(const VoxelGrid& grid, const VoxelCell& cell, CellFace face);

/// Returns a mask of the empty cells of a box that are connected by faces with the surface of the box: the exterior of
/// the voxels. The entries are 1 or 0 in the order of a grid. Cells beyond the grid count as empty.
[[nodiscard]] std::vector<std::uint8_t> exterior_mask(const VoxelGrid& grid, const VoxelBox& box);

}  // namespace vw
