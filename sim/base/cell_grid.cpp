// Sorts points by cell with a counting sort. If cells are stored densely, the position of a cell in the bounding box
// determines its number. Otherwise, blocks of cells are numbered in the order of their first occurrence.
#include "sim/base/cell_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vw {
namespace {

/// Applies the finaliser of splitmix64 (Steele, Lea & Flood, OOPSLA 2014) to x. It mixes the bits of block coordinates,
/// so that neighbouring blocks are spread evenly over the hash table.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

void CellGrid::build(std::span<const Vec3> points, double cell_m) {
  start_.clear();
  Eigen::AlignedBox3d box;
  bool finite = true;  // checked for each point, because a box may ignore a NaN
  for (const Vec3& p : points) {
    box.extend(p);
    finite = finite && p.allFinite();
  }
  // If a coordinate is not finite, the grid stays empty. The world's health check then reports the position.
  if (points.empty() || !finite || !box.sizes().allFinite() || !(cell_m > 0)) return;
  cell_m_ = cell_m;
  double cells = 1;
  for (int a = 0; a < 3; ++a) cells *= std::floor(box.sizes()[a] / cell_m_) + 1;
  sparse_ = !(cells <= 8.0 * static_cast<double>(points.size()) + 64);
  cell_.resize(points.size());
  order_.resize(points.size());
  if (sparse_)
    number_cells_of_blocks(points);
  else
    number_cells_of_box(points, box);
  sort_by_cell();
}

// ---- Dense cells ----------------------------------------------------------------------------------------------------

std::size_t CellGrid::place_in_box(const Vec3& p) const {
  std::int64_t at[3];
  for (int a = 0; a < 3; ++a)
    at[a] = std::clamp(static_cast<std::int64_t>((p[a] - origin_[a]) / cell_m_), std::int64_t{0}, count_[a] - 1);
  return static_cast<std::size_t>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
}

void CellGrid::number_cells_of_box(std::span<const Vec3> points, const Eigen::AlignedBox3d& box) {
  origin_ = box.min();
  for (int a = 0; a < 3; ++a) count_[a] = static_cast<std::int64_t>(box.sizes()[a] / cell_m_) + 1;
  for (std::size_t i = 0; i < points.size(); ++i) cell_[i] = static_cast<std::uint32_t>(place_in_box(points[i]));
  start_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
}

// ---- Sparse blocks --------------------------------------------------------------------------------------------------

/// Returns the coordinates of the cell that contains p, counted from the world origin, where the resolution of floating
/// point is finest. Coordinates beyond the integer range are clamped.
CellGrid::Cell CellGrid::cell_of(const Vec3& p) const {
  constexpr double rim = 4611686018427387904.0;  // 2^62: adding 1 for a neighbouring cell cannot overflow
  Cell cell;
  for (int a = 0; a < 3; ++a)
    cell[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(std::clamp(std::floor(p[a] / cell_m_), -rim, rim));
  return cell;
}

/// Returns the slot of the block in the hash table, or the empty slot where the block would be inserted.
std::size_t CellGrid::slot_of(const Cell& block) const {
  std::uint64_t hash = 0;
  for (const std::int64_t k : block) hash = mixed(hash + static_cast<std::uint64_t>(k) + 0x9e3779b97f4a7c15ULL);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  while (slots_[slot].number != 0 && slots_[slot].block != block) slot = (slot + 1) & mask;
  return slot;
}

void CellGrid::number_cells_of_blocks(std::span<const Vec3> points) {
  slots_.assign(std::bit_ceil(2 * points.size()), Slot{});
  std::uint32_t blocks = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Cell cell = cell_of(points[i]), block{cell[0] >> 1, cell[1] >> 1, cell[2] >> 1};
    Slot& slot = slots_[slot_of(block)];
    if (slot.number == 0) slot = {block, ++blocks};
    const auto inside = static_cast<std::uint32_t>((cell[2] & 1) << 2 | (cell[1] & 1) << 1 | (cell[0] & 1));
    cell_[i] = 8 * (slot.number - 1) + inside;
  }
  start_.assign(8 * std::size_t{blocks} + 1, 0);
}

// ---- Common ---------------------------------------------------------------------------------------------------------

/// Sorts the point indices by cell, in ascending order within each cell.
void CellGrid::sort_by_cell() {
  for (const std::uint32_t cell : cell_) ++start_[cell + 1];
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  // Each cell is filled from its end with points in descending order, so that its points ascend. After this loop, the
  // beginning of cell c is in start_[c + 1]; the next loop moves it to start_[c].
  for (std::size_t i = cell_.size(); i-- > 0;) order_[--start_[cell_[i] + 1]] = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c + 1 < start_.size(); ++c) start_[c] = start_[c + 1];
  start_.back() = static_cast<std::uint32_t>(cell_.size());
}

}  // namespace vw
