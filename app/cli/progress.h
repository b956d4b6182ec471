// Progress bars on stderr. A bar is shown only on a terminal and if the work takes longer than a second. It is erased
// at the end.
#pragma once

#include <chrono>
#include <semaphore>
#include <string_view>
#include <thread>

namespace vw::cli {

/// Progress bar for a task that reports the completed fraction.
class WorkBar {
 public:
  WorkBar();
  ~WorkBar() { clear(); }
  WorkBar(const WorkBar&) = delete;
  WorkBar& operator=(const WorkBar&) = delete;

  /// Draws the bar for the completed fraction `share`, followed by the text `rest`, at most ten times per second.
  void show(double share, std::string_view rest);
  void clear();
  [[nodiscard]] double wall_s() const;  ///< time since construction [s]

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now(), last_ = begun_;
  bool terminal_ = false;
  bool shown_ = false;
};

/// Progress bar for a simulation.
class Progress {
 public:
  Progress(double start_s, double end_s) : start_s_(start_s), end_s_(end_s) {}
  /// Updates the bar. `time_s` is the simulated time that has been reached [s].
  void show(double time_s);
  void clear() { bar_.clear(); }

 private:
  double start_s_, end_s_;
  WorkBar bar_;
};

/// While an object of this class exists, the generation of fields in this process shows a progress bar
/// (sim/base/generation_progress.h), and an interrupt stops the generation.
class GenerationBar {
 public:
  GenerationBar();
  ~GenerationBar();
  GenerationBar(const GenerationBar&) = delete;
  GenerationBar& operator=(const GenerationBar&) = delete;

 private:
  std::binary_semaphore stop_{0};
  std::thread thread_;
};

}  // namespace vw::cli
