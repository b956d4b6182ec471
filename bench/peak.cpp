// The measurement creates its threads itself instead of using the thread pool of the simulation, which might leave
// cores idle. All threads start each window at the same time.
#include "bench/peak.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <functional>
#include <thread>

#include "bench/measure.h"
#include "bench/peak_kernels.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/system/process.h"

namespace vw::bench {
namespace {

struct Caches {
  std::size_t l2_bytes = std::size_t{1} << 20, last_bytes = std::size_t{32} << 20;
};

Caches caches() {
  Caches found;
  const CacheSizes sizes = cache_sizes();
  if (sizes.second > 0) found.l2_bytes = sizes.second;
  if (sizes.last > 0) found.last_bytes = sizes.last;
  return found;
}

/// Creates the work of one thread. The outer function allocates the data on that thread. The inner function performs
/// some work and returns its amount.
using MakeWork = std::function<std::function<double()>()>;

/// Adds the rates of all threads in each window. Returns the largest of these sums.
double best_total_rate(int threads, std::int64_t milliseconds, const MakeWork& make_work) {
  const auto count = static_cast<std::size_t>(threads);
  const double window_s = static_cast<double>(milliseconds) * 1e-3 / least_windows;
  std::vector<std::vector<double>> rate(count, std::vector<double>(least_windows, 0.0));
  std::barrier together(threads);
  const auto run = [&](std::size_t thread) {
    const auto work = make_work();
    (void)work();
    for (double& window : rate[thread]) {
      together.arrive_and_wait();
      double amount = 0, wall_s = 0;
      const auto start = Clock::now();
      do {
        amount += work();
        wall_s = seconds_since(start);
      } while (wall_s < window_s);
      window = amount / wall_s;
    }
  };
  std::vector<std::jthread> team;
  for (std::size_t thread = 1; thread < count; ++thread) team.emplace_back(run, thread);
  run(0);
  team.clear();
  double best = 0;
  for (std::size_t window = 0; window < least_windows; ++window) {
    double total = 0;
    for (const auto& rows : rate) total += rows[window];
    best = std::max(best, total);
  }
  return best;
}

std::function<double()> flops() {
  return [sink = 0.0F]() mutable { return multiply_add(std::size_t{1} << 20, sink); };
}

/// Returns a function that computes triads over three arrays with a total size of `bytes`. Short arrays are processed
/// repeatedly, so that the time per call is well above the resolution of the clock.
std::function<double()> triads(std::size_t bytes) {
  const std::size_t elements = bytes / (3 * sizeof(double));
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 22) / bytes);
  return [a = std::vector<double>(elements, 0.0), b = std::vector<double>(elements, 1.0),
          c = std::vector<double>(elements, 2.0), repeats]() mutable {
    for (std::size_t i = 0; i < repeats; ++i) triad(a.data(), b.data(), c.data(), 0.5, a.size());
    return static_cast<double>(repeats * a.size() * 3 * sizeof(double));
  };
}

}  // namespace

Peak measure_peak(int threads, std::int64_t milliseconds) {
  const Caches cache = caches();
  Peak peak;
  peak.flop_per_s = best_total_rate(threads, milliseconds, flops);
  peak.l2_byte_per_s = best_total_rate(threads, milliseconds, [&] { return triads(cache.l2_bytes / 2); });
  const std::size_t beyond = 4 * cache.last_bytes / static_cast<std::size_t>(threads);
  peak.memory_byte_per_s = best_total_rate(threads, milliseconds, [&] { return triads(beyond); });
  return peak;
}

Figures peak_rates(const std::string& prefix, const Peak& peak) {
  return {{prefix + "flop_per_s", peak.flop_per_s},
          {prefix + "l2_byte_per_s", peak.l2_byte_per_s},
          {prefix + "memory_byte_per_s", peak.memory_byte_per_s}};
}

Result<Outcome> peak(const Arguments& arguments) {
  const int threads = thread_count();
  Outcome outcome;
  outcome.rates = peak_rates("one_thread_", measure_peak(1, arguments.whole("milliseconds")));
  const Peak all = measure_peak(threads, arguments.whole("milliseconds"));
  for (auto& rate : peak_rates("all_threads_", all)) outcome.rates.push_back(std::move(rate));
  outcome.figures = {{"threads_used", threads}};
  return outcome;
}

}  // namespace vw::bench
