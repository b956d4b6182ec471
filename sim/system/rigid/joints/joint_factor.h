// LDU factorization of a sparse matrix of 6 x 6 blocks with symmetric pattern and nearly symmetric values. The matrix
// is positive definite on the rows of bodies and negative definite on the rows of joints (quasi-definite: Vanderbei
// 1995 shows that a factor exists for any order). Leaves are eliminated first (Baraff 1996), so that the cost is linear
// in the size of a tree. Loops cause fill-in.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/base/math.h"

namespace vw {

class BlockFactor {
 public:
  /// Finds the elimination order. The first `positive` of `count` rows are positive definite (bodies). Each of the
  /// other rows (joints) has one or two bodies as neighbours. `edges` lists each pair of rows with a nonzero block
  /// once.
  void analyze(std::size_t count, std::size_t positive, std::span<const std::pair<std::size_t, std::size_t>> edges);

  void set_diagonal(std::size_t row, const Mat6& block) { diagonal_[position_[row]] = block; }
  /// Sets both blocks of an edge between rows i and j: `block` in row i and column j, `across` in row j and column i.
  void set_edge(std::size_t edge, const Mat6& block, const Mat6& across);
  /// Computes the factor in place. The factor overwrites the blocks, so all blocks must be set again before the next
  /// call.
  void factorize();
  /// Solves the system in place. `x` is the right-hand side before the call and the solution after the call.
  void solve(std::span<Vec6> x);

 private:
  struct Entry {
    std::size_t row = 0;    ///< Later row, as a position in the elimination order.
    std::size_t block = 0;  ///< Index of the entry's blocks in below_ and beside_.
  };
  struct Column {
    std::vector<Entry> entries;
    /// For each pair of entries i < j: index of the block that the elimination of this column changes.
    std::vector<std::size_t> updates;
  };

  std::size_t positive_ = 0;
  std::vector<std::size_t> order_, position_;
  std::vector<Column> columns_;  ///< In the elimination order.
  /// For each edge: index of its block, and whether the first row of the edge is the row (not the column) of the block.
  std::vector<std::pair<std::size_t, bool>> edges_;
  std::vector<std::size_t> fill_;  ///< Blocks that no edge sets (fill-in).
  std::vector<Mat6> diagonal_, inverse_;
  std::vector<Mat6> below_, beside_;  ///< Blocks below the diagonal, and their counterparts right of the diagonal.
  std::vector<Vec6> turned_;          // Scratch.
};

}  // namespace vw
