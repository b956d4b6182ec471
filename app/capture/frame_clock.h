// When the pictures of a video are due: exactly k for every simulated second, whatever the steps. Fed with the times of snapshots, it tells
// between which two each picture lies and how far. Knows nothing of pictures or snapshots themselves.
#pragma once

#include <cstdint>
#include <optional>

namespace vw {

class FrameClock {
 public:
  /// Picture 0 is the state at `start_s`, picture i lies i / frames_per_s later.
  FrameClock(int frames_per_s, double start_s) : rate_(frames_per_s), start_s_(start_s), previous_s_(start_s), newest_s_(start_s) {}

  /// The next snapshot has come: what was the newest is the previous one now. First take every due picture with next().
  void advance(double time_s);
  /// Blend of the next picture between previous (0) and newest (1) snapshot and counts it; empty when it lies behind the newest.
  [[nodiscard]] std::optional<float> next();
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  /// Pictures in [start, end_s): what a video from start to end holds.
  [[nodiscard]] std::uint64_t count_until(double end_s) const;

 private:
  /// Times of steps are sums of dt, so a picture that falls on a step may miss it by rounding; a thousandth of a picture is far above that
  /// and far below what an eye sees.
  static constexpr double slack_frames = 1e-3;
  int rate_;
  double start_s_, previous_s_, newest_s_;
  std::uint64_t taken_ = 0;
};

}  // namespace vw
