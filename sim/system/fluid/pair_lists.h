// Who is within the support radius of whom, by clusters of four rows: a cluster's list names every row that is near one of its four, so that four
// rows and a register of neighbours are one piece of arithmetic (after Pall & Hess 2013, "A flexible algorithm for calculating pair interactions on
// SIMD architectures"). Made anew at each substep, chunk by chunk of consecutive bricks; the order depends on places alone.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/brick_table.h"
#include "sim/system/fluid/pair_scratch.h"
#include "sim/system/fluid/sph_rows.h"

namespace vw {

/// A population that may be found near: its rows, sorted as its table says, begin at `base` of the array that lists point into.
struct PairSource {
  const BrickTable* table = nullptr;
  const Float4* rows = nullptr;  ///< of the source's row 0
  std::uint32_t base = 0;
};

struct Cluster {
  std::uint32_t row = 0;                       ///< first of up to four
  std::uint32_t rows = 0;                      ///< 1..4, all in one brick
  std::uint32_t pages = 0;                     ///< where what its near entries mean begins in the chunk's `pages`
  std::uint32_t near_begin = 0, near_end = 0;  ///< in the chunk's `near`; a multiple of four
  std::uint32_t wall_begin = 0, wall_end = 0;  ///< in the chunk's `walls`; a multiple of four
};

/// Lists are what sweeps read most of, so their entries are short: rows come in pages of 64 consecutive ones, the few pages near a chunk have slots,
/// and an entry is 64 slot + row within the page. A slot's number is the first row of its page less 64 slot, modulo 2^32.
constexpr unsigned page_bits = 6;
constexpr std::size_t page_slots = std::size_t{1} << (16 - page_bits);
[[nodiscard]] inline std::uint32_t row_of_entry(std::uint16_t entry, const std::uint32_t* pages) { return pages[entry >> page_bits] + entry; }

struct PairChunk {
  std::uint32_t first_row = 0, end_row = 0;
  std::uint32_t first_brick = 0, end_brick = 0;
  std::vector<Cluster> clusters;
  std::vector<std::uint16_t> near;   ///< which rows of fluid, by page; padded with the row that is nowhere
  std::vector<std::uint32_t> pages;  ///< see near_row()
  std::vector<std::uint16_t> lines;  ///< of each page: a bit for each four rows, of which lists may have some
  std::vector<std::uint32_t> walls;  ///< rows of walls, padded likewise
  [[nodiscard]] std::uint32_t near_row(const Cluster& cluster, std::uint32_t k) const;
};

inline std::uint32_t PairChunk::near_row(const Cluster& cluster, std::uint32_t k) const {
  return row_of_entry(near[k], pages.data() + cluster.pages);
}

/// What to look for around which rows.
struct PairSearch {
  PairSource targets;                 ///< whose clusters are made; `base` does not count
  std::span<const PairSource> near;   ///< sources of the first list
  std::span<const PairSource> walls;  ///< of the second
  std::uint32_t near_padding = 0;     ///< the row that is nowhere, in the array of the first list
  std::uint32_t wall_padding = 0;
  float reach = 1;               ///< support radius, as long as a cell
  std::uint64_t most_pairs = 0;  ///< entries of lists that there may be
};

class PairLists {
 public:
  /// False: more entries than search.most_pairs, or than a brick can have (rows heaped on one place); lists are not to be used then.
  [[nodiscard]] bool build(const PairSearch& search);
  [[nodiscard]] std::span<const PairChunk> chunks() const { return {chunks_.data(), used_}; }
  /// For who takes pairs out again: clusters may have fewer rows then, in the same order.
  [[nodiscard]] std::span<PairChunk> chunks_to_edit() { return {chunks_.data(), used_}; }
  [[nodiscard]] std::size_t entries() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  void split(const BrickTable& table);
  std::vector<PairChunk> chunks_;
  std::size_t used_ = 0;
  ScratchPool scratch_;
};

}  // namespace vw
