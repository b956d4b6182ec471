#include "sim/base/parallel/team_size.h"

#include <algorithm>

namespace vw {
namespace {

constexpr auto window = std::chrono::milliseconds(4), first_rest = std::chrono::milliseconds(20),
               longest_rest = std::chrono::milliseconds(640);
/// Largest fraction of a window that waits may take before the window counts as crowded.
constexpr double most_stalled = 0.25;

}  // namespace

std::size_t TeamSize::members_at(Clock::time_point start) {
  if (!trying_ && members_ < most_ && start >= next_trial_) {
    ++members_;
    trying_ = true;
  }
  return members_;
}

void TeamSize::add_loop(Clock::time_point start, Clock::time_point end, Clock::duration stalled) {
  looped_ += end - start;
  stalled_ += stalled;
  if (looped_ < window) return;
  const bool crowded = std::chrono::duration<double>(stalled_) > most_stalled * std::chrono::duration<double>(looped_);
  looped_ = stalled_ = {};
  if (crowded) {
    rest_ = trying_ ? std::min<Clock::duration>(2 * rest_, longest_rest) : first_rest;
    usual_ = members_ = trying_ ? usual_ : std::max<std::size_t>(1, members_ - 1);
    next_trial_ = end + rest_;
  } else {
    usual_ = members_;
  }
  trying_ = false;
}

}  // namespace vw
