// Writes a scene's plots as CSV: time,plot,curve,system,x,y, one row per curve (per point, in plots over a parameter),
// at every multiple of an interval of simulated time. Every step is measured; missing values are omitted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/csv_file.h"
#include "sim/plot/plot_set.h"

namespace vw::cli {

class PlotExport {
 public:
  /// Opens the file and writes the header. From the next step on, the world records the data that the plots need. A
  /// scene without plots is an error.
  [[nodiscard]] static Result<PlotExport> open(const std::string& path, World& world, double every_s);
  /// Call this for the initial state and after every step.
  [[nodiscard]] Result<void> offer(const World& world);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  PlotExport(CsvFile file, PlotSet plots) : file_(std::move(file)), plots_(std::move(plots)) {}
  CsvFile file_;
  SampleTimes times_;
  PlotSet plots_;
  Snapshot snapshot_;
  std::vector<double> row_;
};

}  // namespace vw::cli
