// Creates a voxel body from a mesh: cells whose centres lie inside the mesh become voxels.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// Fills the lattice of a voxel body from the mesh at `path`. The body is the child with number `index` of the scene.
/// Errors quote the body's `source`. The cells have the body's `voxel_size`. The lattice is centred on the mesh and has
/// the number of cells that best fits the size of the mesh (cells_inside.h). The voxels get the body's `material` or,
/// if that is empty, the scene's first material; if the scene has none, a material is added. If the body's `position`
/// is the default, the body is positioned according to the mesh's coordinates. Afterwards, the body has `layers` and no
/// `source`, so the tree does not need the file. Problems of the mesh are appended to `notes`. If the volume of the
/// voxels deviates from that of the mesh by more than a tenth, a sentence on this is appended too.
[[nodiscard]] Result<void> fill_from_mesh(Node& scene, std::size_t index, const std::string& path,
                                          std::vector<std::string>& notes);
/// Returns an error if the coordinates of the mesh `source` have given a body a position outside the range of the
/// parameter. A scene with such a position could be saved, but not opened.
[[nodiscard]] Result<void> check_mesh_place(const Node& body, const std::string& source);

}  // namespace vw
