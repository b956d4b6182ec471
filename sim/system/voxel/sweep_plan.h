// How vectors walk over a lattice: blocks of consecutive voxels, one lane a voxel, and for each axis where the lanes' + neighbours lie. In a dense
// lattice they are one offset away and load as vectors; where lanes differ (holes, borders) they are gathered.
// In: topology, constants, lanes of the instruction set, threads. Out: blocks and slabs. Rebuilt when the structure changes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/system/voxel/constants.h"

namespace vw {

/// Order in which a block's bonds are visited: along y, z, x. So contributions reach a voxel from below in the order -y -z -x however the voxels
/// are cut into slabs (an index below along y is smaller than one along z, and that than one along x), and sums do not depend on the cut.
inline constexpr std::array<int, 3> sweep_axes{1, 2, 0};

/// Voxels that go through all axes together: their state and loads stay in the first cache.
inline constexpr std::size_t strip_voxels = 64;

/// Bonds that leave a block's voxels through their + faces along one axis.
struct BlockBonds {
  std::uint16_t lanes = 0;     ///< lanes with a bond, bit = lane
  std::uint16_t mixed = 0;     ///< 1: the lanes' bond constants differ
  std::int32_t offset = 0;     ///< every lane's partner is `offset` voxels on; 0: they differ
  std::int32_t constants = 0;  ///< row of bond constants, or (mixed) first of `lanes` entries of SweepPlan::lane_constants
  std::int32_t partners = -1;  ///< where offset is 0: first of `lanes` entries of SweepPlan::lane_partner
};

/// Bonds that come into a block's voxels through their - faces along y or z.
struct BlockBelow {
  std::uint16_t lanes = 0;     ///< lanes with a bond, bit = lane
  std::int32_t offset = 0;     ///< every lane's partner is `offset` voxels before; 0: they differ
  std::int32_t partners = -1;  ///< where offset is 0: first of `lanes` entries of SweepPlan::lane_partner
};

struct SweepBlock {
  std::array<BlockBonds, 3> along;  ///< by axis x, y, z
  std::array<BlockBelow, 3> below;  ///< by axis; x is not used
  std::int32_t voxel_class = 0;     ///< of all lanes; -1: they differ
};

/// Bonds of one block along one axis that lead from its slab into another, later one.
struct CrossBlock {
  std::uint32_t first = 0;  ///< voxel of lane 0
  std::uint16_t lanes = 0;  ///< bit = lane
  std::uint16_t axis = 0;
  std::uint32_t target = 0;  ///< slab of the second voxels
};

/// Consecutive voxels that one thread advances.
struct SweepSlab {
  std::size_t begin = 0, end = 0;                           ///< voxels; begin is a multiple of the lanes
  std::vector<CrossBlock> out;                              ///< in the order of sweep_axes, ascending
  std::vector<std::pair<std::uint32_t, std::uint32_t>> in;  ///< (slab, position in its `out`) of what comes in, in the order of sums
  std::size_t shared_out = 0;                               ///< those of `out` from this voxel on are the next slab's work
  std::size_t first_out = 0;                                ///< smallest voxel with a bond that goes out (end when there is none)
  std::size_t last_in = 0;                                  ///< largest voxel with a bond that comes in
};

struct SweepPlan {
  std::size_t lanes = 0;
  std::size_t voxels = 0;
  std::vector<SweepBlock> blocks;
  std::vector<std::int32_t> lane_partner;    ///< voxel indices; a lane without bond names itself
  std::vector<std::int32_t> lane_constants;  ///< rows of bond constants; a lane without bond names row 0
  std::vector<SweepSlab> slabs;
  std::array<std::size_t, 3> window{};  ///< by axis: rows of loads that are kept until the voxels beyond them are done; a multiple of 16
  std::size_t fetch_ahead = 0;          ///< voxels before the one that is read first, in bodies that the caches do not hold; 0: no need
};

/// `bond_constants_of`: row of constants of each bond. Bonds that are broken are absent from topology.bond_at.
[[nodiscard]] SweepPlan make_sweep_plan(const LatticeTopology& topology, const LatticeConstants& constants, std::size_t lanes, std::size_t slabs);

/// How many slabs a lattice is worth when `threads` may share it: each must outweigh the barriers.
[[nodiscard]] std::size_t slab_count(std::size_t voxels, std::size_t threads);

}  // namespace vw
