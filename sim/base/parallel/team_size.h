// Choice of the number of threads of a LoopTeam. The inputs are the start and end of each loop, and the time for which
// its calling thread waited for other threads. The output is the number of members for the next loop. All times are
// arguments, so the choice can be tested without a clock.
#pragma once

#include <chrono>
#include <cstddef>

namespace vw {

/// If another program occupies a core, loops wait for the thread on that core. The choice is made after each window, a
/// period in which loops have run for 4 ms. A window is crowded if waits took more than a quarter of this time. After a
/// crowded window, the team uses one member less. After 20 ms, it tries one member more. This time doubles with every
/// failed trial, up to 640 ms. A failed trial costs about as much as a window.
class TeamSize {
 public:
  using Clock = std::chrono::steady_clock;
  /// Starts with `most` members. `most` must be at least 1.
  explicit TeamSize(std::size_t most) : most_(most), members_(most), usual_(most) {}
  /// Returns the number of members for a loop that begins at `start`, from 1 to `most`. A trial may begin with this
  /// loop.
  [[nodiscard]] std::size_t members_at(Clock::time_point start);
  /// Adds a loop of more than one member. `stalled` is the time for which the caller waited in the loop.
  void add_loop(Clock::time_point start, Clock::time_point end, Clock::duration stalled);

 private:
  std::size_t most_, members_;
  std::size_t usual_;                     ///< number of members to which the team returns after a failed trial
  bool trying_ = false;                   ///< whether members_ is a trial of one member more than usual_
  Clock::duration looped_{}, stalled_{};  ///< sums over the loops of the present window
  Clock::duration rest_{};                ///< time between the last crowded window and the next trial
  Clock::time_point next_trial_{};
};

}  // namespace vw
