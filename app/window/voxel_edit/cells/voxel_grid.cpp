#include "app/window/voxel_edit/cells/voxel_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace vw {
namespace {

/// Copies the rows that two boxes share from one array to another. Both arrays have the order of a grid.
template <class T>
void copy_shared_rows(const VoxelBox& from_box, const std::vector<T>& from, const VoxelBox& to_box,
                      std::vector<T>& to) {
  const VoxelBox shared = common(from_box, to_box);
  if (shared.is_empty()) return;
  const auto row_start = [](const VoxelBox& box, const VoxelCell& cell) {
    const VoxelCell at = cell - box.lower;
    return at.x() + std::ptrdiff_t{box.size.x()} * (at.z() + std::ptrdiff_t{box.size.z()} * at.y());
  };
  for (int y = shared.lower.y(); y < shared.upper().y(); ++y)
    for (int z = shared.lower.z(); z < shared.upper().z(); ++z) {
      const VoxelCell cell(shared.lower.x(), y, z);
      std::copy_n(from.begin() + row_start(from_box, cell), shared.size.x(), to.begin() + row_start(to_box, cell));
    }
}

template <class T>
bool has_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

std::size_t VoxelBox::cells() const {
  if (is_empty()) return 0;
  return static_cast<std::size_t>(size.x()) * static_cast<std::size_t>(size.y()) * static_cast<std::size_t>(size.z());
}

bool VoxelBox::contains(const VoxelBox& other) const {
  return other.is_empty() || (contains(other.lower) && contains(VoxelCell(other.upper() - VoxelCell::Ones())));
}

VoxelBox box_between(const VoxelCell& a, const VoxelCell& b) {
  const VoxelCell lower = a.cwiseMin(b);
  return {lower, a.cwiseMax(b) - lower + VoxelCell::Ones()};
}

VoxelBox united(const VoxelBox& a, const VoxelBox& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  const VoxelCell lower = a.lower.cwiseMin(b.lower);
  return {lower, a.upper().cwiseMax(b.upper()) - lower};
}

VoxelBox common(const VoxelBox& a, const VoxelBox& b) {
  VoxelBox box{a.lower.cwiseMax(b.lower), VoxelCell::Zero()};
  for (int axis = 0; axis < 3; ++axis) {
    // The sums have 64 bits, so that they do not overflow for any box.
    const std::int64_t upper = std::min(std::int64_t{a.lower[axis]} + std::max(a.size[axis], 0),
                                        std::int64_t{b.lower[axis]} + std::max(b.size[axis], 0));
    box.size[axis] = static_cast<int>(std::max<std::int64_t>(upper - box.lower[axis], 0));
  }
  return box.is_empty() ? VoxelBox{box.lower, VoxelCell::Zero()} : box;
}

VoxelBox extended(const VoxelBox& box, int n) {
  return {box.lower - VoxelCell::Constant(n), box.size + VoxelCell::Constant(2 * n)};
}

Result<void> check_grid_box(const VoxelBox& box) {
  if (box.is_empty()) return fail("The lattice must have at least one cell along each axis.");
  if (!is_in_range(box.lower) || box.size.maxCoeff() > max_cell_coordinate || !is_in_range(box.upper()))
    return fail(fmt::format("The coordinates of cells must lie between -{0} and {0}.", max_cell_coordinate));
  // The product of two sizes fits into 64 bits, because each is at most max_cell_coordinate.
  const auto layer = static_cast<std::size_t>(box.size.x()) * static_cast<std::size_t>(box.size.z());
  if (layer > max_grid_cells || layer * static_cast<std::size_t>(box.size.y()) > max_grid_cells)
    return fail(fmt::format("The lattice would have {} x {} x {} cells, and at most {} cells in total are allowed.",
                            box.size.x(), box.size.y(), box.size.z(), max_grid_cells));
  return {};
}

VoxelGrid::VoxelGrid(const VoxelBox& box, TextList palette) : box_(box), palette_(std::move(palette)) {
  assert(check_grid_box(box) && "the box of a grid has been checked");
  codes_.resize(box.cells());
}

VoxelCell VoxelGrid::cell_at(std::size_t index) const {
  const auto nx = static_cast<std::size_t>(box_.size.x()), nz = static_cast<std::size_t>(box_.size.z());
  return box_.lower + VoxelCell(static_cast<int>(index % nx), static_cast<int>(index / (nx * nz)),
                                static_cast<int>(index / nx % nz));
}

VoxelBox VoxelGrid::content_box() const {
  VoxelBox content;
  const auto nx = static_cast<std::size_t>(box_.size.x());
  for (std::size_t row = 0; row < codes_.size(); row += nx) {
    const auto begin = codes_.begin() + static_cast<std::ptrdiff_t>(row), end = begin + box_.size.x();
    const auto is_filled = [](std::uint16_t code) { return code != 0; };
    const auto first = std::find_if(begin, end, is_filled);
    if (first == end) continue;
    auto last = end - 1;
    while (!is_filled(*last)) --last;
    const VoxelCell at = cell_at(row);
    content = united(content, {at + VoxelCell(static_cast<int>(first - begin), 0, 0),
                               VoxelCell(static_cast<int>(last - first) + 1, 1, 1)});
  }
  return content;
}

bool VoxelGrid::operator==(const VoxelGrid& other) const {
  if (!(box_ == other.box_) || palette_ != other.palette_ || !has_same_bits(codes_, other.codes_)) return false;
  return std::ranges::all_of(paint_layers,
                             [&](PaintLayer layer) { return has_same_bits(values(layer), other.values(layer)); });
}

void VoxelGrid::set_has_paint(PaintLayer layer, bool has_layer) {
  if (has_layer == has_paint(layer)) return;
  values(layer) = has_layer ? std::vector<double>(codes_.size(), default_paint(layer)) : std::vector<double>();
}

void VoxelGrid::resize(const VoxelBox& box) {
  if (box == box_) return;
  assert(check_grid_box(box) && "the box of a grid has been checked");
  std::vector<std::uint16_t> codes(box.cells());
  copy_shared_rows(box_, codes_, box, codes);
  codes_ = std::move(codes);
  for (const PaintLayer layer : paint_layers) {
    if (!has_paint(layer)) continue;
    std::vector<double> painted(box.cells(), default_paint(layer));
    copy_shared_rows(box_, values(layer), box, painted);
    values(layer) = std::move(painted);
  }
  box_ = box;
}

VoxelSample sample_of(const VoxelGrid& grid, const VoxelCell& cell) {
  VoxelSample sample;
  sample.code = grid.code(cell);
  if (sample.code != 0 && sample.code <= grid.palette().size()) sample.material = grid.palette()[sample.code - 1U];
  sample.phase = grid.paint_at(cell, PaintLayer::phase);
  sample.amplitude_scale = grid.paint_at(cell, PaintLayer::amplitude_scale);
  sample.stiffness_pa = grid.paint_at(cell, PaintLayer::stiffness);
  sample.muscle = grid.paint_at(cell, PaintLayer::muscle);
  return sample;
}

}  // namespace vw
