// Sparse grid of nodes around particles. Blocks of 8 x 8 x 8 nodes are stored only if a particle is near. The nodes are
// fixed in space, so the surface of a fluid at rest does not flicker from picture to picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Coordinates of a block. The first node of the block is at (8 * key + NodeBlocks::shift) * cell.
using BlockKey = std::array<std::int64_t, 3>;

class NodeBlocks {
 public:
  static constexpr int width = 8;
  static constexpr std::size_t nodes = 512;  ///< Number of nodes in a block.
  static constexpr std::uint32_t none = 0xffffffffU;
  /// Offset of the nodes from the origin, in cells. Fluids often start as blocks whose faces are at multiples of the
  /// spacing. For nodes on these faces, rounding errors would determine whether they are inside, and the mesh would be
  /// poor.
  static constexpr double shift = 0.37;

  /// Stores those blocks that have a node within the distance `reach_m` + cell of a particle. This distance must be
  /// shorter than a block. Returns an error if there would be more than `most_nodes` nodes. The order of blocks and
  /// particles depends only on the positions.
  [[nodiscard]] static Result<NodeBlocks> make(std::span<const Vec3> position, double reach_m, double cell_m,
                                               std::size_t most_nodes);

  [[nodiscard]] std::size_t size() const { return key_.size(); }
  [[nodiscard]] double cell_m() const { return cell_m_; }
  [[nodiscard]] Vec3 corner(std::size_t block) const {
    const BlockKey& k = key_[block];
    const Vec3 first(static_cast<double>(k[0]), static_cast<double>(k[1]), static_cast<double>(k[2]));
    return first * (width * cell_m_) + Vec3::Constant(shift * cell_m_);
  }
  /// Returns the index of the neighbour of `block` at the offset (x, y, z), each in {-1, 0, 1}. Returns `none` if this
  /// neighbour is not stored.
  [[nodiscard]] std::uint32_t beside(std::size_t block, int x, int y, int z) const {
    const int place = (x + 1) + 3 * (y + 1) + 9 * (z + 1);
    return beside_[block][static_cast<std::size_t>(place)];
  }
  /// Returns the range of the particles of a block in `order()`.
  [[nodiscard]] Range particles(std::size_t block) const { return {first_[block], first_[block + 1]}; }
  /// Returns the indices of the particles, sorted by block, and in ascending order within a block.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }

  /// The node (i, j, k), counted from the first node of `block`, with each index in [-8, 16). The result's `block` is
  /// `none` if the node is not stored.
  struct Node {
    std::uint32_t block;
    std::uint32_t node;  ///< Index within the block.
  };
  [[nodiscard]] Node node(std::size_t block, int i, int j, int k) const {
    const std::uint32_t other = beside(block, (i >> 3), (j >> 3), (k >> 3));
    return {other, static_cast<std::uint32_t>((i & 7) | ((j & 7) << 3) | ((k & 7) << 6))};
  }

 private:
  void find_neighbors();

  double cell_m_ = 1;
  std::vector<BlockKey> key_;  ///< Ascending in the order (z, y, x).
  std::vector<std::array<std::uint32_t, 27>> beside_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> order_;
};

}  // namespace vw
