#include "bench/machine.h"

#include <chrono>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace vw::bench {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos && colon + 2 < line.size())
      return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

BusyLoops::BusyLoops(std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    threads_.emplace_back([this] {
      // `stop_` is checked rarely, so that the thread computes instead of waiting for memory.
      volatile double x = 1;
      while (!stop_.load(std::memory_order_relaxed))
        for (int k = 0; k < 10000; ++k) x = x * 0.999 + 0.001;
    });
}

BusyLoops::~BusyLoops() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace vw::bench
