// Changes of a scene that apply the edited cells of a voxel body.
#pragma once

#include <string>
#include <vector>

#include "app/window/voxel_edit/cells/voxel_body_cells.h"
#include "sim/base/data/node_change.h"

namespace vw {

/// Returns the changes of `scene` that give the body at `path` the cells of `grid`, in the order in which they must be
/// applied: additions of materials that the scene lacks, removal and addition of the body, and additions of waves that
/// drive new muscles. The scene may contain the result of an earlier edit of the same opened body. If a new muscle of
/// that edit no longer has a cell, its node stays, with the weight 0 in all cells. A grid without a voxel is an error,
/// unless it equals the opened grid.
[[nodiscard]] Result<std::vector<NodeChange>> changes_of_edit(const VoxelGrid& grid, const OpenedVoxelBody& opened,
                                                              const Node& scene, const std::string& path);

/// Returns the scene after these changes.
[[nodiscard]] Result<Node> edited_scene(const VoxelGrid& grid, const OpenedVoxelBody& opened, const Node& scene,
                                        const std::string& path);

}  // namespace vw
