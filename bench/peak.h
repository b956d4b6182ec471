// Peak performance of the machine, measured beside a benchmark so that its rate can be given as a fraction of the peak.
#pragma once

#include <cstdint>

#include "bench/registry.h"

namespace vw::bench {

/// Best of several windows, summed over the threads.
struct Peak {
  [[nodiscard]] bool known() const { return flop_per_s > 0; }
  /// Single-precision fused multiply-adds (two operations each) with the widest vectors available
  double flop_per_s = 0;
  /// Triad a = b + s c in double precision on half of each core's second-level cache; 24 bytes per element, as in
  /// STREAM
  double l2_byte_per_s = 0;
  double memory_byte_per_s = 0;  ///< the same on arrays several times larger than the last-level cache
};
[[nodiscard]] Peak measure_peak(int threads, std::int64_t milliseconds);
/// The three rates with keys that start with `prefix`.
[[nodiscard]] Figures peak_rates(const std::string& prefix, const Peak& peak);

}  // namespace vw::bench
