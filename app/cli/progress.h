// Progress bars on stderr: only on a terminal, only when the work takes longer than a second, gone when it is done.
#pragma once

#include <chrono>
#include <semaphore>
#include <string_view>
#include <thread>

namespace vw::cli {

/// How much of a piece of work is done.
class WorkBar {
 public:
  WorkBar();
  ~WorkBar() { clear(); }
  WorkBar(const WorkBar&) = delete;
  WorkBar& operator=(const WorkBar&) = delete;

  /// `rest` follows the bar; draws at most ten times a second.
  void show(double share, std::string_view rest);
  void clear();
  [[nodiscard]] double wall_s() const;  ///< since it was made

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now(), last_ = begun_;
  bool terminal_ = false;
  bool shown_ = false;
};

/// How far a simulation is.
class Progress {
 public:
  Progress(double start_s, double end_s) : start_s_(start_s), end_s_(end_s) {}
  /// Simulated time reached.
  void show(double time_s);
  void clear() { bar_.clear(); }

 private:
  double start_s_, end_s_;
  WorkBar bar_;
};

/// While it lives, what is generated for fields of this process (sim/field/generation_progress.h) has a bar, and an interrupt stops it.
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
