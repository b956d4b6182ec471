// Measures the plots of a scene while a figure's scene runs, and makes them panels of the figure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/figure/plot_drawing.h"
#include "sim/api/run.h"
#include "sim/plot/plot_recorder.h"
#include "sim/plot/plot_set.h"

namespace vw::cli {

class FigurePlots {
 public:
  /// `names`: plots of the scene in the order of the panels. "all" means all plots. An unknown name is an error.
  [[nodiscard]] static Result<FigurePlots> open(const api::Run& run, const std::vector<std::string>& names);
  /// Adds the data that the plots measure to a request for snapshots.
  void add_to(SnapshotRequest& wanted) const;
  /// Checks that the systems have the channels and vectors that the curves name.
  [[nodiscard]] Result<void> check(const Snapshot& start) const { return plots_.check_names(start); }
  /// Measures a state. States must be given in the order of their times.
  void measure(const Snapshot& state);
  /// Panels, with lines at the times of the figure's other panels [s].
  [[nodiscard]] std::vector<PlotFigure> panels(const std::vector<double>& moments_s);

 private:
  FigurePlots(PlotSet plots, std::vector<std::size_t> shown);
  /// A curve of a plot without its points, in a colour that the other curves do not have.
  [[nodiscard]] DrawnCurve styled(const PlotPlan& plan, std::size_t curve, const PlotFigure& others) const;
  void add_time_curves(std::size_t plot, PlotFigure& out);
  void add_parameter_curves(std::size_t plot, PlotFigure& out);

  PlotSet plots_;
  std::vector<std::size_t> shown_;  ///< indices of the plots that are drawn
  std::vector<PlotSeries> series_;  ///< one for each plot of the scene
  std::vector<double> row_;
  double time_s_ = 0;
  std::map<std::string, glm::vec3> colors_;  ///< sRGB colours that the scene gives its systems
};

}  // namespace vw::cli
