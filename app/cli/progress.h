// A progress bar on stderr: only on a terminal, only when the work takes longer than a second, gone when it is done.
#pragma once

#include <chrono>

namespace vw::cli {

class Progress {
 public:
  Progress(double start_s, double end_s);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Simulated time reached; draws at most ten times a second.
  void show(double time_s);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  double start_s_, end_s_;
  Clock::time_point begun_ = Clock::now(), last_ = begun_;
  bool terminal_ = false;
  bool shown_ = false;
};

}  // namespace vw::cli
