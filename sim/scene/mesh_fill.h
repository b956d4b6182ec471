// Makes a voxel body from a mesh: cells whose centres lie inside the mesh become voxels.
#pragma once

#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

/// Fills the lattice of body `index` of the scene from the mesh at `path` (errors quote the body's `source`). The cells
/// have the body's `voxel_size` and are centred on the mesh, in the number that approximates its size best
/// (cells_inside.h). Their material is the body's `material`, else the scene's first; a scene without materials gets
/// one. A body whose `position` is the default is placed according to the mesh's coordinates. Afterwards the tree is
/// self-contained: the body has `layers` and no `source`. Problems of the mesh are appended to `notes`, with a sentence
/// if the voxels' volume deviates from the mesh's by more than a tenth.
[[nodiscard]] Result<void> fill_from_mesh(Node& scene, std::size_t index, const std::string& path,
                                          std::vector<std::string>& notes);

}  // namespace vw
