#include "sim/system/voxel/lattice_block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Stiffness and damping values are grouped into levels, which are intervals of the natural logarithm with the width
/// `level_width`. If there are more than `most_levels` levels, blocks are not used, because a few blocks cannot
/// represent the lattice. At most `damped_blocks` blocks are chosen by damping.
constexpr std::size_t most_levels = 64;
constexpr double level_width = 0.01;
constexpr std::size_t damped_blocks = 2;

/// Stiffness [1/s^2] and damping [1/s] of a voxel: sums over the voxel's bonds, contact springs and global damping,
/// divided by the voxel's mass. Large values mean that the modes that move the voxel are stiff or strongly damped.
struct VoxelMeasure {
  double stiffness = 0, damping = 0;
};
VoxelMeasure measure_of(std::size_t v, const LatticeTopology& topology, const LatticeConstants& constants,
                        const ContactSprings& contact) {
  const VoxelClass& c = constants.of(v);
  const double edge_squared = constants.edge_m * constants.edge_m;
  VoxelMeasure sum;
  for (const std::int32_t bond : topology.bond_at[v]) {
    if (bond < 0) continue;
    const BondConstants& k = constants.bonds[constants.bond_constants_of[static_cast<std::size_t>(bond)]];
    sum.stiffness += k.axial + k.lateral + (k.bend + k.twist) / edge_squared;
    sum.damping += k.axial_damping + k.lateral_damping + (k.bend_damping + k.twist_damping) / edge_squared;
    if (!constants.volume_stiffness.empty())
      sum.stiffness += std::max(0.0, constants.volume_stiffness[v]) / constants.edge_m;
  }
  if (topology.exposed[v] != 0) {
    sum.stiffness += contact.stiffness * c.contact_stiffness;
    sum.damping += contact.damping * c.contact_damping;
  }
  return {sum.stiffness / c.mass, (sum.damping + c.drag) / c.mass};
}

/// Returns the level of a value. A value of 0 or less has the lowest level.
std::int64_t level_of(double value) {
  return value > 0 ? static_cast<std::int64_t>(std::floor(elementary::log(value) / level_width)) : INT64_MIN;
}

/// First voxel of each level, the highest level first.
using Levels = std::map<std::int64_t, std::size_t, std::greater<>>;

}  // namespace

LatticeBlock block_around(const LatticeTopology& topology, const LatticeConstants& constants,
                          std::span<const std::uint8_t> held, std::size_t center, int edge) {
  struct Member {
    std::size_t voxel;
    std::array<int, 3> offset;
  };
  const int least = -(edge - 1) / 2, most = least + edge - 1;
  std::vector<Member> members{{center, {0, 0, 0}}};
  std::unordered_map<std::size_t, std::size_t> index{{center, 0}};
  for (std::size_t m = 0; m < members.size(); ++m)
    for (int face = 0; face < face_count; ++face) {
      std::array<int, 3> offset = members[m].offset;
      int& along = offset[static_cast<std::size_t>(face / 2)];
      along += face % 2 == 0 ? -1 : 1;
      if (along < least || along > most) continue;
      const std::int32_t other = topology.neighbour(members[m].voxel, face);
      if (other >= 0 && index.emplace(static_cast<std::size_t>(other), members.size()).second)
        members.push_back({static_cast<std::size_t>(other), offset});
    }
  LatticeBlock block;
  std::vector<std::uint32_t> class_rows, bond_rows;
  block.constants.edge_m = constants.edge_m;
  block.constants.classes = constants.classes;
  block.constants.bonds = constants.bonds;
  for (const Member& member : members) {
    block.held.push_back(held[member.voxel]);
    block.topology.exposed.push_back(topology.exposed[member.voxel]);
    class_rows.push_back(constants.class_of[member.voxel]);
    if (!constants.volume_stiffness.empty())
      block.constants.volume_stiffness.push_back(constants.volume_stiffness[member.voxel]);
  }
  block.topology.bond_at.assign(members.size(), {-1, -1, -1, -1, -1, -1});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t begin = block.topology.bonds.size();
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::int32_t bond = topology.bond_at[members[m].voxel][2 * axis + 1];
      if (bond < 0) continue;
      const auto other = index.find(static_cast<std::size_t>(topology.bonds[static_cast<std::size_t>(bond)].b));
      if (other == index.end()) continue;
      const auto own = static_cast<std::int32_t>(block.topology.bonds.size());
      block.topology.bonds.push_back({static_cast<std::int32_t>(m), static_cast<std::int32_t>(other->second)});
      block.topology.bond_at[m][2 * axis + 1] = block.topology.bond_at[other->second][2 * axis] = own;
      bond_rows.push_back(constants.bond_constants_of[static_cast<std::size_t>(bond)]);
    }
    block.topology.axis_bonds[axis] = {begin, block.topology.bonds.size()};
  }
  block.constants.class_of = RowOf(std::move(class_rows));
  block.constants.bond_constants_of = RowOf(std::move(bond_rows));
  return block;
}

std::optional<std::vector<std::size_t>> stiffest_voxels(const LatticeTopology& topology,
                                                        const LatticeConstants& constants,
                                                        std::span<const std::uint8_t> held,
                                                        const ContactSprings& contact, std::size_t stiff_blocks) {
  Levels stiff, damped;
  double last_stiffness = -1, last_damping = -1;
  for (std::size_t v = 0; v < topology.voxel_count(); ++v) {
    if (held[v] != 0) continue;
    const VoxelMeasure measure = measure_of(v, topology, constants, contact);
    // Consecutive voxels usually have equal values. In this case the logarithm is not computed again.
    if (measure.stiffness != last_stiffness) stiff.emplace(level_of(measure.stiffness), v);
    if (measure.damping != last_damping) damped.emplace(level_of(measure.damping), v);
    last_stiffness = measure.stiffness, last_damping = measure.damping;
    if (stiff.size() > most_levels || damped.size() > most_levels) return {};
  }
  std::vector<std::size_t> chosen;
  const auto choose = [&](const Levels& levels, std::size_t count) {
    for (auto level = levels.begin(); level != levels.end() && count > 0; ++level, --count)
      chosen.push_back(level->second);
  };
  choose(stiff, stiff_blocks);
  choose(damped, damped_blocks);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace vw
