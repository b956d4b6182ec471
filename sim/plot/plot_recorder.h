// What plots have measured so far, in bounded memory. The simulation thread adds a row after every step, the drawing thread takes a copy; a mutex
// is held for the length of one measurement or one copy, never while either waits for anything else.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/plot/plot_set.h"

namespace vw {

/// The course of one plot over time: rows of time and one value a column. Full, it forgets what is older than the plot's span, or keeps every
/// second row: a run of any length stays whole.
class PlotSeries {
 public:
  static constexpr std::size_t limit = 8192;  ///< rows
  void start(std::size_t columns, double span_s);
  void add(double time_s, const double* values);
  void clear() { rows_.clear(), spacing_s_ = 0; }
  [[nodiscard]] std::size_t size() const { return rows_.size() / stride_; }
  [[nodiscard]] double time(std::size_t row) const { return rows_[row * stride_]; }
  [[nodiscard]] double value(std::size_t row, std::size_t column) const { return rows_[row * stride_ + 1 + column]; }

 private:
  void make_room();
  std::vector<double> rows_;
  std::size_t stride_ = 1;
  double span_s_ = 0, spacing_s_ = 0;  ///< least time between rows
};

/// What the drawing thread keeps.
struct PlotData {
  std::uint64_t revision = 0;
  double time_s = 0;
  std::vector<PlotSeries> series;  ///< by plot; empty for plots over a parameter
  std::vector<double> newest;      ///< the last row of all plots
};

class PlotRecorder {
 public:
  explicit PlotRecorder(PlotSet plots);
  /// Simulation thread: measures. A snapshot of another epoch, or of an earlier time, starts anew.
  void take(const Snapshot& snapshot);
  /// Drawing thread: goes on with other plots; what was measured stays where the curves are the same.
  void replace(PlotSet plots);
  /// Drawing thread: copies what is new; false when `out` is up to date.
  [[nodiscard]] bool read(PlotData& out) const;

 private:
  void start_series();
  mutable std::mutex mutex_;
  PlotSet plots_;
  PlotData data_;
  std::uint64_t epoch_ = 0;
};

}  // namespace vw
