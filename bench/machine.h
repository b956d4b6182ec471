// The machine on which a benchmark runs, and artificial load beside the benchmark.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace vw::bench {

/// Returns the model name of the processor, such as "AMD EPYC 9354", or "unknown processor" if the operating system
/// does not provide the name.
[[nodiscard]] std::string processor_name();
/// Returns the current date in UTC as year, month and day, for example "2026-11-26".
[[nodiscard]] std::string today();

/// While an object of this class lives, each of `count` threads keeps one core busy with arithmetic, as other programs
/// on a desktop do.
class BusyLoops {
 public:
  explicit BusyLoops(std::int64_t count);
  ~BusyLoops();
  BusyLoops(const BusyLoops&) = delete;
  BusyLoops& operator=(const BusyLoops&) = delete;

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace vw::bench
