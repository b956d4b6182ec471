// Operations of VoxelEdits that paint values of voxels: phase, amplitude scale, stiffness and muscle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {
namespace {

/// Returns an error if a voxel body does not accept the value (ranges in sim/system/voxel/lattice/lattice_params.cpp).
Result<void> check_paint(PaintLayer layer, double value) {
  if (layer == PaintLayer::muscle) {
    if (value == std::floor(value) && value >= 0 && value <= max_painted_muscles) return {};
    return fail(fmt::format("The number of a muscle must be a whole number in [0, {}].", max_painted_muscles));
  }
  const bool is_stiffness = layer == PaintLayer::stiffness;
  const double low = is_stiffness ? 0 : -1e9, high = is_stiffness ? 1e13 : 1e9;
  if (value >= low && value <= high) return {};
  return fail(fmt::format("The value {} must lie in [{}, {}].", value, low, high));
}

/// Calls visit(span) for the parts of a set's spans that lie in a box.
template <class Visit>
void visit_spans(const CellSet& cells, const VoxelBox& box, Visit visit) {
  for (CellSpan span : cells.spans()) {
    span.begin = std::max(span.begin, box.lower.x());
    span.end = std::min(span.end, box.upper().x());
    if (span.begin < span.end && box.contains(VoxelCell(span.begin, span.y, span.z))) visit(span);
  }
}

}  // namespace

/// Paints the voxels of a set and of its mirror images. `value_at` gives the value of a cell of the set. The images are
/// painted first, so that the original counts where they overlap.
template <class ValueAt>
Result<std::size_t> VoxelEdits::paint(const CellSet& cells, PaintLayer layer, ValueAt value_at) {
  const StepScope scope(*this, "Paint values");
  std::size_t changed = 0;
  const bool is_limited = is_limited_to_selection_ && !selection_.is_empty();
  for (unsigned image = 8; image-- > 0;) {  // bit k means that the image is reflected along axis k
    CellSet place = cells;
    bool has_planes = true;
    for (int axis = 0; axis < 3; ++axis) {
      const auto plane = symmetry_.twice_plane[static_cast<std::size_t>(axis)];
      if ((image >> axis & 1U) == 0) continue;
      if (plane)
        place = place.mirrored(axis, *plane);
      else
        has_planes = false;
    }
    if (!has_planes) continue;
    if (is_limited) place = place.common(selection_);
    visit_spans(place, grid_.box(), [&](const CellSpan& span) {
      const std::size_t before = changed;
      VoxelCell cell(span.begin, span.y, span.z);
      for (std::size_t i = grid_.index(cell); cell.x() < span.end; ++i, ++cell.x()) {
        if (grid_.codes()[i] == 0) continue;
        VoxelCell original = cell;
        for (int axis = 0; image != 0 && axis < 3; ++axis)
          if ((image >> axis & 1U) != 0)
            original[axis] = symmetry_.twice_plane[static_cast<std::size_t>(axis)].value_or(0) - 1 - cell[axis];
        const double value = value_at(original);
        if (value == (grid_.has_paint(layer) ? grid_.paint(layer)[i] : default_paint(layer))) continue;
        step().set_has_paint(grid_, layer, true);
        step().set_paint(grid_, i, layer, value);
        ++changed;
      }
      if (changed > before) mark_changed({span.y, span.y + 1});
    });
  }
  return changed;
}

Result<std::size_t> VoxelEdits::paint_value(const CellSet& cells, PaintLayer layer, double value) {
  return paint_gradient(cells, layer, 0, value, value);
}

Result<std::size_t> VoxelEdits::paint_gradient(const CellSet& cells, PaintLayer layer, int axis, double from,
                                               double to) {
  if (axis < 0 || axis > 2) return fail("The axis must be x, y or z.");
  for (const double value : {from, to})
    if (auto good = check_paint(layer, value); !good) return Unexpected(good.error());
  if (layer == PaintLayer::muscle && from != to) return fail("Muscles are numbered groups, so they have no gradient.");
  const VoxelBox bounds = cells.bounds();
  if (!is_in_range(bounds.lower) || !is_in_range(bounds.upper()))
    return fail("The shape extends too far beyond the lattice.");
  const int steps = bounds.size[axis] - 1;
  return paint(cells, layer, [&](const VoxelCell& cell) {
    if (from == to || steps < 1) return from;
    const double share = static_cast<double>(cell[axis] - bounds.lower[axis]) / steps;
    return (1 - share) * from + share * to;
  });
}

Result<std::size_t> VoxelEdits::paint_values(const CellSet& cells, PaintLayer layer, const VoxelBox& box,
                                             std::span<const double> values) {
  if (values.size() != box.cells()) return fail("There must be one value for each cell of the box.");
  const VoxelBox shared = vw::common(box, grid_.box());
  const CellSet painted = cells.common(cells_with_code(grid_, any_material)).common(CellSet::of_box(shared));
  Result<void> good;
  visit_spans(painted, shared, [&](const CellSpan& span) {
    for (int x = span.begin; good && x < span.end; ++x)
      good = check_paint(layer, values[index_in(box, {x, span.y, span.z})]);
  });
  if (!good) return Unexpected(good.error());
  const VoxelSymmetry symmetry = std::exchange(symmetry_, {});
  auto changed = paint(painted, layer, [&](const VoxelCell& cell) { return values[index_in(box, cell)]; });
  symmetry_ = symmetry;
  return changed;
}

Result<std::size_t> VoxelEdits::clear_paint(PaintLayer layer) {
  if (!grid_.has_paint(layer)) return std::size_t{0};
  const std::span<const double> values = grid_.paint(layer);
  const auto changed = values.size() - static_cast<std::size_t>(std::ranges::count(values, default_paint(layer)));
  const StepScope scope(*this, "Clear values");
  step().set_has_paint(grid_, layer, false);
  mark_changed({grid_.box().lower.y(), grid_.box().upper().y()});
  return changed;
}

}  // namespace vw
