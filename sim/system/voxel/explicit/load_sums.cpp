// The strains of a voxel's bonds are summed in the order of the voxel's faces, so that the sum does not depend on the
// number of threads.
#include "sim/system/voxel/explicit/load_sums.h"

namespace vw {
void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain,
                        std::span<const double> volume_stiffness, std::span<double> out, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    double sum = 0;
    for (const std::int32_t bond : topology.bond_at[v])
      if (bond >= 0) sum += strain[static_cast<std::size_t>(bond)];
    out[v] = volume_stiffness[v] * sum;
  }
}

}  // namespace vw
