// Which columns of two sets of plots measure the same: what was measured before an edit stays with those. Flows in: the plans of both.
#pragma once

#include <limits>

#include "sim/plot/plot_set.h"

namespace vw {

inline constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();

/// The plot of that name, or null.
[[nodiscard]] const PlotPlan* find_plan(const std::vector<PlotPlan>& plans, const std::string& name);

/// Of each column of `now` where `before`, the plot of the same name (null: there was none), has what measures the same; else no_column.
[[nodiscard]] std::vector<std::size_t> columns_before(const PlotPlan* before, const PlotPlan& now);

}  // namespace vw
