// Neighbour lists (Verlet lists) of clusters of four rows, where a row is a particle. The list of a cluster holds every
// particle within the support radius of at least one of its four rows. One SIMD operation of a sweep therefore treats
// all pairs of the four rows and four neighbours (after Pall & Hess 2013, "A flexible algorithm for calculating pair
// interactions on SIMD architectures"). Lists are rebuilt in each substep, in chunks of consecutive bricks. The order
// of list entries depends on positions alone.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/neighbors/brick_table.h"
#include "sim/system/fluid/neighbors/pair_scratch.h"
#include "sim/system/fluid/rows/sph_rows.h"

namespace vw {

/// A set of possible neighbours, sorted in the order of `table`. `base` is the index of the set's first row in the
/// array that the lists refer to, so the list entry of row k of the set is base + k.
struct PairSource {
  const BrickTable* table = nullptr;
  const Float4* rows = nullptr;  ///< Row 0 of the set.
  std::uint32_t base = 0;
};

struct Cluster {
  std::uint32_t row = 0;    ///< First row of the cluster.
  std::uint32_t rows = 0;   ///< Number of rows, 1 to 4. All rows are in one brick.
  std::uint32_t pages = 0;  ///< Start of this cluster's page table in the chunk's `pages`.
  /// Range of the fluid list in the chunk's `near`. Its length is a multiple of four.
  std::uint32_t near_begin = 0, near_end = 0;
  /// Range of the wall list in the chunk's `walls`. Its length is a multiple of four.
  std::uint32_t wall_begin = 0, wall_end = 0;
};

/// Compressed list entries. Sweeps read lists more than anything else, so entries have 16 bits. Rows are grouped into
/// pages of 64 consecutive rows. Each of the few pages near a chunk has a slot. An entry is 64 times the slot number
/// plus the index of the row in its page. The page table stores the first row of the page minus 64 times the slot
/// number (modulo 2^32), so that adding the entry gives the row.
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
  /// Bit mask of each page. Bit k is set if lists may refer to rows 4 k to 4 k + 3 of the page.
  std::vector<std::uint16_t> lines;
  std::vector<std::uint32_t> walls;  ///< Entries of the wall lists: wall rows, padded with the wall padding row.
  [[nodiscard]] std::uint32_t near_row(const Cluster& cluster, std::uint32_t k) const;
};

inline std::uint32_t PairChunk::near_row(const Cluster& cluster, std::uint32_t k) const {
  return row_of_entry(near[k], pages.data() + cluster.pages);
}

/// Input of PairLists::build().
struct PairSearch {
  PairSource targets;                 ///< Rows for which lists are built. `base` is not used.
  std::span<const PairSource> near;   ///< Sources of the fluid lists.
  std::span<const PairSource> walls;  ///< Sources of the wall lists.
  std::uint32_t near_padding = 0;     ///< Index of the padding row in the array of the fluid lists.
  std::uint32_t wall_padding = 0;
  float reach = 1;               ///< Support radius, equal to the cell width.
  std::uint64_t most_pairs = 0;  ///< Limit for the number of list entries.
};

class PairLists {
 public:
  /// Builds all lists. Returns false if there are more entries than search.most_pairs, or if the rows around one brick
  /// need more pages than a page table can address, because many rows coincide. In both cases the lists must not be
  /// used.
  [[nodiscard]] bool build(const PairSearch& search);
  [[nodiscard]] std::span<const PairChunk> chunks() const { return {chunks_.data(), used_}; }
  /// The chunks, for code that removes pairs. Such code may split a cluster into clusters of fewer rows in the same
  /// order.
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
