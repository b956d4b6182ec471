// What may act along the one free row of a joint: a motor with its greatest force, dry friction, limits, a spring, a rope. Each is a kink: below its
// speed it pushes with its upper impulse, above it with its lower one, at it with anything between. All of them together are a staircase.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace vw {

struct Kink {
  double speed = 0;
  double lower = 0, upper = 0;  ///< impulses [N s], [N m s]; may be infinite
  double give = 0;              ///< of a spring: speed + give * impulse is asked for in place of speed; only where it is alone
};

/// Where on its staircase a row stands: on kink i (it holds that speed), or between kinks (it gives a fixed impulse).
class JointDrive {
 public:
  void clear() { count_ = 0, stands_ = 0, is_on_ = false; }
  /// One with a speed that is there already joins it.
  void add(const Kink& kink);
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// Begins on the kink of this speed, or where a row of this speed lies.
  void begin_on(double speed);
  void begin_at(double speed);

  [[nodiscard]] bool is_on() const { return is_on_; }
  [[nodiscard]] const Kink& kink() const { return kinks_[stands_]; }
  /// Impulse that it gives between kinks.
  [[nodiscard]] double fixed_impulse() const { return others(); }
  /// Goes a step along the staircase if `impulse` or `speed` is not what belongs to where it stands.
  bool follow(double speed, double impulse, double speed_noise, double impulse_noise);

 private:
  /// Sum of what the kinks other than the one it is on give: those below `stands_` their lower impulse, those above their upper.
  [[nodiscard]] double others() const;

  std::array<Kink, 4> kinks_{};  ///< by speed
  std::size_t count_ = 0;
  std::size_t stands_ = 0;  ///< on kink `stands_`, or between it and the one before
  bool is_on_ = false;
};

}  // namespace vw
