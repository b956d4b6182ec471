// Assigns items to the tiles that they touch and preserves the order of the items. Counting and filling run in parallel
// over chunks. The chunks depend on the number of items only, so the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/parallel/parallel.h"

namespace vw::soft {

/// Inclusive range of tiles. The range is empty if x1 < x0 or y1 < y0.
struct TileRange {
  int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
};

/// Copies of items of type T, contiguous for each tile. If the bins held indices instead of copies, the indirect access
/// would dominate the cost for large numbers of items.
template <class T>
class Bins {
 public:
  /// Maximum total number of entries in all tiles. If the number is exceeded, the bins remain empty and overfull() is
  /// true.
  static constexpr std::uint64_t most_items = std::uint64_t{1} << 26;
  [[nodiscard]] bool overfull() const { return overfull_; }
  /// Assigns `count` items to a grid of `across` x `down` tiles. The value `item_of(i)` is added to all tiles of
  /// `range_of(i)`, which must lie within the grid.
  template <class RangeOf, class ItemOf>
  void fill(int across, int down, std::size_t count, const RangeOf& range_of, const ItemOf& item_of);
  /// Items of the tile with the index y * across + x, in ascending order of i.
  [[nodiscard]] std::span<const T> in(std::size_t tile) const {
    return {items_.data() + starts_[tile], starts_[tile + 1] - starts_[tile]};
  }

 private:
  template <class RangeOf, class Visit>
  static void each(const RangeOf& range_of, Range part, std::size_t across, const Visit& visit);

  std::vector<std::uint32_t> counts_, starts_;
  std::vector<T> items_;
  bool overfull_ = false;
};

template <class T>
template <class RangeOf, class Visit>
void Bins<T>::each(const RangeOf& range_of, Range part, std::size_t across, const Visit& visit) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const TileRange r = range_of(i);
    for (int y = r.y0; y <= r.y1; ++y)
      for (int x = r.x0; x <= r.x1; ++x) visit(static_cast<std::size_t>(y) * across + static_cast<std::size_t>(x), i);
  }
}

template <class T>
template <class RangeOf, class ItemOf>
void Bins<T>::fill(int across, int down, std::size_t count, const RangeOf& range_of, const ItemOf& item_of) {
  const auto wide = static_cast<std::size_t>(across), tiles = wide * static_cast<std::size_t>(down);
  // Each chunk needs a table of counts, so the number of chunks is limited and each has a minimum size.
  constexpr std::size_t most_chunks = 16, least_grain = 4096;
  const std::size_t grain = std::max(least_grain, (count + most_chunks - 1) / most_chunks),
                    chunks = chunk_count(count, grain);
  counts_.assign(chunks * tiles, 0);
  parallel_for(count, grain, [&](Range part, std::size_t chunk) {
    std::uint32_t* mine = counts_.data() + chunk * tiles;
    each(range_of, part, wide, [mine](std::size_t tile, std::size_t) { ++mine[tile]; });
  });
  overfull_ = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}) > most_items;
  if (overfull_) {
    items_.clear();
    return starts_.assign(tiles + 1, 0);
  }
  starts_.resize(tiles + 1);
  std::uint32_t at = 0;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    starts_[tile] = at;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) at += std::exchange(counts_[chunk * tiles + tile], at);
  }
  starts_[tiles] = at;
  items_.resize(at);
  parallel_for(count, grain, [&](Range part, std::size_t chunk) {
    std::uint32_t* mine = counts_.data() + chunk * tiles;
    each(range_of, part, wide, [&](std::size_t tile, std::size_t i) { items_[mine[tile]++] = item_of(i); });
  });
}

/// Returns i. For bins of indices, this function is the argument `item_of` of Bins::fill().
[[nodiscard]] inline std::uint32_t number_of(std::size_t i) { return static_cast<std::uint32_t>(i); }

}  // namespace vw::soft
