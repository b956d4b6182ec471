// Operations of VoxelEdits on the selection: choosing cells, copying, moving, rotating and pasting.
#include <algorithm>
#include <utility>

#include "app/window/voxel_edit/block_transform.h"
#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {

void VoxelEdits::select(const CellSet& cells, SelectMode mode) {
  CellSet next = cells.common(CellSet::of_box(grid_.box()));
  if (mode == SelectMode::add) next = selection_.united(next);
  if (mode == SelectMode::remove) next = selection_.without(next);
  if (mode == SelectMode::intersect) next = selection_.common(next);
  if (next == selection_) return;
  const StepScope scope(*this, "Select");
  step().set_selection(selection_, std::move(next));
  ++revision_;
}

void VoxelEdits::select_all() { select(cells_with_code(grid_, any_material)); }
void VoxelEdits::invert_selection() { select(cells_with_code(grid_, any_material).without(selection_)); }
void VoxelEdits::grow_selection(int cells) { select(selection_.grown(cells, grid_.box())); }
void VoxelEdits::shrink_selection(int cells) { select(selection_.shrunk(cells)); }
void VoxelEdits::select_material(std::uint16_t code, SelectMode mode) { select(cells_with_code(grid_, code), mode); }
void VoxelEdits::select_connected(const VoxelCell& cell, CellMatch match, SelectMode mode) {
  select(connected_cells(grid_, cell, match), mode);
}

std::optional<VoxelGrid> VoxelEdits::copy_selection() const {
  if (selection_.is_empty()) return std::nullopt;
  return block_of(grid_, selection_, selection_.bounds());
}

Result<std::size_t> VoxelEdits::delete_selection() {
  const StepScope scope(*this, "Delete voxels");
  return write(with_images(selection_), BrushMode::remove, 0);
}

std::vector<VoxelGrid> VoxelEdits::images(const VoxelGrid& block) const {
  std::vector<VoxelGrid> all{block};
  for (int axis = 0; axis < 3; ++axis) {
    const auto plane = symmetry_.twice_plane[static_cast<std::size_t>(axis)];
    const std::size_t count = plane ? all.size() : 0;
    for (std::size_t k = 0; k < count; ++k) {
      VoxelGrid image = flipped(all[k], axis);
      VoxelCell lower = image.box().lower;
      lower[axis] = *plane - all[k].box().upper()[axis];
      image.set_lower(lower);
      all.push_back(std::move(image));
    }
  }
  std::ranges::reverse(all);  // the block itself is placed last, so that it counts where images overlap
  return all;
}

/// Removes the selected voxels and places a block, with all mirror images of both.
Result<std::size_t> VoxelEdits::replace_selection(Placement placement, const char* name) {
  const std::vector<VoxelGrid> blocks = images(placement.block);
  VoxelBox needed;
  for (const VoxelGrid& block : blocks) needed = vw::united(needed, block.content_box());
  const auto grown = grown_box(needed);
  if (!grown) return Unexpected(grown.error());
  const StepScope scope(*this, name);
  std::size_t changed = write(with_images(selection_), BrushMode::remove, 0);
  resize(*grown);
  for (const VoxelGrid& block : blocks) changed += place(block);
  step().set_selection(selection_, placement.selection.common(CellSet::of_box(grid_.box())));
  ++revision_;
  return changed;
}

Result<std::size_t> VoxelEdits::move_selection(const VoxelCell& step) {
  auto block = copy_selection();
  if (!block || step.isZero()) return std::size_t{0};
  if (!is_in_range(step)) return fail("The selection cannot be moved that far.");
  block->set_lower(block->box().lower + step);
  if (auto good = check_grid_box(block->box()); !good) return Unexpected(good.error());
  return replace_selection({std::move(*block), selection_.moved(step)}, "Move voxels");
}

Result<std::size_t> VoxelEdits::rotate_selection(int axis, int quarter_turns) {
  if (axis < 0 || axis > 2) return fail("The axis must be x, y or z.");
  const auto block = copy_selection();
  if (!block || quarter_turns % 4 == 0) return std::size_t{0};
  const VoxelBox box = block->box();
  VoxelGrid turned = rotated(*block, axis, quarter_turns);
  // The quotient is rounded towards 0, so that four quarter turns return to the same place.
  const VoxelCell lower = box.lower + (box.size - turned.box().size) / 2;
  turned.set_lower(lower);
  VoxelGrid chosen({box.lower, box.size}, {"selected"});
  const std::vector<std::uint8_t> mask = selection_.mask(box);
  for (std::size_t i = 0; i < mask.size(); ++i) chosen.set_code(i, mask[i]);
  chosen = rotated(chosen, axis, quarter_turns);
  chosen.set_lower(lower);
  return replace_selection({std::move(turned), cells_with_code(chosen, any_material)}, "Rotate voxels");
}

Result<std::size_t> VoxelEdits::flip_selection(int axis) {
  if (axis < 0 || axis > 2) return fail("The axis must be x, y or z.");
  const auto block = copy_selection();
  if (!block) return std::size_t{0};
  const int twice_center = block->box().lower[axis] + block->box().upper()[axis];
  return replace_selection({flipped(*block, axis), selection_.mirrored(axis, twice_center)}, "Flip voxels");
}

Result<std::size_t> VoxelEdits::paste(const VoxelGrid& block, const VoxelCell& lower) {
  if (!is_in_range(lower)) return fail("The position is too far from the lattice.");
  VoxelGrid placed = block;
  placed.set_lower(lower);
  if (auto good = check_grid_box(placed.box()); !good) return Unexpected(good.error());
  TextList palette = grid_.palette();
  std::vector<std::uint16_t> code_of(block.palette().size() + 1);
  for (std::size_t i = 0; i < placed.cell_count(); ++i) {
    const std::uint16_t code = placed.codes()[i];
    if (code == 0) continue;
    if (code >= code_of.size()) return fail("The copy has a voxel without a material.");
    if (code_of[code] == 0) {
      const std::string& name = block.palette()[code - 1U];
      const auto known = std::ranges::find(palette, name);
      code_of[code] = static_cast<std::uint16_t>(known - palette.begin() + 1);
      if (known == palette.end()) palette.push_back(name);
      if (palette.size() >= any_material) return fail("A palette can have at most 65534 materials.");
    }
    placed.set_code(i, code_of[code]);
  }
  const std::vector<VoxelGrid> blocks = images(placed);
  VoxelBox needed;
  for (const VoxelGrid& one : blocks) needed = vw::united(needed, one.content_box());
  const auto grown = grown_box(needed);
  if (!grown) return Unexpected(grown.error());
  const StepScope scope(*this, "Paste voxels");
  step().set_palette(grid_, std::move(palette));
  resize(*grown);
  std::size_t changed = 0;
  for (const VoxelGrid& one : blocks) changed += place(one);
  select(cells_with_code(placed, any_material));
  return changed;
}

}  // namespace vw
