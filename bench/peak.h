// Peak performance of the machine, measured together with a benchmark. The benchmark reports its rate as a fraction of
// the peak.
#pragma once

#include <cstdint>

#include "bench/registry.h"

namespace vw::bench {

/// Peak rates. Each rate is the sum over all threads in the best of several windows.
struct Peak {
  [[nodiscard]] bool known() const { return flop_per_s > 0; }
  /// Rate of operations in single-precision fused multiply-adds with the widest available vectors. Each multiply-add
  /// counts as two operations.
  double flop_per_s = 0;
  /// Rate of the triad a = b + s c in double precision on arrays that fill half of each core's second-level cache. Each
  /// element counts as 24 bytes, as in STREAM.
  double l2_byte_per_s = 0;
  double memory_byte_per_s = 0;  ///< rate of the triad on arrays several times larger than the last-level cache
};
[[nodiscard]] Peak measure_peak(int threads, std::int64_t milliseconds);
/// Returns the three peak rates. Their keys start with `prefix`.
[[nodiscard]] Figures peak_rates(const std::string& prefix, const Peak& peak);

}  // namespace vw::bench
