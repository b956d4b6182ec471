// Fills cells with the materials that a formula gives.
#pragma once

#include <string>

#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {

/// Evaluates a formula of x, y and z at the centres of the cells of a box (brush_shapes.h) and rounds its values. In
/// cells with the value k > 0, apply() acts with the k-th material of the palette; `mode` is BrushMode::set or
/// BrushMode::paint. Cells with the value 0 become empty in the mode `set` and do not change in the mode `paint`. Cells
/// at which the formula has no value do not change. All changes are one undo step. The symmetry mode is ignored. After
/// an error, nothing has changed. Errors: a formula that cannot be parsed, and a value that is not 0 or the number of a
/// material.
Result<std::size_t> fill_by_formula(VoxelEdits& edits, const VoxelBox& box, const std::string& formula,
                                    FormulaUnits units, double voxel_size, BrushMode mode);

}  // namespace vw
