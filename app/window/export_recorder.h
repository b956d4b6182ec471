// Writes frames of the running simulation to files for other programs. The simulation waits while a frame is written,
// so that no frame is missed.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/series_export.h"
#include "sim/api/live/live_run.h"

namespace vw {

/// Snapshot sink of a live run that writes each frame that is due. The export ends if the run seeks, steps back in time
/// or changes to another branch, because times in the files must increase. Any thread may call the functions.
/// frames(), seconds() and end_reason() do not wait for a frame that is being written.
class ExportRecorder final : public api::SnapshotSink {
 public:
  explicit ExportRecorder(SeriesExport series) : series_(std::move(series)) {}
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override;
  [[nodiscard]] std::size_t frames() const { return frames_; }
  /// Makes the next frames show the wind of `air`, a result of SeriesExport::air_of(). Does not wait.
  void follow(Node air);
  /// Simulated time between the first and the newest snapshot of the export [s].
  [[nodiscard]] double seconds() const { return seconds_; }
  /// Reason why the export has ended, as a sentence without a full stop. Empty while the export goes on.
  [[nodiscard]] std::string end_reason() const;
  /// Completes the files and returns the first error of a writer. Call this function once; offer() has no effect
  /// afterwards. Without this call, the destructor removes incomplete files.
  [[nodiscard]] Result<void> finish();
  /// Warnings about data that the formats could not store, one sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  void end(std::string reason);
  /// Passes the air of the last follow() to the export.
  [[nodiscard]] Result<void> follow_air();

  mutable std::mutex writing_;  ///< held while a frame is written
  SeriesExport series_;
  std::optional<TimelinePlace> first_, last_;
  bool has_ended_ = false;
  std::optional<Error> error_;

  std::atomic<std::size_t> frames_{0};
  std::atomic<double> seconds_{0};
  mutable std::mutex reason_mutex_;
  std::string end_reason_;
  mutable std::mutex air_mutex_;
  std::optional<Node> next_air_;  ///< air that the export has not received yet
};

}  // namespace vw
