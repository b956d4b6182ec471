// Counting sort by cell.
#include "sim/base/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace vw {

std::size_t CellGrid::cell_of(const Vec3& p) const {
  std::int64_t at[3];
  for (int a = 0; a < 3; ++a) at[a] = std::clamp(static_cast<std::int64_t>((p[a] - origin_[a]) / cell_m_), std::int64_t{0}, count_[a] - 1);
  return static_cast<std::size_t>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
}

void CellGrid::build(std::span<const Vec3> points, double cell_m) {
  start_.clear();
  Eigen::AlignedBox3d box;
  bool finite = true;  // the box alone does not tell: its minimum and maximum may pass over a NaN
  for (const Vec3& p : points) {
    box.extend(p);
    finite = finite && p.allFinite();
  }
  if (points.empty() || !finite || !box.sizes().allFinite()) return;  // a body that has exploded meets nobody: the health check has the word
  origin_ = box.min();
  cell_m_ = cell_m;
  const double most = 8.0 * static_cast<double>(points.size()) + 64;
  const auto cells = [&] {
    double product = 1;
    for (int a = 0; a < 3; ++a) product *= std::floor(box.sizes()[a] / cell_m_) + 1;
    return product;
  };
  while (cells() > most) cell_m_ *= 1.5;
  for (int a = 0; a < 3; ++a) count_[a] = static_cast<std::int64_t>(box.sizes()[a] / cell_m_) + 1;

  start_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
  cell_.resize(points.size());
  order_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    cell_[i] = static_cast<std::uint32_t>(cell_of(points[i]));
    ++start_[cell_[i] + 1];
  }
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  // Placed backwards from each cell's end, so that points ascend; row c + 1 then says where cell c begins.
  for (std::size_t i = points.size(); i-- > 0;) order_[--start_[cell_[i] + 1]] = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c + 1 < start_.size(); ++c) start_[c] = start_[c + 1];
  start_.back() = static_cast<std::uint32_t>(points.size());
}

}  // namespace vw
