// Planes and boxes as parts of lattices. See walls_sampling.h.
#include <algorithm>
#include <cmath>

#include "sim/system/fluid/walls_sampling.h"

namespace vw {
namespace {

/// Kernel over a square lattice of unit spacing, seen from above one of its points.
double plane_sum(SphKernel kernel, double height) {
  double sum = 0;
  for (int x = -2; x <= 2; ++x)
    for (int z = -2; z <= 2; ++z) sum += kernel_shape(kernel, 0.5 * std::sqrt(x * x + z * z + height * height));
  return sum;
}

/// Cells along an edge of a box, counted from its middle.
struct EdgeCells {
  std::vector<double> middle;
  std::vector<double> share;  ///< width / spacing, or what makes up for it where the edge is thin
  std::vector<char> outer;    ///< one of the two cells next to either end
};

EdgeCells divide_edge(double length, const SampleScale& scale) {
  const double d = scale.spacing(), cells = length / d, whole = std::round(cells);
  EdgeCells edge;
  const auto add = [&](double from, double width) {
    edge.middle.push_back(from + 0.5 * width - 0.5 * length);
    edge.share.push_back(width / d);
    edge.outer.push_back(from < 1.5 * d || from + width > length - 1.5 * d ? 1 : 0);
  };
  if (std::abs(cells - whole) < 1e-6 * cells || cells < 2) {
    const double count = cells < 2 ? std::max(1.0, std::ceil(cells - 0.05)) : whole, width = length / count;
    for (double k = 0; k < count; ++k) add(k * width, width);
    if (cells < 2) edge.share.assign(edge.share.size(), scale.thin_share(0.5 * width / d, static_cast<int>(count), width / d));
    return edge;
  }
  const int ends = cells < 4 ? 1 : 2;
  for (int k = 0; k < ends; ++k) add(k * d, d);
  const double rest = length - 2 * ends * d, inner = std::max(1.0, std::round(rest / d));
  for (double k = 0; k < inner; ++k) add(ends * d + k * rest / inner, rest / inner);
  for (int k = ends; k > 0; --k) add(length - k * d, d);
  return edge;
}

/// Cells whose middle lies between two bounds.
Range within(const EdgeCells& edge, double low, double high) {
  const auto first = std::lower_bound(edge.middle.begin(), edge.middle.end(), low), last = std::upper_bound(first, edge.middle.end(), high);
  return {static_cast<std::size_t>(first - edge.middle.begin()), static_cast<std::size_t>(last - edge.middle.begin())};
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
  const auto share = static_cast<float>(two_sided ? scale.thin_share(0) : 1.0);
  for (int layer = 0; layer < (two_sided ? 1 : 2); ++layer)
    for (std::int64_t z = cells.z_begin; z < cells.z_end; ++z)
      for (std::int64_t x = cells.x_begin; x < cells.x_end; ++x) {
        out.place.emplace_back((static_cast<double>(x) + 0.5) * d, two_sided ? 0.0 : -(layer + 0.5) * d, (static_cast<double>(z) + 0.5) * d);
        out.share.push_back(share);
      }
}

SurfaceSamples cover_plane(bool two_sided, const SampleScale& scale, const Box3& needed) {
  const double d = scale.spacing();
  SurfaceSamples samples;
  if (needed.isEmpty() || needed.min().y() > 2 * d || (two_sided && needed.max().y() < -2 * d)) return samples;
  const auto index = [&](double at) { return static_cast<std::int64_t>(std::floor(at / d)); };
  cover_cells(two_sided, scale, {index(needed.min().x()) - 2, index(needed.max().x()) + 3, index(needed.min().z()) - 2, index(needed.max().z()) + 3},
              samples);
  return samples;
}

SurfaceSamples cover_box(const Vec3& half_extent_m, const SampleScale& scale, const Box3& needed) {
  SurfaceSamples samples;
  if (needed.isEmpty()) return samples;
  const double reach = 2 * scale.spacing();
  EdgeCells edge[3];
  Range near[3];
  for (int a = 0; a < 3; ++a) {
    edge[a] = divide_edge(2 * half_extent_m[a], scale);
    near[a] = within(edge[a], needed.min()[a] - reach, needed.max()[a] + reach);
  }
  for (std::size_t z = near[2].begin; z < near[2].end; ++z)
    for (std::size_t y = near[1].begin; y < near[1].end; ++y) {
      const bool outer = edge[2].outer[z] != 0 || edge[1].outer[y] != 0;
      for (std::size_t x = near[0].begin; x < near[0].end; ++x) {
        if (!outer && edge[0].outer[x] == 0) {  // on to the cells at the far end
          x = std::max(x, std::min(near[0].end, edge[0].middle.size() - 2) - 1);
          continue;
        }
        samples.place.emplace_back(edge[0].middle[x], edge[1].middle[y], edge[2].middle[z]);
        samples.share.push_back(static_cast<float>(edge[0].share[x] * edge[1].share[y] * edge[2].share[z]));
      }
    }
  return samples;
}

}  // namespace vw
