// Evaluates the bonds one by one in scalar code (bond_force.h).
#include "sim/system/voxel/lattice/lattice_load.h"

#include "sim/base/parallel/parallel.h"
#include "sim/system/voxel/explicit/load_sums.h"

namespace vw {
namespace {

constexpr std::size_t load_bond_grain = 512;  // bonds per parallel task, about 50 us of work
constexpr std::size_t load_voxel_grain = 4096;

/// Sums the loads of each voxel's bonds in the order of the voxel's faces, so that results do not depend on the number
/// of threads.
void gather(const LatticeTopology& topology, std::span<const BondLoad> bonds, std::span<Vec3> force_out,
            std::span<Vec3> moment_out, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t face = 0; face < face_count; ++face) {
      const std::int32_t index = topology.bond_at[v][face];
      if (index < 0) continue;
      const BondLoad& load = bonds[static_cast<std::size_t>(index)];
      const bool first = face % 2 == 1;  // voxel v is voxel `a` of a bond through its +x, +y or +z face
      force += first ? load.force : Vec3(-load.force);
      moment += first ? load.moment_a : load.moment_b;
    }
    force_out[v] = force;
    moment_out[v] = moment;
  }
}

}  // namespace

void LatticeLoads::evaluate(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels,
                            bool damped, std::span<const double> slack) {
  const std::size_t n = topology.voxel_count(), bonds = topology.bonds.size();
  loads_.resize(bonds);
  force_.resize(n);
  moment_.resize(n);
  const BondView view{topology.bonds, &constants.bond_constants_of, constants.bonds, topology.axis_bonds, slack};
  VoxelView at = voxels;
  if (!constants.volume_stiffness.empty()) {
    strain_.resize(bonds);
    tension_.resize(n);
    parallel_for(bonds, load_bond_grain,
                 [&](Range range, std::size_t) { bond_strains(view, at, constants.edge_m, strain_, range); });
    parallel_for(n, load_voxel_grain, [&](Range range, std::size_t) {
      sum_volume_tension(topology, strain_, constants.volume_stiffness, tension_, range);
    });
  } else {
    tension_.clear();
  }
  at.volume_tension = tension_;
  parallel_for(bonds, load_bond_grain, [&](Range range, std::size_t) { bond_forces(view, at, damped, loads_, range); });
  parallel_for(n, load_voxel_grain,
               [&](Range range, std::size_t) { gather(topology, loads_, force_, moment_, range); });
}

}  // namespace vw
