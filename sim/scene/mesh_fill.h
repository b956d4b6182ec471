// A voxel body from a mesh: the cells whose centres lie inside become voxels.
#pragma once

#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

/// Writes the lattice of body `index` of the scene from the mesh at `path` (its `source` as the scene says it is in errors): cells of its
/// `voxel_size` about the middle of the mesh, as many as come nearest to its size (cells_inside.h), of its `material` (else the scene's first; a
/// scene without any gets one). A body whose `position` is the default stands where the mesh's coordinates say. The tree is whole by itself
/// afterwards: `layers`, no `source`. `notes` get what was amiss with the mesh, and a sentence where the voxels' volume is more than a tenth off the
/// mesh's.
[[nodiscard]] Result<void> fill_from_mesh(Node& scene, std::size_t index, const std::string& path, std::vector<std::string>& notes);

}  // namespace vw
