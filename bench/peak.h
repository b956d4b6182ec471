// A probe of what the machine can do at best, run beside a benchmark so that a rate can be told as a share of it.
#pragma once

#include <cstdint>

#include "bench/registry.h"

namespace vw::bench {

/// Best of several windows, summed over the threads.
struct Peak {
  [[nodiscard]] bool known() const { return flop_per_s > 0; }
  double flop_per_s = 0;         ///< float fused multiply-adds (two operations each) of the widest vectors there are
  double l2_byte_per_s = 0;      ///< triad a = b + s c in double on half of each core's second-level cache; 24 bytes an element, as STREAM counts
  double memory_byte_per_s = 0;  ///< the same on arrays of several times the last-level cache
};
[[nodiscard]] Peak measure_peak(int threads, std::int64_t milliseconds);
/// The three rates under keys that start with `prefix`.
[[nodiscard]] Figures peak_rates(const std::string& prefix, const Peak& peak);

}  // namespace vw::bench
