// Parallel loops on oneTBB or on a LoopTeam. The partition depends only on the element count and the chunk size, never
// on the number of threads, so results are bitwise identical for any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// Sets the number of threads that parallel loops in this process use from now on (0 means all cores). Returns the
/// number in effect.
int set_thread_count(int threads);
[[nodiscard]] int thread_count();

/// Returns the number of chunks of `grain` elements into which [0, count) is divided.
[[nodiscard]] std::size_t chunk_count(std::size_t count, std::size_t grain);

namespace detail {
/// Reference to a loop body. Unlike std::function, it never allocates memory.
struct BodyRef {
  const void* object;
  void (*call)(const void* object, Range range, std::size_t chunk);
};
void run_chunks(std::size_t count, std::size_t grain, BodyRef body);
}  // namespace detail

/// Calls body(range, chunk_index) for fixed chunks of `grain` elements. Chunks run in any order on any thread. A body
/// must write only the rows of its own range. A single chunk runs on the calling thread without the scheduler.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  detail::run_chunks(count, grain, {&body, [](const void* object, Range range, std::size_t chunk) {
                                      (*static_cast<const Body*>(object))(range, chunk);
                                    }});
}

/// Returns the sum of partial(range) over fixed chunks of `grain` elements. The chunks are added in order, so the
/// result is bitwise identical at any thread count. `zero` is the neutral element of T's operator+=.
template <class T, class F>
[[nodiscard]] T ordered_sum(std::size_t count, std::size_t grain, T zero, F partial) {
  std::vector<T> rows(chunk_count(count, grain), zero);
  parallel_for(count, grain, [&](Range range, std::size_t chunk) { rows[chunk] = partial(range); });
  T total = zero;
  for (const T& row : rows) total += row;
  return total;
}

}  // namespace vw
