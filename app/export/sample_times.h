// Times of samples over a run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/api/run.h"

namespace vw {

/// Times of samples: the multiples of an interval of simulated time since the start. The times are computed from a
/// counter and not accumulated, so that sample 1000 is exactly 1000 intervals after the start. A tolerance of half a
/// step selects the step nearest to each time.
class SampleTimes {
 public:
  SampleTimes() = default;
  SampleTimes(const api::Run& run, double every_s) : SampleTimes(run.time_s(), every_s) {}
  SampleTimes(double start_s, double every_s) : start_s_(start_s), every_s_(every_s) {}
  /// Returns whether a sample is due at the time of the run. A due sample is counted as taken.
  [[nodiscard]] bool take(const api::Run& run) { return take(run.time_s(), run.dt_s()); }
  /// Returns whether a sample is due at the time `time_s` of a run with steps of `dt_s` [s], and counts a due sample as
  /// taken.
  [[nodiscard]] bool take(double time_s, double dt_s) {
    const double reached = time_s + 0.5 * dt_s - start_s_;
    if (reached <= static_cast<double>(samples_) * every_s_) return false;
    constexpr double most = 1e18;  // a tiny interval has more multiples than an integer can count
    samples_ = std::max(samples_, static_cast<std::uint64_t>(std::min(reached / every_s_, most))) + 1;
    return true;
  }

 private:
  double start_s_ = 0, every_s_ = 1;
  std::uint64_t samples_ = 0;
};

}  // namespace vw
