// Boundary samples of planes and boxes as parts of lattices. See walls_sampling.h.
#include <algorithm>
#include <cmath>

#include "sim/system/fluid/walls/walls_sampling.h"

namespace vw {
namespace {

/// Returns the kernel sum over a square lattice of unit spacing, at a height above one of its points.
double plane_sum(SphKernel kernel, double height) {
  double sum = 0;
  for (int x = -2; x <= 2; ++x)
    for (int z = -2; z <= 2; ++z) sum += kernel_shape(kernel, 0.5 * std::sqrt(x * x + z * z + height * height));
  return sum;
}

}  // namespace

double SampleScale::wall_weight() const { return plane_sum(kernel_, 1); }

double SampleScale::thin_share(double depth, int layers, double apart) const {
  double sum = 0;
  for (int k = 0; k < layers; ++k) sum += plane_sum(kernel_, 0.5 + depth + k * apart);
  return wall_weight() / sum;
}

void cover_cells(bool two_sided, const SampleScale& scale, const PlaneCells& cells, SurfaceSamples& out) {
  const double d = scale.spacing();
  for (int layer = two_sided ? -2 : 0; layer < 2; ++layer)
    for (std::int64_t z = cells.z_begin; z < cells.z_end; ++z)
      for (std::int64_t x = cells.x_begin; x < cells.x_end; ++x) {
        out.place.emplace_back((static_cast<double>(x) + 0.5) * d, -(layer + 0.5) * d,
                               (static_cast<double>(z) + 0.5) * d);
        out.share.push_back(1);
      }
}

SurfaceSamples cover_plane(bool two_sided, const SampleScale& scale, const Box3& needed) {
  const double d = scale.spacing();
  SurfaceSamples samples;
  if (needed.isEmpty() || needed.min().y() > 2 * d || (two_sided && needed.max().y() < -2 * d)) return samples;
  const auto index = [&](double at) { return static_cast<std::int64_t>(std::floor(at / d)); };
  cover_cells(two_sided, scale,
              {index(needed.min().x()) - 2, index(needed.max().x()) + 3, index(needed.min().z()) - 2,
               index(needed.max().z()) + 3},
              samples);
  return samples;
}

int thin_axis(const Vec3& half_extent_m, double spacing_m) {
  constexpr double rounding = 1e-6;
  int across = 0;
  const double length = 2 * half_extent_m.minCoeff(&across);
  const bool is_wide =
      2 * half_extent_m[(across + 1) % 3] >= spacing_m && 2 * half_extent_m[(across + 2) % 3] >= spacing_m;
  return is_wide && length < spacing_m * (1 - rounding) ? across : -1;
}

BoxCells::BoxCells(const Vec3& half_extent_m, bool room, const SampleScale& scale) {
  const int thin = room ? -1 : thin_axis(half_extent_m, scale.spacing());
  for (int a = 0; a < 3; ++a) {
    const double length = 2 * half_extent_m[a];
    edges_[static_cast<std::size_t>(a)] = a == thin ? Edge::across(length, scale) : Edge(length, room, scale);
  }
}

BoxCells::Edge BoxCells::Edge::across(double length_m, const SampleScale& scale) {
  Edge edge;
  edge.thin = true;
  edge.spacing = edge.width = scale.spacing();
  edge.length = length_m;
  edge.inner_share = 1;
  edge.count = 2 * layers;
  return edge;
}

double BoxCells::Edge::middle(std::int64_t cell) const {
  if (!thin) return from(cell) + 0.5 * width_of(cell) - 0.5 * length;
  // The first cells are the layers behind the upper face, deepest first. The remaining cells are the layers behind the
  // lower face.
  const bool upper = cell < layers;
  const double depth = (static_cast<double>(upper ? layers - 1 - cell : cell - layers) + 0.5) * spacing;
  return upper ? 0.5 * length - depth : depth - 0.5 * length;
}

BoxCells::Edge::Edge(double length_m, bool room, const SampleScale& scale)
    : spacing(scale.spacing()), length(length_m) {
  const double cells = length / spacing, whole = std::round(cells);
  if (room) {
    const double inner = std::max(1.0, whole);
    ends = layers, width = length / inner, length += 2 * layers * spacing,
    count = static_cast<std::int64_t>(inner) + 2 * layers;
  } else if (std::abs(cells - whole) < 1e-6 * cells || cells < 2) {
    count = static_cast<std::int64_t>(cells < 2 ? std::max(1.0, std::ceil(cells - 0.05)) : whole),
    width = length / static_cast<double>(count);
  } else {
    ends = cells < 4 ? 1 : layers;
    const double rest = length - 2 * static_cast<double>(ends) * spacing,
                 inner = std::max(1.0, std::round(rest / spacing));
    width = rest / inner, count = static_cast<std::int64_t>(inner) + 2 * ends;
  }
  inner_share = !room && cells < 2 ? scale.thin_share(0.5 * width / spacing, static_cast<int>(count), width / spacing)
                                   : width / spacing;
}

double BoxCells::Edge::from(std::int64_t cell) const {
  if (cell < ends) return static_cast<double>(cell) * spacing;
  if (cell >= count - ends) return length - static_cast<double>(count - cell) * spacing;
  return static_cast<double>(ends) * spacing + static_cast<double>(cell - ends) * width;
}

std::int64_t BoxCells::Edge::cell_at(double at) const {
  if (thin) return 0;
  const double along = at + 0.5 * length, end = static_cast<double>(ends) * spacing;
  double cell = 0;
  if (along < end)
    cell = std::floor(along / spacing);
  else if (along > length - end)
    cell = static_cast<double>(count - ends) + std::floor((along - length + end) / spacing);
  else
    cell = static_cast<double>(ends) + std::floor((along - end) / width);
  return static_cast<std::int64_t>(std::clamp(cell, 0.0, static_cast<double>(count - 1)));
}

BoxCells::Span BoxCells::Edge::within(double low, double high) const {
  Span span{0, count};
  if (!thin) span = {cell_at(low), cell_at(high) + 1};
  while (span.begin < span.end && middle(span.begin) < low) ++span.begin;
  while (span.begin < span.end && middle(span.end - 1) > high) --span.end;
  return span;
}

void BoxCells::cover(const std::array<Span, 3>& near, SurfaceSamples& out) const {
  const auto& [ex, ey, ez] = edges_;
  for (std::int64_t z = near[2].begin; z < near[2].end; ++z)
    for (std::int64_t y = near[1].begin; y < near[1].end; ++y) {
      const bool outer = ez.is_outer(z) || ey.is_outer(y);
      for (std::int64_t x = near[0].begin; x < near[0].end; ++x) {
        if (!outer && !ex.is_outer(x)) {  // Skips the inner cells of the row.
          x = std::max(x, std::min(near[0].end, ex.count - layers) - 1);
          continue;
        }
        out.place.emplace_back(ex.middle(x), ey.middle(y), ez.middle(z));
        out.share.push_back(static_cast<float>(ex.share(x) * ey.share(y) * ez.share(z)));
      }
    }
}

SurfaceSamples BoxCells::cover(const Box3& needed) const {
  SurfaceSamples samples;
  if (needed.isEmpty()) return samples;
  std::array<Span, 3> near;
  for (int a = 0; a < 3; ++a) {
    const Edge& edge = edges_[static_cast<std::size_t>(a)];
    near[static_cast<std::size_t>(a)] =
        edge.within(needed.min()[a] - 2 * edge.spacing, needed.max()[a] + 2 * edge.spacing);
  }
  cover(near, samples);
  return samples;
}

WallTile BoxCells::tile_at(const Vec3& place) const {
  WallTile tile{};
  for (int a = 0; a < 3; ++a) {
    const auto k = static_cast<std::size_t>(a);
    tile[k] = static_cast<std::int32_t>(edges_[k].cell_at(place[a]) / tile_cells);
  }
  return tile;
}

void BoxCells::cover(const WallTile& tile, SurfaceSamples& out) const {
  std::array<Span, 3> near;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t begin = std::clamp<std::int64_t>(std::int64_t{tile_cells} * tile[a], 0, edges_[a].count);
    near[a] = {begin,
               std::clamp<std::int64_t>(std::int64_t{tile_cells} * (tile[a] + std::int64_t{1}), 0, edges_[a].count)};
  }
  cover(near, out);
}

}  // namespace vw
