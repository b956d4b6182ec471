// Records the measured plots in bounded memory. The simulation thread adds a row after every step. The drawing thread
// copies the data or replaces the plots. The mutex is locked only while data are copied, not during measurements or
// waits, so the two threads hardly delay each other.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/plot_set.h"

namespace vw {

/// Time series of one plot. A row consists of a time and one value for each column. When the series is full, rows older
/// than the plot's span are removed. If that does not free at least an eighth of the capacity, every second row is
/// removed, so that a run of any length fits.
class PlotSeries {
 public:
  static constexpr std::size_t limit = 8192;  ///< largest number of rows
  void start(std::size_t columns, double span_s);
  /// Continues the series `before`. For each column, `columns` contains the index of the same column in `before`, or
  /// no_column. A column without a counterpart gets NaN for all earlier times.
  void start_from(const PlotSeries& before, std::span<const std::size_t> columns, double span_s);
  void add(double time_s, const double* values);
  void clear() { rows_.clear(), spacing_s_ = 0; }
  /// Removes the rows after a time [s].
  void drop_after(double time_s);
  [[nodiscard]] std::size_t size() const { return rows_.size() / stride_; }
  [[nodiscard]] double time(std::size_t row) const { return rows_[row * stride_]; }
  [[nodiscard]] double value(std::size_t row, std::size_t column) const { return rows_[row * stride_ + 1 + column]; }

 private:
  void make_room();
  std::vector<double> rows_;
  std::size_t stride_ = 1;
  /// The plot's span (0 means unlimited), and the smallest interval between rows [s].
  double span_s_ = 0, spacing_s_ = 0;
};

/// Recorded data of all plots. The drawing thread reads a copy.
struct PlotData {
  std::uint64_t revision = 0;
  double time_s = 0;               ///< present time [s]; may lie before the last row after the user went back
  std::vector<PlotSeries> series;  ///< one series for each plot; empty for plots over a parameter
  std::vector<double> newest;      ///< the newest value of each column of all plots
  /// Series of other measured branches of this run: one vector for each branch, with one series for each plot.
  std::vector<std::shared_ptr<const std::vector<PlotSeries>>> others;
};

/// A part of the scene that was renamed during a run.
struct RenamedPart {
  std::string name, new_name;  ///< for joints and curves, with the name of the parent: "SYSTEM.JOINT", "PLOT.CURVE"
  std::string slot = {};       ///< slot of the part (PresentName); empty means each slot
};

class PlotRecorder {
 public:
  explicit PlotRecorder(PlotSet plots);
  /// Measures a snapshot, on the simulation thread. A new run begins a new recording. A snapshot of a past moment
  /// (TimelinePlace::is_past) adds no row. A new branch continues the rows up to the time at which it begins; all rows
  /// of the old branch are kept in PlotData::others.
  void take(const Snapshot& snapshot);
  /// Replaces the plots, on the drawing thread. Recorded data are kept for columns that measure the same quantity, even
  /// if a measured object was renamed. From then on, read() returns data of the new plots.
  void replace(PlotSet plots, std::span<const RenamedPart> renamed = {});
  /// Copies the data, on the drawing thread, if they have changed since `out` was read. Returns false if `out` is
  /// already up to date.
  [[nodiscard]] bool read(PlotData& out) const;

 private:
  void adopt_next();
  void publish(const Snapshot& snapshot);
  void lay_out(const std::vector<PlotPlan>& plans);
  [[nodiscard]] std::vector<PlotSeries> laid_out(const std::vector<PlotPlan>& plans,
                                                 std::vector<PlotSeries> before) const;
  void switch_series(const Snapshot& snapshot);
  void show_others();

  // Only the simulation thread uses these two members.
  PlotSet plots_;
  std::vector<double> row_;

  mutable std::mutex mutex_;  // guards all members below
  std::optional<PlotSet> next_;
  std::vector<RenamedPart> renamed_;  ///< parts renamed since plots_ were adopted
  std::vector<PlotPlan> plans_;       ///< plots that determine the layout of data_
  PlotData data_;
  /// A branch within a run.
  struct Part {
    std::uint64_t run = 0;
    std::uint32_t branch = 0;
    bool operator==(const Part&) const = default;
  };
  Part part_;  ///< run and branch of data_.series
  /// Series of other runs and branches, from the least to the most recently used.
  std::vector<std::pair<Part, std::shared_ptr<const std::vector<PlotSeries>>>> others_;
};

}  // namespace vw
