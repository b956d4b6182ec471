// How sweeps walk over a cluster's lists. Included once for each instruction set (Highway), after the lanes of pair_lanes-inl.h.
#if defined(VOXWAKE_FORCE_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_FORCE_WALK_INL_H_
#undef VOXWAKE_FORCE_WALK_INL_H_
#else
#define VOXWAKE_FORCE_WALK_INL_H_
#endif

#include "sim/system/fluid/pair_lanes-inl.h"
#include "sim/system/fluid/pair_lists.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

/// Calls visit(neighbours, where they are in the list) for a part of a list, a register of neighbours at a time.
template <class Visit>
HWY_INLINE void walk(const Float4* rows, const std::uint32_t* begin, const std::uint32_t* end, Visit visit) {
  for (const std::uint32_t* who = begin; who < end; who += neighbours_at_once) visit(take(rows, who), who);
}

/// A cluster's part of its chunk's lists.
struct ListView {
  const std::uint32_t *near, *near_end, *walls, *wall_end;
  ListView(const PairChunk& chunk, const Cluster& c)
      : near(chunk.near.data() + c.near_begin),
        near_end(chunk.near.data() + c.near_end),
        walls(chunk.walls.data() + c.wall_begin),
        wall_end(chunk.walls.data() + c.wall_end) {}
};

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();
#endif
