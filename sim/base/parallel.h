// Parallel loops on oneTBB with a partition that depends on the count alone, never on the number of threads: the same bits for any.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// Limits the threads that parallel loops use from now on, process-wide (0 = all cores). Returns the number in force.
int set_thread_count(int threads);
[[nodiscard]] int thread_count();

/// Number of chunks that [0, count) falls into at the given grain.
[[nodiscard]] std::size_t chunk_count(std::size_t count, std::size_t grain);

namespace detail {
/// A reference to a loop's body: unlike std::function it never allocates, so a steady-state step does not either.
struct BodyRef {
  const void* object;
  void (*call)(const void* object, Range range, std::size_t chunk);
};
void run_chunks(std::size_t count, std::size_t grain, BodyRef body);
}  // namespace detail

/// Runs body(range, chunk_index) over fixed chunks of `grain` elements. Chunks run in any order on any thread; bodies write only rows of
/// their own range. One chunk runs in place without touching the scheduler.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  detail::run_chunks(count, grain,
                     {&body, [](const void* object, Range range, std::size_t chunk) { (*static_cast<const Body*>(object))(range, chunk); }});
}

/// Sum of partial(range) over fixed chunks, added in chunk order: the same bits at any thread count. T needs T{} -like zero and +=.
template <class T, class F>
[[nodiscard]] T ordered_sum(std::size_t count, std::size_t grain, T zero, F partial) {
  std::vector<T> rows(chunk_count(count, grain), zero);
  parallel_for(count, grain, [&](Range range, std::size_t chunk) { rows[chunk] = partial(range); });
  T total = zero;
  for (const T& row : rows) total += row;
  return total;
}

}  // namespace vw
