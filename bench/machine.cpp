#include "bench/machine.h"

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "sim/base/system/process.h"

namespace vw::bench {

std::string processor_name() {
  const std::string model = processor_model();
  return model.empty() ? "unknown processor" : model;
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
