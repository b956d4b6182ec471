// Transfers every snapshot from the simulation thread to a consumer that must not miss any snapshot. The queue has a
// limited capacity. While the queue is full, the simulation thread waits. The drawing thread never waits. Buffers are
// reused.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "sim/api/live/live_run.h"

namespace vw {

class SnapshotQueue final : public api::SnapshotSink {
 public:
  explicit SnapshotQueue(std::size_t capacity = 3) : capacity_(capacity) {}
  /// Appends a copy of the snapshot. Waits while the queue is full, unless the queue is closed or a stop is requested.
  /// Use only on the simulation thread.
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override;
  /// Moves the oldest snapshot into `out` and recycles the buffers of `out`. Returns false if the queue is empty. Does
  /// not wait. Use only on the drawing thread.
  bool take(Snapshot& out);
  /// Discards all snapshots. After this call, offer() returns immediately.
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
