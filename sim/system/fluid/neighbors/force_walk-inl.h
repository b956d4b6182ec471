// Iteration over the neighbour lists of a cluster. Included once for each instruction set (Highway), after
// pair_lanes-inl.h.
#if defined(VOXWAKE_FORCE_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_FORCE_WALK_INL_H_
#undef VOXWAKE_FORCE_WALK_INL_H_
#else
#define VOXWAKE_FORCE_WALK_INL_H_
#endif

#include <algorithm>
#include <bit>

#include "sim/system/fluid/neighbors/pair_lanes-inl.h"
#include "sim/system/fluid/neighbors/pair_lists.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

/// Calls visit(neighbours, pointer to their indices) for the entries of a list from `begin` to `end`. Each call passes
/// neighbours_at_once neighbours.
template <class Visit>
HWY_INLINE void walk(const Float4* rows, const std::uint32_t* begin, const std::uint32_t* end, Visit visit) {
  for (const std::uint32_t* who = begin; who < end; who += neighbours_at_once) visit(take(rows, who), who);
}

/// Position in a list of compressed entries (pair_lists.h).
struct PagedPlace {
  const std::uint16_t* at;
  const std::uint32_t* pages;
};
template <class Visit>
HWY_INLINE void walk(const Float4* rows, const PagedPlace& begin, const PagedPlace& end, Visit visit) {
  for (const std::uint16_t* at = begin.at; at < end.at; at += neighbours_at_once) {
    std::uint32_t who[neighbours_at_once];
    for (std::size_t k = 0; k < neighbours_at_once; ++k) who[k] = row_of_entry(at[k], begin.pages);
    visit(take(rows, who), who);
  }
}

/// Prefetches the rows that a chunk's sweep will read, because hardware prefetchers cannot predict their order. Other
/// rows are not prefetched, because another thread may be about to write to them. Only the rows of the chunk's first
/// page table are prefetched.
HWY_INLINE void fetch(const Float4* rows, const PairChunk& chunk) {
  for (std::uint32_t slot = 0; slot < std::min(chunk.pages.size(), page_slots); ++slot) {
    const Float4* const page = rows + static_cast<std::uint32_t>(chunk.pages[slot] + (slot << page_bits));
    for (unsigned lines = chunk.lines[slot]; lines != 0; lines &= lines - 1)
      __builtin_prefetch(page + 4 * std::countr_zero(lines), 0, 2);
  }
}

/// The neighbour list and the wall list of one cluster.
struct ListView {
  PagedPlace near, near_end;
  const std::uint32_t *walls, *wall_end;
  ListView(const PairChunk& chunk, const Cluster& c)
      : near{chunk.near.data() + c.near_begin, chunk.pages.data() + c.pages},
        near_end{chunk.near.data() + c.near_end, nullptr},
        walls(chunk.walls.data() + c.wall_begin),
        wall_end(chunk.walls.data() + c.wall_end) {}
};

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();
#endif
