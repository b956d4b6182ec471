// States of a run during an exposure, for motion blur in film quality (render/film/film_renderer.h).
#pragma once

#include <deque>
#include <vector>

#include "render/renderer.h"
#include "sim/snapshot/snapshot.h"

namespace vw::cli {

/// The last states of a run.
class RecentStates {
 public:
  /// Keeps the states that an exposure of `open_s` [s] needs. If `open_s` is 0, no state is kept.
  explicit RecentStates(double open_s = 0) : open_s_(open_s) {}

  /// Adds the next state of the run. If `state` is earlier than the last state (after a reset), first removes all
  /// states.
  void add(const Snapshot& state);
  /// Returns frames at `count` times: the middles of equally long parts of the time [end_s - open_s, end_s]. Times
  /// before the first state show the first state. The frames are valid until the next call of add(). Requires a state.
  [[nodiscard]] std::vector<Frame> frames(double end_s, int count) const;

 private:
  [[nodiscard]] Frame frame_at(double time_s) const;

  double open_s_;
  std::deque<Snapshot> states_;
};

}  // namespace vw::cli
