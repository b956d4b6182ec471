// Arithmetic that paces the simulation to real time. The caller supplies clock readings.
#pragma once

#include <array>
#include <cstddef>

namespace vw {

/// Computes how much simulated time is due for the elapsed wall time. The amount is limited: if a world is too slow for
/// real time, it runs in slow motion and its backlog does not grow further.
class Pacer {
 public:
  /// Largest backlog: simulated time accumulates for at most this much wall time [s].
  static constexpr double cap_s = 0.1;
  void advance(double wall_s, double speed, double dt);
  void stepped(double dt) { owed_s_ -= dt; }
  void clear() { owed_s_ = 0; }
  [[nodiscard]] bool step_due(double dt) const { return owed_s_ >= dt; }
  /// Returns the wall time [s] until the next step is due.
  [[nodiscard]] double wait_s(double speed, double dt) const;

 private:
  double owed_s_ = 0;  ///< simulated time that is due [s]
};

/// Measures the simulated seconds per wall second, averaged over about the last second.
class RateMeter {
 public:
  void sample(double wall_s, double simulated_s);
  void clear() { count_ = 0; }
  [[nodiscard]] double rate() const;

 private:
  static constexpr std::size_t size = 33;
  static constexpr double spacing_s = 1.0 / 32;
  struct Sample {
    double wall_s = 0, simulated_s = 0;
  };
  std::array<Sample, size> samples_{};
  std::size_t count_ = 0;  ///< number of samples since clear(); the newest sample is at (count_ - 1) % size
  Sample now_;
};

}  // namespace vw
