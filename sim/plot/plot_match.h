// Finds columns of two sets of plots that measure the same quantity, so that data measured before an edit are kept. In:
// the plans of both sets. Out: indices of matching columns.
#pragma once

#include <limits>

#include "sim/plot/plot_set.h"

namespace vw {

inline constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();

/// The plot of that name, or null.
[[nodiscard]] const PlotPlan* find_plan(const std::vector<PlotPlan>& plans, const std::string& name);

/// For each column of `now`: index of the column of `before` that measures the same quantity, or no_column. `before` is
/// the earlier plot of the same name, or null if there was none.
[[nodiscard]] std::vector<std::size_t> matching_columns(const PlotPlan* before, const PlotPlan& now);

}  // namespace vw
