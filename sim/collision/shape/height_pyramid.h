// Lowest and highest ground in blocks of 1, 2, 4, ... cells per side. A search uses it to skip irrelevant blocks.
#pragma once

#include <vector>

#include "sim/collision/shape/heightfield.h"

namespace vw {

class HeightPyramid {
 public:
  struct Span {
    float low, high;  ///< Lowest and highest ground of a block [m], rounded outwards.
  };
  /// A square block of 2^level cells per side, clipped at the border of the grid.
  struct Block {
    std::size_t level = 0, column = 0, row = 0;
  };

  HeightPyramid() = default;
  explicit HeightPyramid(const HeightGrid& grid);
  [[nodiscard]] std::size_t levels() const { return level_.size(); }
  [[nodiscard]] Span span(const Block& block) const {
    return level_[block.level].span[block.row * level_[block.level].columns + block.column];
  }
  [[nodiscard]] std::size_t columns(std::size_t level) const { return level_[level].columns; }
  [[nodiscard]] std::size_t rows(std::size_t level) const { return level_[level].rows; }

 private:
  struct Level {
    std::size_t columns = 0, rows = 0;
    std::vector<Span> span;
  };
  std::vector<Level> level_;
};

}  // namespace vw
