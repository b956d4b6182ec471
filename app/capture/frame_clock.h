// Times of the pictures of a video. A video has a fixed number of pictures per simulated second, which does not depend
// on the step size. From the times of successive snapshots, the class FrameClock computes the two snapshots around each
// picture and the interpolation weight. The class stores times only, not pictures or snapshots.
#pragma once

#include <cstdint>
#include <optional>

namespace vw {

class FrameClock {
 public:
  /// Picture 0 shows the state at `start_s`. Picture i shows the state at start_s + i / frames_per_s.
  FrameClock(int frames_per_s, double start_s)
      : rate_(frames_per_s), start_s_(start_s), previous_s_(start_s), newest_s_(start_s) {}

  /// Advances to the next snapshot, whose time is `time_s`. The newest snapshot becomes the previous snapshot. Before
  /// this call, call next() until it returns nothing.
  void advance(double time_s);
  /// Returns the weight of the next picture between the previous (0) and the newest (1) snapshot, and counts the
  /// picture. Returns nothing if the picture is later than the newest snapshot.
  [[nodiscard]] std::optional<float> next();
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  /// Returns the number of pictures in [start_s, end_s). A video that ends at `end_s` has this number of pictures.
  [[nodiscard]] std::uint64_t count_until(double end_s) const;

 private:
  /// Tolerance [pictures]. Step times are sums of dt, so a picture at the time of a step may be missed because of
  /// rounding errors. A thousandth of a picture is far above these errors and not visible.
  static constexpr double slack_frames = 1e-3;
  int rate_;
  double start_s_, previous_s_, newest_s_;
  std::uint64_t taken_ = 0;
};

}  // namespace vw
