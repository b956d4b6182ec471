// Hands every snapshot from the simulation thread to a consumer that must miss none: a bounded queue that holds the simulation back while it
// is full, and never the drawing. Buffers are reused.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "sim/world/simulation.h"

namespace vw {

class SnapshotQueue final : public SnapshotSink {
 public:
  explicit SnapshotQueue(std::size_t capacity = 3) : capacity_(capacity) {}
  /// Simulation thread: copies; waits while full, but not after close() nor when stop is requested.
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override;
  /// Drawing thread: moves the oldest into `out` and takes the buffers of what `out` held; false when empty. Never waits for the simulation.
  bool take(Snapshot& out);
  /// From now on offers return at once and are dropped.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::deque<Snapshot> waiting_;
  std::vector<Snapshot> spare_;
  std::size_t capacity_;
  bool closed_ = false;
};

}  // namespace vw
