#include "app/window/snapshot_queue.h"

#include <chrono>

namespace vw {

void SnapshotQueue::offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) {
  std::unique_lock lock(mutex_);
  // take() and close() wake this thread. The timeout is needed because setting the stop flag does not wake it.
  while (waiting_.size() >= capacity_ && !closed_ && !stop_requested.load())
    room_.wait_for(lock, std::chrono::milliseconds(5));
  if (closed_ || stop_requested.load()) return;
  Snapshot copy;
  if (!spare_.empty()) {
    copy = std::move(spare_.back());
    spare_.pop_back();
  }
  lock.unlock();
  copy = snapshot;
  lock.lock();
  if (!closed_) waiting_.push_back(std::move(copy));
}

bool SnapshotQueue::take(Snapshot& out) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return false;
  std::swap(out, waiting_.front());
  if (spare_.size() < capacity_) spare_.push_back(std::move(waiting_.front()));
  waiting_.pop_front();
  room_.notify_one();
  return true;
}

void SnapshotQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  waiting_.clear();
  room_.notify_all();
}

}  // namespace vw
