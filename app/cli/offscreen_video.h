// Simulation on one thread, drawing on this one, exactly k pictures for every simulated second: what `voxwake render` does.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/frame_clock.h"
#include "app/window/snapshot_queue.h"
#include "sim/world/session.h"

namespace vw::cli {

/// Steps a session on its own thread and hands over every state, the first included; held back by a bounded queue.
class SnapshotSource {
 public:
  /// `channels`: computed for every snapshot. Steps until the world's time is at least `until_s`; `after_step` is called on the thread that steps.
  /// The air is looked at afresh `frames_per_s` times a simulated second, and at the end.
  SnapshotSource(Session& session, double until_s, std::vector<std::string> channels, int frames_per_s,
                 std::function<void(const World&)> after_step = {});
  ~SnapshotSource();
  SnapshotSource(const SnapshotSource&) = delete;
  SnapshotSource& operator=(const SnapshotSource&) = delete;

  /// Waits for the next state; false when there is none any more (the end, a health failure, stop()).
  [[nodiscard]] bool next(Snapshot& out);
  void stop();
  /// Once next() was false: did the health check end it?
  [[nodiscard]] bool failed() const { return failed_.load(); }

 private:
  void step_all();

  Session& session_;
  double until_s_;
  std::vector<std::string> channels_;
  int frames_per_s_;
  std::function<void(const World&)> after_step_;
  SnapshotQueue queue_;
  std::atomic<bool> stop_{false}, done_{false}, failed_{false};
  std::thread thread_;
};

/// The two states around a moment, and how far between them it lies.
struct Moment {
  const Snapshot& previous;
  const Snapshot& newest;
  float blend;
};
/// Pulls states and calls `draw` for every picture in [start, end_s), in order; the error is draw's. `keep_going` false ends it early.
/// Afterwards `last` holds the newest state taken.
[[nodiscard]] Result<void> play(SnapshotSource& source, int frames_per_s, double end_s, const std::function<Result<void>(const Moment&)>& draw,
                                const std::function<bool(double time_s)>& keep_going, Snapshot& last);

}  // namespace vw::cli
