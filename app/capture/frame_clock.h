// Due times of a video's pictures: exactly k per simulated second, independent of the steps. From the times of
// successive snapshots, it computes between which two each picture lies, and the interpolation weight. It handles times
// only, no pictures or snapshots.
#pragma once

#include <cstdint>
#include <optional>

namespace vw {

class FrameClock {
 public:
  /// Picture 0 shows the state at `start_s`; picture i follows i / frames_per_s later.
  FrameClock(int frames_per_s, double start_s)
      : rate_(frames_per_s), start_s_(start_s), previous_s_(start_s), newest_s_(start_s) {}

  /// Advances to the next snapshot: the newest becomes the previous one. Call next() for all due pictures first.
  void advance(double time_s);
  /// Interpolation weight of the next picture between the previous (0) and the newest (1) snapshot; counts the picture.
  /// Empty if the picture lies beyond the newest snapshot.
  [[nodiscard]] std::optional<float> next();
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  /// Number of pictures in [start, end_s), which is the length of a video.
  [[nodiscard]] std::uint64_t count_until(double end_s) const;

 private:
  /// Tolerance in pictures. Step times are sums of dt, so a picture that coincides with a step may miss it by rounding
  /// errors. A thousandth of a picture is far above these errors and invisible.
  static constexpr double slack_frames = 1e-3;
  int rate_;
  double start_s_, previous_s_, newest_s_;
  std::uint64_t taken_ = 0;
};

}  // namespace vw
