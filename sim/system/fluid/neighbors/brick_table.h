// Spatial index of the particles. Particles (rows) are sorted by the key of their cells, and a hash table holds the
// occupied bricks. A brick has 4 x 4 x 4 cells. Time and memory are linear in the number of particles, whatever their
// positions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// Origin and width of the cells. The width is the support radius. Sort keys (place_key()) count half cells, so that
/// consecutive rows are also close to each other within a cell.
struct CellFrame {
  Vec3 origin = Vec3::Zero();  ///< Corner of a brick, inside the range of the keys [m].
  double cell_m = 1;
};

/// Returns the index of a cell along the Hilbert curve through a cube of 2^bits cells per edge (Skilling 2004,
/// "Programming the Hilbert curve"). Consecutive indices are neighbouring cells, and each octant is completed before
/// the next.
constexpr unsigned along_curve(std::array<unsigned, 3> at, unsigned bits) {
  for (unsigned q = 1U << (bits - 1); q > 1; q >>= 1U)
    for (unsigned& a : at) {
      const unsigned swapped = (a & q) != 0 ? 0 : (at[0] ^ a) & (q - 1);
      at[0] ^= (a & q) != 0 ? q - 1 : swapped;
      a ^= swapped;
    }
  at[1] ^= at[0], at[2] ^= at[1];
  unsigned turned = 0, number = 0;
  for (unsigned q = 1U << (bits - 1); q > 1; q >>= 1U) turned ^= (at[2] & q) != 0 ? q - 1 : 0;
  for (unsigned b = bits; b-- > 0;)
    for (const unsigned a : at) number = number << 1U | ((a ^ turned) >> b & 1U);
  return number;
}
/// Returns the index of a cell in its brick, from 0 to 63. x, y, z: coordinates of the cell in the brick, from 0 to 3.
constexpr std::uint8_t cell_number(std::size_t x, std::size_t y, std::size_t z) {
  return static_cast<std::uint8_t>(
      along_curve({static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)}, 2));
}

/// Returns the key of the half cell that contains a point. The high bits interleave the bits of the brick's
/// coordinates, x lowest. The nine low bits are the index along the Hilbert curve within the brick. Each axis has 21
/// bits. Points outside the range of the keys are moved to its border.
[[nodiscard]] std::uint64_t place_key(const CellFrame& frame, const Vec3& point);

/// Stable sort of rows by key. After sort(), the keys ascend and order[k] is the former index of the row that is now at
/// k. The object keeps its scratch memory for the next call.
class KeySort {
 public:
  std::vector<std::uint64_t> keys;   ///< Input: one key per row. Output: the keys in ascending order.
  std::vector<std::uint32_t> order;  ///< Output: the former index of each row.
  void sort();

 private:
  std::vector<std::uint64_t> other_keys_;
  std::vector<std::uint32_t> other_order_;
  std::vector<std::uint32_t> counts_;
};

struct Brick {
  std::array<std::int32_t, 3> place{};    ///< Coordinates in bricks.
  std::array<std::uint32_t, 65> start{};  ///< First row of each cell, in curve order. The last entry is the end.
  [[nodiscard]] std::uint32_t first() const { return start[0]; }
  [[nodiscard]] std::uint32_t end() const { return start[64]; }
};

/// Returns the lower corner of a brick [m].
[[nodiscard]] Vec3 brick_corner(const CellFrame& frame, const std::array<std::int32_t, 3>& place);

class BrickTable {
 public:
  /// Builds the table from ascending keys.
  void build(std::span<const std::uint64_t> keys);
  [[nodiscard]] std::span<const Brick> bricks() const { return bricks_; }
  /// Returns the brick at these coordinates, or null if it is empty.
  [[nodiscard]] const Brick* find(const std::array<std::int32_t, 3>& place) const;

 private:
  [[nodiscard]] std::size_t slot_of(const std::array<std::int32_t, 3>& place) const;
  std::vector<Brick> bricks_;
  /// Hash table (open addressing). Each slot holds the brick index + 1, or 0 if the slot is empty. The size is a power
  /// of two. At least half of the slots are empty.
  std::vector<std::uint32_t> slots_;
};

}  // namespace vw
