// Boxes of voxels with boundary conditions.
#include "sim/system/voxel/regions.h"

#include <algorithm>

namespace vw {
namespace {

constexpr double tolerance = 1e-9;  // of a voxel: fractions such as 1/3 of 9 voxels fall on faces

bool touches(double low, double high, int cell) {
  if (high - low < tolerance) return low > cell - tolerance && low < cell + 1 + tolerance;
  return cell + 1 > low + tolerance && cell < high - tolerance;
}

std::vector<std::size_t> voxels_in(const VoxelLattice& lattice, const VoxelRegion& region) {
  const std::array<int, 3> extent{lattice.nx, lattice.ny, lattice.nz};
  std::vector<std::size_t> found;
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) {
    bool inside = true;
    for (std::size_t axis = 0; axis < 3 && inside; ++axis) {
      const auto dim = static_cast<Eigen::Index>(axis);
      inside = touches(region.min[dim] * extent[axis], region.max[dim] * extent[axis], lattice.cell[v][axis]);
    }
    if (inside) found.push_back(v);
  }
  return found;
}

}  // namespace

RampState ramp_at(double t, double ramp_s) {
  if (t >= ramp_s) return {1, 0};
  const double u = std::max(t, 0.0) / ramp_s;
  return {u * u * (3 - 2 * u), 6 * u * (1 - u) / ramp_s};
}

std::vector<VoxelRegion> read_regions(const Node& body) {
  std::vector<VoxelRegion> regions;
  for (const Node* node : body.all("region")) regions.push_back(voxel_region_params().read(node->values));
  return regions;
}

ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions) {
  ResolvedRegions out;
  out.fixed.assign(lattice.cell.size(), 0);
  for (const VoxelRegion& region : regions) {
    const std::vector<std::size_t> voxels = voxels_in(lattice, region);
    for (const std::size_t v : voxels)
      if (region.fixed) out.fixed[v] = 1;
    if (region.force.isZero(0) || voxels.empty()) continue;
    if (out.force.empty()) out.force.assign(lattice.cell.size(), Vec3::Zero());
    for (const std::size_t v : voxels) out.force[v] += region.force / static_cast<double>(voxels.size());
  }
  return out;
}

}  // namespace vw
