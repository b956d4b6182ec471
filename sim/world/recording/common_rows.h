// Matches elements at two moments by their permanent ids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vw {

/// Calls f(row in `from`, row in `to`) for every id that is in both arrays. Ids must be in ascending order. If the
/// arrays are equal, row i is matched with row i. This also holds for systems without ids, for which both arrays are
/// empty.
template <class F>
void each_common_row(std::span<const std::uint32_t> from, std::size_t from_size, std::span<const std::uint32_t> to,
                     std::size_t to_size, F f) {
  if (std::ranges::equal(from, to)) {
    for (std::size_t i = 0; i < std::min(from_size, to_size); ++i) f(i, i);
    return;
  }
  for (std::size_t i = 0, k = 0; i < from.size() && k < to.size();) {
    if (from[i] == to[k]) f(i, k);
    const std::uint32_t here = from[i], there = to[k];
    i += here <= there ? 1 : 0;
    k += there <= here ? 1 : 0;
  }
}

}  // namespace vw
