// The largest of many numbers, found in parallel.
#pragma once

#include <algorithm>
#include <limits>

#include "sim/base/parallel.h"

namespace vw {

/// The largest of value(i), i in [0, count), over chunks of `grain`; minus infinity for none. What is no number counts for none.
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
                       for (std::size_t i = range.begin; i < range.end; ++i) part.value = std::max(part.value, value(i));
                       return part;
                     })
      .value;
}

}  // namespace vw
