// Plan by which vector code walks over a lattice: blocks of consecutive voxels with one lane per voxel, and for each
// axis the positions of the lanes' + neighbours. In a dense lattice these are one offset away and load as vectors;
// where lanes differ (holes, borders), they are gathered. In: topology, constants, lanes of the instruction set, number
// of slabs. Out: blocks and slabs. Rebuilt when the structure changes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/system/voxel/constants.h"

namespace vw {

/// Order of axes in which a block's bonds are visited: y, z, x. In memory, a voxel's - neighbour along y comes before
/// that along z, and that before the one along x. So loads reach a voxel from below in the order -y, -z, -x however the
/// voxels are cut into slabs, and sums do not depend on the cut.
inline constexpr std::array<int, 3> sweep_axes{1, 2, 0};

/// Number of voxels that go through all axes together, so that their state and loads stay in the first-level cache.
inline constexpr std::size_t strip_voxels = 64;

/// Bonds of a block's voxels through their + faces along one axis.
struct BlockBonds {
  std::uint16_t lanes = 0;  ///< lanes with a bond, bit = lane
  std::uint16_t mixed = 0;  ///< 1: the lanes' bond constants differ
  std::int32_t offset = 0;  ///< to every lane's second voxel; 0: lanes differ
  /// Row of bond constants of all lanes; if mixed, the first of `lanes` entries in SweepPlan::lane_constants.
  std::int32_t constants = 0;
  /// If offset is 0: the first of `lanes` entries in SweepPlan::lane_partner.
  std::int32_t partners = -1;
};

/// Bonds of a block's voxels through their - faces along y or z.
struct BlockBelow {
  std::uint16_t lanes = 0;  ///< lanes with a bond, bit = lane
  std::int32_t offset = 0;  ///< back to every lane's first voxel; 0: lanes differ
  /// If offset is 0: the first of `lanes` entries in SweepPlan::lane_partner.
  std::int32_t partners = -1;
};

struct SweepBlock {
  std::array<BlockBonds, 3> along;  ///< by axis x, y, z
  std::array<BlockBelow, 3> below;  ///< by axis; x is not used
  std::int32_t voxel_class = 0;     ///< class of all lanes; -1: lanes differ
};

/// Bonds of one block along one axis that lead from its slab into one later slab.
struct CrossBlock {
  std::uint32_t first = 0;  ///< voxel of lane 0
  std::uint16_t lanes = 0;  ///< bit = lane
  std::uint16_t axis = 0;
  std::uint32_t target = 0;  ///< slab of the second voxels
};

/// Consecutive voxels that one thread advances.
struct SweepSlab {
  std::size_t begin = 0, end = 0;  ///< voxels; begin is a multiple of the lanes
  std::vector<CrossBlock> out;     ///< outgoing bonds, in the order of sweep_axes, ascending
  /// Incoming bonds as (slab, position in its `out`), in the order of sums.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> in;
  /// The next slab computes the entries of `out` from this voxel on.
  std::size_t shared_out = 0;
  /// First voxel with an outgoing bond; `end` if there is none.
  std::size_t first_out = 0;
  std::size_t last_in = 0;  ///< last voxel with an incoming bond
};

struct SweepPlan {
  std::size_t lanes = 0;
  std::size_t voxels = 0;
  std::vector<SweepBlock> blocks;
  /// Voxel indices. A lane without a bond has its own index.
  std::vector<std::int32_t> lane_partner;
  /// Rows of bond constants. A lane without a bond has row 0.
  std::vector<std::int32_t> lane_constants;
  std::vector<SweepSlab> slabs;
  /// By axis: rows of loads that are kept until their second voxels are done; a multiple of 16.
  std::array<std::size_t, 3> window{};
  /// Distance of prefetching [voxels], for bodies that exceed the caches; 0: no prefetching.
  std::size_t fetch_ahead = 0;
};

/// Makes the plan for vectors of `lanes` lanes. Broken bonds are absent from topology.bond_at.
[[nodiscard]] SweepPlan make_sweep_plan(const LatticeTopology& topology, const LatticeConstants& constants,
                                        std::size_t lanes, std::size_t slabs);

/// Number of slabs for a lattice that `threads` threads may share. Each slab must be large enough to outweigh the
/// barriers.
[[nodiscard]] std::size_t slab_count(std::size_t voxels, std::size_t threads);

}  // namespace vw
