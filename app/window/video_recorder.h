// Records video while the window runs. Recording by real time takes one picture per 1/fps seconds of wall time. If
// drawing is slower, pictures are repeated. Recording by simulated time takes a fixed number of pictures per simulated
// second, interpolated between steps. The simulation waits for the recorder, so no picture is dropped. Pictures are
// added only while the encoder can accept them. Use only on the drawing thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/capture/capture.h"
#include "app/capture/frame_clock.h"
#include "app/window/snapshot_queue.h"
#include "render/renderer.h"
#include "sim/api/moment.h"

namespace vw {

struct RecordSettings {
  VideoOptions video;
  bool by_simulated_time = false;
  int frames_per_simulated_s = 60;  ///< pictures per simulated second, if by_simulated_time is set
  bool with_interface = false;      ///< whether pictures include the interface; only if by_simulated_time is not set
};

class VideoRecorder {
 public:
  using Draw = std::function<Result<Image>(const Frame&)>;
  /// Returns whether a picture can be drawn already. The recorder calls the function again until it returns true.
  using Ready = std::function<bool(const Frame&)>;

  /// Starts a recording at the wall time `wall_s` [s]. To record by simulated time, `queue` must be the snapshot sink
  /// of the simulation. Otherwise `queue` must be null.
  void start(std::shared_ptr<VideoWriter> writer, const RecordSettings& settings, std::shared_ptr<SnapshotQueue> queue,
             double wall_s);
  [[nodiscard]] bool active() const { return writer_ != nullptr; }
  [[nodiscard]] const RecordSettings& settings() const { return settings_; }
  [[nodiscard]] std::size_t frames() const { return frames_; }
  /// Length of the video so far [s].
  [[nodiscard]] double seconds() const { return static_cast<double>(frames_) / settings_.video.fps; }

  /// Simulated times and cameras of the frames so far, which the video stores with its moment.
  [[nodiscard]] const api::VideoFrames& shown() const { return shown_; }
  /// Sets the camera of the frames that are added from now on.
  void set_camera(const Vec3& eye, const Vec3& target) { eye_ = eye, target_ = target; }

  /// Draws and adds the pictures that are due in a recording by simulated time. The function stops when `budget_s` of
  /// wall time has passed, the encoder is full or there are no more snapshots. If `wait` is set, the function waits for
  /// the encoder and the simulation until `budget_s` has passed. Set `wait` while the simulation is stepping or the
  /// encoder is busy, because redrawing the window would only take CPU time from them. `ready` may be empty.
  [[nodiscard]] Result<void> pump_simulated(double budget_s, const Draw& draw, bool wait = false,
                                            const Ready& ready = {});
  /// Newest snapshot that a recording by simulated time has taken from its queue. Null in other recordings, and before
  /// the first snapshot.
  [[nodiscard]] const Snapshot* newest_taken() const { return active() && clock_ ? &after_ : nullptr; }
  /// Returns the number of pictures that are due in a recording by real time at the wall time `wall_s`. Returns 0 while
  /// the encoder is full. These pictures are due later.
  [[nodiscard]] std::size_t due(double wall_s) const;
  /// Adds `count` pictures to a recording by real time. The last of these pictures is `image`, which shows `shown`. The
  /// other pictures repeat the previous picture of the video, or `image` if the video has no picture yet.
  [[nodiscard]] Result<void> add_live(const Image& image, std::size_t count, const Snapshot& shown = {});
  /// Ends the recording. In a recording by real time, the last picture is first repeated until the wall time `wall_s`.
  /// Returns the writer. The caller finishes the writer on another thread, because flushing the encoder takes time.
  [[nodiscard]] std::shared_ptr<VideoWriter> stop(double wall_s);

 private:
  [[nodiscard]] bool next_blend(float& blend);
  [[nodiscard]] bool pull();
  /// Number of pictures that a recording by real time still needs up to the wall time `wall_s`.
  [[nodiscard]] std::size_t missing(double wall_s) const;

  std::shared_ptr<VideoWriter> writer_;
  RecordSettings settings_;
  std::shared_ptr<SnapshotQueue> queue_;
  std::size_t frames_ = 0;
  api::VideoFrames shown_;
  Vec3 eye_ = Vec3::Zero(), target_ = Vec3::Zero();  ///< camera of the next frames
  double start_wall_s_ = 0;
  Snapshot before_, after_;         ///< the two snapshots around the next picture, if recording by simulated time
  std::optional<float> due_blend_;  ///< weight of the picture that is due but not drawn yet
  /// Clock that starts at the first snapshot, or at the first snapshot after a reset.
  std::optional<FrameClock> clock_;
};

/// Crops the picture to the given size, or pads it with transparent black, at the right and at the bottom.
[[nodiscard]] Image fit_image(const Image& image, int width, int height);

}  // namespace vw
