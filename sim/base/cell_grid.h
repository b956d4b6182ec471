// Points sorted into the cells of a uniform grid: who is near whom, in linear time and in an order that depends on the points alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

class CellGrid {
 public:
  /// Sorts `points` into cells of at least `cell_m`; larger ones where the points are so far apart that cells would outnumber them eightfold.
  /// Storage is reused.
  void build(std::span<const Vec3> points, double cell_m);

  /// Calls visit(index) for every point in the 27 cells around p: all points within `cell_m` of p and some more; ascending within a cell.
  template <class F>
  void near(const Vec3& p, F visit) const {
    if (start_.empty()) return;
    std::int64_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      const double at = (p[a] - origin_[a]) / cell_m_;
      if (!(at >= -1.0) || !(at < static_cast<double>(count_[a]) + 1.0)) return;  // too far away, or no number
      const auto middle = static_cast<std::int64_t>(at < 0 ? -1 : at);
      low[a] = middle > 0 ? middle - 1 : 0;
      high[a] = middle + 2 < count_[a] ? middle + 2 : count_[a];
    }
    for (std::int64_t z = low[2]; z < high[2]; ++z)
      for (std::int64_t y = low[1]; y < high[1]; ++y) {
        const std::int64_t row = (z * count_[1] + y) * count_[0];
        // Cells of a row follow one another, and so do their points.
        for (std::uint32_t k = start_[static_cast<std::size_t>(row + low[0])]; k < start_[static_cast<std::size_t>(row + high[0])]; ++k)
          visit(order_[k]);
      }
  }

 private:
  [[nodiscard]] std::size_t cell_of(const Vec3& p) const;

  Vec3 origin_ = Vec3::Zero();
  double cell_m_ = 1;
  std::int64_t count_[3] = {0, 0, 0};
  std::vector<std::uint32_t> start_;  ///< first place in order_ of each cell, and the end
  std::vector<std::uint32_t> order_;  ///< point indices, cell by cell
  std::vector<std::uint32_t> cell_;   ///< scratch: cell of each point
};

}  // namespace vw
