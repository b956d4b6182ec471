// Statistics over simulated time, for the plots: one row a sample, thinned by half whenever the table is full, so that a run of any length
// keeps its whole course in bounded memory.
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
  double kinetic_j = 0, potential_j = 0, elastic_j = 0;  ///< sums over the systems
  std::vector<Vec3> centers;                             ///< of mass, by system [m]
};

class History {
 public:
  static constexpr std::size_t limit = 4096;
  /// Takes the snapshot when it is new and far enough after the last one; starts again when the epoch changes or time runs back.
  void add(const Snapshot& snapshot);
  [[nodiscard]] const std::vector<HistoryRow>& rows() const { return rows_; }
  void clear();

 private:
  void thin();
  std::vector<HistoryRow> rows_;
  std::uint64_t epoch_ = 0;
  double spacing_s_ = 1.0 / 120;  ///< least simulated time between rows
};

}  // namespace vw
