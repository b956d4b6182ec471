// Operations of VoxelEdits that depend on the shape of the voxels: filling, extrusion, mirroring, hollowing, cropping.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/window/voxel_edit/block_transform.h"
#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {
namespace {

/// Returns the union of copies of a set, moved by first * step, ..., last * step.
CellSet swept(const CellSet& cells, const VoxelCell& step, int first, int last) {
  std::vector<CellSpan> spans;
  for (int k = first; k <= last; ++k) {
    const CellSet moved = cells.moved(k * step);
    spans.insert(spans.end(), moved.spans().begin(), moved.spans().end());
  }
  return CellSet::of_spans(std::move(spans));
}

/// Returns the part of a box on one side of a mirror plane. Cells in the plane belong to neither side.
VoxelBox side_of(const VoxelBox& box, int axis, int twice_plane, bool is_low_side) {
  const int low_end = twice_plane >> 1, high_begin = (twice_plane + 1) >> 1;
  VoxelBox side = box;
  if (is_low_side) {
    side.size[axis] = std::min(box.upper()[axis], low_end) - box.lower[axis];
  } else {
    side.lower[axis] = std::max(box.lower[axis], high_begin);
    side.size[axis] = box.upper()[axis] - side.lower[axis];
  }
  return side;
}

}  // namespace

Result<std::size_t> VoxelEdits::flood_fill(const VoxelCell& cell, std::uint16_t code) {
  if (!grid_.box().contains(cell)) return fail("The cell lies outside the lattice.");
  if (code != 0)
    if (auto good = check_code(code); !good) return Unexpected(good.error());
  if (grid_.code(cell) == code) return std::size_t{0};
  const CellSet region = connected_cells(grid_, cell, CellMatch::same_code);
  const StepScope scope(*this, "Fill");
  return apply(region, code == 0 ? BrushMode::remove : BrushMode::set, code);
}

Result<std::size_t> VoxelEdits::extrude(const VoxelCell& cell, CellFace face, int layers) {
  const CellSet region = flat_region(grid_, cell, face);
  if (region.is_empty()) return fail("The cell is not a voxel with a free face on this side.");
  const VoxelCell normal = normal_of(face);
  const int axis = axis_of(face);
  const StepScope scope(*this, "Extrude");
  if (layers < 0) {
    const int depth = std::min(grid_.box().size[axis], layers < -max_cell_coordinate ? max_cell_coordinate : -layers);
    return apply(swept(region, -normal, 0, depth - 1), BrushMode::remove, 0);
  }
  int height = std::min(layers, max_cell_coordinate);
  if (!is_growing_) height = std::min(height, grid_.box().size[axis]);
  VoxelBox end = region.bounds();
  end.lower += height * normal;
  if (auto good = grown_box(vw::united(region.bounds(), end)); !good) return Unexpected(good.error());
  return apply(swept(region, normal, 1, height), BrushMode::add, grid_.code(cell));
}

Result<std::size_t> VoxelEdits::mirror(int axis, int twice_plane, bool is_from_low_side) {
  if (axis < 0 || axis > 2) return fail("The axis must be x, y or z.");
  const VoxelBox box = grid_.box();
  if (twice_plane <= 2 * box.lower[axis] || twice_plane >= 2 * box.upper()[axis])
    return fail("The mirror plane lies outside the lattice.");
  const VoxelBox source = side_of(box, axis, twice_plane, is_from_low_side);
  const StepScope scope(*this, "Mirror");
  const CellSet target = CellSet::of_box(side_of(box, axis, twice_plane, !is_from_low_side));
  if (source.is_empty())
    return write(target, BrushMode::remove, 0);  // the plane lies in the outermost cells, so there is nothing to copy
  VoxelGrid image = flipped(block_of(grid_, CellSet::of_box(source), source), axis);
  VoxelCell lower = source.lower;
  lower[axis] = twice_plane - source.upper()[axis];
  image.set_lower(lower);
  const auto grown = grown_box(image.content_box());
  if (!grown) return Unexpected(grown.error());
  const std::size_t removed = write(target, BrushMode::remove, 0);
  resize(*grown);
  return removed + place(image);
}

Result<std::size_t> VoxelEdits::hollow(int thickness) {
  if (thickness < 1) return fail("The thickness must be at least 1 voxel.");
  const CellSet voxels = cells_with_code(grid_, any_material);
  const CellSet core = voxels.shrunk(thickness).common(targets());
  const StepScope scope(*this, "Hollow");
  return write(with_images(core), BrushMode::remove, 0);
}

Result<std::size_t> VoxelEdits::add_shell(int thickness, std::uint16_t code) {
  if (thickness < 1) return fail("The thickness must be at least 1 voxel.");
  if (auto good = check_code(code); !good) return Unexpected(good.error());
  const CellSet voxels = cells_with_code(grid_, any_material);
  if (voxels.is_empty()) return std::size_t{0};
  const VoxelBox box = extended(voxels.bounds(), std::min(thickness, max_cell_coordinate));
  if (auto good = check_grid_box(box); !good) return Unexpected(good.error());
  const std::vector<std::uint8_t> exterior = exterior_mask(grid_, box);
  std::vector<std::uint8_t> shell = voxels.mask(box);
  dilate(shell, box, thickness);
  for (std::size_t i = 0; i < shell.size(); ++i) shell[i] &= exterior[i];
  const CellSet cells = with_images(CellSet::of_mask(box, shell));
  const auto grown = grown_box(cells.bounds());
  if (!grown) return Unexpected(grown.error());
  const StepScope scope(*this, "Add shell");
  resize(*grown);
  return write(cells, BrushMode::add, code);
}

Result<std::size_t> VoxelEdits::replace_material(std::uint16_t from, std::uint16_t to) {
  if (auto good = check_code(from); !good) return Unexpected(good.error());
  if (to != 0)
    if (auto good = check_code(to); !good) return Unexpected(good.error());
  const CellSet cells = cells_with_code(grid_, from).common(targets());
  const StepScope scope(*this, "Replace material");
  return write(with_images(cells), to == 0 ? BrushMode::remove : BrushMode::paint, to);
}

Result<std::size_t> VoxelEdits::crop() {
  const VoxelBox content = grid_.content_box();
  return set_box(content.is_empty() ? VoxelBox{grid_.box().lower, VoxelCell::Ones()} : content);
}

Result<std::size_t> VoxelEdits::set_box(const VoxelBox& box) {
  if (auto good = check_grid_box(box); !good) return Unexpected(good.error());
  const StepScope scope(*this, "Change lattice");
  const CellSet outside = CellSet::of_box(grid_.box()).without(CellSet::of_box(box));
  const std::size_t removed = write(outside, BrushMode::remove, 0);
  // Empty cells may have painted values too, which undo must restore.
  for (const CellSpan& span : outside.spans())
    for (int x = span.begin; x < span.end; ++x)
      for (const PaintLayer layer : paint_layers)
        if (grid_.has_paint(layer))
          step().set_paint(grid_, grid_.index({x, span.y, span.z}), layer, default_paint(layer));
  const bool has_new_box = !(box == grid_.box());
  resize(box);
  step().set_selection(selection_, selection_.common(CellSet::of_box(box)));
  return removed + (has_new_box ? 1 : 0);
}

Result<std::size_t> VoxelEdits::replace_all(const VoxelGrid& cells) {
  const std::size_t materials = cells.palette().size();
  if (materials >= any_material) return fail("A palette can have at most 65534 materials.");
  if (std::ranges::any_of(cells.codes(), [&](std::uint16_t code) { return code > materials; }))
    return fail("A voxel has a material that is not in the palette.");
  const StepScope scope(*this, "Replace all voxels");
  const VoxelSymmetry symmetry = std::exchange(symmetry_, {});
  write(CellSet::of_box(grid_.box()), BrushMode::remove, 0);
  for (const PaintLayer layer : paint_layers) (void)clear_paint(layer);
  step().set_palette(grid_, cells.palette());
  auto placed = set_box(cells.box());
  if (placed) placed = paste(cells, cells.box().lower);
  select_none();
  symmetry_ = symmetry;
  return placed;
}

}  // namespace vw
