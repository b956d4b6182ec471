// Conversion between the node of a voxel body and a grid of cells. Bodies of all shapes can be read. An edited body is
// written as assignments with the shape `layers`.
#pragma once

#include <string>
#include <vector>

#include "app/window/voxel_edit/cells/voxel_grid.h"
#include "sim/base/data/node.h"

namespace vw {

/// Whether the cells of a voxel body are in a file (parameter `source`) that has not been loaded. Such a body cannot be
/// edited. After the scene has been opened with sim/api/open_scene.h, no body has such a file.
[[nodiscard]] bool has_cells_in_file(const Node& body);

/// A voxel body as it was opened for editing. Lattice coordinates of its grid and of all edited grids refer to the
/// lattice of `body`. Edited grids are compared with `grid`. Neither the cells of `body` nor `grid` may change until
/// editing ends.
struct OpenedVoxelBody {
  Node body;
  VoxelGrid grid;
  /// Materials for which the scene may lack a node, such as those of files that were opened in the editor.
  std::vector<Node> materials = {};
};
/// Reads the cells of the node of a voxel body. `scene` contains the materials. For all shapes but `layers`, the
/// palette has one entry: the material of the body or, if it names none, the first material of the scene. If the scene
/// has no material, this entry is default_material_name. A body without a voxel can be opened. Errors: another kind of
/// node, cells in a file, and values that the simulation rejects (size, layers, a code that is not in the palette,
/// lists of the wrong length). Their messages name line and key.
[[nodiscard]] Result<OpenedVoxelBody> open_voxel_body(const Node& body, const Node& scene);
inline constexpr const char* default_material_name = "material";

/// Returns the node of a material in the scene or, if the scene lacks it, in `opened.materials`. Null if both lack it.
[[nodiscard]] const Node* find_material(const OpenedVoxelBody& opened, const Node& scene, const std::string& name);
/// Returns the materials of the palette that the scene lacks. They must be added before the assignments are made.
[[nodiscard]] std::vector<std::string> missing_materials(const VoxelGrid& grid, const Node& scene);

/// Returns the values that give the body at `path` ("system.creature") the cells of `grid`: shape, source, size,
/// palette, layers, phase, temperature_amplitude_scale, youngs_modulus_per_cell, position, the shapes of its regions
/// and muscles, and the cells of its painted muscles. New muscles are nodes (painted_muscles.h). Position and regions
/// change such that all voxels and regions stay where they were in the opened body. Values of a region outside the
/// range of their parameter are clamped. If the grid equals the opened grid, all values are those of the opened body,
/// whatever its shape. Any other grid without a voxel is an error.
[[nodiscard]] Result<std::vector<Assignment>> voxel_body_assignments(const VoxelGrid& grid,
                                                                     const OpenedVoxelBody& opened,
                                                                     const std::string& path);

/// Takes over the pose, the voxel size and the shapes of regions and muscles that were edited in the scene after cells
/// of the lattice `applied` had been applied to it, for example during a trial. `body` is the body in the scene. The
/// values are converted to the lattice of `opened`. Parts that `body` lacks do not change, nor does `opened` if `body`
/// has neither the size of `applied` nor that of the opened lattice.
void take_scene_edits(const Node& body, const VoxelBox& applied, OpenedVoxelBody& opened);

/// Returns the position [m] that a body needs if its lattice is `box`, so that each voxel stays at its place in the
/// world. In `opened`, the position is that of the lower corner before the rotation about the lattice's centre.
[[nodiscard]] Vec3 position_of_box(const Node& opened, const VoxelBox& opened_box, const VoxelBox& box);

}  // namespace vw
