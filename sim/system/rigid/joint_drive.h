// Force law of the drive row of a joint: motor with a largest force, dry friction, limits, spring, rope. Each of these
// is a step of a set-valued relation between velocity and impulse: below the step's speed the impulse is the upper
// bound, above it the lower bound, and at that speed any value in between. The law of a row is the sum of its steps, a
// descending staircase. The active set consists of the steps whose speed is enforced.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace vw {

/// One step of the force law.
struct Kink {
  double speed = 0;             ///< Relative velocity at which the step lies [m/s], [rad/s].
  double lower = 0, upper = 0;  ///< Bounds of the impulse [N s], [N m s]; may be infinite.
  /// Compliance of a spring: the row satisfies rate + give * impulse = speed. Allowed only if this is the row's only
  /// step.
  double give = 0;
};

/// Force law of one row and its current state: on step i (the row's velocity is prescribed), or between two steps (the
/// row's impulse is prescribed).
class JointDrive {
 public:
  void clear() { count_ = 0, stands_ = 0, is_on_ = false; }
  /// Adds a step. If a step of the same speed exists, their bounds are added.
  void add(const Kink& kink);
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// Starts on the step of speed `speed` if there is one, else as `begin_at`.
  void begin_on(double speed);
  /// Starts in the state that belongs to a row that moves at `speed`.
  void begin_at(double speed);

  /// Whether the row's velocity is prescribed, by `kink()`.
  [[nodiscard]] bool is_on() const { return is_on_; }
  [[nodiscard]] const Kink& kink() const { return kinks_[stands_]; }
  /// Prescribed impulse between two steps.
  [[nodiscard]] double fixed_impulse() const { return others(); }
  /// Moves to the neighbouring state if `impulse` or `speed` contradicts the current one. Returns whether the state has
  /// changed.
  bool follow(double speed, double impulse, double speed_noise, double impulse_noise);

 private:
  /// Sum of the impulses of all steps except the active one: those below `stands_` give their lower bound, those above
  /// it their upper bound.
  [[nodiscard]] double others() const;

  std::array<Kink, 4> kinks_{};  ///< Sorted by speed.
  std::size_t count_ = 0;
  std::size_t stands_ = 0;  ///< On step `stands_` if `is_on_`, else between that step and the one before it.
  bool is_on_ = false;
};

}  // namespace vw
