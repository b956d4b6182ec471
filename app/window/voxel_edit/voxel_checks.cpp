#include "app/window/voxel_edit/voxel_checks.h"

#include <algorithm>
#include <numeric>

namespace vw {
namespace {

/// Disjoint sets of spans with path halving. The root of a set is its lowest index.
class SpanSets {
 public:
  explicit SpanSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Joins the spans of two rows that have a common x. The rows are given as ranges of span indices.
void join_rows(std::span<const CellSpan> spans, Range a, Range b, SpanSets& sets) {
  std::size_t i = a.begin, j = b.begin;
  while (i < a.end && j < b.end) {
    if (spans[i].begin < spans[j].end && spans[j].begin < spans[i].end)
      sets.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
    if (spans[i].end < spans[j].end)
      ++i;
    else
      ++j;
  }
}

/// Returns the spans of each row of a box, as ranges of indices, z ascending within y.
std::vector<Range> rows_of(std::span<const CellSpan> spans, const VoxelBox& box) {
  std::vector<Range> rows(static_cast<std::size_t>(box.size.y()) * static_cast<std::size_t>(box.size.z()));
  for (std::size_t i = 0; i < spans.size(); ++i) {
    Range& row = rows[static_cast<std::size_t>(spans[i].z - box.lower.z()) +
                      static_cast<std::size_t>(box.size.z()) * static_cast<std::size_t>(spans[i].y - box.lower.y())];
    if (row.size() == 0) row.begin = i;
    row.end = i + 1;
  }
  return rows;
}

}  // namespace

VoxelMeasures measures_of(const VoxelGrid& grid, std::span<const double> densities, double voxel_size) {
  VoxelMeasures measures;
  measures.voxels_of_code.assign(grid.palette().size() + 1, 0);
  // `mass` and `moment` are sums for voxels of volume 1. The volume of a voxel is applied at the end.
  const double voxel_volume = voxel_size * voxel_size * voxel_size;
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  const auto density_of = [&](std::uint16_t code) {
    return code != 0 && code <= densities.size() ? densities[code - 1U] : 0.0;
  };
  const auto nx = static_cast<std::size_t>(grid.box().size.x());
  const auto codes = grid.codes();
  for (std::size_t row = 0; row < codes.size(); row += nx) {
    const VoxelCell start = grid.cell_at(row);
    for (std::size_t begin = 0; begin < nx;) {  // runs of equal codes
      const std::uint16_t code = codes[row + begin];
      std::size_t end = begin + 1;
      while (end < nx && codes[row + end] == code) ++end;
      if (code < measures.voxels_of_code.size()) measures.voxels_of_code[code] += end - begin;
      if (code != 0) {
        const auto count = static_cast<double>(end - begin);
        const double run_mass = density_of(code) * count;
        measures.voxels += end - begin;
        mass += run_mass;
        moment += run_mass * Vec3(start.x() + 0.5 * static_cast<double>(begin + end), start.y() + 0.5, start.z() + 0.5);
      }
      begin = end;
    }
  }
  measures.volume_m3 = static_cast<double>(measures.voxels) * voxel_volume;
  measures.mass_kg = mass * voxel_volume;
  if (mass > 0) measures.center_of_mass = moment / mass;
  return measures;
}

std::vector<VoxelPart> connected_parts(const VoxelGrid& grid) {
  const CellSet voxels = cells_with_code(grid, any_material);
  const auto spans = voxels.spans();
  const VoxelBox& box = grid.box();
  const std::vector<Range> rows = rows_of(spans, box);
  SpanSets sets(spans.size());
  const auto nz = static_cast<std::size_t>(box.size.z());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (row % nz > 0) join_rows(spans, rows[row - 1], rows[row], sets);
    if (row >= nz) join_rows(spans, rows[row - nz], rows[row], sets);
  }
  std::vector<std::uint32_t> part_at(spans.size());
  std::vector<VoxelPart> parts;
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    const std::uint32_t root = sets.root(i);
    if (root == i) {  // the root is the first span of its part
      part_at[i] = static_cast<std::uint32_t>(parts.size());
      parts.push_back({0, {spans[i].begin, spans[i].y, spans[i].z}});
    }
    parts[part_at[root]].voxels += static_cast<std::size_t>(spans[i].end - spans[i].begin);
  }
  std::ranges::stable_sort(parts, std::greater<>(), &VoxelPart::voxels);
  return parts;
}

}  // namespace vw
