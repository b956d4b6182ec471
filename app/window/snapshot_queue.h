// Transfers every snapshot from the simulation thread to a consumer that must not miss any. The queue is bounded: it
// blocks the simulation while it is full, but never the drawing thread. Buffers are reused.
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
  /// Simulation thread: copies the snapshot. Waits while the queue is full, unless it is closed or a stop is requested.
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override;
  /// Drawing thread: moves the oldest snapshot into `out` and recycles the buffers of `out`. Returns false if the queue
  /// is empty. Does not wait.
  bool take(Snapshot& out);
  /// Discards all snapshots; later offers return at once.
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
