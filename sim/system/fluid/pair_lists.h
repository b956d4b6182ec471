// Neighbour lists (Verlet lists) of clusters of four rows. The list of a cluster holds every row within the support
// radius of at least one of its four rows, so a sweep computes four rows times one register of neighbours at once
// (after Pall & Hess 2013, "A flexible algorithm for calculating pair interactions on SIMD architectures"). Lists are
// rebuilt in each substep, in chunks of consecutive bricks. Their order depends on positions alone.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/brick_table.h"
#include "sim/system/fluid/pair_scratch.h"
#include "sim/system/fluid/sph_rows.h"

namespace vw {

/// A set of possible neighbours. Its rows are sorted as its table says. List entries count from `base`: the index of
/// its first row in the array that the lists refer to.
struct PairSource {
  const BrickTable* table = nullptr;
  const Float4* rows = nullptr;  ///< The source's row 0.
  std::uint32_t base = 0;
};

struct Cluster {
  std::uint32_t row = 0;                       ///< First of up to four rows.
  std::uint32_t rows = 0;                      ///< 1..4, all in one brick.
  std::uint32_t pages = 0;                     ///< Begin of this cluster's page table in the chunk's `pages`.
  std::uint32_t near_begin = 0, near_end = 0;  ///< Range in the chunk's `near`; a multiple of four.
  std::uint32_t wall_begin = 0, wall_end = 0;  ///< Range in the chunk's `walls`; a multiple of four.
};

/// Compressed list entries. Sweeps read lists more than anything else, so entries have 16 bits. Rows are grouped into
/// pages of 64 consecutive rows, the few pages near a chunk have slots, and an entry is 64 slot + row within the page.
/// The page table stores the first row of the page minus 64 slot (modulo 2^32), so that adding the entry gives the row.
constexpr unsigned page_bits = 6;
constexpr std::size_t page_slots = std::size_t{1} << (16 - page_bits);
[[nodiscard]] inline std::uint32_t row_of_entry(std::uint16_t entry, const std::uint32_t* pages) {
  return pages[entry >> page_bits] + entry;
}

struct PairChunk {
  std::uint32_t first_row = 0, end_row = 0;
  std::uint32_t first_brick = 0, end_brick = 0;
  std::vector<Cluster> clusters;
  std::vector<std::uint16_t> near;   ///< Compressed entries of the fluid lists, padded with the padding row.
  std::vector<std::uint32_t> pages;  ///< Page tables; see near_row().
  /// For each page a bit mask: bit k is set if lists may refer to rows 4 k to 4 k + 3 of the page.
  std::vector<std::uint16_t> lines;
  std::vector<std::uint32_t> walls;  ///< Wall rows, padded with the wall padding row.
  [[nodiscard]] std::uint32_t near_row(const Cluster& cluster, std::uint32_t k) const;
};

inline std::uint32_t PairChunk::near_row(const Cluster& cluster, std::uint32_t k) const {
  return row_of_entry(near[k], pages.data() + cluster.pages);
}

/// Input of PairLists::build().
struct PairSearch {
  PairSource targets;                 ///< Rows for which lists are built; `base` is not used.
  std::span<const PairSource> near;   ///< Sources of the fluid lists.
  std::span<const PairSource> walls;  ///< Sources of the wall lists.
  std::uint32_t near_padding = 0;     ///< Index of the padding row in the array of the fluid lists.
  std::uint32_t wall_padding = 0;
  float reach = 1;               ///< Support radius, equal to the cell width.
  std::uint64_t most_pairs = 0;  ///< Limit for the number of list entries.
};

class PairLists {
 public:
  /// Builds all lists. Returns false if there are more entries than search.most_pairs, or more around one brick than
  /// its page table can address (many coincident rows). The lists must not be used then.
  [[nodiscard]] bool build(const PairSearch& search);
  [[nodiscard]] std::span<const PairChunk> chunks() const { return {chunks_.data(), used_}; }
  /// For code that removes pairs. It may split clusters into clusters of fewer rows in the same order.
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
