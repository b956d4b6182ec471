#include "app/window/voxel_edit/block_transform.h"

#include <utility>

namespace vw {
namespace {

/// Returns a grid of empty cells with the palette and the paint layers of another one.
VoxelGrid blank_like(const VoxelGrid& grid, const VoxelBox& box) {
  VoxelGrid blank(box, grid.palette());
  for (const PaintLayer layer : paint_layers) blank.set_has_paint(layer, grid.has_paint(layer));
  return blank;
}

/// Copies all cells to new places. `target_of` is a rotation or reflection that maps the old place of a cell to the new
/// one, each relative to the lower corner of its box. The new array index is therefore linear in the old coordinates.
template <class Target>
VoxelGrid rearranged(const VoxelGrid& block, const VoxelCell& size, Target target_of) {
  const VoxelBox& box = block.box();
  VoxelGrid result = blank_like(block, {box.lower, size});
  const auto place_of = [&](const VoxelCell& at) {
    const VoxelCell to = target_of(at);
    return to.x() + std::ptrdiff_t{size.x()} * (to.z() + std::ptrdiff_t{size.z()} * to.y());
  };
  const std::ptrdiff_t origin = place_of(VoxelCell::Zero());
  const std::ptrdiff_t along_x = place_of(VoxelCell::UnitX()) - origin, along_y = place_of(VoxelCell::UnitY()) - origin,
                       along_z = place_of(VoxelCell::UnitZ()) - origin;
  const auto copy = [&](auto set_value) {
    std::size_t source = 0;
    for (std::ptrdiff_t y = 0; y < box.size.y(); ++y)
      for (std::ptrdiff_t z = 0; z < box.size.z(); ++z) {
        std::ptrdiff_t to = origin + along_y * y + along_z * z;
        for (int x = 0; x < box.size.x(); ++x, to += along_x) set_value(static_cast<std::size_t>(to), source++);
      }
  };
  const auto codes = block.codes();
  copy([&](std::size_t to, std::size_t from) { result.set_code(to, codes[from]); });
  for (const PaintLayer layer : paint_layers)
    if (const auto values = block.paint(layer); !values.empty())
      copy([&](std::size_t to, std::size_t from) { result.set_paint(to, layer, values[from]); });
  return result;
}

}  // namespace

VoxelGrid block_of(const VoxelGrid& grid, const CellSet& cells, const VoxelBox& box) {
  VoxelGrid block = blank_like(grid, box);
  const CellSet copied = cells.common(CellSet::of_box(common(grid.box(), box)));
  for (const CellSpan& span : copied.spans()) {
    const std::size_t source = grid.index({span.begin, span.y, span.z});
    const std::size_t target = block.index({span.begin, span.y, span.z});
    const auto count = static_cast<std::size_t>(span.end - span.begin);
    for (std::size_t k = 0; k < count; ++k) block.set_code(target + k, grid.codes()[source + k]);
    for (const PaintLayer layer : paint_layers)
      for (std::size_t k = 0; grid.has_paint(layer) && k < count; ++k)
        if (grid.codes()[source + k] != 0) block.set_paint(target + k, layer, grid.paint(layer)[source + k]);
  }
  return block;
}

VoxelGrid rotated(const VoxelGrid& block, int axis, int quarter_turns) {
  const int turns = ((quarter_turns % 4) + 4) % 4;
  if (turns == 0) return block;
  // A turn about `axis` takes the axis u to v, and v to the negative of u.
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const VoxelCell from = block.box().size;
  VoxelCell size = from;
  if (turns != 2) std::swap(size[u], size[v]);
  return rearranged(block, size, [=](const VoxelCell& at) {
    VoxelCell to = at;
    if (turns == 1) {
      to[u] = from[v] - 1 - at[v];
      to[v] = at[u];
    } else if (turns == 2) {
      to[u] = from[u] - 1 - at[u];
      to[v] = from[v] - 1 - at[v];
    } else {
      to[u] = at[v];
      to[v] = from[u] - 1 - at[u];
    }
    return to;
  });
}

VoxelGrid flipped(const VoxelGrid& block, int axis) {
  const int last = block.box().size[axis] - 1;
  return rearranged(block, block.box().size, [=](VoxelCell at) {
    at[axis] = last - at[axis];
    return at;
  });
}

}  // namespace vw
