// Makes a voxel body from a mesh: cells whose centres lie inside the mesh become voxels.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// Fills the lattice of the voxel body that is child `index` of the scene from the mesh at `path`. Errors quote the
/// body's `source`. The cells have the body's `voxel_size`. The lattice is centred on the mesh, and its size
/// approximates the mesh's size best (cells_inside.h). The voxels have the body's `material` or, if that is empty, the
/// scene's first material; a material is added to a scene that has none. If the body's `position` is the default, the
/// body is placed according to the mesh's coordinates. Afterwards the body has `layers` and no `source`, so the tree is
/// self-contained. Problems of the mesh are appended to `notes`, as is a sentence if the volume of the voxels deviates
/// from the volume of the mesh by more than a tenth.
[[nodiscard]] Result<void> fill_from_mesh(Node& scene, std::size_t index, const std::string& path,
                                          std::vector<std::string>& notes);

}  // namespace vw
