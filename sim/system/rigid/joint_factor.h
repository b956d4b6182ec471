// Factor of a matrix of 6 x 6 blocks, symmetric in where they stand, that is nearly symmetric, positive definite on some rows and negative definite
// on the others (quasi-definite: Vanderbei 1995 shows that a factor exists in any order). Bodies are the positive rows and joints the negative ones;
// leaves go first (Baraff 1996), so that trees take time linear in their size, and loops what they fill in.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/base/math.h"

namespace vw {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

class BlockFactor {
 public:
  /// Finds the order: the first `positive` of `count` rows are positive definite, each of the others has one or two of them as neighbours.
  /// `edges`: pairs of rows whose block is not zero, no pair twice.
  void analyze(std::size_t count, std::size_t positive, std::span<const std::pair<std::size_t, std::size_t>> edges);

  void set_diagonal(std::size_t row, const Mat6& block) { diagonal_[position_[row]] = block; }
  /// In the edge's first row and second column, and the other way round.
  void set_edge(std::size_t edge, const Mat6& block, const Mat6& across);
  /// Blocks that were set are lost: set all of them before the next time.
  void factorize();
  /// Right side in, solution out.
  void solve(std::span<Vec6> x);

 private:
  struct Entry {
    std::size_t row = 0;    ///< later one, in the new order
    std::size_t block = 0;  ///< in below_ and beside_
  };
  struct Column {
    std::vector<Entry> entries;
    std::vector<std::size_t> updates;  ///< for each pair of entries, i < j: blocks that it changes
  };

  std::size_t positive_ = 0;
  std::vector<std::size_t> order_, position_;
  std::vector<Column> columns_;                      ///< in the new order
  std::vector<std::pair<std::size_t, bool>> edges_;  ///< their block, and whether its row is the edge's first
  std::vector<std::size_t> fill_;                    ///< blocks that no edge sets
  std::vector<Mat6> diagonal_, inverse_;
  std::vector<Mat6> below_, beside_;  ///< the diagonal: blocks of a column, and those across it of the row
  std::vector<Vec6> turned_;          // scratch
};

}  // namespace vw
