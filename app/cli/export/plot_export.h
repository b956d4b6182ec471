// Writes the plots of a scene as CSV with the columns time,plot,curve,system,x,y. At each multiple of an interval of
// simulated time, one row per curve is written (one row per point for plots over a parameter). Every step is measured.
// Missing values are omitted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/export/csv_file.h"
#include "sim/plot/plot_set.h"

namespace vw::cli {

class PlotExport {
 public:
  /// Opens the file and writes the header. From the next step on, the run records the data for the plots. A scene
  /// without plots is an error.
  [[nodiscard]] static Result<PlotExport> open(const std::string& path, api::Run& run, double every_s);
  /// Measures the present state, and writes a sample if one is due. Call this function for the initial state and after
  /// every step.
  [[nodiscard]] Result<void> offer(api::Run& run);
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
