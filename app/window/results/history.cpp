#include "app/window/results/history.h"

namespace vw {

void History::clear() {
  rows_.clear();
  spacing_s_ = 1.0 / 120;
}

void History::add(const Snapshot& snapshot) {
  if (snapshot.epoch != epoch_ || (!rows_.empty() && snapshot.time_s < rows_.back().time_s)) {
    clear();
    epoch_ = snapshot.epoch;
  }
  if (snapshot.changes != changes_)  // the indices of systems may differ from those of earlier rows
    for (HistoryRow& row : rows_) row.centers.clear();
  changes_ = snapshot.changes;
  // The factor 0.9 allows for rounding errors, because the time of a step is a sum of dt.
  if (!rows_.empty() && snapshot.time_s - rows_.back().time_s < 0.9 * spacing_s_) return;
  HistoryRow row;
  row.time_s = snapshot.time_s;
  row.realtime_factor = snapshot.realtime_factor;
  row.step_wall_s = snapshot.step_wall_s;
  for (const SystemSnapshot& system : snapshot.systems) {
    row.kinetic_j += system.kinetic_j;
    row.potential_j += system.potential_j;
    row.elastic_j += system.elastic_j;
    row.centers.push_back(system.center_of_mass);
  }
  rows_.push_back(std::move(row));
  if (rows_.size() >= limit) thin();
}

void History::thin() {
  for (std::size_t i = 1; 2 * i < rows_.size(); ++i) rows_[i] = std::move(rows_[2 * i]);
  rows_.resize(rows_.size() / 2);
  spacing_s_ *= 2;
}

}  // namespace vw
