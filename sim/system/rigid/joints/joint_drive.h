// Force law of the drive row of a joint. The drive row is the constraint equation along or about the joint's axis, or
// along a rod or rope. A motor with a force limit, dry friction, a limit, a spring and a rope are steps of a set-valued
// relation between velocity and impulse. At velocities below the speed of a step, the impulse equals the upper bound of
// the step. Above that speed it equals the lower bound. At that speed it takes any value between the bounds. The law of
// a row is the sum of its steps, a descending staircase. The active set consists of the steps whose speed is enforced.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace vw {

/// One step of the force law.
struct Kink {
  double speed = 0;             ///< Relative velocity at which the step lies [m/s], [rad/s].
  double lower = 0, upper = 0;  ///< Bounds of the impulse [N s], [N m s]; may be infinite.
  /// Compliance of a spring [1/kg]. The relative velocity plus `give` times the impulse equals `speed`. A nonzero value
  /// is allowed only if the row has no other step.
  double give = 0;
};

/// Force law of one row and its current state. The state is either on step i, where the row's velocity is prescribed,
/// or between two steps, where the row's impulse is prescribed.
class JointDrive {
 public:
  void clear() { count_ = 0, stands_ = 0, is_on_ = false; }
  /// Adds a step of the force law. If a step at the same speed exists, the bounds of the new step are added to the
  /// bounds of the existing step.
  void add(const Kink& kink);
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// Sets the state for a row that moves at `speed`. If the force law has a step at this speed, the state is on this
  /// step. Otherwise the function has the effect of begin_at(speed).
  void begin_on(double speed);
  /// Sets the state for a row that moves at `speed`. The state is between two steps of the force law, unless a step
  /// with an infinite bound limits the speed.
  void begin_at(double speed);

  /// Whether the row's velocity is prescribed. If so, it is prescribed by the step `kink()`.
  [[nodiscard]] bool is_on() const { return is_on_; }
  [[nodiscard]] const Kink& kink() const { return kinks_[stands_]; }
  /// Impulse that is prescribed if the state is between two steps [N s], [N m s].
  [[nodiscard]] double fixed_impulse() const { return others(); }
  /// Moves to the neighbouring state if `impulse` or `speed` contradicts the current one. Returns whether the state has
  /// changed.
  bool follow(double speed, double impulse, double speed_noise, double impulse_noise);

 private:
  /// Sum of the impulses of all steps except the active one. Steps below `stands_` contribute their lower bound, steps
  /// above `stands_` their upper bound.
  [[nodiscard]] double others() const;

  std::array<Kink, 4> kinks_{};  ///< Sorted by speed.
  std::size_t count_ = 0;
  /// Index of the active step if `is_on_`. Otherwise the state lies between steps `stands_` - 1 and `stands_`.
  std::size_t stands_ = 0;
  bool is_on_ = false;
};

}  // namespace vw
