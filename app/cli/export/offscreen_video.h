// Offscreen video for `voxwake render`, with a fixed number of pictures per simulated second. The simulation has its
// own thread. Pictures are drawn on the calling thread.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/frame_clock.h"
#include "app/window/snapshot_queue.h"
#include "sim/api/run.h"

namespace vw::cli {

/// Steps a run on its own thread and delivers every state, including the first. The queue is bounded: the simulation
/// waits while it is full. Until the object is destroyed, no other thread may use the run.
class SnapshotSource {
 public:
  /// Starts the thread. The run steps until its time is at least `until_s` [s]. `after_step` is called on the stepping
  /// thread. The fields that the view displays are sampled `frames_per_s` times per simulated second, and at the start
  /// and the end.
  SnapshotSource(api::Run& run, double until_s, int frames_per_s, std::function<void(api::Run&)> after_step = {});
  ~SnapshotSource();
  SnapshotSource(const SnapshotSource&) = delete;
  SnapshotSource& operator=(const SnapshotSource&) = delete;

  /// Waits for the next state. Returns false after the last state, that is, if the end is reached, a health check has
  /// failed, or stop() was called. An exception of the stepping thread (memory exhausted) is thrown here.
  [[nodiscard]] bool next(Snapshot& out);
  void stop();
  /// Returns whether a failed health check ended the simulation. The value is valid after next() has returned false.
  [[nodiscard]] bool failed() const { return failed_.load(); }

 private:
  void run_thread();
  void step_all();

  api::Run& run_;
  double until_s_;
  int frames_per_s_;
  std::function<void(api::Run&)> after_step_;
  SnapshotQueue queue_;
  std::exception_ptr thrown_;  ///< exception that ended the stepping thread; set before `done_`
  std::atomic<bool> stop_{false}, done_{false}, failed_{false};
  std::thread thread_;
};

/// Two successive states around the time of a picture, and the weight of the newer state in the interpolation.
struct Moment {
  const Snapshot& previous;
  const Snapshot& newest;
  float blend;
};
/// Takes states from the source, calls `each_state` for each of them unless it is empty, and calls `draw` for every
/// picture in [start, end_s), in order. Returns the error of `draw`, if any. If `keep_going` returns false, the
/// function ends early. On return, `last` contains the newest state.
[[nodiscard]] Result<void> play(SnapshotSource& source, int frames_per_s, double end_s,
                                const std::function<Result<void>(const Moment&)>& draw,
                                const std::function<bool(double time_s)>& keep_going, Snapshot& last,
                                const std::function<void(const Snapshot&)>& each_state = {});

}  // namespace vw::cli
