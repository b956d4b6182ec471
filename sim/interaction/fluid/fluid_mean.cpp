#include "sim/interaction/fluid/fluid_mean.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/rows/sph_kernel.h"

namespace vw {
namespace {

constexpr std::size_t mean_row_grain = 8192, point_grain = 64;
/// A point counts as fully immersed if the kernel weights around it sum to at least this value. At a flat wall, half of
/// the full weight is missing, because the wall contains no particles; the point must still count as immersed.
constexpr double full_from = 0.5;

/// Maps a point to its image in the periodic cell of the fluid. Along axes that are not periodic, the point is
/// unchanged.
Vec3 among_rows(Vec3 place, const FluidSystem::Period& period) {
  for (int a = 0; a < 3; ++a)
    if (period.length[a] > 0)
      place[a] -= period.length[a] * std::floor((place[a] - period.corner[a]) / period.length[a]);
  return place;
}

/// Calls visit(place) for a point in the periodic cell, and for each of its periodic images within `reach` of the cell.
template <class F>
void each_image(const Vec3& place, const FluidSystem::Period& period, double reach, F visit) {
  int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (!(period.length[a] > 0)) continue;
    low[a] = place[a] + reach > period.corner[a] + period.length[a] ? -1 : 0;
    high[a] = place[a] - reach < period.corner[a] ? 1 : 0;
  }
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int x = low[0]; x <= high[0]; ++x) visit(Vec3(place + period.length.cwiseProduct(Vec3(x, y, z))));
}

}  // namespace

/// Collects the fluid particles in the bounding box of all points, enlarged by `reach`. Their order is ascending, for
/// any number of threads.
void FluidMean::gather_rows(const Elements& rows, double age, std::span<const Vec3> points, double reach) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points)
    if (p.allFinite()) box.extend(p);
  row_.clear(), row_place_.clear();
  if (box.isEmpty()) return;
  box.min().array() -= reach, box.max().array() += reach;
  in_box_.resize(rows.size());
  parallel_for(rows.size(), mean_row_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k)
      in_box_[k] = box.contains(rows.position[k] + age * rows.velocity[k]) ? 1 : 0;
  });
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (in_box_[k] == 0) continue;
    row_.push_back(static_cast<std::uint32_t>(k));
    row_place_.push_back(rows.position[k] + age * rows.velocity[k]);
  }
}

void FluidMean::find(const FluidSystem& fluid, double age, std::span<const Vec3> points, double reach_m) {
  const double spacing = fluid.spacing(), reach = std::max(reach_m, 2 * spacing), share = spacing / reach;
  const double scale = lattice_factor(SphKernel::wendland) * share * share * share;
  const FluidSystem::Period period = fluid.period();
  volume_m3_ = spacing * spacing * spacing;
  point_.assign(points.begin(), points.end());
  if (!period.length.isZero(0)) {
    point_.clear();
    for (const Vec3& p : points)
      each_image(among_rows(p, period), period, reach, [&](const Vec3& place) { point_.push_back(place); });
  }
  gather_rows(fluid.elements(), age, point_, reach);
  grid_.build(row_place_, reach);
  if (near_.size() < points.size()) near_.resize(points.size());
  parallel_for(points.size(), point_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      near_[i].clear();
      each_image(among_rows(points[i], period), period, reach, [&](const Vec3& place) {
        grid_.near(place, [&](std::uint32_t k) {
          const double squared = (row_place_[k] - place).squaredNorm();
          if (squared < reach * reach)
            near_[i].push_back({row_[k], scale * kernel_shape(SphKernel::wendland, std::sqrt(squared) / reach)});
        });
      });
    }
  });
}

FluidMean::Around FluidMean::at(const Elements& rows, std::size_t point) const {
  Around fluid;
  for (const Near& near : near_[point]) {
    fluid.weight += near.weight;
    fluid.velocity += near.weight * (rows.velocity[near.row] + rows.impulse[near.row] / rows.mass[near.row]);
    fluid.density_kgpm3 += near.weight * rows.mass[near.row] / volume_m3_;
    fluid.inverse_mass += near.weight * near.weight / rows.mass[near.row];
  }
  if (fluid.weight <= 0) return {};
  fluid.velocity /= fluid.weight;
  fluid.density_kgpm3 /= fluid.weight;
  fluid.inverse_mass /= fluid.weight * fluid.weight;
  fluid.immersed = std::min(1.0, fluid.weight / full_from);
  return fluid;
}

void FluidMean::give(Elements& rows, std::size_t point, const Around& around, const Vec3& impulse) const {
  for (const Near& near : near_[point]) rows.impulse[near.row] += near.weight / around.weight * impulse;
}

}  // namespace vw
