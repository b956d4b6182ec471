#include "app/window/voxel_edit/voxel_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vw {
namespace {

const char* step_name(BrushMode mode) {
  switch (mode) {
    case BrushMode::add: return "Add voxels";
    case BrushMode::remove: return "Remove voxels";
    case BrushMode::paint: return "Paint material";
    case BrushMode::set: return "Set voxels";
  }
  return "";
}

std::uint16_t code_after(std::uint16_t before, BrushMode mode, std::uint16_t code) {
  switch (mode) {
    case BrushMode::add: return before == 0 ? code : before;
    case BrushMode::remove: return 0;
    case BrushMode::paint: return before == 0 ? before : code;
    case BrushMode::set: return code;
  }
  return before;
}

}  // namespace

VoxelSymmetry VoxelSymmetry::about_center(const VoxelBox& box, const std::array<bool, 3>& has_plane) {
  VoxelSymmetry symmetry;
  for (int axis = 0; axis < 3; ++axis)
    if (has_plane[static_cast<std::size_t>(axis)])
      symmetry.twice_plane[static_cast<std::size_t>(axis)] = box.lower[axis] + box.upper()[axis];
  return symmetry;
}

LayerRange VoxelEdits::take_changed_layers() { return std::exchange(changed_, {}); }

void VoxelEdits::set_symmetry(const VoxelSymmetry& symmetry) {
  symmetry_ = symmetry;
  for (auto& plane : symmetry_.twice_plane)
    if (plane && (*plane > 2 * max_cell_coordinate || *plane < -2 * max_cell_coordinate)) plane.reset();
}

CellSet VoxelEdits::with_images(const CellSet& cells) const {
  CellSet all = cells;
  for (int axis = 0; axis < 3; ++axis)
    if (const auto plane = symmetry_.twice_plane[static_cast<std::size_t>(axis)])
      all = all.united(all.mirrored(axis, *plane));
  return all;
}

CellSet VoxelEdits::affected_cells(const CellSet& cells) const {
  const VoxelBox bounds = cells.bounds();
  if (!is_in_range(bounds.lower) || !is_in_range(bounds.upper())) return {};
  CellSet all = with_images(cells);
  return is_limited_to_selection_ && !selection_.is_empty() ? all.common(selection_) : all;
}

CellSet VoxelEdits::targets() const { return selection_.is_empty() ? CellSet::of_box(grid_.box()) : selection_; }

Result<void> VoxelEdits::check_code(std::uint16_t code) const {
  if (code >= 1 && code <= grid_.palette().size()) return {};
  if (grid_.palette().empty()) return fail("The palette has no material.");
  return fail(fmt::format("Material {} is not one of the {} materials of the palette.", code, grid_.palette().size()));
}

Result<VoxelBox> VoxelEdits::grown_box(const VoxelBox& needed) const {
  if (!is_growing_ || grid_.box().contains(needed)) return grid_.box();
  const VoxelBox box = vw::united(grid_.box(), needed);
  if (auto good = check_grid_box(box); !good) return Unexpected(good.error());
  return box;
}

void VoxelEdits::mark_changed(const LayerRange& layers) {
  changed_.add(layers);
  ++revision_;
}

void VoxelEdits::resize(const VoxelBox& box) {
  if (box == grid_.box()) return;
  step().resize(grid_, box);
  mark_changed({box.lower.y(), box.upper().y()});
}

std::size_t VoxelEdits::write_row(const CellSpan& span, BrushMode mode, std::uint16_t code) {
  const std::size_t begin = grid_.index({span.begin, span.y, span.z});
  const std::size_t end = begin + static_cast<std::size_t>(span.end - span.begin);
  std::size_t changed = 0;
  for (std::size_t first = begin, last = begin; first < end; first = last) {  // runs of equal codes
    const std::uint16_t before = grid_.codes()[first], after = code_after(before, mode, code);
    while (last < end && grid_.codes()[last] == before) ++last;
    if (before == after) continue;
    step().set_codes(grid_, first, last - first, after);
    changed += last - first;
    if (before != 0 && after != 0) continue;
    for (const PaintLayer layer : paint_layers)
      for (std::size_t i = first; grid_.has_paint(layer) && i < last; ++i)
        step().set_paint(grid_, i, layer, default_paint(layer));
  }
  if (changed > 0) mark_changed({span.y, span.y + 1});
  return changed;
}

std::size_t VoxelEdits::write(const CellSet& cells, BrushMode mode, std::uint16_t code) {
  const VoxelBox& box = grid_.box();
  std::size_t changed = 0;
  for (CellSpan span : cells.spans()) {
    span.begin = std::max(span.begin, box.lower.x());
    span.end = std::min(span.end, box.upper().x());
    if (span.begin < span.end && box.contains(VoxelCell(span.begin, span.y, span.z)))
      changed += write_row(span, mode, code);
  }
  return changed;
}

Result<std::size_t> VoxelEdits::apply(const CellSet& cells, BrushMode mode, std::uint16_t code) {
  if (mode != BrushMode::remove)
    if (auto good = check_code(code); !good) return Unexpected(good.error());
  const VoxelBox bounds = cells.bounds();
  if (!is_in_range(bounds.lower) || !is_in_range(bounds.upper()))
    return fail("The shape extends too far beyond the lattice.");
  const CellSet all = affected_cells(cells);
  VoxelBox box = grid_.box();
  if (mode == BrushMode::add || mode == BrushMode::set) {
    const auto grown = grown_box(all.bounds());
    if (!grown) return Unexpected(grown.error());
    box = *grown;
  }
  const StepScope scope(*this, step_name(mode));
  resize(box);
  return write(all, mode, code);
}

void VoxelEdits::place_values(const VoxelGrid& block, std::size_t source, std::size_t target) {
  for (const PaintLayer layer : paint_layers) {
    const double value = block.has_paint(layer) ? block.paint(layer)[source] : default_paint(layer);
    if (!grid_.has_paint(layer)) {
      if (value == default_paint(layer)) continue;
      step().set_has_paint(grid_, layer, true);
    }
    step().set_paint(grid_, target, layer, value);
  }
}

std::size_t VoxelEdits::place(const VoxelGrid& block) {
  const VoxelBox box = vw::common(block.box(), grid_.box());
  const bool has_values = std::ranges::any_of(
      paint_layers, [&](PaintLayer layer) { return block.has_paint(layer) || grid_.has_paint(layer); });
  std::size_t placed = 0;
  for (int y = box.lower.y(); y < box.upper().y(); ++y) {
    const std::size_t before = placed;
    for (int z = box.lower.z(); z < box.upper().z(); ++z) {
      std::size_t source = block.index({box.lower.x(), y, z}), target = grid_.index({box.lower.x(), y, z});
      const std::size_t end = source + static_cast<std::size_t>(box.size.x());
      while (source < end) {  // runs of equal codes, before and after
        const std::uint16_t code = block.codes()[source], old = grid_.codes()[target];
        std::size_t count = 1;
        while (source + count < end && block.codes()[source + count] == code && grid_.codes()[target + count] == old)
          ++count;
        if (code != 0) {
          step().set_codes(grid_, target, count, code);
          for (std::size_t k = 0; has_values && k < count; ++k) place_values(block, source + k, target + k);
          placed += count;
        }
        source += count;
        target += count;
      }
    }
    if (placed > before) mark_changed({y, y + 1});
  }
  return placed;
}

Result<void> VoxelEdits::set_palette(TextList palette) {
  std::uint16_t largest = 0;
  for (const std::uint16_t code : grid_.codes()) largest = std::max(largest, code);
  if (palette.size() < largest)
    return fail(fmt::format("The palette must have at least {} materials, because voxels use them.", largest));
  if (palette.size() >= any_material) return fail("A palette can have at most 65534 materials.");
  const StepScope scope(*this, "Change palette");
  step().set_palette(grid_, std::move(palette));
  mark_changed({grid_.box().lower.y(), grid_.box().upper().y()});
  return {};
}

void VoxelEdits::begin_step(const std::string& name) {
  if (open_depth_++ == 0) open_step_.emplace(name);
}

void VoxelEdits::end_step() {
  if (open_depth_ == 0 || --open_depth_ > 0) return;
  if (!open_step_->is_empty()) {
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(position_), steps_.end());
    steps_.push_back(std::move(*open_step_));
    ++position_;
  }
  open_step_.reset();
}

std::string VoxelEdits::undo_name() const { return can_undo() ? steps_[position_ - 1].name() : std::string(); }
std::string VoxelEdits::redo_name() const { return can_redo() ? steps_[position_].name() : std::string(); }

void VoxelEdits::undo() {
  while (open_depth_ > 0) end_step();
  if (can_undo()) mark_changed(steps_[--position_].undo(grid_, selection_));
}

void VoxelEdits::redo() {
  while (open_depth_ > 0) end_step();
  if (can_redo()) mark_changed(steps_[position_++].redo(grid_, selection_));
}

std::size_t VoxelEdits::history_bytes() const {
  std::size_t bytes = 0;
  for (const EditStep& one : steps_) bytes += one.bytes();
  return bytes;
}

}  // namespace vw
