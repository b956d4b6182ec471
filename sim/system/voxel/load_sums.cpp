// Each voxel reads the rows of its bonds.
#include "sim/system/voxel/load_sums.h"

namespace vw {
void gather_bond_loads(const LatticeTopology& topology, std::span<const BondLoad> bonds, const VoxelLoads& out, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t face = 0; face < face_count; face += 2) {
      const std::int32_t below = topology.bond_at[v][face], above = topology.bond_at[v][face + 1];
      if (below >= 0) {  // this voxel is that bond's b
        force -= bonds[static_cast<std::size_t>(below)].force;
        moment += bonds[static_cast<std::size_t>(below)].moment_b;
      }
      if (above >= 0) {
        force += bonds[static_cast<std::size_t>(above)].force;
        moment += bonds[static_cast<std::size_t>(above)].moment_a;
      }
    }
    out.force[v] = force;
    out.moment[v] = moment;
  }
}

void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain, std::span<const double> volume_stiffness,
                        std::span<double> out, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    double sum = 0;
    for (const std::int32_t bond : topology.bond_at[v])
      if (bond >= 0) sum += strain[static_cast<std::size_t>(bond)];
    out[v] = volume_stiffness[v] * sum;
  }
}

}  // namespace vw
