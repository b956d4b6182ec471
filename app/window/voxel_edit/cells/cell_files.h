// Cells of a voxel body in design files (.vxa, .vxd, .vox, .binvox and others), for the voxel editor.
#pragma once

#include <string>
#include <vector>

#include "app/window/voxel_edit/cells/voxel_body_cells.h"

namespace vw {

/// Cells, materials and painted values of a file. The lower corner of the grid is (0, 0, 0).
struct FileCells {
  VoxelGrid grid;
  double voxel_size_m = 0;
  std::vector<Node> materials;     ///< nodes of the materials of the palette
  std::vector<std::string> notes;  ///< sentences on features that are not supported
};
/// Reads a file whose extension is in design_endings() (sim/scene/file_kind.h). Regions, muscles and the world of the
/// file are ignored. May run on any thread. An error names the file.
[[nodiscard]] Result<FileCells> read_cells(const std::string& path);

/// Adds the materials of the file that `scene` lacks to `opened.materials`. Materials are matched by name: if the scene
/// has a material of the same name, the voxels get that material. Returns a sentence that names the materials whose
/// values in the file are different, or an empty text.
[[nodiscard]] std::string adopt_materials(const FileCells& cells, const Node& scene, OpenedVoxelBody& opened);

}  // namespace vw
