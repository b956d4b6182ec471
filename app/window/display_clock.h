// Chooses the moment between the last two snapshots to draw, so that motion is smooth although steps and frames are not
// synchronised.
#pragma once

#include "sim/snapshot/snapshot.h"

namespace vw {

class DisplayClock {
 public:
  /// Advances by one drawn frame and returns the blend in [0, 1] between `previous` and `newest`.
  float advance(const Snapshot& previous, const Snapshot& newest, double wall_s);

 private:
  double last_wall_s_ = -1;
  double time_s_ = 0;    ///< simulated time on the screen [s]
  double newest_s_ = 0;  ///< newest.time_s at the last frame
  double rate_ = 1;      ///< simulated seconds per wall second, smoothed
  std::uint64_t epoch_ = 0;
};

}  // namespace vw
