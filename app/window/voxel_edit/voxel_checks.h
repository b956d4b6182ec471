// Measures and checks of a grid: number of voxels, mass, centre of mass, disconnected parts.
#pragma once

#include <span>
#include <vector>

#include "app/window/voxel_edit/cells/cell_set.h"

namespace vw {

struct VoxelMeasures {
  std::size_t voxels = 0;
  std::vector<std::size_t> voxels_of_code;  ///< number of voxels of each code; entry 0 counts empty cells
  double volume_m3 = 0;
  double mass_kg = 0;
  Vec3 center_of_mass = Vec3::Zero();  ///< in lattice coordinates, whose unit is the voxel edge; 0 if the mass is 0
};
/// Measures all voxels. `densities` has the density of each material of the palette [kg/m^3]; missing entries count as
/// 0. `voxel_size` is the edge length of a voxel [m].
[[nodiscard]] VoxelMeasures measures_of(const VoxelGrid& grid, std::span<const double> densities, double voxel_size);

/// A part of a body whose voxels are connected by faces. Bonds join the voxels of a part, and no bond joins two parts.
struct VoxelPart {
  std::size_t voxels = 0;
  VoxelCell first = VoxelCell::Zero();  ///< first cell of the part in the order of the grid; a seed for
                                        ///< connected_cells()
};
/// Returns all parts, the largest first. Parts of equal size are in the order of their first cells.
[[nodiscard]] std::vector<VoxelPart> connected_parts(const VoxelGrid& grid);

}  // namespace vw
