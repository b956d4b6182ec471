// Who is where: rows sorted by the key of their cells, and a table of the bricks (4 x 4 x 4 cells as wide as the kernel's support) that have
// any. Linear in the rows wherever they are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// Cells have the edge of the support radius; keys count half cells, so that rows next to each other in the order are close within a cell as well.
struct CellFrame {
  Vec3 origin = Vec3::Zero();  ///< where cell (0, 0, 0) begins [m]
  double cell_m = 1;
};

/// Where a place is along Hilbert's curve through a cube of 2^bits an edge (Skilling 2004, "Programming the Hilbert curve"): what follows each other
/// lies side by side, and each octant is done before the next.
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
/// Of a brick's cell, by its place 0..3 along each axis: where it comes among the brick's 64.
constexpr std::uint8_t cell_number(std::size_t x, std::size_t y, std::size_t z) {
  return static_cast<std::uint8_t>(along_curve({static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)}, 2));
}

/// Of the half cell that a point is in: interleaved bits of its brick, x lowest, then the place along the curve within the brick; 21 bits an axis.
/// Points outside are moved to the border.
[[nodiscard]] std::uint64_t place_key(const CellFrame& frame, const Vec3& point);

/// Sorts rows by key: after it keys ascend and order[k] is the row that belongs at k. Stable. Scratch is reused.
class KeySort {
 public:
  std::vector<std::uint64_t> keys;   ///< in: one a row; out: ascending
  std::vector<std::uint32_t> order;  ///< out
  void sort();

 private:
  std::vector<std::uint64_t> other_keys_;
  std::vector<std::uint32_t> other_order_;
  std::vector<std::uint32_t> counts_;
};

struct Brick {
  std::array<std::int32_t, 3> place{};    ///< in bricks
  std::array<std::uint32_t, 65> start{};  ///< first row of each of its cells along the curve, and the end
  [[nodiscard]] std::uint32_t first() const { return start[0]; }
  [[nodiscard]] std::uint32_t end() const { return start[64]; }
};

/// Where a brick begins [m].
[[nodiscard]] Vec3 brick_corner(const CellFrame& frame, const std::array<std::int32_t, 3>& place);

class BrickTable {
 public:
  /// From ascending keys.
  void build(std::span<const std::uint64_t> keys);
  [[nodiscard]] std::span<const Brick> bricks() const { return bricks_; }
  /// Null where there is none.
  [[nodiscard]] const Brick* find(const std::array<std::int32_t, 3>& place) const;

 private:
  [[nodiscard]] std::size_t slot_of(const std::array<std::int32_t, 3>& place) const;
  std::vector<Brick> bricks_;
  std::vector<std::uint32_t> slots_;  ///< 1 + brick; open addressing, a power of two, half empty at least
};

}  // namespace vw
