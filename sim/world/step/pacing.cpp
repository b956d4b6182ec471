#include "sim/world/step/pacing.h"

#include <algorithm>

namespace vw {

void Pacer::advance(double wall_s, double speed, double dt) {
  owed_s_ = std::min(owed_s_ + wall_s * speed, std::max(dt, cap_s * speed));
}

double Pacer::wait_s(double speed, double dt) const { return std::max(0.0, dt - owed_s_) / speed; }

void RateMeter::sample(double wall_s, double simulated_s) {
  now_ = {wall_s, simulated_s};
  if (count_ > 0 && wall_s - samples_[(count_ - 1) % size].wall_s < spacing_s) return;
  samples_[count_ % size] = now_;
  ++count_;
}

double RateMeter::rate() const {
  if (count_ == 0) return 0;
  const Sample& oldest = samples_[count_ < size ? 0 : count_ % size];
  const double wall = now_.wall_s - oldest.wall_s;
  return wall > 0 ? (now_.simulated_s - oldest.simulated_s) / wall : 0;
}

}  // namespace vw
