// Computes the strains of all bonds, applies the material laws, then breaks bonds in ascending order.
#include "sim/system/voxel/explicit/wear.h"

#include <algorithm>

#include "sim/system/voxel/explicit/bond_force.h"
#include "sim/system/voxel/explicit/load_sums.h"

namespace vw {

Wear BondDamage::apply(const LatticeLaws& laws, const Elements& elements, LatticeTopology& topology,
                       LatticeConstants& constants, BondMemory& memory) {
  Wear out;
  broken_.clear();
  const std::size_t n = topology.voxel_count(), bonds = topology.bonds.size();
  if (!laws.rows.empty()) {
    const VoxelView voxels{elements.position,         elements.orientation, elements.velocity,
                           elements.angular_velocity, elements.radius,      {}};
    const auto flow = [&](std::vector<std::uint32_t>& broken) {
      strain_.resize(bonds);
      slot_strain_.assign(3 * n, 0);
      bond_strains({topology.bonds, &constants.bond_constants_of, constants.bonds, topology.axis_bonds, memory.slack},
                   voxels, constants.edge_m, strain_, {0, bonds});
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = topology.axis_bonds[axis].begin; i < topology.axis_bonds[axis].end; ++i)
          slot_strain_[axis * n + static_cast<std::size_t>(topology.bonds[i].a)] = strain_[i];
      tension_.resize(constants.volume_stiffness.empty() ? 0 : n);
      if (!tension_.empty()) sum_volume_tension(topology, strain_, constants.volume_stiffness, tension_, {0, n});
      return apply_laws(laws, {&topology, &constants, slot_strain_, tension_, elements.radius}, memory, broken,
                        {0, laws.rows.size()});
    };
    // The laws are applied only once per implicit step, and an implicit step may be long. With a Poisson effect, the
    // plastic flow of a bond changes the stress of bonds that share a voxel with it. The flow is therefore repeated
    // until its increments are small. Only the first round determines which bonds fail.
    constexpr int most_rounds = 32;
    constexpr double enough = 1e-3;
    const double first = flow(broken_);
    double last = first;
    for (int round = 1; round < most_rounds && !tension_.empty() && last > enough * first; ++round) {
      relieved_.clear();
      last = flow(relieved_);
    }
  }
  for (std::size_t i = 0; i < bonds; ++i) {
    const Bond& bond = topology.bonds[i];
    const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
    if (elements.orientation[a].dot(elements.orientation[b]) > 0 || (!memory.broken.empty() && memory.broken[i] != 0))
      continue;
    broken_.push_back(static_cast<std::uint32_t>(i));
    ++out.overbent;
  }
  if (broken_.empty()) return out;
  if (memory.broken.empty()) memory.broken.assign(bonds, 0);
  std::sort(broken_.begin(), broken_.end());
  for (const std::uint32_t bond : broken_) {
    if (memory.broken[bond] != 0) continue;
    memory.broken[bond] = 1;
    break_bond(topology, bond);
  }
  refresh_volume_stiffness(topology, constants);
  out.cracked = true;
  return out;
}

}  // namespace vw
