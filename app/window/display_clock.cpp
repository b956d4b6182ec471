#include "app/window/display_clock.h"

#include <algorithm>
#include <cmath>

namespace vw {

float DisplayClock::advance(const Snapshot& previous, const Snapshot& newest, double wall_s) {
  const double frame_s = last_wall_s_ < 0 ? 0 : std::clamp(wall_s - last_wall_s_, 0.0, 0.5);
  last_wall_s_ = wall_s;
  const double span = newest.time_s - previous.time_s;
  if (newest.paused || newest.epoch != epoch_ || previous.epoch != newest.epoch || span <= 0) {
    epoch_ = newest.epoch;
    time_s_ = newest_s_ = newest.time_s;
    rate_ = std::max(newest.asked_speed, 0.0);
    return 1;
  }
  // Average the rate over about 0.25 s. A slow simulation then appears as smooth slow motion instead of jumps.
  const double weight = 1 - std::exp(-frame_s / 0.25);
  if (frame_s > 0) rate_ += weight * ((newest.time_s - newest_s_) / frame_s - rate_);
  newest_s_ = newest.time_s;
  time_s_ += frame_s * rate_;
  // Move the drawn time slowly towards the middle between the two snapshots, so that it reaches neither snapshot.
  const double middle = newest.time_s - 0.5 * span;
  time_s_ += std::min(1.0, frame_s / 0.3) * (middle - time_s_);
  time_s_ = std::clamp(time_s_, previous.time_s, newest.time_s);
  return static_cast<float>((time_s_ - previous.time_s) / span);
}

}  // namespace vw
