// Plan by which vector code traverses a lattice. A block is a group of consecutive voxels, one per vector lane. For
// each axis, the plan stores the indices of the neighbours of a block's voxels in the positive direction. In a dense
// lattice all lanes of a block have the same offset to the neighbour, and the neighbours are loaded as a vector. Where
// the offsets differ (at holes and borders), the neighbours are gathered one by one. Input: topology, constants, number
// of vector lanes, number of slabs. Output: blocks and slabs. The plan is rebuilt when the structure changes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// Order of axes in which a block's bonds are visited: y, z, x. In memory, a voxel's neighbour along -y precedes the
/// neighbour along -z, which precedes the neighbour along -x. A voxel therefore receives the loads from these
/// neighbours in the order -y, -z, -x, no matter how the lattice is divided into slabs, and the sums do not depend on
/// this division.
inline constexpr std::array<int, 3> sweep_axes{1, 2, 0};

/// Number of voxels in a strip. All axes of a strip are processed before the next strip, so that the strip's state and
/// loads stay in the first-level cache.
inline constexpr std::size_t strip_voxels = 64;

/// Bonds of a block's voxels in the positive direction of one axis.
struct BlockBonds {
  std::uint16_t lanes = 0;  ///< lanes (bits) with a bond
  std::uint16_t mixed = 0;  ///< 1 if the bond constants differ between lanes
  std::int32_t offset = 0;  ///< index of the second voxel minus index of the first voxel; 0 if it differs between lanes
  /// Row of the bond constants of all lanes. If `mixed` is 1, index of the first lane's entry in
  /// SweepPlan::lane_constants instead.
  std::int32_t constants = 0;
  /// If `offset` is 0 and some lane has a bond, index of the first lane's entry in SweepPlan::lane_partner; otherwise
  /// -1.
  std::int32_t partners = -1;
};

/// Bonds of a block's voxels in the negative y or z direction.
struct BlockBelow {
  std::uint16_t lanes = 0;  ///< lanes (bits) with a bond
  std::int32_t offset = 0;  ///< index of the second voxel minus index of the first voxel; 0 if it differs between lanes
  /// If `offset` is 0 and some lane has a bond, index of the first lane's entry in SweepPlan::lane_partner; otherwise
  /// -1.
  std::int32_t partners = -1;
};

struct SweepBlock {
  std::array<BlockBonds, 3> along;  ///< bonds in the positive x, y and z directions
  std::array<BlockBelow, 3> below;  ///< bonds in the negative x (not used), y and z directions
  std::int32_t voxel_class = 0;     ///< class of the block's voxels; -1 if it differs between lanes
};

/// Bonds of one block along one axis that lead from the block's slab into one later slab.
struct CrossBlock {
  std::uint32_t first = 0;  ///< voxel of lane 0
  std::uint16_t lanes = 0;  ///< lanes (bits) with such a bond
  std::uint16_t axis = 0;
  std::uint32_t target = 0;  ///< slab of the second voxels
};

/// Consecutive voxels that one thread advances. A bond is outgoing if its first voxel lies in this slab and its second
/// voxel in a later slab. Such a bond is incoming for the slab of its second voxel.
struct SweepSlab {
  std::size_t begin = 0, end = 0;  ///< range of voxels; `begin` is a multiple of the number of lanes
  std::vector<CrossBlock> out;     ///< outgoing bonds, ordered by sweep_axes, then ascending by voxel
  /// Incoming bonds as pairs (other slab, index in that slab's `out`), in the order of summation.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> in;
  /// Entries of `out` whose block begins at or after this voxel are computed by the thread of the next slab, the other
  /// entries by the thread of this slab.
  std::size_t shared_out = 0;
  /// First voxel with an outgoing bond; `end` if there is none.
  std::size_t first_out = 0;
  std::size_t last_in = 0;  ///< last voxel with an incoming bond
};

struct SweepPlan {
  std::size_t lanes = 0;
  std::size_t voxels = 0;
  std::vector<SweepBlock> blocks;
  /// Index of the bonded neighbour of each lane, for blocks whose offset is 0. For a lane without a bond, the entry is
  /// the voxel itself in BlockBonds and 0 in BlockBelow.
  std::vector<std::int32_t> lane_partner;
  /// Row of the bond constants of each lane, for blocks with mixed constants. A lane without a bond has row 0.
  std::vector<std::int32_t> lane_constants;
  std::vector<SweepSlab> slabs;
  /// Number of rows of the ring buffer that stores the loads of bonds along each axis until they are added to the
  /// second voxels. It is a multiple of 16.
  std::array<std::size_t, 3> window{};
  /// Prefetch distance in voxels, for bodies that exceed the caches. 0 means no prefetching.
  std::size_t fetch_ahead = 0;
};

/// Makes the plan for vectors of `lanes` lanes. Broken bonds are absent from topology.bond_at.
[[nodiscard]] SweepPlan make_sweep_plan(const LatticeTopology& topology, const LatticeConstants& constants,
                                        std::size_t lanes, std::size_t slabs);

/// Returns the number of slabs, at most `threads`, into which a lattice is divided. Slabs are not made so small that
/// the barriers between threads cost more time than the threads save.
[[nodiscard]] std::size_t slab_count(std::size_t voxels, std::size_t threads);

}  // namespace vw
