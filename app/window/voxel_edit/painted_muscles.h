// Muscles of a voxel body in the voxel editor. The paint layer PaintLayer::muscle stores the number of each cell's
// muscle: 0 for none, k for the k-th muscle of the body as it was opened, and larger numbers for new muscles. Muscles
// without a list of cells are given by a shape and are not painted.
#pragma once

#include <string>
#include <vector>

#include "app/window/voxel_edit/cells/voxel_body_cells.h"
#include "sim/base/data/node_change.h"

namespace vw {

/// Reads the cells of the muscles of `body` into the layer. Where muscles overlap, the last one counts. An error names
/// line and key.
[[nodiscard]] Result<void> read_muscle_layer(const Node& body, VoxelGrid& grid);

/// Whether cells can be painted with this number: a muscle of the opened body with a list of cells, or a new muscle.
[[nodiscard]] bool is_painted_muscle(const OpenedVoxelBody& opened, int number);
/// Name of the muscle with this number. New muscles have names that the opened body does not use.
[[nodiscard]] std::string muscle_name(const OpenedVoxelBody& opened, int number);
/// Largest number of a muscle of the opened body and of the grid.
[[nodiscard]] int last_muscle(const VoxelGrid& grid, const OpenedVoxelBody& opened);

/// Appends the values that give the muscles of the body at `path` the cells of `grid`. If the number of a cell has not
/// changed, its weights in all muscles stay the same.
void assign_muscles(const VoxelGrid& grid, const OpenedVoxelBody& opened, const std::string& path,
                    std::vector<Assignment>& all);
/// Nodes of the new muscles of the grid that have at least one cell.
[[nodiscard]] std::vector<Node> new_muscles(const VoxelGrid& grid, const OpenedVoxelBody& opened);
/// Addition of a sine wave that drives the muscle `muscle` of the body at `path`. Waves of muscles with an even number
/// are in antiphase to the others.
[[nodiscard]] NodeChange wave_for_muscle(const Node& scene, const std::string& path, const std::string& muscle,
                                         int number);

}  // namespace vw
