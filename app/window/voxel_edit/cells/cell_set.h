// Sets of cells: brush shapes, regions and selections. A set is a list of spans along x, so that a large box or ball
// needs memory and time per row, not per cell. Coordinates are lattice coordinates (voxel_grid.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/window/voxel_edit/cells/voxel_grid.h"

namespace vw {

/// Cells (begin, y, z) to (end - 1, y, z).
struct CellSpan {
  int begin = 0, end = 0, y = 0, z = 0;
  [[nodiscard]] bool operator==(const CellSpan&) const = default;
};

/// An immutable set of cells. Its spans ascend by (y, z, x), do not overlap and do not touch.
class CellSet {
 public:
  CellSet() = default;
  /// Makes a set of spans in any order, which may overlap. Empty spans and spans beyond 4 * max_cell_coordinate are
  /// ignored.
  [[nodiscard]] static CellSet of_spans(std::vector<CellSpan> spans);
  [[nodiscard]] static CellSet of_box(const VoxelBox& box);
  /// Returns the cells whose entry in `is_member` is not 0. The entries have the order of a grid with this box.
  [[nodiscard]] static CellSet of_mask(const VoxelBox& box, std::span<const std::uint8_t> is_member);

  [[nodiscard]] std::span<const CellSpan> spans() const { return spans_; }
  [[nodiscard]] bool is_empty() const { return spans_.empty(); }
  [[nodiscard]] std::size_t count() const;  ///< number of cells
  [[nodiscard]] VoxelBox bounds() const;
  [[nodiscard]] bool contains(const VoxelCell& cell) const;
  [[nodiscard]] bool operator==(const CellSet&) const = default;

  [[nodiscard]] CellSet united(const CellSet& other) const;
  [[nodiscard]] CellSet common(const CellSet& other) const;
  [[nodiscard]] CellSet without(const CellSet& other) const;
  [[nodiscard]] CellSet moved(const VoxelCell& step) const;  ///< all coordinates of the result must fit into an int
  /// Returns the mirror image in the plane at the coordinate twice_plane / 2 of an axis. An even number is a plane
  /// between cells, and an odd number is a plane through the centres of cells.
  [[nodiscard]] CellSet mirrored(int axis, int twice_plane) const;
  /// Adds all cells within n cells of the set, diagonally too, so that a box becomes a box. Cells outside `within` are
  /// ignored and not returned. `within` must pass check_grid_box() (asserted).
  [[nodiscard]] CellSet grown(int n, const VoxelBox& within) const;
  /// Removes the cells that are at most n cells away from a cell outside the set, diagonally too.
  [[nodiscard]] CellSet shrunk(int n) const;
  /// Returns one entry for each cell of the box, in the order of a grid: 1 for cells of the set, else 0.
  [[nodiscard]] std::vector<std::uint8_t> mask(const VoxelBox& box) const;

 private:
  std::vector<CellSpan> spans_;
};

/// Sets to 1 all cells of a mask within n cells of a cell that is 1, diagonally too. The mask has one entry for each
/// cell of the box, in the order of a grid. Takes time in proportion to n times the number of cells.
void dilate(std::vector<std::uint8_t>& mask, const VoxelBox& box, int n);

/// Returns the cells of a grid with the given code, or all filled cells for the code `any_material`.
inline constexpr std::uint16_t any_material = 0xffff;
[[nodiscard]] CellSet cells_with_code(const VoxelGrid& grid, std::uint16_t code);

}  // namespace vw
