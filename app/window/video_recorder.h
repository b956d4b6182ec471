// Records video while the window runs, in one of two modes. By real time: a picture every 1/fps of wall time, repeated
// if drawing is slower. By simulated time: exactly k pictures per simulated second, interpolated between steps; the
// simulation is held back and no picture is dropped. Drawing thread only. Pictures are added only while the encoder has
// room.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/capture/capture.h"
#include "app/capture/frame_clock.h"
#include "app/window/snapshot_queue.h"
#include "render/renderer.h"

namespace vw {

struct RecordSettings {
  VideoOptions video;
  bool by_simulated_time = false;
  int frames_per_simulated_s = 60;  ///< k
  bool with_interface = false;      ///< include the interface; real time only
};

class VideoRecorder {
 public:
  using Draw = std::function<Result<Image>(const Frame&)>;

  /// `queue` must be the simulation's sink for recording by simulated time, else null.
  void start(std::unique_ptr<VideoWriter> writer, const RecordSettings& settings, std::shared_ptr<SnapshotQueue> queue,
             double wall_s);
  [[nodiscard]] bool active() const { return writer_ != nullptr; }
  [[nodiscard]] const RecordSettings& settings() const { return settings_; }
  [[nodiscard]] std::size_t frames() const { return frames_; }
  /// Length of the video [s]
  [[nodiscard]] double seconds() const { return static_cast<double>(frames_) / settings_.video.fps; }

  /// By simulated time: draws and adds due pictures until `budget_s` of wall time is spent, the encoder is full or
  /// there are no more snapshots. If `wait` is set (the simulation is stepping or the encoder is busy), it waits for
  /// them within the budget, because redrawing the window in the meantime would only take CPU time from them.
  [[nodiscard]] Result<void> pump_simulated(double budget_s, const Draw& draw, bool wait = false);
  /// By real time: number of pictures due now. 0 if none is due or the encoder has no room; missed pictures are made up
  /// for later.
  [[nodiscard]] std::size_t due(double wall_s) const;
  /// Adds `count` pictures: `image` is the last; the ones before repeat the previous picture.
  [[nodiscard]] Result<void> add_live(const Image& image, std::size_t count);
  /// Ends the recording and returns the writer, to be finished elsewhere because flushing may take a moment. By real
  /// time, the last picture is repeated until `wall_s`.
  [[nodiscard]] std::unique_ptr<VideoWriter> stop(double wall_s);

 private:
  [[nodiscard]] bool next_blend(float& blend);
  [[nodiscard]] bool pull();
  /// Number of pictures missing until that moment, by real time
  [[nodiscard]] std::size_t missing(double wall_s) const;

  std::unique_ptr<VideoWriter> writer_;
  RecordSettings settings_;
  std::shared_ptr<SnapshotQueue> queue_;
  std::size_t frames_ = 0;
  double start_wall_s_ = 0;
  Snapshot before_, after_;          ///< by simulated time: the two snapshots around the next picture
  std::optional<FrameClock> clock_;  ///< set with the first snapshot, and again after a reset
};

/// Fits the picture to the given size: cropped or padded with black at the right and the bottom.
[[nodiscard]] Image fit_image(const Image& image, int width, int height);

}  // namespace vw
