#include "sim/collision/mesh/mesh_far_field.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"

namespace vw {

FarField::FarField(const Box3& box, std::size_t cells, const SampleAt& sample) : box_(box) {
  const Vec3 size = box.sizes();
  // A flat box gets only one layer of cells in its thin direction.
  const double volume = size.cwiseMax(1e-3 * size.maxCoeff()).prod(),
               edge = elementary::cbrt(volume / static_cast<double>(cells));
  for (int k = 0; k < 3; ++k) {
    count_[static_cast<std::size_t>(k)] =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(size[k] / edge)));
    cells_per_m_[k] = size[k] > 0 ? static_cast<double>(count_[static_cast<std::size_t>(k)]) / size[k] : 0;
  }
  Vec3 cell;
  for (int k = 0; k < 3; ++k) cell[k] = size[k] / static_cast<double>(count_[static_cast<std::size_t>(k)]);
  const double half_diagonal = 0.5 * cell.norm();
  cell_.resize(count_[0] * count_[1] * count_[2]);
  parallel_for(count_[1] * count_[2], 4, [&](Range range, std::size_t) {
    for (std::size_t row = range.begin; row < range.end; ++row) {
      double hint = std::numeric_limits<double>::infinity();
      std::uint32_t guess = none;
      for (std::size_t i = 0; i < count_[0]; ++i) {
        const Vec3 index(static_cast<double>(i) + 0.5, static_cast<double>(row % count_[1]) + 0.5,
                         static_cast<double>(row / count_[1]) + 0.5);
        const Sample here = sample(box.min() + index.cwiseProduct(cell), hint, half_diagonal, guess);
        guess = here.nearest;
        // The distances of two points to the surface differ by at most the distance between these points.
        hint = (std::abs(here.distance) + cell.x()) * (1 + 1e-9);
        const double least = (std::abs(here.distance) - half_diagonal) * (1 - 1e-6);
        cell_[row * count_[0] + i] = {
            least > 0 && here.sign_holds ? static_cast<float>(std::copysign(least, here.distance)) : 0.0F, guess};
      }
    }
  });
}

FarField::Answer FarField::at(const Vec3& point) const {
  const double outside = box_.squaredExteriorDistance(point);
  if (outside > 0) return {std::sqrt(outside) * (1 - 1e-12), none};
  std::array<std::size_t, 3> index{};
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double steps = (point[k] - box_.min()[k]) * cells_per_m_[k];
    index[axis] = steps > 0 ? std::min(count_[axis] - 1, static_cast<std::size_t>(steps)) : 0;  // NaN becomes index 0.
  }
  const Cell& cell = cell_[(index[2] * count_[1] + index[1]) * count_[0] + index[0]];
  return {static_cast<double>(cell.bound), cell.nearest};
}

}  // namespace vw
