// What plots have measured as tables of text: the long one that holds all plots of a scene, and one plot by itself. Every number reads back to the
// same bits.
#pragma once

#include <string>

#include "sim/plot/plot_recorder.h"

namespace vw {

/// One row a value, of all plots: time,plot,curve,system,x,y.
inline constexpr const char* plot_rows_header = "time,plot,curve,system,x,y\n";
/// One row of a plot's column at a time; nothing where there is no value.
void append_plot_row(std::string& out, const PlotPlan& plan, const PlotColumn& column, double time_s, double y);
/// All rows of all plots: of those over time their course, of those over a parameter the points as they stand.
[[nodiscard]] std::string plot_rows(const std::vector<PlotPlan>& plans, const PlotData& data);

/// One plot: the horizontal axis, then a column a curve, with units in the first row. Over time one row a time; over a parameter one row a point.
[[nodiscard]] std::string plot_table(const PlotPlan& plan, std::size_t index, const PlotData& data, char separator = ',');
/// What a curve is called: its label, else its name in words.
[[nodiscard]] std::string label_of(const PlotCurve& curve);

}  // namespace vw
