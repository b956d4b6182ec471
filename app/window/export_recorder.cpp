#include "app/window/export_recorder.h"

namespace vw {

void ExportRecorder::offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) {
  (void)stop_requested;  // a frame is always completed, so that files contain only complete frames
  const std::lock_guard lock(writing_);
  if (has_ended_) return;
  const TimelinePlace& place = snapshot.place;
  const bool is_elsewhere =
      last_ && (place.branch != last_->branch || place.elapsed_s < last_->elapsed_s - 0.5 * snapshot.dt_s);
  if (place.is_seeking || is_elsewhere) return end("The run went to another moment, so the export has ended");
  if (!first_) first_ = place;
  last_ = place;
  seconds_ = last_->elapsed_s - first_->elapsed_s;
  if (!series_.is_due(place.elapsed_s, snapshot.dt_s)) return;
  auto added = follow_air();
  if (added) added = series_.add(snapshot, place.elapsed_s);
  frames_ = series_.frames();
  if (added) return;
  error_ = added.error();
  end("The export has ended with an error");
}

void ExportRecorder::follow(Node air) {
  const std::lock_guard lock(air_mutex_);
  next_air_ = std::move(air);
}

Result<void> ExportRecorder::follow_air() {
  std::optional<Node> air;
  {
    const std::lock_guard lock(air_mutex_);
    air = std::exchange(next_air_, std::nullopt);
  }
  return air ? series_.follow(std::move(*air)) : Result<void>{};
}

void ExportRecorder::end(std::string reason) {
  has_ended_ = true;
  const std::lock_guard lock(reason_mutex_);
  end_reason_ = std::move(reason);
}

std::string ExportRecorder::end_reason() const {
  const std::lock_guard lock(reason_mutex_);
  return end_reason_;
}

Result<void> ExportRecorder::finish() {
  const std::lock_guard lock(writing_);
  has_ended_ = true;
  auto finished = series_.finish();
  if (error_) return fail(*error_);
  return finished;
}

std::vector<std::string> ExportRecorder::notes() const {
  const std::lock_guard lock(writing_);
  return series_.notes();
}

}  // namespace vw
