#include "app/window/voxel_edit/edit_step.h"

#include <algorithm>
#include <bit>

namespace vw {
namespace {

LayerRange layers_of(const VoxelBox& box) { return {box.lower.y(), box.upper().y()}; }

/// Returns the layers of `count` cells from the array index `first` on.
LayerRange layers_of_run(const VoxelGrid& grid, std::size_t first, std::size_t count) {
  return {grid.cell_at(first).y(), grid.cell_at(first + count - 1).y() + 1};
}

/// Calls visit(item) for all items, in reverse order if `is_reversed`.
template <class Items, class Visit>
void visit_in_order(const Items& items, bool is_reversed, Visit visit) {
  if (is_reversed)
    for (auto item = items.rbegin(); item != items.rend(); ++item) visit(*item);
  else
    for (const auto& item : items) visit(item);
}

bool is_same_number(std::uint16_t a, std::uint16_t b) { return a == b; }
bool is_same_number(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

void LayerRange::add(const LayerRange& other) {
  if (other.is_empty()) return;
  *this = is_empty() ? other : LayerRange{std::min(begin, other.begin), std::max(end, other.end)};
}

std::size_t EditStep::bytes() const {
  std::size_t sum = sizeof(*this) + name_.capacity() + actions_.capacity() * sizeof(Action);
  for (const Action& action : actions_) {
    if (const auto* cells = std::get_if<Cells>(&action)) {
      sum += cells->codes.capacity() * sizeof(Run<std::uint16_t>);
      for (const auto& runs : cells->paint) sum += runs.capacity() * sizeof(Run<double>);
    } else if (const auto* selections = std::get_if<Selections>(&action)) {
      // Both selections count, because each step has its own copies.
      sum += sizeof(CellSet) + selections->before->spans().size_bytes() + selections->after->spans().size_bytes();
    } else if (const auto* palettes = std::get_if<Swap<TextList>>(&action)) {
      for (const std::string& text : palettes->before) sum += sizeof(text) + text.size();
      for (const std::string& text : palettes->after) sum += sizeof(text) + text.size();
    }
  }
  return sum;
}

EditStep::Cells& EditStep::cells() {
  if (actions_.empty() || !std::holds_alternative<Cells>(actions_.back())) actions_.emplace_back(Cells{});
  return std::get<Cells>(actions_.back());
}

template <class T>
void EditStep::record(std::vector<Run<T>>& runs, std::size_t first, std::size_t count, T before, T after) {
  if (!runs.empty()) {
    Run<T>& last = runs.back();
    if (std::size_t{last.first} + last.count == first && is_same_number(last.before, before) &&
        is_same_number(last.after, after)) {
      last.count += static_cast<std::uint32_t>(count);
      return;
    }
  }
  runs.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), before, after});
}

void EditStep::set_codes(VoxelGrid& grid, std::size_t first, std::size_t count, std::uint16_t code) {
  const std::uint16_t before = grid.codes()[first];
  if (before == code) return;
  record(cells().codes, first, count, before, code);
  for (std::size_t i = first; i < first + count; ++i) grid.set_code(i, code);
}

void EditStep::set_paint(VoxelGrid& grid, std::size_t index, PaintLayer layer, double value) {
  const double before = grid.paint(layer)[index];
  if (is_same_number(before, value)) return;
  record(cells().paint[static_cast<std::size_t>(layer)], index, 1, before, value);
  grid.set_paint(index, layer, value);
}

void EditStep::set_has_paint(VoxelGrid& grid, PaintLayer layer, bool has_layer) {
  if (grid.has_paint(layer) == has_layer) return;
  // A removed layer is recorded as a change to default values, so that only painted cells need memory.
  if (!has_layer)
    for (std::size_t i = 0; i < grid.cell_count(); ++i) set_paint(grid, i, layer, default_paint(layer));
  actions_.emplace_back(PaintSwitch{layer, has_layer});
  grid.set_has_paint(layer, has_layer);
}

void EditStep::resize(VoxelGrid& grid, const VoxelBox& box) {
  if (grid.box() == box) return;
  actions_.emplace_back(Swap<VoxelBox>{grid.box(), box});
  grid.resize(box);
}

void EditStep::set_palette(VoxelGrid& grid, TextList palette) {
  if (grid.palette() == palette) return;
  actions_.emplace_back(Swap<TextList>{grid.palette(), palette});
  grid.set_palette(std::move(palette));
}

void EditStep::set_selection(CellSet& selection, CellSet next) {
  if (selection == next) return;
  actions_.emplace_back(
      Selections{std::make_shared<const CellSet>(std::move(selection)), std::make_shared<const CellSet>(next)});
  selection = std::move(next);
}

LayerRange EditStep::replay(VoxelGrid& grid, CellSet& selection, bool is_undo) const {
  LayerRange changed;
  visit_in_order(actions_, is_undo,
                 [&](const Action& action) { changed.add(replay(action, grid, selection, is_undo)); });
  return changed;
}

LayerRange EditStep::replay(const Action& action, VoxelGrid& grid, CellSet& selection, bool is_undo) {
  if (const auto* changes = std::get_if<Cells>(&action)) return replay_cells(*changes, grid, is_undo);
  if (const auto* paint = std::get_if<PaintSwitch>(&action)) {
    grid.set_has_paint(paint->layer, paint->has_layer != is_undo);
    return layers_of(grid.box());
  }
  if (const auto* boxes = std::get_if<Swap<VoxelBox>>(&action)) {
    grid.resize(is_undo ? boxes->before : boxes->after);
    return layers_of(grid.box());
  }
  if (const auto* palettes = std::get_if<Swap<TextList>>(&action)) {
    grid.set_palette(is_undo ? palettes->before : palettes->after);
    return layers_of(grid.box());
  }
  const auto& selections = std::get<Selections>(action);
  selection = is_undo ? *selections.before : *selections.after;
  return {};
}

LayerRange EditStep::replay_cells(const Cells& changes, VoxelGrid& grid, bool is_undo) {
  LayerRange changed;
  visit_in_order(changes.codes, is_undo, [&](const Run<std::uint16_t>& run) {
    for (std::size_t i = run.first; i < std::size_t{run.first} + run.count; ++i)
      grid.set_code(i, is_undo ? run.before : run.after);
    changed.add(layers_of_run(grid, run.first, run.count));
  });
  for (const PaintLayer layer : paint_layers)
    visit_in_order(changes.paint[static_cast<std::size_t>(layer)], is_undo, [&](const Run<double>& run) {
      for (std::size_t i = run.first; i < std::size_t{run.first} + run.count; ++i)
        grid.set_paint(i, layer, is_undo ? run.before : run.after);
      changed.add(layers_of_run(grid, run.first, run.count));
    });
  return changed;
}

}  // namespace vw
