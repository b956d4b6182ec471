// A parallel loop over rows.
#pragma once

#include <cstddef>

#include "sim/base/parallel/parallel.h"

namespace vw {

/// Calls f(i) for each i in [0, count) on all threads. f may write only to row i, because the order of the calls is not
/// fixed.
template <class F>
void each_row(std::size_t count, F f) {
  constexpr std::size_t grain = 4096;
  parallel_for(count, grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) f(i);
  });
}

}  // namespace vw
