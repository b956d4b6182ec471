#include "app/window/voxel_edit/cells/mesh_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/window/voxel_edit/cells/voxel_body_cells.h"
#include "sim/api/open_scene.h"
#include "sim/scene/import_mesh.h"

namespace vw {
namespace {

/// Returns the largest number of metres per unit at which the mesh fits into the box.
Result<double> fitting_scale(const std::string& path, const MeshPlacement& placement) {
  const auto size = mesh_size(path);
  if (!size) return Unexpected(size.error());
  double scale = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    if ((*size)[axis] > 0) scale = std::min(scale, placement.voxel_size_m * placement.box.size[axis] / (*size)[axis]);
  return std::isfinite(scale) ? scale : 1.0;  // the import reports the error of a mesh without a size
}

}  // namespace

Result<MeshCells> mesh_cells(const std::string& path, const MeshPlacement& placement) {
  if (auto good = check_grid_box(placement.box); !good) return Unexpected(good.error());
  const auto scale = placement.scale ? Result<double>(*placement.scale) : fitting_scale(path, placement);
  if (!scale) return Unexpected(scale.error());
  Node scene = api::new_scene();
  auto mesh = import_mesh(scene, path, {.voxels = true, .scale = *scale, .voxel_size_m = placement.voxel_size_m});
  if (!mesh) return Unexpected(mesh.error());
  add_nodes(scene, mesh->nodes);
  const auto opened = open_voxel_body(*scene.all("system").front(), scene);
  if (!opened) return Unexpected(opened.error());
  const VoxelCell size = opened->grid.box().size;
  VoxelCell lower = placement.box.lower + (placement.box.size - size) / 2;
  lower.y() = placement.box.lower.y();
  if (auto good = check_grid_box({lower, size}); !good) return Unexpected(good.error());
  return MeshCells{cells_with_code(opened->grid, any_material).moved(lower), std::move(mesh->notes)};
}

}  // namespace vw
