// Measures the plots of a scene during the run for a figure, and converts them to panels of the figure.
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
  /// Opens the plots `names`, in this order. "all" means all plots of the scene. An unknown name is an error.
  [[nodiscard]] static Result<FigurePlots> open(const api::Run& run, const std::vector<std::string>& names);
  /// Adds the data that the plots measure to the request `wanted`.
  void add_to(SnapshotRequest& wanted) const;
  /// Checks that the systems have the channels and vectors that the curves name.
  [[nodiscard]] Result<void> check(const Snapshot& start) const { return plots_.check_names(start); }
  /// Measures a state. States must be given in the order of their times.
  void measure(const Snapshot& state);
  /// Returns one panel for each plot, with vertical lines at the times `moments_s` [s] of the figure's pictures.
  [[nodiscard]] std::vector<PlotFigure> panels(const std::vector<double>& moments_s);

 private:
  FigurePlots(PlotSet plots, std::vector<std::size_t> shown);
  /// Returns a curve with its label and colour, but without points. If the scene specifies no colour, the function
  /// chooses a colour that no curve of `others` has, if possible.
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
