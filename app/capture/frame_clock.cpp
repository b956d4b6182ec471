// Times are converted to numbers of pictures since the start, so that counts remain exact for videos of any length.
#include "app/capture/frame_clock.h"

#include <algorithm>
#include <cmath>

namespace vw {

void FrameClock::advance(double time_s) {
  previous_s_ = newest_s_;
  newest_s_ = time_s;
}

std::optional<float> FrameClock::next() {
  const double newest = (newest_s_ - start_s_) * rate_, previous = (previous_s_ - start_s_) * rate_;
  const auto due = static_cast<double>(taken_);
  if (due > newest + slack_frames) return {};
  ++taken_;
  if (newest <= previous) return 1.0F;
  return static_cast<float>(std::clamp((due - previous) / (newest - previous), 0.0, 1.0));
}

std::uint64_t FrameClock::count_until(double end_s) const {
  const double frames = (end_s - start_s_) * rate_;
  return frames <= 0 ? 0 : static_cast<std::uint64_t>(std::ceil(frames - slack_frames));
}

}  // namespace vw
