#include "app/window/voxel_edit/material_formula.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace vw {
namespace {

using SpansByCode = std::map<std::uint16_t, std::vector<CellSpan>>;

/// Returns the cells of each code. Cells without a value are left out.
Result<SpansByCode> spans_by_code(const VoxelBox& box, const std::vector<double>& values, std::size_t materials) {
  SpansByCode spans;
  std::size_t i = 0;
  for (int y = box.lower.y(); y < box.upper().y(); ++y)
    for (int z = box.lower.z(); z < box.upper().z(); ++z)
      for (int x = box.lower.x(); x < box.upper().x(); ++x) {
        const double value = std::round(values[i++]);
        if (std::isnan(value)) continue;
        if (!(value >= 0 && value <= static_cast<double>(materials)))
          return fail(
              fmt::format("The formula gives {:g} in cell ({}, {}, {}): expected 0 for an empty cell, or the number "
                          "of a material, 1 to {}.",
                          value, x, y, z, materials));
        std::vector<CellSpan>& row = spans[static_cast<std::uint16_t>(value)];
        if (!row.empty() && row.back().end == x && row.back().y == y && row.back().z == z)
          ++row.back().end;
        else
          row.push_back({x, x + 1, y, z});
      }
  return spans;
}

}  // namespace

Result<std::size_t> fill_by_formula(VoxelEdits& edits, const VoxelBox& box, const std::string& formula,
                                    FormulaUnits units, double voxel_size, BrushMode mode) {
  const auto values = formula_values(box, formula, units, voxel_size);
  if (!values) return Unexpected(values.error());
  auto spans = spans_by_code(box, *values, edits.grid().palette().size());
  if (!spans) return Unexpected(spans.error());
  const VoxelSymmetry symmetry = edits.symmetry();
  edits.set_symmetry({});
  edits.begin_step("Fill by formula");
  Result<std::size_t> done = std::size_t{0};
  std::size_t changed = 0;
  for (auto& [code, list] : *spans) {
    if (code == 0 && mode == BrushMode::paint) continue;
    done = edits.apply(CellSet::of_spans(std::move(list)), code == 0 ? BrushMode::remove : mode, code);
    if (!done) break;
    changed += *done;
  }
  edits.end_step();
  edits.set_symmetry(symmetry);
  if (done) return changed;
  if (changed > 0) edits.undo();
  return done;
}

}  // namespace vw
