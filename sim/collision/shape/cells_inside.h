// Finds the cells of a lattice that lie inside a shape, to fill rigid bodies with particles, to make voxel bodies, and
// to compute the mass of shapes that are neither primitives nor closed meshes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// Lattice of cells in the frame of a shape. `axis` is the order in which the cells are stored.
struct CellLattice {
  std::array<std::size_t, 3> cells{};  ///< Number of cells along x, y, z.
  Vec3 lower = Vec3::Zero();           ///< Lowest corner of the first cell [m].
  Vec3 pitch = Vec3::Ones();           ///< Edge lengths of a cell [m].
  /// Axes in the order of storage, from slowest to fastest: across the slices, across the rows of a slice, along a row.
  std::array<std::size_t, 3> axis{1, 2, 0};

  [[nodiscard]] std::size_t size() const { return cells[0] * cells[1] * cells[2]; }
  /// Returns the increments of the cell index from a cell to its neighbours along x, y and z.
  [[nodiscard]] std::array<std::size_t, 3> strides() const;
  [[nodiscard]] Vec3 middle(std::size_t place) const;  ///< Centre of the cell at index `place` [m].
};

/// Returns the number of cells of edge `edge_m` [m] along each axis that best matches the size of a box, but at least
/// one. Integers are returned as doubles, because their product may exceed the integer range.
[[nodiscard]] Vec3 cells_across(const Box3& box, double edge_m);
/// Returns a lattice of cubes with edge `edge_m` [m], centred on a box. `cells` contains the number of cubes along x, y
/// and z.
[[nodiscard]] CellLattice lattice_about(const Box3& box, const Vec3& cells, double edge_m);

/// Returns 1 for each cell whose centre lies inside the shape and 0 for every other cell, in the order of the lattice.
/// Meshes are scanned (mesh_scan.h). Other shapes use distance queries. The computation runs in parallel, with
/// bit-identical results for any number of threads.
[[nodiscard]] std::vector<std::uint8_t> cells_inside(const Shape& shape, const CellLattice& lattice);

}  // namespace vw
