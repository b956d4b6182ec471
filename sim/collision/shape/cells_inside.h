// Which cells of a lattice lie inside a shape: the one answer that particles of rigid bodies, voxel bodies and masses of open meshes are made from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// Cells in the frame of a shape, and the order in which they are kept.
struct CellLattice {
  std::array<std::size_t, 3> cells{};        ///< along x, y, z
  Vec3 lower = Vec3::Zero();                 ///< corner of the first cell [m]
  Vec3 pitch = Vec3::Ones();                 ///< edges of a cell [m]
  std::array<std::size_t, 3> axis{1, 2, 0};  ///< axes from the one whose index changes slowest: slices, their rows, the cells of a row

  [[nodiscard]] std::size_t size() const { return cells[0] * cells[1] * cells[2]; }
  [[nodiscard]] std::array<std::size_t, 3> strides() const;  ///< from a cell to the next along x, y, z
  [[nodiscard]] Vec3 middle(std::size_t place) const;        ///< of the cell kept at `place` [m]
};

/// How many cells of that edge come nearest to the size of a box along each axis, one at least: whole numbers, maybe too many to keep.
[[nodiscard]] Vec3 cells_across(const Box3& box, double edge_m);
/// Cubes about the middle of a box.
[[nodiscard]] CellLattice lattice_about(const Box3& box, const Vec3& cells, double edge_m);

/// 1 for each cell whose middle lies inside the shape, else 0, in the lattice's order. Meshes are scanned (mesh_scan.h), everything else is asked for
/// its distance. Parallel; the same bits on any number of threads.
[[nodiscard]] std::vector<std::uint8_t> cells_inside(const Shape& shape, const CellLattice& lattice);

}  // namespace vw
