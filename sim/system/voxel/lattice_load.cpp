// The kernels of a substep in their order, without the substep.
#include "sim/system/voxel/lattice_load.h"

#include "sim/base/parallel.h"

namespace vw {
namespace {

constexpr std::size_t bond_grain = 4096;  // a quarter of a millisecond: below that a second thread is not worth its start
constexpr std::size_t voxel_grain = 4096;

}  // namespace

void LatticeLoads::evaluate(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels, bool damped,
                            std::span<const double> slack) {
  const std::size_t n = topology.voxel_count(), bonds = topology.bonds.size();
  loads_.resize(bonds);
  force_.resize(n);
  moment_.resize(n);
  const BondView view{topology.bonds, constants.bond_constants_of, constants.bonds, topology.axis_bonds, slack};
  VoxelView at = voxels;
  if (!constants.volume_stiffness.empty()) {
    strain_.resize(bonds);
    tension_.resize(n);
    parallel_for(bonds, bond_grain, [&](Range range, std::size_t) { bond_strains(view, at, constants.edge_m, strain_, range); });
    parallel_for(n, voxel_grain,
                 [&](Range range, std::size_t) { sum_volume_tension(topology, strain_, constants.volume_stiffness, tension_, range); });
  } else {
    tension_.clear();
  }
  at.volume_tension = tension_;
  parallel_for(bonds, bond_grain, [&](Range range, std::size_t) { bond_forces(view, at, damped, loads_, range); });
  const VoxelLoads sums{force_, moment_};
  parallel_for(n, voxel_grain, [&](Range range, std::size_t) { gather_bond_loads(topology, loads_, sums, range); });
}

}  // namespace vw
