#include "sim/system/rigid/joints/joint_drive.h"

#include <cassert>

#include "sim/base/math.h"

namespace vw {

void JointDrive::add(const Kink& kink) {
  std::size_t at = 0;
  while (at < count_ && kinks_[at].speed < kink.speed) ++at;
  if (at < count_ && kinks_[at].speed == kink.speed) {
    kinks_[at].lower += kink.lower, kinks_[at].upper += kink.upper;
    return;
  }
  assert(count_ < kinks_.size());
  for (std::size_t i = count_; i > at; --i) kinks_[i] = kinks_[i - 1];
  kinks_[at] = kink;
  ++count_;
}

void JointDrive::begin_on(double speed) {
  begin_at(speed);
  is_on_ = is_on_ || (stands_ < count_ && kinks_[stands_].speed == speed);
}

void JointDrive::begin_at(double speed) {
  is_on_ = false;
  stands_ = 0;
  while (stands_ < count_ && kinks_[stands_].speed < speed) ++stands_;
  // A step of the force law with an infinite bound cannot be passed. If `speed` lies beyond such a step, the state
  // starts on this step.
  for (std::size_t i = 0; i < stands_ && !is_on_; ++i)
    if (kinks_[i].lower == -infinite) stands_ = i, is_on_ = true;
  for (std::size_t i = count_; i-- > stands_ && !is_on_;)
    if (kinks_[i].upper == infinite) stands_ = i, is_on_ = true;
}

double JointDrive::others() const {
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (!is_on_ || i != stands_) sum += i < stands_ ? kinks_[i].lower : kinks_[i].upper;
  return sum;
}

bool JointDrive::follow(double speed, double impulse, double speed_noise, double impulse_noise) {
  if (is_on_) {
    const double own = impulse - others();
    if (own > kinks_[stands_].upper + impulse_noise) {
      is_on_ = false;
      return true;
    }
    if (own < kinks_[stands_].lower - impulse_noise) {
      is_on_ = false, ++stands_;
      return true;
    }
    return false;
  }
  if (stands_ < count_ && speed > kinks_[stands_].speed + speed_noise) {
    is_on_ = true;
    return true;
  }
  if (stands_ > 0 && speed < kinks_[stands_ - 1].speed - speed_noise) {
    is_on_ = true, --stands_;
    return true;
  }
  return false;
}

}  // namespace vw
