// What plots have measured so far, in bounded memory. The simulation thread adds a row after every step, the drawing thread takes a copy or brings
// other plots; a mutex is held for the length of one copy, never while anything is measured or waited for.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sim/plot/plot_set.h"

namespace vw {

/// The course of one plot over time: rows of time and one value a column. Full, it forgets what is older than the plot's span, or keeps every
/// second row: a run of any length stays whole.
class PlotSeries {
 public:
  static constexpr std::size_t limit = 8192;  ///< rows
  void start(std::size_t columns, double span_s);
  /// Goes on from another course: `columns` says where each value stood there (no_column: nowhere, its past has no value).
  void start_from(const PlotSeries& before, std::span<const std::size_t> columns, double span_s);
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
  /// Drawing thread: goes on with other plots; what was measured stays where columns measure the same. What is read from now on is of these plots.
  void replace(PlotSet plots);
  /// Drawing thread: copies what is new; false when `out` is up to date.
  [[nodiscard]] bool read(PlotData& out) const;

 private:
  void adopt_next();
  void publish(const Snapshot& snapshot);
  void lay_out(const std::vector<PlotPlan>& plans);

  // Simulation thread only.
  PlotSet plots_;
  std::vector<double> row_;

  mutable std::mutex mutex_;  // of all that follows
  std::optional<PlotSet> next_;
  std::vector<PlotPlan> plans_;  ///< what data_ is laid out for
  PlotData data_;
  std::uint64_t epoch_ = 0;
};

}  // namespace vw
