// Video while the window runs. Two ways: by real time (a picture every 1/fps of the wall clock, repeated when drawing is slower) and by
// simulated time (exactly k pictures per simulated second, interpolated between steps; the simulation is held back, no picture is dropped).
// Drawing thread only; pictures are added only while the encoder has room.
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
  bool with_interface = false;      ///< real time only
};

class VideoRecorder {
 public:
  using Draw = std::function<Result<Image>(const Frame&)>;

  /// `queue` must be the simulation's sink when recording by simulated time, else null.
  void start(std::unique_ptr<VideoWriter> writer, const RecordSettings& settings, std::shared_ptr<SnapshotQueue> queue, double wall_s);
  [[nodiscard]] bool active() const { return writer_ != nullptr; }
  [[nodiscard]] const RecordSettings& settings() const { return settings_; }
  [[nodiscard]] std::size_t frames() const { return frames_; }
  [[nodiscard]] double seconds() const { return static_cast<double>(frames_) / settings_.video.fps; }  ///< length of the video

  /// By simulated time: draws and adds what is due until `budget_s` of wall time is spent, the encoder is full or snapshots run out.
  /// While both have something to come (a simulation that steps, an encoder at work) it waits for them within the budget: drawing the window
  /// again meanwhile would only take the processor from them.
  [[nodiscard]] Result<void> pump_simulated(double budget_s, const Draw& draw, bool wait = false);
  /// By real time: pictures due at this moment (0 when none, or the encoder has no room; they are made up for later).
  [[nodiscard]] std::size_t due(double wall_s) const;
  /// The last of `count` pictures; those before it show what was to be seen until now.
  [[nodiscard]] Result<void> add_live(const Image& image, std::size_t count);
  /// Ends the recording and hands over the file, to be finished elsewhere (flushing may take a moment). By real time the last picture stays
  /// until `wall_s`.
  [[nodiscard]] std::unique_ptr<VideoWriter> stop(double wall_s);

 private:
  [[nodiscard]] bool next_blend(float& blend);
  [[nodiscard]] bool pull();
  [[nodiscard]] std::size_t missing(double wall_s) const;  ///< pictures of a recording by real time, until that moment

  std::unique_ptr<VideoWriter> writer_;
  RecordSettings settings_;
  std::shared_ptr<SnapshotQueue> queue_;
  std::size_t frames_ = 0;
  double start_wall_s_ = 0;
  Snapshot before_, after_;          ///< by simulated time: the two round the next picture
  std::optional<FrameClock> clock_;  ///< set with the first snapshot, and again after a reset
};

/// The picture on a canvas of that size: cut or filled up with black at the right and the bottom.
[[nodiscard]] Image fit_image(const Image& image, int width, int height);

}  // namespace vw
