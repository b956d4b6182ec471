#include "app/window/voxel_edit/cells/voxel_regions.h"

#include <algorithm>

namespace vw {
namespace {

/// Sets `is_found` to 1 for all cells that are connected with the cell at `seed` and for which matches(index) is true.
/// Works row by row: each entry of the stack is one cell of a run along x that has not been filled yet.
template <class Matches>
void fill_runs(const VoxelCell& size, std::size_t seed, Matches matches, std::vector<std::uint8_t>& is_found) {
  const auto nx = static_cast<std::size_t>(size.x()), ny = static_cast<std::size_t>(size.y()),
             nz = static_cast<std::size_t>(size.z());
  const auto is_open = [&](std::size_t i) { return is_found[i] == 0 && matches(i); };
  std::vector<std::size_t> stack;
  if (is_open(seed)) stack.push_back(seed);
  const auto push_runs = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (is_open(i) && (i == begin || !is_open(i - 1))) stack.push_back(i);
  };
  while (!stack.empty()) {
    const std::size_t start = stack.back();
    stack.pop_back();
    if (!is_open(start)) continue;
    const std::size_t row = start / nx, row_begin = row * nx;
    std::size_t begin = start, end = start + 1;
    while (begin > row_begin && is_open(begin - 1)) --begin;
    while (end < row_begin + nx && is_open(end)) ++end;
    std::fill(is_found.begin() + static_cast<std::ptrdiff_t>(begin),
              is_found.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{1});
    const std::size_t z = row % nz, y = row / nz;
    if (z > 0) push_runs(begin - nx, end - nx);
    if (z + 1 < nz) push_runs(begin + nx, end + nx);
    if (y > 0) push_runs(begin - nx * nz, end - nx * nz);
    if (y + 1 < ny) push_runs(begin + nx * nz, end + nx * nz);
  }
}

}  // namespace

CellSet connected_cells(const VoxelGrid& grid, const VoxelCell& cell, CellMatch match) {
  if (!grid.box().contains(cell)) return {};
  const std::uint16_t code = grid.code(cell);
  if (match == CellMatch::filled && code == 0) return {};
  std::vector<std::uint8_t> is_found(grid.cell_count());
  const auto codes = grid.codes();
  if (match == CellMatch::filled)
    fill_runs(
        grid.box().size, grid.index(cell), [&](std::size_t i) { return codes[i] != 0; }, is_found);
  else
    fill_runs(
        grid.box().size, grid.index(cell), [&](std::size_t i) { return codes[i] == code; }, is_found);
  return CellSet::of_mask(grid.box(), is_found);
}

CellSet flat_region(const VoxelGrid& grid, const VoxelCell& cell, CellFace face) {
  const std::uint16_t code = grid.code(cell);
  if (code == 0) return {};
  const int axis = axis_of(face);
  const VoxelCell normal = normal_of(face);
  VoxelBox layer = grid.box();
  layer.lower[axis] = cell[axis];
  layer.size[axis] = 1;
  const VoxelGrid frame(layer);  // gives the order of the layer's cells
  const auto is_member = [&](std::size_t i) {
    const VoxelCell at = frame.cell_at(i);
    return grid.code(at) == code && grid.code(at + normal) == 0;
  };
  std::vector<std::uint8_t> is_found(layer.cells());
  fill_runs(layer.size, frame.index(cell), is_member, is_found);
  return CellSet::of_mask(layer, is_found);
}

std::vector<std::uint8_t> exterior_mask(const VoxelGrid& grid, const VoxelBox& box) {
  // A margin of one empty cell connects all empty cells at the surface of the box.
  const VoxelBox outer = extended(box, 1);
  std::vector<std::uint8_t> is_filled = cells_with_code(grid, any_material).mask(outer);
  const CellSet margin = CellSet::of_box(outer).without(CellSet::of_box(box));
  for (const CellSpan& span : margin.spans())
    std::fill_n(is_filled.begin() + static_cast<std::ptrdiff_t>(index_in(outer, {span.begin, span.y, span.z})),
                span.end - span.begin, std::uint8_t{0});
  std::vector<std::uint8_t> is_found(outer.cells());
  fill_runs(
      outer.size, 0, [&](std::size_t i) { return is_filled[i] == 0; }, is_found);
  return CellSet::of_mask(outer, is_found).mask(box);
}

}  // namespace vw
