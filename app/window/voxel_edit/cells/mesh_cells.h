// Cells of a closed mesh in a lattice, for the voxel editor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/voxel_edit/cells/cell_set.h"

namespace vw {

struct MeshPlacement {
  VoxelBox box;             ///< the mesh stands on the lowest layer of this box, in the middle along x and z
  double voxel_size_m = 1;  ///< edge length of a voxel
  /// Metres per unit of the file. If empty, the mesh has the largest size at which it fits into the box.
  std::optional<double> scale = {};
};
struct MeshCells {
  CellSet cells;
  std::vector<std::string> notes;  ///< problems of the mesh, one sentence each
};
/// Returns the cells whose centres lie inside the mesh. The cells are those of a mesh that is imported as a voxel body
/// (sim/scene/import_mesh.h). A mesh that is scaled by `scale` may reach beyond the box. May run on any thread. Errors:
/// the file is not a closed mesh, no cell lies inside, or the mesh needs too many cells.
[[nodiscard]] Result<MeshCells> mesh_cells(const std::string& path, const MeshPlacement& placement);

}  // namespace vw
