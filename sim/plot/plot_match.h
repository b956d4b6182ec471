// Finds columns of an old and a new set of plots that measure the same quantity, so that measured data are kept after
// an edit of the plots. The inputs are the plans of both sets. The results are indices of matching columns.
#pragma once

#include <limits>

#include "sim/plot/plot_set.h"

namespace vw {

inline constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();

/// Returns the plot with the name `name`, or null if there is none.
[[nodiscard]] const PlotPlan* find_plan(const std::vector<PlotPlan>& plans, const std::string& name);

/// Returns, for each column of `now`, the index of the column of `before` that measures the same quantity, or
/// no_column. `before` is the earlier plot of the same name, or null if there was none.
[[nodiscard]] std::vector<std::size_t> matching_columns(const PlotPlan* before, const PlotPlan& now);

/// Replaces the former names of renamed parts (see PresentName), plots and curves by their present names. Plots of the
/// same parts then compare as equal.
void rename_parts(CurveParams& params, const PresentName& present_name);
void rename_parts(std::vector<PlotPlan>& plans, const PresentName& present_name);

}  // namespace vw
