#include "app/window/export_recorder.h"

namespace vw {

void ExportRecorder::offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) {
  (void)stop_requested;  // a frame is written to its end, so that files hold whole frames
  const std::lock_guard lock(mutex_);
  if (is_finished_ || !end_reason_.empty()) return;
  const TimelinePlace& place = snapshot.place;
  if (place.is_seeking ||
      (has_state_ && (place.branch != last_.branch || place.elapsed_s < last_.elapsed_s - 0.5 * snapshot.dt_s))) {
    end_reason_ = "The run went to another moment, so the export has ended";
    return;
  }
  if (!has_state_) first_ = place;
  has_state_ = true;
  last_ = place;
  if (!series_.is_due(place.elapsed_s, snapshot.dt_s)) return;
  if (auto added = series_.add(snapshot, place.elapsed_s); !added) {
    error_ = added.error();
    end_reason_ = "The export has ended with an error";
  }
}

std::size_t ExportRecorder::frames() const {
  const std::lock_guard lock(mutex_);
  return series_.frames();
}

double ExportRecorder::seconds() const {
  const std::lock_guard lock(mutex_);
  return last_.elapsed_s - first_.elapsed_s;
}

std::string ExportRecorder::end_reason() const {
  const std::lock_guard lock(mutex_);
  return end_reason_;
}

Result<void> ExportRecorder::finish() {
  const std::lock_guard lock(mutex_);
  is_finished_ = true;
  auto finished = series_.finish();
  if (error_) return fail(*error_);
  return finished;
}

std::vector<std::string> ExportRecorder::notes() const {
  const std::lock_guard lock(mutex_);
  return series_.notes();
}

}  // namespace vw
