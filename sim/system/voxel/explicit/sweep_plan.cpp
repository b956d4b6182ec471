// Builds blocks and slabs from the topology.
#include "sim/system/voxel/explicit/sweep_plan.h"

#include <algorithm>
#include <map>

namespace vw {
namespace {

/// Smallest number of voxels in a slab. With smaller slabs, a barrier, which takes some microseconds, costs more time
/// than an additional thread saves.
constexpr std::size_t least_slab = 256;

void plan_axis(const LatticeTopology& topology, const LatticeConstants& constants, std::size_t axis, std::size_t first,
               SweepPlan& plan, BlockBonds& out) {
  std::vector<std::int32_t> partner(plan.lanes), row(plan.lanes, 0);
  bool same_offset = true, same_row = true;
  std::int32_t offset = 0, common = -1;
  for (std::size_t lane = 0; lane < plan.lanes; ++lane) {
    const std::size_t v = first + lane;
    partner[lane] = static_cast<std::int32_t>(std::min(v, plan.voxels - 1));
    if (v >= plan.voxels) continue;
    const std::int32_t bond = topology.bond_at[v][2 * axis + 1];
    if (bond < 0) continue;
    const std::int32_t b = topology.bonds[static_cast<std::size_t>(bond)].b;
    partner[lane] = b;
    row[lane] = static_cast<std::int32_t>(constants.bond_constants_of[static_cast<std::size_t>(bond)]);
    const auto step = b - static_cast<std::int32_t>(v);
    if (out.lanes == 0) offset = step, common = row[lane];
    same_offset = same_offset && step == offset;
    same_row = same_row && row[lane] == common;
    out.lanes = static_cast<std::uint16_t>(out.lanes | (1U << lane));
  }
  if (out.lanes == 0) return;
  out.offset = same_offset ? offset : 0;
  if (!same_offset) {
    out.partners = static_cast<std::int32_t>(plan.lane_partner.size());
    plan.lane_partner.insert(plan.lane_partner.end(), partner.begin(), partner.end());
  }
  out.mixed = same_row ? 0 : 1;
  out.constants = same_row ? common : static_cast<std::int32_t>(plan.lane_constants.size());
  if (!same_row) plan.lane_constants.insert(plan.lane_constants.end(), row.begin(), row.end());
}

void plan_below(const LatticeTopology& topology, std::size_t axis, std::size_t first, SweepPlan& plan,
                BlockBelow& out) {
  std::vector<std::int32_t> partner(plan.lanes, 0);
  bool same_offset = true;
  for (std::size_t lane = 0; lane < plan.lanes && first + lane < plan.voxels; ++lane) {
    const std::int32_t bond = topology.bond_at[first + lane][2 * axis];
    if (bond < 0) continue;
    partner[lane] = topology.bonds[static_cast<std::size_t>(bond)].a;
    const auto step = static_cast<std::int32_t>(first + lane) - partner[lane];
    plan.window[axis] = std::max(plan.window[axis], static_cast<std::size_t>(step));
    if (out.lanes == 0) out.offset = step;
    same_offset = same_offset && step == out.offset;
    out.lanes = static_cast<std::uint16_t>(out.lanes | (1U << lane));
  }
  if (out.lanes == 0 || same_offset) return;
  out.offset = 0;
  out.partners = static_cast<std::int32_t>(plan.lane_partner.size());
  plan.lane_partner.insert(plan.lane_partner.end(), partner.begin(), partner.end());
}

std::int32_t common_class(const LatticeConstants& constants, std::size_t first, std::size_t last) {
  for (std::size_t v = first + 1; v < last; ++v)
    if (constants.class_of[v] != constants.class_of[first]) return -1;
  return static_cast<std::int32_t>(constants.class_of[first]);
}

std::size_t slab_of(const SweepPlan& plan, std::size_t voxel) {
  std::size_t slab = 0;
  while (voxel >= plan.slabs[slab].end) ++slab;
  return slab;
}

/// Records the bonds along one axis that lead out of a slab.
void cross_out(const LatticeTopology& topology, std::size_t from, std::size_t axis, SweepPlan& plan) {
  SweepSlab& slab = plan.slabs[from];
  for (std::size_t first = slab.begin; first < slab.end; first += plan.lanes) {
    std::map<std::uint32_t, std::uint16_t> targets;
    for (std::size_t a = first; a < std::min(slab.end, first + plan.lanes); ++a) {
      const std::int32_t bond = topology.bond_at[a][2 * axis + 1];
      if (bond < 0) continue;
      const auto b = static_cast<std::size_t>(topology.bonds[static_cast<std::size_t>(bond)].b);
      if (b < slab.end) continue;
      const std::size_t target = slab_of(plan, b);
      std::uint16_t& lanes = targets[static_cast<std::uint32_t>(target)];
      lanes = static_cast<std::uint16_t>(lanes | (1U << (a - first)));
      slab.first_out = std::min(slab.first_out, a);
      plan.slabs[target].last_in = std::max(plan.slabs[target].last_in, b);
    }
    for (const auto& [target, lanes] : targets) {
      plan.slabs[target].in.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(slab.out.size()));
      slab.out.push_back({static_cast<std::uint32_t>(first), lanes, static_cast<std::uint16_t>(axis), target});
    }
  }
}

void cut_slabs(const LatticeTopology& topology, std::size_t count, SweepPlan& plan) {
  // Slabs begin at multiples of this number, which is a multiple of every number of lanes and of SparseLoads::group.
  constexpr std::size_t unit = 16;
  const std::size_t units = (plan.voxels + unit - 1) / unit;
  for (std::size_t i = 0; i < count; ++i) {
    SweepSlab slab;
    slab.begin = units * i / count * unit;
    slab.end = std::min(plan.voxels, units * (i + 1) / count * unit);
    slab.first_out = slab.end;
    plan.slabs.push_back(slab);
  }
  if (count < 2) return;
  // Bonds between slabs are recorded in the order y, z, x of their axes. Bonds along the same axis ascend by their
  // first voxels. Second voxels sum the loads of these bonds in this order.
  for (std::size_t s = 0; s < count; ++s)
    for (const int axis : sweep_axes) cross_out(topology, s, static_cast<std::size_t>(axis), plan);
  for (SweepSlab& slab : plan.slabs) {
    std::vector<std::size_t> firsts;
    for (const CrossBlock& block : slab.out) firsts.push_back(block.first);
    slab.shared_out = slab.end;
    if (firsts.empty()) continue;
    std::nth_element(firsts.begin(), firsts.begin() + static_cast<std::ptrdiff_t>(firsts.size() / 2), firsts.end());
    slab.shared_out = firsts[firsts.size() / 2];
  }
}

}  // namespace

std::size_t slab_count(std::size_t voxels, std::size_t threads) {
  return std::clamp<std::size_t>(voxels / least_slab, 1, std::max<std::size_t>(1, threads));
}

SweepPlan make_sweep_plan(const LatticeTopology& topology, const LatticeConstants& constants, std::size_t lanes,
                          std::size_t slabs) {
  SweepPlan plan;
  plan.lanes = lanes;
  plan.voxels = topology.voxel_count();
  plan.blocks.reserve((plan.voxels + lanes - 1) / lanes);
  for (std::size_t first = 0; first < plan.voxels; first += lanes) {
    SweepBlock block;
    for (std::size_t axis = 0; axis < 3; ++axis) plan_axis(topology, constants, axis, first, plan, block.along[axis]);
    for (std::size_t axis = 1; axis < 3; ++axis) plan_below(topology, axis, first, plan, block.below[axis]);
    block.voxel_class = common_class(constants, first, std::min(plan.voxels, first + lanes));
    plan.blocks.push_back(block);
  }
  // The window covers the longest offset, a block and a strip, rounded up to a multiple of 16.
  for (std::size_t& rows : plan.window) rows = (rows + 2 * 16 - 1) / 16 * 16 + strip_voxels;
  // Prefetching saves time only for bodies that exceed the caches. The state that the sweep reads is about 100 bytes
  // per voxel. A body of more than about 100,000 voxels exceeds the second-level cache and, on most machines, the
  // third-level cache.
  if (plan.voxels > 100'000) plan.fetch_ahead = *std::max_element(plan.window.begin(), plan.window.end()) + 480;
  cut_slabs(topology, std::max<std::size_t>(1, slabs), plan);
  plan.lane_partner.shrink_to_fit();
  plan.lane_constants.shrink_to_fit();
  return plan;
}

}  // namespace vw
