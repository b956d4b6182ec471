// Writes measured plots as text tables: a long table of all plots of a scene, and the table of a single plot. Every
// number parses back to the same bits.
#pragma once

#include <functional>
#include <string>

#include "sim/plot/plot_recorder.h"

namespace vw {

/// Header of the long table, which has one row for each value of any plot.
inline constexpr const char* plot_rows_header = "time,plot,curve,system,x,y\n";
/// Appends the row for one column of a plot at the time `time_s`. Appends nothing if y is not finite.
void append_plot_row(std::string& out, const PlotPlan& plan, const PlotColumn& column, double time_s, double y);
/// Returns the value of an analytic curve, as PlotSet::analytic() does.
using AnalyticValue = std::function<double(std::size_t plot, std::size_t curve, double time_s, double x)>;
/// Returns the long table of all plots: the time series of plots over time, and the most recent points of plots over a
/// parameter. Values of analytic curves come from `analytic`. If it is empty, the recorded values are written. They are
/// missing before the time at which a curve was added, and follow the formula that was valid at their time.
[[nodiscard]] std::string plot_rows(const std::vector<PlotPlan>& plans, const PlotData& data,
                                    const AnalyticValue& analytic = {});

/// Returns the table of one plot: the horizontal axis, then one column for each curve, with names and units in the
/// first row. A plot over time has one row for each time. A plot over a parameter has one row for each point. `index`
/// is the index of the plot in `data.series`. For `analytic`, see plot_rows().
[[nodiscard]] std::string plot_table(const PlotPlan& plan, std::size_t index, const PlotData& data,
                                     char separator = ',', const AnalyticValue& analytic = {});
/// Returns the display name of a curve: its label or, if the label is empty, its node's name with blanks in place of -
/// and _.
[[nodiscard]] std::string label_of(const PlotCurve& curve);

}  // namespace vw
