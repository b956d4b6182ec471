// Sorts points into the cells of a uniform grid, for neighbour search in linear time. The order in which neighbours are
// visited depends only on the points.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// If the bounding box of the n points has at most 8 n + 64 cells, all cells are stored, and the points of neighbouring
/// cells along x are contiguous in memory. Otherwise, most cells are empty. Then only those blocks of 2 x 2 x 2 cells
/// that contain points are stored, and a hash table finds them.
class CellGrid {
 public:
  /// Sorts `points` into cells with edge length `cell_m` [m]. If any coordinate is not finite, the grid is left empty.
  /// Storage is reused.
  void build(std::span<const Vec3> points, double cell_m);

  /// Calls visit(index) for every point in the 27 cells around p. These cells contain all points within `cell_m` of p,
  /// but also points farther away, so the visitor must check the distance. Within a cell, indices are in ascending
  /// order.
  template <class F>
  void near(const Vec3& p, F visit) const {
    if (start_.empty()) return;
    if (!sparse_)
      near_in_box(p, visit);
    else if (p.allFinite())
      near_in_blocks(cell_of(p), visit);
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Slot {
    Cell block{};
    std::uint32_t number = 0;  ///< index of the block + 1, or 0 if the slot is empty
  };

  template <class F>
  void visit_cells(std::size_t first, std::size_t last, F& visit) const {
    for (std::uint32_t k = start_[first]; k < start_[last]; ++k) visit(order_[k]);
  }
  template <class F>
  void near_in_box(const Vec3& p, F& visit) const {
    std::int64_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      const double at = (p[a] - origin_[a]) / cell_m_;
      // If p is NaN or has no adjacent cell in the box, no point is visited.
      if (!(at >= -1.0) || !(at < static_cast<double>(count_[a]) + 1.0)) return;
      const auto middle = static_cast<std::int64_t>(at < 0 ? -1 : at);
      low[a] = middle > 0 ? middle - 1 : 0;
      high[a] = middle + 2 < count_[a] ? middle + 2 : count_[a];
    }
    for (std::int64_t z = low[2]; z < high[2]; ++z)
      for (std::int64_t y = low[1]; y < high[1]; ++y) {
        const std::int64_t row = (z * count_[1] + y) * count_[0];
        visit_cells(static_cast<std::size_t>(row + low[0]), static_cast<std::size_t>(row + high[0]), visit);
      }
  }
  /// Visits the 27 cells around `cell`. These lie in 8 blocks of two cells along each axis. Along an axis, both cells
  /// of one block and one cell of the adjacent block are visited.
  template <class F>
  void near_in_blocks(const Cell& cell, F& visit) const {
    for (std::int64_t z = (cell[2] - 1) >> 1; z <= (cell[2] + 1) >> 1; ++z)
      for (std::int64_t y = (cell[1] - 1) >> 1; y <= (cell[1] + 1) >> 1; ++y)
        for (std::int64_t x = (cell[0] - 1) >> 1; x <= (cell[0] + 1) >> 1; ++x) {
          const std::uint32_t number = slots_[slot_of({x, y, z})].number;
          if (number != 0) visit_block(8 * (std::size_t{number} - 1), {2 * x, 2 * y, 2 * z}, cell, visit);
        }
  }
  /// Visits the cells of a block that are equal or adjacent to `cell`. `first` is the index of the block's first cell,
  /// and `corner` contains the coordinates of that cell.
  template <class F>
  void visit_block(std::size_t first, const Cell& corner, const Cell& cell, F& visit) const {
    const auto touches = [&](std::size_t a, std::int64_t k) {
      return corner[a] + k - cell[a] <= 1 && cell[a] - corner[a] - k <= 1;
    };
    const std::size_t low = touches(0, 0) ? 0 : 1, high = touches(0, 1) ? 2 : 1;
    for (std::int64_t z = 0; z < 2; ++z)
      for (std::int64_t y = 0; y < 2; ++y)
        if (touches(2, z) && touches(1, y)) {
          const std::size_t row = first + static_cast<std::size_t>(4 * z + 2 * y);
          visit_cells(row + low, row + high, visit);
        }
  }

  [[nodiscard]] std::size_t place_in_box(const Vec3& p) const;
  [[nodiscard]] Cell cell_of(const Vec3& p) const;
  [[nodiscard]] std::size_t slot_of(const Cell& block) const;
  void number_cells_of_box(std::span<const Vec3> points, const Eigen::AlignedBox3d& box);
  void number_cells_of_blocks(std::span<const Vec3> points);
  void sort_by_cell();

  bool sparse_ = false;
  double cell_m_ = 1;
  Vec3 origin_ = Vec3::Zero();         ///< lower corner of the bounding box [m]; used for dense cells only
  std::int64_t count_[3] = {0, 0, 0};  ///< number of cells of the box along each axis
  /// Hash table with open addressing. Its size is a power of two, and at least half of its slots are empty.
  std::vector<Slot> slots_;
  /// Position in order_ of the first point of each cell. The last entry is the number of points.
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> order_;  ///< point indices, cell by cell
  std::vector<std::uint32_t> cell_;   ///< scratch: cell of each point
};

}  // namespace vw
