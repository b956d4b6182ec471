// Table of statistics over simulated time, for the plots. When the table is full, every second row is removed. The
// table therefore covers a run of any length from start to end in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/snapshot/snapshot.h"

namespace vw {

struct HistoryRow {
  double time_s = 0;
  double realtime_factor = 0;
  double step_wall_s = 0;
  double kinetic_j = 0, potential_j = 0, elastic_j = 0;  ///< sums over all systems
  std::vector<Vec3> centers;  ///< centre of mass of each system [m]; empty if systems were added or removed later
};

class History {
 public:
  static constexpr std::size_t limit = 4096;  ///< number of rows at which every second row is removed
  /// Records the snapshot if enough simulated time has passed since the last row. If the snapshot has another epoch or
  /// an earlier time than the last row, all rows are removed first.
  void add(const Snapshot& snapshot);
  [[nodiscard]] const std::vector<HistoryRow>& rows() const { return rows_; }
  void clear();

 private:
  void thin();
  std::vector<HistoryRow> rows_;
  std::uint64_t epoch_ = 0, changes_ = 0;
  double spacing_s_ = 1.0 / 120;  ///< least simulated time between two rows [s]
};

}  // namespace vw
