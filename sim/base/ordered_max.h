// Maximum of many values, computed in parallel.
#pragma once

#include <algorithm>
#include <limits>

#include "sim/base/parallel/parallel.h"

namespace vw {

/// Returns the maximum of value(i) for i in [0, count), computed in chunks of `grain`. The result is minus infinity if
/// count is 0. NaNs are ignored.
template <class F>
[[nodiscard]] double ordered_max(std::size_t count, std::size_t grain, F value) {
  struct Most {
    double value = -std::numeric_limits<double>::infinity();
    Most& operator+=(const Most& other) {
      value = std::max(value, other.value);
      return *this;
    }
  };
  return ordered_sum(count, grain, Most{},
                     [&](Range range) {
                       Most part;
                       for (std::size_t i = range.begin; i < range.end; ++i)
                         part.value = std::max(part.value, value(i));
                       return part;
                     })
      .value;
}

}  // namespace vw
