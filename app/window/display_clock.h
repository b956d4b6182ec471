// Chooses the simulated time that each frame shows. The time lies between the times of the last two snapshots. Motion
// is then smooth although simulation steps and frames are not synchronised.
#pragma once

#include "sim/snapshot/snapshot.h"

namespace vw {

class DisplayClock {
 public:
  /// Advances to the frame drawn at the wall time `wall_s` [s]. Returns the interpolation weight, from 0 for `previous`
  /// to 1 for `newest`.
  float advance(const Snapshot& previous, const Snapshot& newest, double wall_s);

 private:
  double last_wall_s_ = -1;
  double time_s_ = 0;    ///< simulated time on the screen [s]
  double newest_s_ = 0;  ///< time of the newest snapshot at the last frame [s]
  double rate_ = 1;      ///< smoothed ratio of simulated time to wall time
  std::uint64_t epoch_ = 0;
};

}  // namespace vw
